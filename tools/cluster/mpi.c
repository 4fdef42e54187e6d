/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster.so by MPI: messages from one to one alone after the start, and errors as values, so that the
 * survivors go on where the launcher lets them (Open MPI: mpirun --enable-recovery).
 */
#include "tools/fecrun/cluster/transport.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TAG 1
#define LAST_MS 300 /* for last messages to those who may be dead */

static char *buffer;
static size_t room;

static int cluster_open(int *rank, int *size, char *error, size_t error_size)
{
    int provided;

    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        snprintf(error, error_size, "MPI_Init_thread failed");
        return -1;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (provided < MPI_THREAD_FUNNELED) {
        snprintf(error, error_size, "this MPI cannot be used beside threads");
        return -1;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return 0;
}

/* ---- Sending: what a dead receiver does not take waits here for ever, and nobody with it ---- */

struct outgoing {
    MPI_Request request;
    struct outgoing *next;
    char bytes[];
};

static struct outgoing *waiting;

/* Forgets what has gone; false: something has not. */
static bool reap(void)
{
    for (struct outgoing **p = &waiting; *p;) {
        struct outgoing *out = *p;
        int gone = 0;
        if (MPI_Test(&out->request, &gone, MPI_STATUS_IGNORE) == MPI_SUCCESS && !gone) {
            p = &out->next;
            continue;
        }
        *p = out->next;
        free(out);
    }
    return !waiting;
}

static int cluster_send(int to, const void *bytes, size_t n)
{
    struct outgoing *out = n <= INT_MAX ? malloc(sizeof *out + n) : NULL;

    if (!out)
        return -1;
    memcpy(out->bytes, bytes, n);
    if (MPI_Isend(out->bytes, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &out->request) !=
        MPI_SUCCESS) {
        free(out);
        return -1;
    }
    out->next = waiting;
    waiting = out;
    return 0;
}

/* ---- Receiving ---- */

static bool cluster_receive(int *from, const void **bytes, size_t *n)
{
    MPI_Status status;
    int there = 0, count = 0;

    reap();
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there ||
        MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0)
        return false;
    if ((size_t)count > room || !buffer) {
        char *grown = realloc(buffer, (size_t)count + 1);
        if (!grown)
            return false; /* it waits */
        buffer = grown;
        room = (size_t)count;
    }
    if (MPI_Recv(buffer, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status) !=
        MPI_SUCCESS)
        return false;
    *from = status.MPI_SOURCE;
    *bytes = buffer;
    *n = (size_t)count;
    return true;
}

static void cluster_close(bool together)
{
    const struct timespec nap = {0, 1000000};

    for (int i = 0; !reap() && i < LAST_MS; i++)
        nanosleep(&nap, NULL);
    free(buffer);
    buffer = NULL;
    if (together)
        MPI_Finalize(); /* would wait for the dead */
}

__attribute__((visibility("default"))) const struct cluster_transport fecrun_cluster = {
    .abi = CLUSTER_ABI,
    .name = "MPI",
    .open = cluster_open,
    .send = cluster_send,
    .receive = cluster_receive,
    .close = cluster_close,
};

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NODELETE */
#endif
#include "tools/fecrun/cluster/cluster.h"

#include "core/base/cpu.h"
#include "tools/fecrun/cluster/message.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PING_EVERY 5.0 /* seconds */
#define BYE_WAIT 3.0   /* for those who are still at work when all is over */

/* ---- The job ---- */

static unsigned number_in(const char *variable)
{
    const char *text = getenv(variable);

    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* By what launchers tell: Open MPI's own, and Slurm with PMIx. */
static bool is_job(void)
{
    return number_in("OMPI_COMM_WORLD_SIZE") > 1 ||
           (getenv("PMIX_RANK") && number_in("SLURM_STEP_NUM_TASKS") > 1);
}

static void find_locals(struct cluster *cluster)
{
    const bool slurm = !getenv("OMPI_COMM_WORLD_LOCAL_SIZE");

    cluster->local = number_in(slurm ? "SLURM_LOCALID" : "OMPI_COMM_WORLD_LOCAL_RANK");
    cluster->locals = slurm ? number_in("SLURM_STEP_TASKS_PER_NODE")
                            : number_in("OMPI_COMM_WORLD_LOCAL_SIZE");
}

/* lib/fecrun/cluster.so beside the program, else the installed one. */
static void *load(char *path, size_t size)
{
    char program[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash;

    program[n > 0 ? n : 0] = 0;
    slash = strrchr(program, '/');
    snprintf(path, size, "%.*s/lib/fecrun/cluster.so", slash ? (int)(slash - program) : 0, program);
    if (access(path, R_OK))
        snprintf(path, size, "%s", FECRUN_CLUSTER);
    /* global: Open MPI loads parts of itself that want its symbols; it cannot be closed again */
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
}

static int load_transport(struct cluster *cluster, struct diag *diag)
{
    char path[PATH_MAX + 32];

    cluster->library = load(path, sizeof path);
    if (!cluster->library)
        return diag_fail(diag, DIAG_UNAVAILABLE,
                         "this is one of several processes of a job, but %s cannot be loaded "
                         "(configure --with-mpi): %s",
                         path, dlerror());
    cluster->transport = dlsym(cluster->library, CLUSTER_SYMBOL);
    if (cluster->transport && cluster->transport->abi == CLUSTER_ABI)
        return 0;
    cluster->transport = NULL;
    return diag_fail(diag, DIAG_UNAVAILABLE, "%s: is of another version of fecrun", path);
}

/* ---- Rank 0 ---- */

static void tell(const struct cluster *cluster, int rank, const struct message *message)
{
    cluster->transport->send(rank, message, sizeof *message);
}

static void ping(struct cluster *cluster)
{
    const struct message message = {.type = MESSAGE_PING};
    const double now = cpu_seconds();

    if (now - cluster->pinged < PING_EVERY)
        return;
    cluster->pinged = now;
    for (int rank = 1; rank < cluster->size; rank++)
        if (cluster->joined[rank] && !cluster->gone[rank])
            tell(cluster, rank, &message);
}

static bool take_hello(struct cluster *cluster, int rank, const char *text, size_t size,
                       struct member_event *event)
{
    json_t *theirs = json_loadb(text, size, 0, NULL);
    const char *host = json_string_value(json_object_get(theirs, "host"));
    const char *why = hello_difference(theirs, cluster->hello, event->why, sizeof event->why);

    event->what = why ? MEMBER_LOST : MEMBER_JOINED;
    snprintf(event->who, sizeof event->who, "rank %d (%.64s)", rank, host ? host : "?");
    cluster->joined[rank] = true;
    json_decref(theirs);
    return true;
}

static bool take_result(struct cluster *cluster, const struct message *message, size_t size,
                        struct member_event *event)
{
    const size_t bytes = message->n_rows * sizeof *cluster->rows;
    struct run_class *rows;

    if (size - sizeof *message < bytes || size - sizeof *message - bytes != message->n_data ||
        !(rows = realloc(cluster->rows, bytes + 1)))
        return false;
    memcpy(rows, message + 1, bytes);
    cluster->rows = rows;
    event->what = MEMBER_RESULT;
    event->point = (size_t)message->point;
    event->first = message->lease.first;
    event->part = message->part;
    event->part.counts.rows = message->n_rows ? rows : NULL;
    event->data = (const char *)(message + 1) + bytes;
    event->n_data = message->n_data;
    return true;
}

static bool poll(void *data, struct member_event *event)
{
    struct cluster *cluster = data;
    const struct message *message;
    const void *bytes;
    size_t size;
    int from;

    ping(cluster);
    if (!cluster->transport->receive(&from, &bytes, &size) || size < sizeof *message || from < 1)
        return false;
    message = bytes;
    *event = (struct member_event){.member = (unsigned)from - 1};
    switch (message->type) {
    case MESSAGE_HELLO:
        return take_hello(cluster, from, (const char *)(message + 1), size - sizeof *message,
                          event);
    case MESSAGE_RESULT:
        return take_result(cluster, message, size, event);
    case MESSAGE_FAILED:
        event->what = MEMBER_LOST;
        snprintf(event->why, sizeof event->why, "%.*s", (int)(size - sizeof *message),
                 (const char *)(message + 1));
        return true;
    case MESSAGE_BYE:
        event->what = MEMBER_LOST;
        snprintf(event->why, sizeof event->why, "it was told to stop");
        cluster->gone[from] = true;
        return true;
    }
    return false;
}

static void give(void *data, unsigned member, size_t point, const struct lease *lease)
{
    const struct message message = {.type = MESSAGE_GIVE, .point = point, .lease = *lease};

    tell(data, (int)member + 1, &message);
}

static void stop(void *data, unsigned member, uint64_t first)
{
    const struct message message = {.type = MESSAGE_STOP, .lease.first = first};

    tell(data, (int)member + 1, &message);
}

int cluster_open(struct cluster *cluster, struct diag *diag)
{
    char error[256] = "", host[64] = "";

    *cluster = (struct cluster){0};
    if (!is_job())
        return 0;
    find_locals(cluster);
    if (load_transport(cluster, diag))
        return -1;
    if (cluster->transport->open(&cluster->rank, &cluster->size, error, sizeof error)) {
        cluster->transport = NULL;
        return diag_fail(diag, DIAG_UNAVAILABLE, "cannot join the job: %s", error);
    }
    cluster->joined = calloc((size_t)cluster->size, sizeof *cluster->joined);
    cluster->gone = calloc((size_t)cluster->size, sizeof *cluster->gone);
    gethostname(host, sizeof host - 1);
    snprintf(cluster->self, sizeof cluster->self, "rank %d (%s)", cluster->rank, host);
    members_open(&cluster->members, &(struct member_calls){poll, give, stop, cluster},
                 cluster->self);
    return cluster->joined && cluster->gone ? 0 : diag_no_memory(diag);
}

int cluster_welcome(struct cluster *cluster, json_t *hello, struct diag *diag)
{
    json_decref(cluster->hello);
    cluster->hello = hello;
    return hello ? 0 : diag && diag->status ? -1 : diag_no_memory(diag);
}

/* ---- The end ---- */

/* Those who were heard of. */
static unsigned still_there(const struct cluster *cluster)
{
    unsigned n = 0;

    for (int rank = 1; rank < cluster->size; rank++)
        n += !cluster->gone[rank];
    return n;
}

/* Everybody ends; who does not answer is dead, or at work on something long. */
static void dismiss(struct cluster *cluster)
{
    const struct message end = {.type = MESSAGE_END};
    struct message leave = {.type = MESSAGE_LEAVE};
    const struct timespec while_ = {0, 1000000};
    const double begin = cpu_seconds();
    const struct message *message;
    const void *bytes;
    size_t size;
    int from;

    for (int rank = 1; rank < cluster->size; rank++)
        tell(cluster, rank, &end);
    while (still_there(cluster) && cpu_seconds() - begin < BYE_WAIT) {
        if (!cluster->transport->receive(&from, &bytes, &size)) {
            nanosleep(&while_, NULL);
            continue;
        }
        message = bytes;
        if (size >= sizeof *message && message->type == MESSAGE_BYE)
            cluster->gone[from] = true;
    }
    leave.together = !still_there(cluster);
    for (int rank = 1; rank < cluster->size; rank++)
        tell(cluster, rank, &leave);
    cluster->transport->close(leave.together);
}

void cluster_close(struct cluster *cluster)
{
    if (cluster->transport && cluster->rank == 0 && cluster->gone)
        dismiss(cluster);
    json_decref(cluster->hello);
    members_close(&cluster->members);
    free(cluster->joined);
    free(cluster->gone);
    free(cluster->rows);
    cluster->transport = NULL;
}

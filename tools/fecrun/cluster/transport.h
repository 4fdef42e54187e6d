/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages between the processes of one job: what cluster.so gives, which is loaded at run time so that
 * nothing else links MPI. All functions are called from one thread.
 */
#ifndef FECRUN_TOOL_CLUSTER_TRANSPORT_H
#define FECRUN_TOOL_CLUSTER_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#define CLUSTER_ABI 1
#define CLUSTER_SYMBOL "fecrun_cluster"

struct cluster_transport {
    int abi;
    const char *name; /* of the library, with its version */
    /* Joins the job. -1: error has a line about why not. */
    int (*open)(int *rank, int *size, char *error, size_t error_size);
    /* Takes a copy; waits for nobody, as the receiver may be dead. -1: it cannot be reached. */
    int (*send)(int to, const void *bytes, size_t n);
    /* The next message, from anybody; *bytes lives until the next call. false: there is none. */
    bool (*receive)(int *from, const void **bytes, size_t *n);
    /* together: all processes of the job do it, and none is dead; else it leaves by itself. */
    void (*close)(bool together);
};

#endif

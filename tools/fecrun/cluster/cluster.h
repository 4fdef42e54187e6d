/* SPDX-License-Identifier: BSD-2-Clause */
/* One run by all processes of an MPI job: rank 0 has the queue, the journal and the results. */
#ifndef FECRUN_TOOL_CLUSTER_CLUSTER_H
#define FECRUN_TOOL_CLUSTER_CLUSTER_H

#include "tools/fecrun/cluster/members.h"
#include "tools/fecrun/cluster/serve.h"
#include "tools/fecrun/cluster/transport.h"

#include <jansson.h>

struct cluster {
    const struct cluster_transport *transport; /* NULL: no job, this process is alone */
    void *library;
    int rank, size;
    unsigned local, locals; /* which one of those on this host */
    json_t *hello;          /* rank 0: what the others have to be like */
    bool *joined, *gone;    /* rank 0: by rank */
    double pinged;
    struct members members;
    struct run_class *rows; /* of the last result */
    char self[96];          /* "rank 0 (HOST)" */
    volatile int cancel;    /* worker: stops its present lease */
};

/* Was this process started as one of several of a job? Then joins it. -1: the job's library is
   missing, or says no. */
int cluster_open(struct cluster *cluster, struct diag *diag);
/* Rank 0: from now on others can be told whether they fit. hello is stolen. */
int cluster_welcome(struct cluster *cluster, json_t *hello, struct diag *diag);
/* Rank 0: the others end. All: leaves the job. */
void cluster_close(struct cluster *cluster);

/* hello.c: why that one cannot take part; NULL: it can. */
const char *hello_difference(const json_t *theirs, const json_t *mine, char *text, size_t size);

/* worker.c: any other rank: leases until rank 0 says that it is over; leaves the job, too. hello (stolen):
   what rank 0 is told of it, see hello_difference(). server NULL: only that. signal: the user's. The
   server's cancel flag is cluster->cancel. */
void cluster_work(struct cluster *cluster, struct server *server, json_t *hello,
                  const volatile int *signal);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What runs the points of a sweep when others take part besides its own exec. run/fleet/fleet.h has one. */
#ifndef FECRUN_RUN_SWEEP_RUNNER_H
#define FECRUN_RUN_SWEEP_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct exec;
struct memory_pool;
struct run_counts;
struct run_options;
struct session;
struct session_plan;

/* Who did what of a point. */
struct run_share {
    char who[96]; /* "cuda:1" */
    uint64_t frames;
    double seconds;
    bool placed;    /* its node is known; else these are 0: */
    int node;       /* whose CPUs are near, */
    bool bound;     /* and its threads stay at those */
    char lost[256]; /* why it takes no further part; "" */
};

/* All functions are called from the sweep's thread, `begin` first. */
struct runner {
    /* plan: of point 0. pool: the sweep's memory, which lives longer. */
    int (*begin)(struct runner *runner, const struct session *session,
                 const struct session_plan *plan, struct memory_pool *pool, struct diag *diag);
    /* Moves a plan to a device that takes part. */
    void (*place)(const struct runner *runner, struct session_plan *plan);
    /* Does anybody take part besides the sweep's exec? If not, `run` and `taken` are not called. */
    bool (*shares)(const struct runner *runner);
    /* As run_point(), of the point with that number; `counted` of the options is not called. */
    int (*run)(struct runner *runner, struct exec *exec, size_t point,
               const struct run_options *options, struct run_counts *counts, double *seconds,
               const char **stop, struct diag *diag);
    /* Who did what since the call before: n of them. The caller frees them. NULL: out of memory. */
    struct run_share *(*taken)(struct runner *runner, size_t *n);
    /* Closes what belongs to the exec, before that goes. */
    void (*leave)(struct runner *runner);
    void (*close)(struct runner *runner);
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* All points of a session, one after the other. */
#ifndef FECRUN_SWEEP_H
#define FECRUN_SWEEP_H

#include "result.h"
#include "session.h"

struct sweep_progress {
    size_t point, points;
    const struct run_counts *counts;
    struct run_limits limits;
    double seconds;
};

struct sweep_options {
    volatile int *cancel; /* set by a signal handler: the point ends, no further one begins */
    /* Before the first frame, once: the plan of the first point. Not 0: stop. */
    int (*on_plan)(void *data, const struct session_plan *plan, unsigned workers,
                   struct diag *diag);
    /* After each point, also one that was cut short by a signal or an error. Not 0: stop. */
    int (*on_point)(void *data, const struct result_point *point, struct diag *diag);
    void (*on_progress)(void *data, const struct sweep_progress *progress); /* may be NULL */
    void *data;
};

int sweep_run(const struct session *session, const struct sweep_options *options,
              struct diag *diag);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The points of a session, one after the other:
 *
 *     sweep_open(), then for each point sweep_point() and sweep_next(); sweep_close()
 *
 * Whoever runs a point in several parts calls sweep_make() and sweep_frames() instead of sweep_point(), and sweep_go()
 * for points in an order of his own.
 */
#ifndef FECRUN_RUN_SWEEP_SWEEP_H
#define FECRUN_RUN_SWEEP_SWEEP_H

#include "core/batch/exec.h"
#include "run/fleet/fleet.h"
#include "run/sweep/find.h"
#include "run/sweep/point.h"

struct sweep_options {
    const volatile int *cancel;        /* set: the point ends, no further one begins; may be NULL */
    const struct fleet_options *fleet; /* who takes part; NULL: the devices of this host */
    bool sinkless;                     /* an ordered sink is another process's */
    const struct times_watch *watch;   /* of where time goes; may be NULL */
};

/* Which point comes next, where what was counted decides: `auto` and `find`. */
struct walk {
    const struct pipeline_sweep *last; /* the one that decides; NULL: points follow each other */
    struct find find;
    double share; /* wrong bits of wrong frames, as far as was seen; 1: unknown */
    bool ended;   /* by the last sweep_next(): find_result() is what the search has found */
};

struct sweep {
    const struct session *session;
    struct sweep_options options;
    size_t number;             /* of the present point, from 0 */
    struct result_point point; /* what the plan tells, and after sweep_point() all */
    struct crew crew;          /* threads for all points */
    struct fleet fleet;
    struct exec exec;
    bool open;                /* exec is, */
    struct session_plan made; /* for this plan; */
    struct session_plan plan; /* the present point's, if it is another one; else zeroed */
    bool ready;               /* exec is set to the present point */
    struct walk walk;
    struct memory_pool *pool; /* so that points use the memory of those before */
};

/* Checks all points and finds who takes part, then goes to the first point. After an error, too, sweep_close(). */
int sweep_open(struct sweep *sweep, const struct session *session,
               const struct sweep_options *options, struct diag *diag);
void sweep_close(struct sweep *sweep);

/* Makes the point of that number the present one: plans it. */
int sweep_go(struct sweep *sweep, size_t number, struct diag *diag);
/* Goes to the point that follows the present one, where that came to *point. 1: there is one; 0: there is none, or the
   run is cancelled; -1. */
int sweep_next(struct sweep *sweep, const struct result_point *point, struct diag *diag);
/* The swept value at that place of the sweep, which may lie between two. */
double sweep_value(const struct pipeline_sweep *sweep, double at);

/* The present point's plan; its batch is final after sweep_make(). */
const struct session_plan *sweep_plan(const struct sweep *sweep);
/* Makes instances for the present point, or takes those of the one before where they serve it, too. */
int sweep_make(struct sweep *sweep, struct diag *diag);
/* run_point() of the present point, which is made, by all who take part. Crew and in_flight are the sweep's. */
int sweep_frames(struct sweep *sweep, const struct run_options *options, struct run_counts *counts,
                 double *seconds, const char **stop, struct diag *diag);
/* All of it: makes it, runs it with the options' limits, puts written files in place and fills sweep->point, with what was
   counted also after an error. */
int sweep_point(struct sweep *sweep, const struct run_options *options, struct diag *diag);
/* Puts into sweep->point who did what since the call before. */
void sweep_shares(struct sweep *sweep);

/* All that a sweep would find wrong before its first frame: opens it, and makes the instances of the first point. Files are not
   opened for writing. */
int sweep_try(const struct session *session, struct diag *diag);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal declarations of a sweep. */
#ifndef FECRUN_RUN_SWEEP_SWEEP_IMPL_H
#define FECRUN_RUN_SWEEP_SWEEP_IMPL_H

#include "core/batch/exec.h"
#include "run/fleet/fleet.h"
#include "run/sweep/find.h"
#include "run/sweep/sweep.h"

/* Which point comes next, where what was counted decides: `auto` and `find`. */
struct walk {
    const struct session *session;
    const struct pipeline_sweep *last; /* the one that decides; NULL: points follow each other */
    size_t number, points;
    double fer;              /* of the point that was run last; NaN: unknown */
    struct find_point point; /* the same for find */
    struct find find;
    double share; /* wrong bits of wrong frames, as far as was seen; 1: unknown */
};

/* number: of the first point. */
void walk_begin(struct walk *walk, const struct session *session);

/* The rules with which the present point is run: a search does not wait for errors much longer than
   the wanted rate takes. */
void walk_limits(const struct walk *walk, struct run_limits *limits);

/* What the present point came to. */
void walk_note(struct walk *walk, const struct result_point *point);

/* 1: on to walk->number; 0: the last point was run. found->sweep: NULL, or a search has ended. */
int walk_next(struct walk *walk, struct result_found *found, struct diag *diag);

struct sweep {
    const struct session *session;
    const struct sweep_options *options;
    bool keep_instances; /* all points can share them */
    struct crew crew;    /* threads for all points */
    struct fleet fleet;
    bool open;
    struct exec exec;
    struct session_plan made; /* of the point that exec was made for */
    struct session_plan plan; /* of the present one, if it is another */
    size_t number, round;     /* of points; of a keeper's rounds */
    bool begun, worked;       /* on_plan was called; this round had something to do */
    struct walk walk;
    struct run_limits limits;
    struct sweep_task task;   /* of a keeper */
    struct memory_pool *pool; /* so that points use the memory of those before */
};

/* Checks all points. plan: of the point that comes first. After an error, too, sweep_end(). */
int sweep_begin(struct sweep *sweep, const struct session *session,
                const struct sweep_options *options, struct session_plan *plan, struct diag *diag);
void sweep_end(struct sweep *sweep);
/* To the next point, whose plan is taken over: with the instances of the one before where they serve it, too. */
int sweep_move(struct sweep *sweep, struct session_plan *next, struct diag *diag);
/* run_point(), by all who take part. */
int sweep_point(struct sweep *sweep, const struct run_options *options, struct run_counts *counts,
                double *seconds, const char **stop, struct diag *diag);

#endif

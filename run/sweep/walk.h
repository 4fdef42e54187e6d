/* SPDX-License-Identifier: BSD-2-Clause */
/* Which point of a sweep comes next, where what was counted decides: `auto` and `find`. */
#ifndef FECRUN_RUN_SWEEP_WALK_H
#define FECRUN_RUN_SWEEP_WALK_H

#include "run/sweep/find.h"
#include "run/sweep/sweep.h"

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

#endif

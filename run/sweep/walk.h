/* SPDX-License-Identifier: BSD-2-Clause */
/* Which point comes next, where what was counted decides. */
#ifndef FECRUN_RUN_SWEEP_WALK_H
#define FECRUN_RUN_SWEEP_WALK_H

#include "run/sweep/sweep.h"

/* Returns the number of the first point. */
size_t walk_begin(struct walk *walk, const struct session *session);

/* The rules with which a point is run: a search does not wait for errors much longer than the wanted
   rate takes. */
void walk_limits(const struct walk *walk, struct run_limits *limits);

/* As sweep_next(): from the point *number, which came to *point, on to the next one. */
int walk_next(struct walk *walk, const struct session *session, const struct result_point *point,
              size_t *number, struct result_found *found, struct diag *diag);

#endif

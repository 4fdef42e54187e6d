/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the RNG knows a point by. Each stage has a number of its own, made of the swept values that
 * can reach its output: so what is swept behind a stage leaves its random values as they are, and
 * all values of a receiver's parameter meet the same frames and the same noise.
 */
#ifndef FECRUN_PLAN_NUMBERS_H
#define FECRUN_PLAN_NUMBERS_H

#include "core/plan/plan.h"

/* Sets point->numbers from the point's values. */
int point_number(struct point *point, const struct graph *graph, struct diag *diag);

/* Once the point is planned: where stages combine its frames with those of another run
   (fecrun_plan.past), its channels get other numbers than they had there. */
void point_number_past(struct point *point, const struct plan *plan);

#endif

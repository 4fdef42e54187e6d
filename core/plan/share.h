/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parameters that both ends of a channel share. A stage that undoes or follows another one takes
 * parameters from it, and has to agree with it (fecrun_stage.undoes).
 */
#ifndef FECRUN_PLAN_SHARE_H
#define FECRUN_PLAN_SHARE_H

#include "core/plan/graph.h"
#include "core/plan/plan.h"

/* The stage that s undoes or follows, if it shares parameters; -1: there is none in front of it. */
int share_partner(const struct graph *graph, size_t s);

/* The stage that s undoes, whether or not it shares anything; -1: there is none in front of it. */
int share_undone(const struct graph *graph, size_t s);

/* Before plan(): SHARED parameters that the user did not write become the partner's. */
int share_take(struct plan *plan, size_t s, struct diag *diag);

/* After it: is it the same? */
int share_check(const struct plan *plan, size_t s, struct diag *diag);

/* A plan() that failed: its reason may be that the user wrote something else here than there. Says
   so behind the text that is there. */
void share_explain(const struct plan *plan, size_t s, struct fecrun_error *err);

#endif

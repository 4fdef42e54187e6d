/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/session.h"

/* Why it must begin with its first frame; NULL: it need not. */
static const char *in_order(const struct plan *plan, size_t s)
{
    const struct plan_stage *stage = &plan->stages[s];
    const struct graph_stage *bound = &plan->graph->stages[s];

    if (plan_flags(plan, s) & FECRUN_ORDERED && bound->n_out)
        return plan_flags(plan, s) & FECRUN_SEEKS ? "reads a file from its beginning"
                                                  : "reads a pipe, or a file in a loop";
    if (plan_flags(plan, s) & FECRUN_ORDERED)
        return "writes a file from its beginning";
    if (plan_flags(plan, s) & FECRUN_ENDS)
        return "has an end";
    if (stage->plan.before || stage->plan.after)
        return "reads over the ends of frames";
    return bound->n_out && stage->out[0].stream ? "is a stream" : NULL;
}

int session_seekable(const struct session_plan *plan, const char *what, struct diag *diag)
{
    const struct shape *shape = &plan->shape;

    for (size_t s = 0; s < shape->graph->n; s++)
        for (size_t c = 0; c < shape->n_classes; c++) {
            const char *why = in_order(shape->plans[c], s);
            if (why)
                return diag_fail_at(diag, DIAG_USAGE, shape->graph->stages[s].decl->mark,
                                    "%s: %s, so %s cannot begin in its middle",
                                    shape->graph->stages[s].decl->id, why, what);
        }
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Which plans can be prepared. */
#include "run/api/api_impl.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

static bool looks_over(const struct session_plan *plan, size_t s)
{
    const struct fecrun_plan *p = &plan->plan->stages[s].plan;

    return plan->negotiation->choices[s].absorbed_by < 0 && (p->before || p->after);
}

/* A stage can read the outputs of earlier stages, back to the last one that reads beyond its frames' ends. */
static int check_reads(const struct session_plan *plan, size_t s, size_t begin, struct diag *diag)
{
    const struct graph_stage *stages = plan->shape.graph->stages;
    const struct edge *in = plan->negotiation->choices[s].in;
    const bool looks = looks_over(plan, s), bound = stages[s].stage->flags & FECRUN_STAGE_BOUND;

    for (unsigned p = 0; p < stages[s].n_in; p++) {
        const size_t least = looks && p ? s : begin, from = (size_t)in[p].from_stage;
        if (in[p].from_stage < 0)
            continue;
        if (from < least)
            return diag_fail_at(diag, DIAG_USAGE, stages[s].decl->mark,
                                "%s: reads %s past %s, which gives its frames later; in a prepared "
                                "stream it must stand before that",
                                stages[s].decl->id, stages[from].decl->id, stages[least].decl->id);
        if ((looks || bound) && plan->plan->stages[from].out[in[p].from_port].items %
                                    fecrun_type_per_byte(in[p].to_type))
            return diag_fail_at(diag, DIAG_USAGE, stages[s].decl->mark,
                                "%s: frames of a prepared stream must be whole bytes",
                                stages[s].decl->id);
    }
    return 0;
}

static int check_stream(const struct session_plan *plan, struct diag *diag)
{
    const struct graph *graph = plan->shape.graph;
    const struct fecrun_frame *frame = &plan->plan->stages[0].out[0];
    size_t begin = 0;

    if (!frame->stream)
        return 0;
    if (!(graph->stages[0].stage->flags & FECRUN_STAGE_BOUND))
        return diag_fail_at(diag, DIAG_USAGE, graph->stages[0].decl->mark,
                            "%s: gives a stream, which a prepared pipeline takes from "
                            "source.memory only",
                            graph->stages[0].decl->id);
    if (frame->items % fecrun_type_per_byte(plan->negotiation->choices[0].form->out[0].type))
        return diag_fail_at(diag, DIAG_USAGE, graph->stages[0].decl->mark,
                            "%s: frames of a prepared stream must be whole bytes",
                            graph->stages[0].decl->id);
    for (size_t s = 1; s < graph->n; s++) {
        if (check_reads(plan, s, begin, diag))
            return -1;
        begin = looks_over(plan, s) ? s : begin;
    }
    return 0;
}

uint64_t prepared_delay(const struct plan *plan)
{
    uint64_t frames = 1; /* room for the end of a stream */

    if (!plan->stages[0].out[0].stream)
        return 0;
    for (size_t s = 1; s < plan->graph->n; s++)
        if (plan->stages[s].plan.after)
            frames += (plan->stages[s].plan.after - 1) / plan_input(plan, s, 0)->items + 1;
    return frames;
}

int prepared_check(const struct session_plan *plan, struct diag *diag)
{
    return session_refuse(
               plan->plan, FECRUN_STAGE_ORDERED,
               "reads or writes a file, and a prepared pipeline has no end at which files "
               "are finished; source.memory and sink.memory take arrays",
               diag) ||
                   check_stream(plan, diag)
               ? -1
               : 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Can instances be used with another plan than the one that they were made for? */
#include "run/session/session.h"

#include <fecrun/sdk/params.h>

#include <string.h>

/* Are the stage's parameters the same in both plans, except those with one of these flags? */
static bool same_values(const struct plan *a, const struct plan *b, size_t s, uint32_t except)
{
    const struct param_set *p = a->stages[s].params, *q = b->stages[s].params;

    for (size_t i = 0; param_schema(p)[i]; i++)
        if (!(param_schema(p)[i]->flags & except) &&
            (!param_same(p, i, q, i) ||
             param_values(p)->v[i]->given != param_values(q)->v[i]->given))
            return false;
    return true;
}

/* Are the stage's input frames the same in both plans? point: their noise may differ. */
static bool same_inputs(const struct plan *a, const struct plan *b, size_t s, bool point)
{
    for (unsigned p = 0; p < a->graph->stages[s].n_in; p++) {
        const struct fecrun_frame *from = plan_input(a, s, p), *to = plan_input(b, s, p);
        struct fecrun_frame frame;
        if (!from)
            continue;
        frame = *from;
        frame.n0 = point ? to->n0 : frame.n0;
        if (memcmp(&frame, to, sizeof frame))
            return false;
    }
    return true;
}

static bool same_margins(const struct plan *a, const struct plan *b, size_t s)
{
    const struct fecrun_plan *p = &a->stages[s].plan, *q = &b->stages[s].plan;

    return p->before == q->before && p->after == q->after && p->flags == q->flags;
}

static bool same_choice(const struct negotiation *a, const struct negotiation *b, size_t s)
{
    const struct choice *c = &a->choices[s], *d = &b->choices[s];

    return c->absorbed_by < 0 && d->absorbed_by < 0 && c->backend == d->backend &&
           c->form == d->form && c->n_absorbed == d->n_absorbed && a->device == b->device;
}

bool session_serves(const struct session_plan *made, const struct session_plan *next, size_t s)
{
    const size_t first = s - made->negotiation->choices[s].n_absorbed;

    if (!same_choice(made->negotiation, next->negotiation, s) ||
        plan_flags(made->plan, s) & FECRUN_STAGE_ORDERED)
        return false;
    for (size_t c = 0; c < made->shape.n_classes; c++) {
        const struct plan *a = made->shape.plans[c], *b = next->shape.plans[c];
        for (size_t k = first; k <= s; k++)
            if (!same_values(a, b, k, k == s ? FECRUN_PARAM_POINT : 0) ||
                !same_inputs(a, b, k, k == s) || !same_margins(a, b, k))
                return false;
    }
    return true;
}

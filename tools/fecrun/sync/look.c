/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/sync/step.h"

#include <fecrun/sim.h>

#include <math.h>

enum { ITEMS = 10080, NOISES = 3 };

#define SURE 2.5 /* standard errors */

bool step_is_recording(const struct plan *plan)
{
    if (!(plan_flags(plan, 0) & FECRUN_STAGE_ENDS))
        return false;
    for (size_t s = 1; s < plan->graph->n; s++)
        if (plan_flags(plan, s) & FECRUN_STAGE_RANDOM)
            return false;
    return true;
}

static bool can_look(const struct session *session, struct diag *diag)
{
    const struct pipeline *pipeline = session->pipeline;
    struct session_plan plan;
    bool can;

    if (pipeline->n_sweeps || pipeline->n_blocks || !step_can_tell(session) ||
        session_plan(session, 0, &plan, diag))
        return false;
    can = step_is_recording(plan.plan) && plan_flags(plan.plan, 0) & FECRUN_STAGE_SEEKS &&
          plan.plan->stages[0].out[0].kind & (FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS);
    session_plan_free(&plan);
    return can;
}

/* The mean of some, as one of a few frames is off. */
static int measure_noise(const struct session *session, const volatile int *cancel,
                         struct step_result *mean, struct diag *diag)
{
    struct step_result one;

    *mean = (struct step_result){0};
    for (unsigned seed = 1; seed <= NOISES; seed++) {
        const struct step_try as_noise = {.quick = true, .noise = seed};

        if (step_measure(session, &as_noise, ITEMS, cancel, &one, diag))
            return -1;
        mean->reencoded += one.reencoded / NOISES;
        mean->error += one.error * one.error / NOISES / NOISES;
    }
    mean->error = sqrt(mean->error);
    return 0;
}

/* As bad as noise, or not different from it for sure. */
static bool is_noise(const struct step_result *is, const struct step_result *noise)
{
    const double unsure = SURE * hypot(is->error, noise->error), tenth = 0.1 * noise->reencoded;

    return noise->reencoded > 0 &&
           is->reencoded >= noise->reencoded - (unsure > tenth ? unsure : tenth);
}

void step_look(const struct session *session, const volatile int *cancel, char *text, size_t size)
{
    const struct step_try as_is = {.quick = true};
    struct step_result is, noise;
    struct diag ignored = {0};

    text[0] = 0;
    if (!can_look(session, &ignored) ||
        step_measure(session, &as_is, ITEMS, cancel, &is, &ignored) || !is.frames)
        return;
    if (is.silent) {
        snprintf(text, size, "%s: the first %.0f items are all 0",
                 session->graph->stages[0].decl->id, is.items);
        return;
    }
    if (isnan(is.reencoded) || measure_noise(session, cancel, &noise, &ignored) ||
        !is_noise(&is, &noise))
        return;
    snprintf(text, size,
             "%s: not in step: %.3g %% of the first symbols are not those of the decoder's word, "
             "and %.3g %% in noise; `fecrun sync` looks for settings that fit",
             session->graph->stages[0].decl->id, 100 * is.reencoded, 100 * noise.reencoded);
}

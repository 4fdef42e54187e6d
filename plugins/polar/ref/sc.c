/* SPDX-License-Identifier: BSD-2-Clause */
/* Successive cancellation, step by step. */
#include <math.h>

#include "plugins/polar/ref/ref.h"

static float limited(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

static float check(float a, float b)
{
    const float least = fminf(fabsf(a), fabsf(b));

    return (a < 0) != (b < 0) ? -least : least;
}

void polar_ref_inner(const struct polar_step *step, const struct polar_ref_tree *t, float limit)
{
    const uint32_t h = 1u << step->stage;
    const float *a = t->alpha + 2 * h;
    float *out = t->alpha + h;
    uint8_t *b = t->beta + step->at;

    for (uint32_t i = 0; i < h; i++)
        switch ((enum polar_op)step->op) {
        case POLAR_F:
            out[i] = check(a[i], a[i + h]);
            break;
        case POLAR_G:
            out[i] = limited(a[i + h] + (t->beta[step->at - h + i] ? -a[i] : a[i]), limit);
            break;
        case POLAR_G0:
            out[i] = limited(a[i + h] + a[i], limit);
            break;
        case POLAR_COMBINE:
            b[i] ^= b[i + h];
            break;
        default: /* POLAR_COPY */
            b[i] = b[i + h];
        }
}

uint32_t polar_ref_least(const float *a, uint32_t n, uint32_t last)
{
    uint32_t best = n;

    for (uint32_t i = 0; i < n; i++) {
        const float m = fabsf(a[i]);

        if (last < n && (m < fabsf(a[last]) || (m == fabsf(a[last]) && i <= last)))
            continue;
        if (best == n || m < fabsf(a[best]))
            best = i;
    }
    return best;
}

static void decide(const float *a, uint8_t *b, uint32_t n, bool even)
{
    uint8_t parity = 0;

    for (uint32_t i = 0; i < n; i++) {
        b[i] = a[i] < 0;
        parity ^= b[i];
    }
    if (even && parity)
        b[polar_ref_least(a, n, n)] ^= 1;
}

static void leaf(const struct polar_program *program, const struct polar_step *step,
                 const struct polar_ref_tree *t)
{
    const uint32_t h = 1u << step->stage;
    const float *a = t->alpha + h;
    uint8_t *b = t->beta + step->at;

    if (step->op == POLAR_RATE0)
        memset(b, 0, h);
    else if (step->op == POLAR_REP)
        memset(b, polar_ref_sum(a, h) < 0, h);
    else if (step->op == POLAR_CHECK)
        *b = polar_ref_check(program, step, t->beta);
    else
        decide(a, b, h, step->op == POLAR_SPC);
}

void polar_ref_sc(const struct polar_decode *d, const struct polar_ref_tree *t)
{
    const struct polar_program *program = d->sc;

    for (uint32_t i = 0; i < program->n_steps; i++)
        if (program->step[i].op < POLAR_RATE0)
            polar_ref_inner(&program->step[i], t, (float)d->limit);
        else
            leaf(program, &program->step[i], t);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation on the graph of log2 N stages: messages to the left (l, towards u) and to the
 * right (r, towards x) between stages, column 0 is u, column log2 N is x. An iteration goes once to
 * the left and once to the right; stage s pairs bits at a distance of 2^s.
 */
#include <fecrun/sdk/carve.h>
#include <math.h>

#include "plugins/polar/ref/ref.h"

/* Natural LLRs of the exact rules: beyond, nothing changes in floats; of likelihood ratios: their
   logarithm, so that products stay in range. */
static const float MOST_LLR = 1000, MOST_LOG_RATIO = 40;

struct graph {
    const struct polar_decode *d;
    float *l, *r; /* (log2 N + 1) N of each */
};

size_t polar_ref_bp_carve(float **work, const struct polar_decode *d, void *base)
{
    size_t used = 0;

    *work = fecrun_carve(base, &used,
                         2 * (size_t)(d->code->stages + 1) * d->code->n * sizeof **work);
    return used;
}

/* ---- Two messages that meet: at a check (f), at an equality (sum) -------------------------------- */

static float limited(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

static float min_sum(float a, float b, float scale)
{
    const float least = fminf(fabsf(a), fabsf(b));

    return scale * ((a < 0) != (b < 0) ? -least : least);
}

static float box_plus(float a, float b)
{
    return min_sum(a, b, 1) + log1pf(expf(-fabsf(a + b))) - log1pf(expf(-fabsf(a - b)));
}

/* Of ratios P(0) / P(1). */
static float ratio_check(float a, float b)
{
    return (1 + a * b) / (a + b);
}

static float check(const struct polar_decode *d, float a, float b)
{
    return d->rule == POLAR_MIN_SUM       ? min_sum(a, b, (float)d->scale)
           : d->rule == POLAR_SUM_PRODUCT ? box_plus(a, b)
                                          : ratio_check(a, b);
}

static float both(const struct polar_decode *d, float a, float b)
{
    const float most = expf(MOST_LOG_RATIO);

    if (d->rule == POLAR_SUM_PRODUCT)
        return limited(a + b, MOST_LLR);
    if (d->rule == POLAR_MIN_SUM)
        return limited(a + b, FECRUN_LLR_MAX_F32);
    return fminf(fmaxf(a * b, 1 / most), most);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void to_the_left(const struct graph *g, uint32_t stage)
{
    const uint32_t n = g->d->code->n, h = 1u << stage;
    const float *in = g->l + (stage + 1) * n, *r = g->r + stage * n;
    float *out = g->l + stage * n;

    for (uint32_t first = 0; first < n; first += 2 * h)
        for (uint32_t i = first; i < first + h; i++) {
            out[i] = check(g->d, in[i], both(g->d, in[i + h], r[i + h]));
            out[i + h] = both(g->d, check(g->d, r[i], in[i]), in[i + h]);
        }
}

static void to_the_right(const struct graph *g, uint32_t stage)
{
    const uint32_t n = g->d->code->n, h = 1u << stage;
    const float *in = g->r + stage * n, *l = g->l + (stage + 1) * n;
    float *out = g->r + (stage + 1) * n;

    for (uint32_t first = 0; first < n; first += 2 * h)
        for (uint32_t i = first; i < first + h; i++) {
            out[i] = check(g->d, in[i], both(g->d, l[i + h], in[i + h]));
            out[i + h] = both(g->d, check(g->d, in[i], l[i]), in[i + h]);
        }
}

/* What the channel says, and what is known of u: frozen bits are 0, of parity bits nothing is. */
static void start(const struct graph *g, const float *llr)
{
    const struct polar_decode *d = g->d;
    const uint32_t n = d->code->n, stages = d->code->stages;
    const bool ratio = d->rule == POLAR_SUM_PRODUCT_LR;
    const float nothing = ratio ? 1 : 0;
    const float zero = ratio                          ? expf(MOST_LOG_RATIO)
                       : d->rule == POLAR_SUM_PRODUCT ? MOST_LLR
                                                      : FECRUN_LLR_MAX_F32;

    for (uint32_t i = 0; i < (stages + 1) * n; i++)
        g->r[i] = g->l[i] = nothing;
    for (uint32_t i = 0; i < n; i++) {
        const float natural = llr[i] / (float)d->llr_scale;

        if (d->code->kind[i] == POLAR_FROZEN)
            g->r[i] = zero;
        g->l[stages * n + i] = ratio ? expf(limited(natural, MOST_LOG_RATIO))
                               : d->rule == POLAR_SUM_PRODUCT ? limited(natural, MOST_LLR)
                                                              : llr[i];
    }
}

/* ---- Decisions ------------------------------------------------------------------------------- */

static uint8_t decision(const struct polar_decode *d, float l, float r)
{
    return d->rule == POLAR_SUM_PRODUCT_LR ? l * r < 1 : l + r < 0;
}

static void decide(const struct graph *g, uint32_t column, uint8_t *bits)
{
    const size_t at = (size_t)column * g->d->code->n;

    for (uint32_t i = 0; i < g->d->code->n; i++)
        bits[i] = decision(g->d, g->l[at + i], g->r[at + i]);
}

static bool is_done(const struct graph *g, uint8_t *x, const uint8_t *message)
{
    const struct polar_decode *d = g->d;
    const uint32_t n = d->code->n;

    if (d->stop == POLAR_CRC)
        return polar_crc_holds(&d->crc, message, d->code->k);
    if (d->stop == POLAR_NEVER)
        return false;
    decide(g, d->code->stages, x + n);
    polar_transform(x, n);
    return !memcmp(x, x + n, n);
}

uint32_t polar_ref_bp(const struct polar_decode *d, float *work, const float *llr, uint8_t *x,
                      uint8_t *message, bool *met)
{
    const struct graph g = {d, work, work + (size_t)(d->code->stages + 1) * d->code->n};
    uint32_t n = 0;

    start(&g, llr);
    for (*met = false; !*met && n < d->iterations; n++) {
        for (uint32_t stage = d->code->stages; stage-- > 0;)
            to_the_left(&g, stage);
        for (uint32_t stage = 0; stage < d->code->stages; stage++)
            to_the_right(&g, stage);
        decide(&g, 0, x);
        for (uint32_t i = 0; i < d->code->k; i++)
            message[i] = x[d->code->position[i]];
        *met = is_done(&g, x, message);
    }
    return n;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of the kernel (kernels.cu): tiles and their LLRs. C as well as CUDA, so that a test can run
 * it on the host: t/lib/cuda_emulate.h has what CUDA brings along.
 *
 * A metric is a 32-bit word: int32, two int16 or a float's bits.
 */
#ifndef VITERBI_CUDA_GENERAL_INPUT_H
#define VITERBI_CUDA_GENERAL_INPUT_H

#include <fecrun/plugin.h>
#include <fecrun/sdk/device.h>

#include "plugins/viterbi/cuda/general/plan.h"
#include "plugins/viterbi/code/tiles_device.h"

#define WARP 32u
#define ALL_LANES 0xffffffffu

/* A tile of a group, and where its LLRs are. */
struct spot {
    const char *row; /* item 0 of its frame */
    int64_t first;   /* its first forward step, counted from its frame's step 0 */
    uint64_t frame, at;
    bool active; /* the last block may have fewer tiles; its other threads repeat the last one */
};

FECRUN_ON_DEVICE struct spot find_spot(const struct viterbi_general_work *w,
                                       const struct viterbi_general_group *g, uint64_t item)
{
    struct spot spot;
    uint64_t place;

    spot.active = item < g->items;
    place = g->skip + (spot.active ? item : g->items - 1);
    spot.frame = place / g->row;
    spot.at = (g->first + place % g->row) * w->f;
    spot.row = (const char *)w->input.llr + spot.frame * w->input.stride;
    spot.first = (int64_t)spot.at - (int64_t)g->tile.lead;
    if (w->circular)
        spot.first = (int64_t)((spot.at + w->steps - g->tile.lead % w->steps) % w->steps);
    return spot;
}

/* a / b and a mod b, rounded down; nearly always 32 bits are enough. */
FECRUN_ON_DEVICE int64_t divide(int64_t a, uint32_t b, uint32_t *rest)
{
    int64_t quotient;

    if ((uint64_t)a >> 32 == 0) {
        *rest = (uint32_t)a % b;
        return (uint32_t)a / b;
    }
    quotient = a / (int64_t)b;
    quotient -= a < quotient * (int64_t)b;
    *rest = (uint32_t)(a - quotient * (int64_t)b);
    return quotient;
}

FECRUN_ON_DEVICE uint32_t float_llr(float x)
{
    if (x != x)
        return 0;
    x = x > FECRUN_LLR_MAX_F32 ? FECRUN_LLR_MAX_F32 : x;
    return __float_as_uint(x < -FECRUN_LLR_MAX_F32 ? -FECRUN_LLR_MAX_F32 : x);
}

FECRUN_ON_DEVICE uint32_t stored_llr(const struct viterbi_general_work *w, bool is_float,
                                     const char *row, int64_t place)
{
    int x;

    if (is_float)
        return float_llr(((const float *)row)[place]);
    if (w->input.type == FECRUN_I4) {
        x = ((const uint8_t *)row)[place >> 1];
        x = ((place & 1 ? x & 15 : x >> 4) ^ 8) - 8;
        return (uint32_t)(x < -7 ? -7 : x);
    }
    x = ((const int8_t *)row)[place];
    return (uint32_t)(x < -127 ? -127 : x);
}

FECRUN_ON_DEVICE uint32_t negated(bool is_float, uint32_t llr)
{
    return is_float ? llr ^ 0x80000000u : 0 - llr;
}

/* LLR of output j at a tile's forward step i; of an inverted one with the other sign. */
FECRUN_ON_DEVICE uint32_t read_llr(const struct viterbi_general_work *w, bool is_float,
                                   const struct spot *spot, uint64_t i, uint32_t j)
{
    int64_t step = spot->first + (int64_t)i, place, period;
    uint32_t rest, rank, llr;

    if (w->circular && step >= (int64_t)w->steps)
        step %= (int64_t)w->steps;
    place = step * (int64_t)w->code.n + (int64_t)j;
    if (w->input.rank) {
        period = divide(place, w->input.period, &rest);
        rank = w->input.rank[rest];
        if (!(rank & VITERBI_SENT))
            return 0;
        place = period * (int64_t)w->input.sent + (int64_t)(rank & VITERBI_RANK);
    }
    llr = stored_llr(w, is_float, spot->row, place);
    return w->code.inverted[j] ? negated(is_float, llr) : llr;
}

/* The outputs for a register, as viterbi_code_label(), but without inversion. */
FECRUN_ON_DEVICE uint32_t plain_label(const struct viterbi_code *code, uint32_t reg)
{
    uint32_t label = 0;

    FECRUN_UNROLL
    for (uint32_t j = 0; j < VITERBI_MAX_N; j++)
        if (j < code->n)
            label |= ((uint32_t)__popc(reg & code->gen[j]) & 1) << j;
    return label;
}

/* The origin taken away from 0, and then the LLRs whose bit of the label is 1, one after the other:
 * float sums are made in the reference's order. */
FECRUN_ON_DEVICE uint32_t branch_metric(bool is_float, uint32_t origin, const uint32_t *llr,
                                        uint32_t n, uint32_t label)
{
    uint32_t sum = 0 - origin;
    float fsum = 0 - __uint_as_float(origin);

    FECRUN_UNROLL
    for (uint32_t j = 0; j < VITERBI_MAX_N; j++) {
        if (j < n && label >> j & 1) {
            if (is_float)
                fsum -= __uint_as_float(llr[j]);
            else
                sum -= llr[j];
        }
    }
    return is_float ? __float_as_uint(fsum) : sum;
}

FECRUN_ON_DEVICE uint32_t plus(bool is_float, uint32_t a, uint32_t b)
{
    return is_float ? __float_as_uint(__uint_as_float(a) + __uint_as_float(b)) : a + b;
}

FECRUN_ON_DEVICE bool at_least(bool is_float, uint32_t a, uint32_t b)
{
    return is_float ? __uint_as_float(a) >= __uint_as_float(b) : (int32_t)a >= (int32_t)b;
}

/* The metric of all states but 0 when a tile begins in state 0: below all that can come from 0. */
FECRUN_ON_DEVICE uint32_t unreachable(bool is_float)
{
    return is_float ? 0xff800000u /* minus infinity */ : (uint32_t)-0x10000000;
}

#endif

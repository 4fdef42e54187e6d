/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the kernel (kernels.cu): the best state, and the way back. See input.h. */
#ifndef VITERBI_CUDA_GENERAL_TRACE_H
#define VITERBI_CUDA_GENERAL_TRACE_H

#include "plugins/viterbi/cuda/general/input.h"

/* The best of `width` lanes; of equals the lowest state. All of the warp takes part. */
FECRUN_ON_DEVICE uint32_t best_of_lanes(bool is_float, uint32_t metric, uint32_t state,
                                        uint32_t width)
{
    for (uint32_t offset = width / 2; offset > 0; offset /= 2) {
        const uint32_t other = __shfl_xor_sync(ALL_LANES, metric, (int)offset);
        const uint32_t other_state = __shfl_xor_sync(ALL_LANES, state, (int)offset);

        if (!at_least(is_float, metric, other) ||
            (at_least(is_float, other, metric) && other_state < state)) {
            metric = other;
            state = other_state;
        }
    }
    return state;
}

/* Survivor bits of one tile: bit offset + s of the row of a step. */
struct survivors {
    const uint32_t *bits;
    uint32_t step_words, offset;
};

FECRUN_ON_DEVICE struct survivors survivors_of_tile(const struct viterbi_general_work *w,
                                                    const uint32_t *region, uint32_t tile)
{
    struct survivors sv = {region + tile * w->tile_words, w->step_words, 0};

    if (w->tile_words == 0)
        sv.offset = tile * w->states;
    return sv;
}

/* One step back: the low bits of path are the state, and the bit that drops out comes in. even: one
 * of the steps whose survivors lie as even_step() keeps them. */
FECRUN_ON_DEVICE uint32_t step_back(const struct viterbi_general_work *w, unsigned registers,
                                    const struct survivors *sv, uint32_t path, const uint32_t *row,
                                    bool even)
{
    uint32_t word, bit = path;

    if (registers == 2) { /* a load that does not wait for the state */
        const uint2 pair = *(const uint2 *)row;
        word = path & (even ? 1 : 32) ? pair.y : pair.x;
        bit = even ? path >> 1 : path;
    } else {
        bit = sv->offset + (path & (w->states - 1));
        word = row[bit >> 5];
    }
    return path << 1 | (word >> (bit & 31) & 1);
}

/* Eight steps back from `row`; even: of them the first one, then every second one. */
FECRUN_ON_DEVICE uint32_t eight_back(const struct viterbi_general_work *w, unsigned registers,
                                     const struct survivors *sv, uint32_t path, const uint32_t *row,
                                     bool even, bool alternates)
{
    FECRUN_UNROLL
    for (uint32_t i = 0; i < 8; i++) {
        row -= sv->step_words;
        path = step_back(w, registers, sv, path, row, alternates && (i & 1) != even);
    }
    return path;
}

/* `count` steps back from `stage`, at most 8. */
FECRUN_ON_DEVICE uint32_t go_back(const struct viterbi_general_work *w, unsigned registers,
                                  const struct survivors *sv, uint32_t path, uint64_t stage,
                                  uint32_t count)
{
    const uint32_t *row = sv->bits + stage * sv->step_words;

    const bool alternates = registers == 2 && w->alternates;

    if (count == 8 && !alternates)
        return eight_back(w, registers, sv, path, row, false, false);
    if (count == 8)
        return stage & 1 ? eight_back(w, registers, sv, path, row, true, true)
                         : eight_back(w, registers, sv, path, row, false, true);
    for (uint32_t i = 0; i < count; i++) {
        row -= sv->step_words;
        path = step_back(w, registers, sv, path, row, alternates && ((stage - i) & 1));
    }
    return path;
}

/* Bits of a byte that belongs to this trace alone, or, where bytes are shared, to several. */
FECRUN_ON_DEVICE void put_bits(const struct viterbi_general_work *w, uint8_t *at, uint32_t bits)
{
    const uintptr_t address = (uintptr_t)at;

    if (!w->share_bytes)
        *at = (uint8_t)bits;
    else if (bits)
        atomicOr((unsigned *)(address & ~(uintptr_t)3), bits << 8 * (address & 3));
}

/*
 * From `state` at stage `stage` back to stage `stop`; gives the state there. Steps below `end` give
 * bits, of which the one of step `stop` is bit `at` of the frame; packed == NULL: none do.
 */
FECRUN_ON_DEVICE uint32_t trace_back(const struct viterbi_general_work *w, unsigned registers,
                                     const struct survivors *sv, uint32_t state, uint64_t stage,
                                     uint64_t stop, uint64_t end, uint8_t *packed, uint64_t at)
{
    uint32_t path = state;

    while (stage > end) {
        const uint32_t count = (uint32_t)viterbi_min(8, stage - end);

        path = go_back(w, registers, sv, path, stage, count);
        stage -= count;
    }
    while (stage > stop) {
        const uint64_t place = at + (stage - stop); /* behind the last bit */
        const uint32_t partly = place & 7 ? place & 7 : 8;
        const uint32_t count = (uint32_t)viterbi_min(partly, stage - stop);
        uint32_t bits;

        path = go_back(w, registers, sv, path, stage, count);
        stage -= count;
        /* the newest bits of the states passed, the latest first */
        bits = path >> (w->code.K - 1) & ((1u << count) - 1);
        if (packed)
            put_bits(w, packed + (place - 1) / 8, __brev(bits) >> (32 - count) << (8 - partly));
    }
    return path & (w->states - 1);
}

FECRUN_ON_DEVICE uint8_t *packed_row(const struct viterbi_general_work *w, const struct spot *spot)
{
    return w->output.packed + spot->frame * w->output.stride;
}

/* Trace k of the tile, if there is one; *best: the best state where it begins, if wanted. */
FECRUN_ON_DEVICE void do_trace(const struct viterbi_general_work *w,
                               const struct viterbi_general_group *g, unsigned registers,
                               const struct spot *spot, const struct survivors *sv, uint32_t k,
                               const uint32_t *best)
{
    struct viterbi_trace trace;
    uint32_t state = 0;

    if (!spot->active || !viterbi_trace_at(w->f0, w->v2, &g->tile, k, &trace))
        return;
    if (!trace.known && w->start != VITERBI_ANY)
        state = *best;
    trace_back(w, registers, sv, state, trace.stage, g->tile.lead + trace.from,
               g->tile.lead + trace.to, packed_row(w, spot), spot->at + trace.from);
}

/*
 * The stage at which the best state is wanted next, for trace *k, which may be later than the one
 * that was asked for; the last possible number when there is none.
 */
FECRUN_ON_DEVICE uint64_t next_stage(const struct viterbi_general_work *w,
                                     const struct viterbi_general_group *g, uint32_t *k)
{
    struct viterbi_trace trace;

    if (w->wraps)
        return *k == 0 ? w->steps : UINT64_MAX;
    if (w->start == VITERBI_ANY)
        return UINT64_MAX;
    for (; viterbi_trace_at(w->f0, w->v2, &g->tile, *k, &trace); ++*k)
        if (!trace.known)
            return trace.stage;
    return UINT64_MAX;
}

#endif

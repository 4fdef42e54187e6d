/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel (kernels.cu), a function of a block's threads. `registers` (0: form `state`),
 * is_float and in_shared are constants wherever it is called. See input.h.
 */
#ifndef VITERBI_CUDA_GENERAL_BLOCK_H
#define VITERBI_CUDA_GENERAL_BLOCK_H

#include "plugins/viterbi/cuda/general/steps.h"

FECRUN_ON_DEVICE const struct viterbi_general_group *group_of(const struct viterbi_general_work *w,
                                                              uint64_t block)
{
    uint32_t i = 0;

    while (i + 1 < w->n_groups && w->group[i + 1].first_block <= block)
        i++;
    return &w->group[i];
}

/* The parts that stay the same from block to block. */
FECRUN_ON_DEVICE struct worker hire(const struct viterbi_general_work *w, uint32_t *shared)
{
    const uint32_t n = w->code.n;
    struct worker me;

    me.w = w;
    me.tile = threadIdx.x / w->threads;
    me.t = threadIdx.x % w->threads;
    me.llr = shared + me.tile * w->chunk * n;
    me.bm = shared + w->at_bm + me.tile * (w->chunk << n);
    me.metric = shared + w->at_metric + me.tile * 2 * w->states;
    me.label = plain_label(&w->code, 2 * me.t);
    me.label_u = plain_label(&w->code, 1u << (w->code.K - 1));
    me.label_d = plain_label(&w->code, 1);
    me.label_even = plain_label(&w->code, 4 * me.t);
    me.label_next = plain_label(&w->code, 2);
    return me;
}

FECRUN_ON_DEVICE void begin(struct worker *me, unsigned registers, bool is_float, bool from_zero)
{
    if (registers)
        warp_begin(me, registers, is_float, from_zero);
    else
        state_begin(me, is_float, from_zero);
}

/* skip: steps of survivors in front. */
FECRUN_ON_DEVICE void forward(struct worker *me, unsigned registers, bool is_float,
                              const uint32_t *rows, uint32_t *region, uint64_t skip)
{
    const struct viterbi_general_work *w = me->w;
    uint32_t *states = region + w->states_at + (uint64_t)me->tile * w->max_traces;
    uint32_t *survivors = region + me->tile * w->tile_words + skip * w->step_words;

    if (registers && w->code.n == 2)
        warp_forward(me, registers, is_float, 2, survivors, states);
    else if (registers)
        warp_forward(me, registers, is_float, w->code.n, survivors, states);
    else
        state_forward(me, is_float, rows, survivors, states);
}

/* All traces of the block's tiles side by side. */
FECRUN_ON_DEVICE void do_traces(const struct worker *me, unsigned registers, const uint32_t *region,
                                uint64_t item)
{
    const struct viterbi_general_work *w = me->w;

    for (uint32_t x = threadIdx.x; x < w->tiles * me->g->traces; x += blockDim.x) {
        const uint32_t tile = x % w->tiles, k = x / w->tiles;
        const struct spot spot = find_spot(w, me->g, item + tile);
        const struct survivors sv = survivors_of_tile(w, region, tile);

        do_trace(w, me->g, registers, &spot, &sv, k,
                 region + w->states_at + (uint64_t)tile * w->max_traces + k);
    }
}

/* ---- tail-biting frames without tiles: round and round ---- */

/*
 * Looks whether a tile's path closes after the given round, as wrap_around() in ref/decode.c. The
 * survivors of a round and of the one before it lie in the two halves of the tile's memory.
 */
FECRUN_ON_DEVICE bool close_path(const struct viterbi_general_work *w, unsigned registers,
                                 const struct spot *spot, struct survivors sv, uint32_t state,
                                 uint32_t round)
{
    const struct survivors now = {sv.bits + (round & 1) * w->steps * w->step_words, sv.step_words,
                                  sv.offset};
    struct fecrun_frame_info *info = &w->output.info[spot->frame];
    bool closed;

    if (round && !(round & 1)) /* the one before is in the second half */
        sv.bits += w->steps * w->step_words;
    if (round)
        state = trace_back(w, registers, &now, state, w->steps, 0, w->steps, NULL, 0);
    closed = trace_back(w, registers, &sv, state, w->steps, 0, w->steps, packed_row(w, spot), 0) ==
             state;
    if (!closed && round + 1 < w->wrap_limit)
        return false;
    info->iterations = round + 1;
    info->flags &= ~(uint32_t)FECRUN_FRAME_FAILED;
    info->flags |= FECRUN_FRAME_CHECKED | (closed ? 0 : FECRUN_FRAME_FAILED);
    return true;
}

/* flags[]: which tiles are done. All threads get the same answer: are all? */
FECRUN_ON_DEVICE bool close_paths(const struct worker *me, unsigned registers,
                                  const uint32_t *region, uint32_t *flags, uint64_t item,
                                  uint32_t round)
{
    const struct viterbi_general_work *w = me->w;
    bool all = true;

    for (uint32_t x = threadIdx.x; x < w->tiles; x += blockDim.x) {
        const struct spot spot = find_spot(w, me->g, item + x);
        const struct survivors sv = survivors_of_tile(w, region, x);

        if (round == 0)
            flags[x] = !spot.active;
        if (!flags[x])
            flags[x] = close_path(w, registers, &spot, sv, region[w->states_at + x], round);
    }
    __syncthreads();
    for (uint32_t x = 0; x < w->tiles; x++)
        all = all && flags[x];
    return all;
}

/* ---- the block ---- */

/* The tiles of a block from number `item` of the group on. */
FECRUN_ON_DEVICE void decode_tiles(struct worker *me, unsigned registers, bool is_float,
                                   const uint32_t *rows, uint32_t *region, uint32_t *flags,
                                   uint64_t item)
{
    const struct viterbi_general_work *w = me->w;
    uint32_t round = 0;
    bool done;

    begin(me, registers, is_float, me->g->tile.from_zero);
    do {
        forward(me, registers, is_float, rows, region, (round & 1) * w->steps);
        __syncthreads();
        if (w->wraps) {
            done = close_paths(me, registers, region, flags, item, round++);
        } else {
            do_traces(me, registers, region, item);
            done = true;
        }
        __syncthreads();
    } while (!done);
}

FECRUN_ON_DEVICE void decode_block(const struct viterbi_general_work *w, unsigned registers,
                                   bool is_float, bool in_shared, uint32_t *shared)
{
    struct worker me = hire(w, shared);
    uint32_t *region = in_shared ? shared + w->at_region
                                 : w->scratch + blockIdx.x * w->region_words;
    uint32_t *rows = shared + w->at_rows;

    for (uint32_t r = threadIdx.x; r * w->threads < w->states; r += blockDim.x)
        rows[r] = plain_label(&w->code, 2 * r * w->threads);
    __syncthreads();
    for (uint64_t block = blockIdx.x; block < w->blocks; block += gridDim.x) {
        uint64_t item;

        me.g = group_of(w, block);
        item = (block - me.g->first_block) * w->tiles;
        me.spot = find_spot(w, me.g, item + me.tile);
        decode_tiles(&me, registers, is_float, rows, region, shared + w->at_flags, item);
    }
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of the kernel (kernels.cu): the forward pass in its two forms. See input.h.
 *
 * Metrics stay small for ever: the branch metrics of a chunk's first step are less what state 0 had
 * then, which takes nothing from any difference. Float ones do so at the steps that the definition
 * names (VITERBI_RENEW): each is the first one of a chunk. 16-bit ones, K <= 9: states lie no more than
 * (K - 1) n 127 <= 6096 apart, 16 steps add 16 n 127 = 12192 and a branch 762.
 */
#ifndef VITERBI_CUDA_GENERAL_STEPS_H
#define VITERBI_CUDA_GENERAL_STEPS_H

#include "plugins/viterbi/cuda/general/trace.h"

#if defined(__CUDACC__) && CUDART_VERSION < 12000
FECRUN_ON_DEVICE uint32_t __viaddmax_s16x2(uint32_t a, uint32_t b, uint32_t c)
{
    return __vmaxs2(__vadd2(a, b), c);
}
#endif

enum { WARP_CHUNK = 16, MOST_REGISTERS = 8, UNREACHABLE_16 = -14000 };

/* What a thread of a block is there for. */
struct worker {
    const struct viterbi_general_work *w;
    const struct viterbi_general_group *g;
    struct spot spot;
    uint32_t tile, t;                 /* which tile of the block, which thread of the tile */
    uint32_t *llr, *bm;               /* the tile's: [step of the chunk][output], [step][label] */
    uint32_t *metric;                 /* form `state`: the tile's two rows */
    uint32_t row;                     /* the present one */
    uint32_t label, label_u, label_d; /* of register 2 t; what a newest, oldest bit of 1 change */
    uint32_t label_even,
        label_next;                /* of register 4 t; what the bit after the oldest one changes */
    uint32_t held[MOST_REGISTERS]; /* form `warp`: metrics of states t + 32 r; int16: in pairs */
};

/* ---- form `warp` ---- */

/* The LLRs of a chunk, an item a lane each time; steps behind the tile's end give nothing. */
FECRUN_ON_DEVICE void read_ahead(const struct worker *me, bool is_float, uint32_t n, uint64_t at,
                                 uint32_t ahead[3])
{
    FECRUN_UNROLL
    for (uint32_t q = 0; q < 3; q++) {
        const uint32_t i = me->t + WARP * q;

        ahead[q] = 0;
        if (i < WARP_CHUNK * n && at + i / n < me->g->tile.steps)
            ahead[q] = read_llr(me->w, is_float, &me->spot, at + i / n, i % n);
    }
}

FECRUN_ON_DEVICE uint32_t pair_of(uint32_t low, uint32_t high)
{
    return __byte_perm(low, high, 0x5410);
}

/* int16: a word has the metrics for a newest bit of 0 and of 1; for even_step() for states 2 t and
 * 2 t + 1. */
FECRUN_ON_DEVICE void make_pairs(const struct worker *me, unsigned registers, uint32_t n,
                                 uint32_t count)
{
    const uint32_t origin = __shfl_sync(ALL_LANES, me->held[0], 0);

    for (uint32_t x = me->t; x < count << n; x += WARP) {
        const uint32_t *llr = me->llr + (x >> n) * n, label = x & ((1u << n) - 1);
        const bool even = registers == 2 && !(x >> n & 1);
        uint32_t pair = pair_of(
            branch_metric(false, 0, llr, n, label),
            branch_metric(false, 0, llr, n, label ^ (even ? me->label_next : me->label_u)));

        if (x >> n == 0)
            pair = __vsub2(pair, pair_of(origin, origin));
        me->bm[x] = pair;
    }
}

FECRUN_ON_DEVICE void make_floats(const struct worker *me, uint32_t n, uint32_t count)
{
    const uint32_t origin = __shfl_sync(ALL_LANES, me->held[0], 0);

    for (uint32_t x = me->t; x < count << n; x += WARP)
        me->bm[x] = branch_metric(true, x >> n == 0 ? origin : 0, me->llr + (x >> n) * n, n,
                                  x & ((1u << n) - 1));
}

FECRUN_ON_DEVICE uint32_t add_pairs(uint32_t a, uint32_t b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    return __vadd2(a, b);
#else
    return __viaddmax_s16x2(a, b, 0x80008000u); /* one instruction */
#endif
}

/* The larger one of a + x and b in each half, and whether b is it or as large; of each the survivor
 * bits of the warp, low halves first. */
FECRUN_ON_DEVICE uint32_t select_pairs(uint32_t a, uint32_t x, uint32_t b, uint32_t *low,
                                       uint32_t *high)
{
    const uint32_t best = __viaddmax_s16x2(a, x, b), other = best ^ b;

    *low = __ballot_sync(ALL_LANES, (other & 0xffff) == 0);
    *high = __ballot_sync(ALL_LANES, other >> 16 == 0);
    return best;
}

/* A step: new metrics, and a word of survivor bits for each 32 states. */
FECRUN_ON_DEVICE void step_of_pairs(struct worker *me, unsigned registers, const uint32_t *bm,
                                    const uint32_t label[MOST_REGISTERS / 2],
                                    uint32_t bits[MOST_REGISTERS])
{
    const int even = (int)(2 * me->t % WARP);
    const uint32_t half = me->t < WARP / 2 ? 0x1010 : 0x3232;
    uint32_t next[MOST_REGISTERS / 2];

    FECRUN_UNROLL
    for (unsigned r = 0; r < registers / 2; r++) {
        const uint32_t a = __shfl_sync(ALL_LANES, me->held[r], even);
        const uint32_t b = __shfl_sync(ALL_LANES, me->held[r], even + 1);

        next[r] = select_pairs(__byte_perm(a, a, half), bm[label[r]],
                               add_pairs(__byte_perm(b, b, half), bm[label[r] ^ me->label_d]),
                               &bits[r], &bits[r + registers / 2]);
    }
    if (registers == 2) {
        me->held[0] = next[0];
        return;
    }
    FECRUN_UNROLL
    for (unsigned q = 0; q < registers / 4; q++) {
        me->held[q] = __byte_perm(next[2 * q], next[2 * q + 1], 0x5410);
        me->held[q + registers / 4] = __byte_perm(next[2 * q], next[2 * q + 1], 0x7632);
    }
}

FECRUN_ON_DEVICE void step_of_floats(struct worker *me, unsigned registers, const uint32_t *bm,
                                     const uint32_t label[MOST_REGISTERS / 2],
                                     uint32_t bits[MOST_REGISTERS])
{
    const int even = (int)(2 * me->t % WARP);
    const bool upper = me->t >= WARP / 2;
    uint32_t next[MOST_REGISTERS];

    FECRUN_UNROLL
    for (unsigned r = 0; r < registers / 2; r++) {
        const uint32_t a0 = __shfl_sync(ALL_LANES, me->held[2 * r], even);
        const uint32_t a1 = __shfl_sync(ALL_LANES, me->held[2 * r + 1], even);
        const uint32_t b0 = __shfl_sync(ALL_LANES, me->held[2 * r], even + 1);
        const uint32_t b1 = __shfl_sync(ALL_LANES, me->held[2 * r + 1], even + 1);

        FECRUN_UNROLL
        for (unsigned u = 0; u < 2; u++) {
            const uint32_t l = label[r] ^ (u ? me->label_u : 0);
            const uint32_t a = plus(true, upper ? a1 : a0, bm[l]);
            const uint32_t b = plus(true, upper ? b1 : b0, bm[l ^ me->label_d]);
            const bool dropped = at_least(true, b, a);

            next[r + u * (registers / 2)] = dropped ? b : a;
            bits[r + u * (registers / 2)] = __ballot_sync(ALL_LANES, dropped);
        }
    }
    FECRUN_UNROLL
    for (unsigned r = 0; r < registers; r++)
        me->held[r] = next[r];
}

FECRUN_ON_DEVICE void keep_bits(uint32_t *to, unsigned registers,
                                const uint32_t bits[MOST_REGISTERS])
{
    FECRUN_UNROLL
    for (unsigned r = 0; r < registers; r += 4) {
        if (registers == 2)
            *(uint2 *)to = make_uint2(bits[0], bits[1]);
        else
            *(uint4 *)(to + r) = make_uint4(bits[r], bits[r + 1], bits[r + 2], bits[r + 3]);
    }
}

/*
 * K = 7, two steps with one exchange. After the even step, the first one, a lane has states 2 t and
 * 2 t + 1, the predecessors of the states t and t + 32 that it has after the odd one. The survivors
 * of the even step lie like that, too: a word of the even states, a word of the odd ones.
 */
FECRUN_ON_DEVICE uint32_t even_step(const struct worker *me, const uint32_t *bm, uint32_t bits[2])
{
    const int four = (int)(4 * me->t % WARP);
    const uint32_t half = me->t & WARP / 4 ? 0x7632 : 0x5410;
    const uint32_t a = __shfl_sync(ALL_LANES, me->held[0], four);
    const uint32_t b = __shfl_sync(ALL_LANES, me->held[0], four + 1);
    const uint32_t c = __shfl_sync(ALL_LANES, me->held[0], four + 2);
    const uint32_t d = __shfl_sync(ALL_LANES, me->held[0], four + 3);

    return select_pairs(__byte_perm(a, c, half), bm[me->label_even],
                        add_pairs(__byte_perm(b, d, half), bm[me->label_even ^ me->label_d]),
                        &bits[0], &bits[1]);
}

/* pair: what even_step() gave. */
FECRUN_ON_DEVICE uint32_t odd_step(const struct worker *me, uint32_t pair, const uint32_t *bm,
                                   uint32_t bits[2])
{
    return select_pairs(__byte_perm(pair, pair, 0x1010), bm[me->label],
                        add_pairs(__byte_perm(pair, pair, 0x3232), bm[me->label ^ me->label_d]),
                        &bits[0], &bits[1]);
}

/* No odd step follows: the states as after one. */
FECRUN_ON_DEVICE uint32_t after_even(const struct worker *me, uint32_t pair)
{
    const uint32_t low = __shfl_sync(ALL_LANES, pair, (int)(me->t / 2));
    const uint32_t high = __shfl_sync(ALL_LANES, pair, (int)(me->t / 2 + WARP / 2));

    return __byte_perm(low, high, me->t & 1 ? 0x7632 : 0x5410);
}

/* warp_steps() for K = 7 and int16. */
FECRUN_ON_DEVICE void steps_by_two(struct worker *me, uint32_t n, uint32_t i, uint32_t end,
                                   uint32_t *to)
{
    const uint32_t label[MOST_REGISTERS / 2] = {me->label};
    uint32_t bits[MOST_REGISTERS], pair;

    if (i & 1 && i < end) {
        step_of_pairs(me, 2, me->bm + (i << n), label, bits);
        if (me->t == 0)
            *(uint2 *)(to + 2 * i) = make_uint2(bits[0], bits[1]);
        i++;
    }
    FECRUN_UNROLL_4
    for (; i + 2 <= end; i += 2) {
        pair = even_step(me, me->bm + (i << n), bits);
        me->held[0] = odd_step(me, pair, me->bm + ((i + 1) << n), bits + 2);
        if (me->t == 0) {
            *(uint2 *)(to + 2 * i) = make_uint2(bits[0], bits[1]);
            *(uint2 *)(to + 2 * i + 2) = make_uint2(bits[2], bits[3]);
        }
    }
    if (i < end) {
        pair = even_step(me, me->bm + (i << n), bits);
        me->held[0] = after_even(me, pair);
        if (me->t == 0)
            *(uint2 *)(to + 2 * i) = make_uint2(bits[0], bits[1]);
    }
}

/* Steps [i, end) of the chunk whose first row of survivors is `to`. */
FECRUN_ON_DEVICE void warp_steps(struct worker *me, unsigned registers, bool is_float, uint32_t n,
                                 uint32_t i, uint32_t end, uint32_t *to)
{
    uint32_t label[MOST_REGISTERS / 2];

    if (registers == 2 && !is_float) {
        steps_by_two(me, n, i, end, to);
        return;
    }
    FECRUN_UNROLL
    for (unsigned r = 0; r < registers / 2; r++)
        label[r] = me->label ^ plain_label(&me->w->code, 2 * WARP * r);
    FECRUN_UNROLL_4
    for (; i < end; i++) {
        uint32_t bits[MOST_REGISTERS];

        if (is_float)
            step_of_floats(me, registers, me->bm + (i << n), label, bits);
        else
            step_of_pairs(me, registers, me->bm + (i << n), label, bits);
        if (me->t == 0)
            keep_bits(to + i * registers, registers, bits);
    }
}

FECRUN_ON_DEVICE uint32_t warp_best(const struct worker *me, unsigned registers, bool is_float)
{
    uint32_t best = 0, state = me->t;

    FECRUN_UNROLL
    for (unsigned r = 0; r < registers; r++) {
        uint32_t metric = me->held[is_float ? r : r / 2];

        if (!is_float)
            metric = (uint32_t)((int32_t)(r & 1 ? metric : metric << 16) >> 16);
        if (r == 0 || !at_least(is_float, best, metric)) {
            best = metric;
            state = me->t + WARP * r;
        }
    }
    return best_of_lanes(is_float, best, state, WARP);
}

FECRUN_ON_DEVICE void warp_begin(struct worker *me, unsigned registers, bool is_float,
                                 bool from_zero)
{
    const uint32_t other = is_float ? unreachable(true)
                                    : pair_of((uint32_t)UNREACHABLE_16, (uint32_t)UNREACHABLE_16);

    FECRUN_UNROLL
    for (unsigned r = 0; r < (is_float ? registers : registers / 2); r++)
        me->held[r] = from_zero ? other : 0;
    if (from_zero && me->t == 0)
        me->held[0] = is_float ? 0 : other & 0xffff0000u;
}

/* All steps of the tile; states[k]: the best state where trace k begins. n: outputs of the code, a
 * constant where that is worth code of its own. */
FECRUN_ON_DEVICE void warp_forward(struct worker *me, unsigned registers, bool is_float, uint32_t n,
                                   uint32_t *survivors, uint32_t *states)
{
    const uint64_t steps = me->g->tile.steps;
    uint32_t k = 0, ahead[3];
    uint64_t stage = next_stage(me->w, me->g, &k);

    read_ahead(me, is_float, n, 0, ahead);
    for (uint64_t at = 0; at < steps; at += WARP_CHUNK) {
        const uint32_t count = (uint32_t)viterbi_min(WARP_CHUNK, steps - at);
        uint32_t i = 0;

        FECRUN_UNROLL
        for (uint32_t q = 0; q < 3; q++)
            if (me->t + WARP * q < WARP_CHUNK * n)
                me->llr[me->t + WARP * q] = ahead[q];
        __syncwarp();
        read_ahead(me, is_float, n, at + WARP_CHUNK, ahead);
        if (is_float)
            make_floats(me, n, count);
        else
            make_pairs(me, registers, n, count);
        __syncwarp();
        while (i < count) {
            const uint32_t end = (uint32_t)viterbi_min(count, stage - at);

            warp_steps(me, registers, is_float, n, i, end, survivors + at * registers);
            i = end;
            while (at + i == stage) {
                const uint32_t best = warp_best(me, registers, is_float);

                if (me->t == 0)
                    states[k] = best;
                k++;
                stage = next_stage(me->w, me->g, &k);
            }
        }
    }
}

/* ---- form `state` ---- */

/* Threads of one tile wait for each other. */
FECRUN_ON_DEVICE void tile_barrier(const struct viterbi_general_work *w)
{
    if (w->states <= WARP)
        __syncwarp();
    else
        __syncthreads();
}

FECRUN_ON_DEVICE void state_chunk(const struct worker *me, bool is_float, uint64_t at,
                                  uint32_t count)
{
    const struct viterbi_general_work *w = me->w;
    const uint32_t n = w->code.n;
    uint32_t origin;

    for (uint32_t i = me->t; i < count * n; i += w->threads)
        me->llr[i] = read_llr(w, is_float, &me->spot, at + i / n, i % n);
    tile_barrier(w);
    origin = me->metric[me->row * w->states];
    if (is_float && at % VITERBI_RENEW != 0) /* a chunk may be a part of such a period */
        origin = 0;
    for (uint32_t x = me->t; x < count << n; x += w->threads)
        me->bm[x] = branch_metric(is_float, x >> n == 0 ? origin : 0, me->llr + (x >> n) * n, n,
                                  x & ((1u << n) - 1));
    tile_barrier(w);
}

/* rows[r]: what 2 threads r in the register changes in its label. */
FECRUN_ON_DEVICE void state_step(struct worker *me, bool is_float, const uint32_t *bm,
                                 const uint32_t *rows, uint32_t *survivors)
{
    const struct viterbi_general_work *w = me->w;
    const uint32_t *from = me->metric + me->row * w->states;
    uint32_t *to = me->metric + (me->row ^ 1) * w->states;
    uint32_t r = 0;

    for (uint32_t s = me->t; s < w->states; s += w->threads, r++) {
        const uint2 pair = *(const uint2 *)(from + (2 * s & (w->states - 1)));
        const uint32_t label = me->label ^ rows[r];
        const uint32_t a = plus(is_float, pair.x, bm[label]);
        const uint32_t b = plus(is_float, pair.y, bm[label ^ me->label_d]);
        const bool dropped = at_least(is_float, b, a);
        const uint32_t bits = __ballot_sync(ALL_LANES, dropped);

        to[s] = dropped ? b : a;
        if (threadIdx.x % WARP == 0)
            survivors[(me->tile * w->states + s) / WARP] = bits;
    }
    me->row ^= 1;
    tile_barrier(w);
}

/* By whole warps: those of small tiles, else the first one of each tile. */
FECRUN_ON_DEVICE void state_best(const struct worker *me, bool is_float, uint32_t *to)
{
    const struct viterbi_general_work *w = me->w;
    const uint32_t *metric = me->metric + me->row * w->states;
    const uint32_t width = w->states < WARP ? w->states : WARP;
    uint32_t state = me->t;

    if (me->t >= WARP)
        return;
    for (uint32_t s = me->t + WARP; s < w->states; s += WARP)
        if (!at_least(is_float, metric[state], metric[s]))
            state = s;
    state = best_of_lanes(is_float, metric[state], state, width);
    if (me->t == 0)
        *to = state;
}

FECRUN_ON_DEVICE void state_begin(struct worker *me, bool is_float, bool from_zero)
{
    for (uint32_t s = me->t; s < me->w->states; s += me->w->threads)
        me->metric[s] = from_zero && s != 0 ? unreachable(is_float) : 0;
    me->row = 0;
    tile_barrier(me->w);
}

/* All tiles of a block go in step. */
FECRUN_ON_DEVICE void state_forward(struct worker *me, bool is_float, const uint32_t *rows,
                                    uint32_t *survivors, uint32_t *states)
{
    const struct viterbi_general_work *w = me->w;
    const uint64_t steps = me->g->tile.steps;
    uint32_t k = 0;
    uint64_t stage = next_stage(w, me->g, &k);

    for (uint64_t at = 0; at < steps; at += w->chunk) {
        const uint32_t count = (uint32_t)viterbi_min(w->chunk, steps - at);

        state_chunk(me, is_float, at, count);
        for (uint32_t i = 0; i < count; i++) {
            state_step(me, is_float, me->bm + (i << w->code.n), rows,
                       survivors + (at + i) * w->step_words);
            while (at + i + 1 == stage) {
                state_best(me, is_float, &states[k++]);
                stage = next_stage(w, me->g, &k);
            }
        }
    }
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A lane of a list decoder, its memory and pointers (list.h), and the steps between stages. */
#ifndef POLAR_CUDA_LIST_LANE_CUH
#define POLAR_CUDA_LIST_LANE_CUH

#include "plugins/polar/cuda/halves.cuh"
#include "plugins/polar/cuda/list.h"

#define LIST_ALL 0xffffffffu

/* A path that is not there. Metrics of others stay below 2^18. */
#define LIST_NO_PATH (1u << 25)

FECRUN_ON_DEVICE constexpr int list_log2(int n)
{
    return n > 1 ? 1 + list_log2(n / 2) : 0;
}

template <int L> struct list_lane {
    uint32_t *rows, *global; /* of the warp, LIST_ROW words apart */
    const int8_t *in;
    bool aligned;
    uint32_t stages, first, x_row;
    uint32_t group, me;       /* first lane of this frame; number among its lanes */
    uint32_t near, far, beta; /* lanes of LLRs of stages 0 .. 4, 5 .. 8, of bits of 5 .. 9 */
    uint32_t bits;            /* of the 32 positions that are being decoded */
    uint32_t metric;
};

#define LIST_ROW 32

template <int L> FECRUN_ON_DEVICE uint32_t list_pointer(uint32_t word, uint32_t i)
{
    return word >> i * list_log2(L) & (L - 1);
}

template <int L> FECRUN_ON_DEVICE uint32_t list_point(uint32_t word, uint32_t i, uint32_t lane)
{
    const uint32_t shift = i * list_log2(L);

    return (word & ~((L - 1u) << shift)) | lane << shift;
}

/* The word of one of the frame's lanes in a row. */
template <int L>
FECRUN_ON_DEVICE uint32_t *list_at(const list_lane<L> &me, uint32_t row, uint32_t lane)
{
    return me.rows + row * LIST_ROW + me.group + lane;
}

/* Bits of 32 positions, of a left node of this stage. */
template <int L>
FECRUN_ON_DEVICE uint32_t list_left_bits(const list_lane<L> &me, uint32_t stage, uint32_t at)
{
    return *list_at(me, me.x_row + at / 32, list_pointer<L>(me.beta, stage - 5));
}

/* ---- Where LLRs come from --------------------------------------------------------------------- */

/* Words of four LLRs: in rows, in global memory, as received, or of stage 9, left or right child. */
enum list_source { LIST_ROWS, LIST_GLOBAL, LIST_RECEIVED, LIST_TOP_LEFT, LIST_TOP_RIGHT };

template <int L>
FECRUN_ON_DEVICE void list_receive(const list_lane<L> &me, uint32_t r, uint32_t &a, uint32_t &b)
{
    const int8_t *const at = me.in + 4 * r - me.first;
    uint32_t word = 0;

    if (4 * r >= me.first) {
        if (me.aligned)
            word = fecrun_load_32(at);
        else
            for (int i = 3; i >= 0; i--)
                word = word << 8 | (uint8_t)at[i];
    }
    halves_unpack(word ^ 0x80808080u, &a, &b);
    a = halves_limited(a); /* -128 */
    b = halves_limited(b);
}

/* Both children of a node whose LLRs are a and b; `place` is that of two bits in `bits`. */
template <bool RIGHT>
FECRUN_ON_DEVICE uint32_t list_child(uint32_t a, uint32_t b, uint32_t bits, uint32_t place)
{
    return RIGHT ? halves_sum(a, b, bits << (15 - place)) : halves_check(a, b);
}

/* Word r. top: bits of the left child's positions 32 (r / 8) .., for LIST_TOP_RIGHT. */
template <list_source SOURCE, int L>
FECRUN_ON_DEVICE void list_get(const list_lane<L> &me, const uint32_t *from, uint32_t r,
                               uint32_t top, uint32_t &a, uint32_t &b)
{
    if constexpr (SOURCE == LIST_RECEIVED) {
        list_receive(me, r, a, b);
    } else if constexpr (SOURCE == LIST_ROWS || SOURCE == LIST_GLOBAL) {
        halves_unpack(from[r * LIST_ROW], &a, &b);
    } else {
        const uint32_t place = 2 * (r % 8);
        uint32_t c, d;

        list_receive(me, r, a, b);
        list_receive(me, r + 128, c, d);
        a = list_child<SOURCE == LIST_TOP_RIGHT>(a, c, top, place);
        b = list_child<SOURCE == LIST_TOP_RIGHT>(b, d, top, place + 1);
    }
}

template <int L>
FECRUN_ON_DEVICE uint32_t list_top_bits(const list_lane<L> &me, list_source source, uint32_t r)
{
    return source == LIST_TOP_RIGHT ? list_left_bits(me, LIST_TOP_STAGE, 4 * r) : 0;
}

/* Of a node of this stage, at least 5, whose LLRs this path wants. */
template <int L> FECRUN_ON_DEVICE const uint32_t *list_from(const list_lane<L> &me, uint32_t stage)
{
    const uint32_t lane = me.group + list_pointer<L>(me.far, stage - 5);

    return (stage == LIST_GLOBAL_STAGE ? me.global : me.rows + polar_list_row(stage) * LIST_ROW) +
           lane;
}

/* ---- Steps to children ------------------------------------------------------------------------ */

/* 32 positions of a child of stage 5 or more at a time. */
template <list_source SOURCE, bool RIGHT, int L>
FECRUN_ON_DEVICE void list_pass(const list_lane<L> &me, uint32_t stage, uint32_t at,
                                const uint32_t *from, uint32_t *to)
{
    const uint32_t rows = (1u << stage) / 4;

    POLAR_UNROLL_BY(1)
    for (uint32_t first = 0; first < rows; first += 8) {
        const uint32_t bits = RIGHT ? list_left_bits(me, stage, at - 4 * rows + 4 * first) : 0;
        const uint32_t top = list_top_bits(me, SOURCE, first);
        const uint32_t top_half = list_top_bits(me, SOURCE, first + rows);

        POLAR_UNROLL_BY(4)
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t a, b, c, d;

            list_get<SOURCE>(me, from, first + k, top, a, b);
            list_get<SOURCE>(me, from, first + k + rows, top_half, c, d);
            to[(first + k) * LIST_ROW] = halves_pack(list_child<RIGHT>(a, c, bits, 2 * k),
                                                     list_child<RIGHT>(b, d, bits, 2 * k + 1));
        }
    }
}

template <bool RIGHT, int L>
FECRUN_ON_DEVICE void list_pass_large(const list_lane<L> &me, uint32_t stage, uint32_t at)
{
    uint32_t *const to = stage == LIST_GLOBAL_STAGE ? me.global + me.group + me.me
                                                    : list_at(me, polar_list_row(stage), me.me);

    if (stage + 1 == me.stages)
        list_pass<LIST_RECEIVED, RIGHT>(me, stage, at, nullptr, to);
    else if (stage == LIST_GLOBAL_STAGE && at < 512)
        list_pass<LIST_TOP_LEFT, RIGHT>(me, stage, at, nullptr, to);
    else if (stage == LIST_GLOBAL_STAGE)
        list_pass<LIST_TOP_RIGHT, RIGHT>(me, stage, at, nullptr, to);
    else if (stage + 1 == LIST_GLOBAL_STAGE)
        list_pass<LIST_GLOBAL, RIGHT>(me, stage, at,
                                      me.global + me.group + list_pointer<L>(me.far, 3),
                                      list_at(me, polar_list_row(7), me.me));
    else
        list_pass<LIST_ROWS, RIGHT>(
            me, stage, at,
            list_at(me, polar_list_row(stage + 1), list_pointer<L>(me.far, stage - 4)),
            list_at(me, polar_list_row(stage), me.me));
}

/* From 32 positions in 8 bits to 16 in halves; `place` is that of the left child's first bits. */
template <bool RIGHT, int L>
FECRUN_ON_DEVICE void list_pass_16(const list_lane<L> &me, uint32_t place)
{
    const uint32_t *const from = list_at(me, LIST_ALPHA_5, list_pointer<L>(me.far, 0));
    uint32_t *const to = list_at(me, polar_list_row(4), me.me);

    FECRUN_UNROLL
    for (uint32_t r = 0; r < 4; r++) {
        uint32_t a, b, c, d;

        halves_unpack(from[r * LIST_ROW], &a, &b);
        halves_unpack(from[(r + 4) * LIST_ROW], &c, &d);
        to[2 * r * LIST_ROW] = list_child<RIGHT>(a, c, me.bits, place + 2 * r);
        to[(2 * r + 1) * LIST_ROW] = list_child<RIGHT>(b, d, me.bits, place + 2 * r + 1);
    }
}

/* From and to halves; stage 0 has one position, in the lower half. */
template <bool RIGHT, int L>
FECRUN_ON_DEVICE void list_pass_small(const list_lane<L> &me, uint32_t stage, uint32_t place,
                                      uint32_t odd)
{
    const uint32_t words = (1u << stage) / 2;
    const uint32_t *const from = list_at(me, polar_list_row(stage + 1),
                                         list_pointer<L>(me.near, stage + 1));
    uint32_t *const to = list_at(me, polar_list_row(stage), me.me);

    if (stage == 0) {
        const uint32_t both = *from;

        *to = list_child<RIGHT>(both, both >> 16, me.bits >> 16 * odd, place) & 0xffff;
        return;
    }
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 4; k++)
        if (k < words)
            to[k * LIST_ROW] = list_child<RIGHT>(from[k * LIST_ROW], from[(k + words) * LIST_ROW],
                                                 me.bits, place + k);
}

/* at: the child's first position. The left child's bits are right in front of it. */
template <bool RIGHT, int L>
FECRUN_ON_DEVICE void list_to_child(list_lane<L> &me, uint32_t stage, uint32_t at)
{
    const uint32_t left = (at - (RIGHT ? 1u << stage : 0)) % 32;

    if (stage > 4)
        list_pass_large<RIGHT>(me, stage, at);
    else if (stage == 4)
        list_pass_16<RIGHT>(me, left / 2);
    else
        list_pass_small<RIGHT>(me, stage, left / 2, left % 2);
    if (stage > 4)
        me.far = list_point<L>(me.far, stage - 5, me.me);
    else
        me.near = list_point<L>(me.near, stage, me.me);
    __syncwarp();
}

/* ---- Steps back ------------------------------------------------------------------------------ */

/* Places of 2^stage positions from `at` on, stage at most 5. */
FECRUN_ON_DEVICE uint32_t list_places(uint32_t stage, uint32_t at)
{
    if (stage == 0)
        return 1u << (at % 32 / 2 + 16 * (at % 2));
    return (((1u << (1u << stage) / 2) - 1) << at % 32 / 2) * 0x10001u;
}

/* A node of 32 positions or more is decided; its bits are in this lane. */
template <int L> FECRUN_ON_DEVICE void list_done(list_lane<L> &me, uint32_t stage, uint32_t at)
{
    if (!(at >> stage & 1))
        me.beta = list_point<L>(me.beta, stage - 5, me.me);
    __syncwarp();
}

/* Both children of this stage, the left one at `at`, are decided. */
template <int L> FECRUN_ON_DEVICE void list_combine(list_lane<L> &me, uint32_t stage, uint32_t at)
{
    const uint32_t rows = (1u << stage) / 32, first = me.x_row + at / 32;

    if (stage < 5) {
        const uint32_t right = stage ? me.bits >> (1u << stage) / 2 : me.bits >> 16;

        me.bits ^= right & list_places(stage, at);
        if (stage < 4)
            return;
        *list_at(me, first, me.me) = me.bits;
        list_done(me, 5, at);
        return;
    }
    POLAR_UNROLL_BY(1)
    for (uint32_t row = first; row < first + rows; row++) {
        const uint32_t left = *list_at(me, row, list_pointer<L>(me.beta, stage - 5));

        __syncwarp();
        *list_at(me, row, me.me) = left ^ *list_at(me, row + rows, me.me);
    }
    list_done(me, stage + 1, at);
}

#endif

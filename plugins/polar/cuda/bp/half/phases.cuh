/* SPDX-License-Identifier: BSD-2-Clause */
/* The phases of an iteration, for pairs of frames (bp/plan.h). */
#ifndef POLAR_CUDA_BP_HALF_PHASES_CUH
#define POLAR_CUDA_BP_HALF_PHASES_CUH

#include "plugins/polar/cuda/bp/plan.h"
#include "plugins/polar/cuda/bp/half/words.cuh"

/* Sizes of a block. */
template <int STAGES> struct bp_shape {
    static constexpr uint32_t N = 1u << STAGES;
    static constexpr uint32_t EACH = N / 16; /* threads of a pair */
    static constexpr uint32_t PAIRS = STAGES < 10 ? 1u << (10 - STAGES) : 1;
    static constexpr uint32_t THREADS = EACH * PAIRS;
    static constexpr bool MIDDLE = STAGES > 8; /* there are stages 4 .. 7 of their own */
    static constexpr int LAST = STAGES - (MIDDLE ? 8 : 4); /* stages of the last phase */
    static constexpr uint32_t WORDS_4 = N + N / 16 * 4 + N / 256 * 16, WORDS_8 = N + N / 256 * 16;
};

/* A thread's registers: messages of the columns inside of its phases, and where it is. */
template <int STAGES> struct bp_thread {
    uint32_t x1[16], x2[16], x3[16]; /* stages 0 .. 3 */
    uint32_t x5[16], x6[16], x7[16]; /* stages 4 .. 7 */
    uint32_t last[16], y1[16], y2[16],
        y3[16];               /* the last phase's first column and those behind it */
    uint32_t *first_4;        /* column 4, as stages 0 .. 3 have it: 16 words */
    uint32_t *middle_4;       /* as stages 4 .. 7, 20 words apart */
    uint32_t *middle_8;       /* column 8, 16 words apart */
    uint32_t *last_in;        /* the last phase's first column: see bp_last_place() */
    const uint32_t *received; /* 4 words of 16 bytes, THREADS apart */
    uint32_t *u;              /* words of u of all pairs, EACH a pair */
    const uint32_t *pairs;
    uint32_t pair, number; /* of the pairs of a block; of the threads of a pair */
    struct polar_bp_place place;
    uint32_t scale, sure;
    bool cheap; /* no lane of the warp has a BP_ANY_BLOCK */
};

/* Of position k EACH + number in the column where the last phase begins, less that of k = 0. */
template <int STAGES> FECRUN_ON_DEVICE constexpr uint32_t bp_last_place(uint32_t k)
{
    const uint32_t p = k * bp_shape<STAGES>::EACH;

    return bp_shape<STAGES>::MIDDLE ? p + p / 256 * 16 : p + p / 16 * 4;
}

template <int STRIDE> FECRUN_ON_DEVICE void bp_get(const uint32_t *from, uint32_t (&a)[16])
{
    FECRUN_UNROLL
    for (int k = 0; k < 16; k++)
        a[k] = from[k * STRIDE];
}

template <int STRIDE> FECRUN_ON_DEVICE void bp_put(uint32_t *to, const uint32_t (&a)[16])
{
    FECRUN_UNROLL
    for (int k = 0; k < 16; k++)
        to[k * STRIDE] = a[k];
}

FECRUN_ON_DEVICE void bp_get_16(const uint32_t *from, uint32_t (&a)[16], uint32_t stride)
{
    FECRUN_UNROLL
    for (int q = 0; q < 4; q++) {
        const uint4 v = *(const uint4 *)(from + q * stride);

        a[4 * q] = v.x, a[4 * q + 1] = v.y, a[4 * q + 2] = v.z, a[4 * q + 3] = v.w;
    }
}

FECRUN_ON_DEVICE void bp_put_16(uint32_t *to, const uint32_t (&a)[16], uint32_t stride)
{
    FECRUN_UNROLL
    for (int q = 0; q < 4; q++)
        *(uint4 *)(to + q * stride) = make_uint4(a[4 * q], a[4 * q + 1], a[4 * q + 2],
                                                 a[4 * q + 3]);
}

template <int STAGES> FECRUN_ON_DEVICE void bp_get_last(bp_thread<STAGES> &me, uint32_t (&a)[16])
{
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 16; k++)
        a[k] = me.last_in[bp_last_place<STAGES>(k)];
}

template <int STAGES> FECRUN_ON_DEVICE void bp_put_last(bp_thread<STAGES> &me)
{
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 16; k++)
        me.last_in[bp_last_place<STAGES>(k)] = me.last[k];
}

/* ---- Stages 0 .. 3 --------------------------------------------------------------------------- */

/* To the left; x4 is for L of column 4. */
template <int STAGES> FECRUN_ON_DEVICE void bp_left_first(bp_thread<STAGES> &me, uint32_t (&x4)[16])
{
    struct bp_signs signs;
    bp_get_16(me.first_4, x4, 4);
    if (me.cheap) {
        bp_repeated_left(x4, me.x3, me.x2, me.x1, me.scale);
        return;
    }
    bp_stage<3>(x4, me.x3, me.scale, &signs);
    bp_stage<2, 3>(me.x3, me.x2, me.scale, &signs);
    bp_stage<1, 2>(me.x2, me.x1, me.scale, &signs);
}

/* u of the block, behind bp_left_first(). */
template <int STAGES>
FECRUN_ON_DEVICE uint32_t bp_bits(const bp_thread<STAGES> &me, const uint32_t (&l4)[16])
{
    uint32_t l0[16];

    if (me.cheap) {
        const uint32_t sum = bp_fma(me.x1[0], me.scale, me.x1[1]);

        if (me.place.kind == BP_REPEATED_BLOCK)
            return bp_add(sum, 0) & HALVES_SIGNS;
        return bp_transform(bp_decide(l4)) & me.place.free;
    }
    bp_first_left(me.pairs, me.x1, l0);
    return bp_decide(l0) & me.place.free;
}

/* x4: L of column 4. */
template <int STAGES>
FECRUN_ON_DEVICE void bp_right_first(bp_thread<STAGES> &me, uint32_t (&x4)[16])
{
    struct bp_signs signs;
    if (me.cheap) {
        const uint32_t said = me.place.kind == BP_FROZEN_BLOCK ? me.sure : 0;

        bp_repeated_right(x4, me.x3, me.x2, me.x1, me.scale);
        FECRUN_UNROLL
        for (int i = 0; i < 16; i++)
            x4[i] = me.place.kind == BP_REPEATED_BLOCK ? x4[i] : said;
    } else {
        bp_first_right(me.pairs, me.x1);
        bp_stage<1>(me.x1, me.x2, me.scale, &signs);
        bp_stage<2, 1>(me.x2, me.x3, me.scale, &signs);
        bp_stage<3, 2>(me.x3, x4, me.scale, &signs);
    }
    bp_put_16(me.first_4, x4, 4);
}

/* ---- Stages 4 .. 7 --------------------------------------------------------------------------- */

template <int STAGES> FECRUN_ON_DEVICE void bp_left_middle(bp_thread<STAGES> &me)
{
    struct bp_signs signs;
    uint32_t x4[16], l8[16];

    bp_get<16>(me.middle_8, l8);
    bp_stage<3>(l8, me.x7, me.scale, &signs);
    bp_stage<2, 3>(me.x7, me.x6, me.scale, &signs);
    bp_stage<1, 2>(me.x6, me.x5, me.scale, &signs);
    bp_get<20>(me.middle_4, x4);
    bp_stage<0, 1>(me.x5, x4, me.scale, &signs);
    bp_put<20>(me.middle_4, x4);
}

template <int STAGES> FECRUN_ON_DEVICE void bp_right_middle(bp_thread<STAGES> &me)
{
    struct bp_signs signs;
    uint32_t r4[16], x8[16];

    bp_get<20>(me.middle_4, r4);
    bp_stage<0>(r4, me.x5, me.scale, &signs);
    bp_stage<1, 0>(me.x5, me.x6, me.scale, &signs);
    bp_stage<2, 1>(me.x6, me.x7, me.scale, &signs);
    bp_get<16>(me.middle_8, x8);
    bp_stage<3, 2>(me.x7, x8, me.scale, &signs);
    bp_put<16>(me.middle_8, x8);
}

/* ---- The last stages --------------------------------------------------------------------------- */

/* From what was received; me.last has R. */
template <int STAGES> FECRUN_ON_DEVICE void bp_left_last(bp_thread<STAGES> &me)
{
    struct bp_signs signs;
    constexpr int LAST = bp_shape<STAGES>::LAST;
    uint32_t l[16];

    bp_get_16(me.received, l, 4 * bp_shape<STAGES>::THREADS);
    if constexpr (LAST == 1) {
        bp_stage<3>(l, me.last, me.scale, &signs);
    } else if constexpr (LAST == 2) {
        bp_stage<3>(l, me.y1, me.scale, &signs);
        bp_stage<2, 3>(me.y1, me.last, me.scale, &signs);
    } else if constexpr (LAST == 3) {
        bp_stage<3>(l, me.y2, me.scale, &signs);
        bp_stage<2, 3>(me.y2, me.y1, me.scale, &signs);
        bp_stage<1, 2>(me.y1, me.last, me.scale, &signs);
    } else {
        bp_stage<3>(l, me.y3, me.scale, &signs);
        bp_stage<2, 3>(me.y3, me.y2, me.scale, &signs);
        bp_stage<1, 2>(me.y2, me.y1, me.scale, &signs);
        bp_stage<0, 1>(me.y1, me.last, me.scale, &signs);
    }
    bp_put_last(me);
}

/* To all columns but x's. */
template <int STAGES> FECRUN_ON_DEVICE void bp_right_last(bp_thread<STAGES> &me)
{
    struct bp_signs signs;
    constexpr int LAST = bp_shape<STAGES>::LAST;

    bp_get_last(me, me.last);
    if constexpr (LAST > 1)
        bp_stage<4 - LAST>(me.last, me.y1, me.scale, &signs);
    if constexpr (LAST > 2)
        bp_stage<5 - LAST, 4 - LAST>(me.y1, me.y2, me.scale, &signs);
    if constexpr (LAST > 3)
        bp_stage<6 - LAST, 5 - LAST>(me.y2, me.y3, me.scale, &signs);
}

/* L + R of x's column, behind bp_right_last(). */
template <int STAGES>
FECRUN_ON_DEVICE void bp_right_x(const bp_thread<STAGES> &me, uint32_t (&sum)[16])
{
    struct bp_signs signs;
    constexpr int LAST = bp_shape<STAGES>::LAST;
    uint32_t l[16];

    bp_get_16(me.received, l, 4 * bp_shape<STAGES>::THREADS);
    FECRUN_UNROLL
    for (int i = 0; i < 16; i++)
        sum[i] = l[i];
    bp_stage<3>(LAST == 1   ? me.last
                : LAST == 2 ? me.y1
                : LAST == 3 ? me.y2
                            : me.y3,
                sum, me.scale, &signs);
    FECRUN_UNROLL
    for (int i = 0; i < 16; i++)
        sum[i] = bp_add(sum[i], l[i]);
}

#endif

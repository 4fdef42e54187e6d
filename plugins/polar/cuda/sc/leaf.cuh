/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Leaves of at most 16 positions in registers, for patterns of frozen bits that are known when
 * compiled. Bits are +1 and -1 in halves, so that a step to the right child is one multiply-add.
 */
#ifndef POLAR_CUDA_SC_LEAF_CUH
#define POLAR_CUDA_SC_LEAF_CUH

#include "plugins/polar/cuda/halves.cuh"
#include "plugins/polar/cuda/sc/plan.h"

template <int N> FECRUN_ON_DEVICE constexpr int sc_free_bits(uint32_t mask)
{
    int n = 0;

    for (int i = 0; i < N; i++)
        n += mask >> i & 1;
    return n;
}

/* What a node of N positions is; the lowest N bits of mask are not frozen. */
template <int N> FECRUN_ON_DEVICE constexpr int sc_node_of(uint32_t mask)
{
    const int n = sc_free_bits<N>(mask);

    if (n == 0 || n == N)
        return n ? NODE_RATE1 : NODE_RATE0;
    if (n == 1 && (mask >> (N - 1) & 1))
        return NODE_REP;
    return n == N - 1 && !(mask & 1) ? NODE_SPC : NODE_SPLIT;
}

FECRUN_ON_DEVICE uint32_t sc_decide(uint32_t a)
{
    return halves_negative(a) | HALVES_ONE;
}

template <int N> FECRUN_ON_DEVICE uint32_t sc_total(const uint32_t (&a)[N])
{
    if constexpr (N == 1) {
        return a[0];
    } else {
        uint32_t sum[N / 2];

        FECRUN_UNROLL
        for (int i = 0; i < N / 2; i++)
            sum[i] = halves_add(a[i], a[i + N / 2]);
        return sc_total<N / 2>(sum);
    }
}

template <int N> FECRUN_ON_DEVICE uint32_t sc_least(const uint32_t (&a)[N])
{
    if constexpr (N == 1) {
        return a[0];
    } else {
        uint32_t least[N / 2];

        FECRUN_UNROLL
        for (int i = 0; i < N / 2; i++)
            least[i] = halves_least(a[i], a[i + N / 2]);
        return sc_least<N / 2>(least);
    }
}

/* i, at most 15, in both lanes. */
FECRUN_ON_DEVICE constexpr uint32_t sc_number(int i)
{
    uint32_t exponent = 0;

    for (int j = i; j > 1; j /= 2)
        exponent++;
    return i ? (((exponent + 15) << 10) | (((uint32_t)i << (10 - exponent)) & 1023)) * 0x10001u : 0;
}

/* 16 |a| + i, at most 2047: the least one is the first of the least |a|. */
FECRUN_ON_DEVICE uint32_t sc_key(uint32_t a, int i)
{
    return halves_fma(halves_size(a), HALVES_SIXTEEN, sc_number(i));
}

template <int N> FECRUN_ON_DEVICE void sc_decide_even(const uint32_t (&a)[N], uint32_t (&b)[N])
{
    uint32_t key[N], odd = 0, least;

    FECRUN_UNROLL
    for (int i = 0; i < N; i++) {
        b[i] = sc_decide(a[i]);
        odd ^= b[i];
        key[i] = sc_key(a[i], i);
    }
    odd &= HALVES_SIGNS;
    least = sc_least<N>(key);
    FECRUN_UNROLL
    for (int i = 0; i < N; i++)
        b[i] ^= halves_equal(key[i], least) & odd;
}

template <uint32_t MASK, int N>
FECRUN_ON_DEVICE void sc_leaf(const uint32_t (&a)[N], uint32_t (&b)[N]);

template <uint32_t MASK, int N>
FECRUN_ON_DEVICE void sc_split(const uint32_t (&a)[N], uint32_t (&b)[N])
{
    constexpr int H = N / 2;
    constexpr uint32_t LEFT = MASK & ((1u << H) - 1), RIGHT = MASK >> H;
    uint32_t c[H], left[H], right[H];

    FECRUN_UNROLL
    for (int i = 0; i < H; i++)
        left[i] = right[i] = HALVES_ONE;
    if constexpr (LEFT) {
        FECRUN_UNROLL
        for (int i = 0; i < H; i++)
            c[i] = halves_check(a[i], a[i + H]);
        sc_leaf<LEFT, H>(c, left);
    }
    if constexpr (RIGHT) {
        FECRUN_UNROLL
        for (int i = 0; i < H; i++)
            c[i] = halves_limited(LEFT ? halves_fma(a[i], left[i], a[i + H])
                                       : halves_add(a[i], a[i + H]));
        sc_leaf<RIGHT, H>(c, right);
    }
    FECRUN_UNROLL
    for (int i = 0; i < H; i++) {
        b[i] = LEFT && RIGHT ? halves_times(left[i], right[i]) : LEFT ? left[i] : right[i];
        b[i + H] = right[i];
    }
}

template <uint32_t MASK, int N>
FECRUN_ON_DEVICE void sc_leaf(const uint32_t (&a)[N], uint32_t (&b)[N])
{
    constexpr int NODE = sc_node_of<N>(MASK);

    if constexpr (NODE == NODE_SPC) {
        sc_decide_even<N>(a, b);
    } else if constexpr (NODE == NODE_SPLIT) {
        sc_split<MASK, N>(a, b);
    } else {
        const uint32_t all = NODE == NODE_REP ? sc_decide(sc_total<N>(a)) : HALVES_ONE;

        FECRUN_UNROLL
        for (int i = 0; i < N; i++)
            b[i] = NODE == NODE_RATE1 ? sc_decide(a[i]) : all;
    }
}

/* ---- Other patterns -------------------------------------------------------------------------- */

FECRUN_ON_DEVICE void sc_any_4(uint32_t mask, const uint32_t (&a)[4], uint32_t (&b)[4])
{
#define SC_CASE(m) \
    case m: \
        sc_leaf<m, 4>(a, b); \
        break;
#define SC_FOUR(m) SC_CASE(m) SC_CASE((m) + 1) SC_CASE((m) + 2) SC_CASE((m) + 3)
    switch (mask & 15) {
        SC_FOUR(0)
        SC_FOUR(4)
        SC_FOUR(8)
        SC_FOUR(12)
    }
#undef SC_FOUR
}

/* A node that is none of the leaves, by its halves, for which `half` is called with mask, a, b. */
#define SC_BY_HALVES(mask, a, b, H, half) \
    uint32_t c[H], part[H], left[H]; \
    POLAR_UNROLL_BY(1) \
    for (int h = 0; h < 2; h++) { \
        FECRUN_UNROLL \
        for (int i = 0; i < H; i++) \
            c[i] = h ? halves_limited(halves_fma(a[i], left[i], a[i + H])) \
                     : halves_check(a[i], a[i + H]); \
        half((mask) >> (h ? H : 0), c, part); \
        FECRUN_UNROLL \
        for (int i = 0; i < H; i++) { \
            if (h) { \
                b[i] = halves_times(left[i], part[i]); \
                b[i + H] = part[i]; \
            } \
            left[i] = part[i]; \
        } \
    }

FECRUN_ON_DEVICE void sc_any_8(uint32_t mask, const uint32_t (&a)[8], uint32_t (&b)[8])
{
    switch (mask & 255) {
#define SC_CASE_8(m) \
    case m: \
        sc_leaf<m, 8>(a, b); \
        break;
        SC_CASE_8(0x00)
        SC_CASE_8(0x80)
        SC_CASE_8(0xa0)
        SC_CASE_8(0xa8)
        SC_CASE_8(0xc0)
        SC_CASE_8(0xc8)
        SC_CASE_8(0xe0)
        SC_CASE_8(0xe8)
        SC_CASE_8(0xf0)
        SC_CASE_8(0xf8)
        SC_CASE_8(0xfa)
        SC_CASE_8(0xfc)
        SC_CASE_8(0xfe)
        SC_CASE_8(0xff)
#undef SC_CASE_8
    default: {
        SC_BY_HALVES(mask, a, b, 4, sc_any_4)
    }
    }
}

FECRUN_ON_DEVICE void sc_any_16(uint32_t mask, const uint32_t (&a)[16],
                                uint32_t (&b)[16]){SC_BY_HALVES(mask, a, b, 8, sc_any_8)}
#undef SC_CASE

FECRUN_ON_DEVICE void sc_leaf_16(const struct polar_sc_step &step, unsigned quarter,
                                 const uint32_t (&a)[16], uint32_t (&b)[16])
{
    enum {
#define SC_PATTERN(m) SC_PATTERN_##m,
        SC_PATTERNS(SC_PATTERN)
#undef SC_PATTERN
    };

    switch (step.quarter[quarter]) {
#define SC_PATTERN(m) \
    case SC_PATTERN_##m: \
        sc_leaf<m, 16>(a, b); \
        break;
        SC_PATTERNS(SC_PATTERN)
#undef SC_PATTERN
    default:
        sc_any_16(step.mask[quarter], a, b);
    }
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compiled once per instruction set: trace-back for 64 lanes side by side, the transpositions of
 * input and output. Bits of states and decisions are 64-bit words, one bit per lane.
 */
#ifndef VITERBI_DECODE_SIMD_COMMON_H
#define VITERBI_DECODE_SIMD_COMMON_H

#include <string.h>

#include "decode_simd.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* V_ACS2 where two states at once are no better than one by one. */
#define ONE_BY_ONE(ACS, x, y, z, w, p, q, mask_p, mask_q)                                         \
    do {                                                                                          \
        ACS(x, y, p, mask_p);                                                                     \
        ACS(z, w, q, mask_q);                                                                     \
    } while (0)

typedef uint64_t words8 __attribute__((vector_size(64), may_alias));
typedef uint8_t bytes16 __attribute__((vector_size(16), may_alias));
typedef uint8_t bytes16u __attribute__((vector_size(16), may_alias, aligned(1)));

/* words[state] tells in which lanes a state ties for the best; seed gets the lowest one's bits. */
static void lowest_state(uint64_t *words, unsigned bits, uint64_t *seed)
{
    while (bits-- > 0) {
        const size_t half = (size_t)1 << bits;
        uint64_t low = 0;
        for (size_t i = 0; i < half; i++)
            low |= words[i];
        for (size_t i = 0; i < half; i++)
            words[i] = (words[i] & low) | (words[i + half] & ~low);
        seed[bits] = ~low;
    }
}

/* Rows of eight at a distance of d < 8 exchange the blocks that lie off the diagonal. */
#define SWAP_BLOCKS(v, other, d, lower, mask)                                                     \
    do {                                                                                          \
        const words8 down_ = (lower) & (mask), up_ = ~(lower) & ~(mask);                          \
        (v) = ((v) & ~(down_ | up_)) | (((other) >> (d)) & down_) | (((other) << (d)) & up_);     \
    } while (0)

/* a[i] bit j <-> a[j] bit i */
static void transpose64(uint64_t *a)
{
    static const uint64_t mask[3] = {0x00ff00ff00ff00ffu, 0x0000ffff0000ffffu,
                                     0x00000000ffffffffu};
    const uint64_t x = ~UINT64_C(0);
    const words8 lower4 = {0, 0, 0, 0, x, x, x, x}, lower2 = {0, 0, x, x, 0, 0, x, x};
    const words8 lower1 = {0, x, 0, x, 0, x, 0, x};
    words8 v;

    for (unsigned k = 3; k-- > 0;) {
        const unsigned d = 8u << k;
        for (unsigned i = 0; i < 64; i += 2 * d) {
            for (unsigned j = i; j < i + d; j++) {
                const uint64_t t = (a[j] >> d ^ a[j + d]) & mask[k];
                a[j + d] ^= t;
                a[j] ^= t << d;
            }
        }
    }
    for (unsigned i = 0; i < 64; i += 8) {
        memcpy(&v, a + i, sizeof v);
        SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3), 4, lower4,
                    UINT64_C(0x0f0f0f0f0f0f0f0f));
        SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5), 2, lower2,
                    UINT64_C(0x3333333333333333));
        SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6), 1, lower1,
                    UINT64_C(0x5555555555555555));
        memcpy(a + i, &v, sizeof v);
    }
}

#define SELECT(x, y, b) (((x) & ~(b)) | ((y) & (b)))

typedef uint64_t words4 __attribute__((vector_size(32), may_alias));
typedef uint64_t words2 __attribute__((vector_size(16), may_alias));

#define LOW2(v) __builtin_shufflevector(v, v, 0, 1)
#define LOW4(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)

/* The lower element to all of them, without a detour through memory: every step waits for it. */
static ALWAYS_INLINE void spread(words2 two, words8 *all)
{
#if defined(__AVX512F__)
    *all = (words8)_mm512_broadcastq_epi64((__m128i)two);
#elif defined(__AVX2__)
    const words4 half = (words4)_mm256_broadcastq_epi64((__m128i)two);
    *all = __builtin_shufflevector(half, half, 0, 1, 2, 3, 0, 1, 2, 3);
#else
    *all = __builtin_shufflevector(two, two, 0, 0, 0, 0, 0, 0, 0, 0);
#endif
}

/*
 * *d = the decision word of the state whose bits are in b[0..bits-1], each in all elements. The
 * newest bit comes last: the bits known earlier choose first, so a step waits for little more than
 * the last choice of the step before.
 */
static ALWAYS_INLINE void select_word(const uint64_t *words, const words8 *b, unsigned bits,
                                      words8 *d)
{
    words8 tree[1 << (VITERBI_LANES_MAX_K - 1 - 3 - 1)];
    words4 four;
    words2 two;

    if (bits >= 3) {
        const words8 *src = (const words8 *)words;
        for (unsigned k = bits; k-- > 3;) {
            const unsigned half = 1u << (k - 3);
            for (unsigned i = 0; i < half; i++)
                tree[i] = SELECT(src[i], src[i + half], b[k]);
            src = tree;
        }
        const words8 v = src[0];
        four = SELECT(LOW4(v), __builtin_shufflevector(v, v, 4, 5, 6, 7), LOW4(b[2]));
    } else {
        memcpy(&four, words, sizeof four);
    }
    two = SELECT(LOW2(four), __builtin_shufflevector(four, four, 2, 3), LOW2(b[1]));
    two = SELECT(two, __builtin_shufflevector(two, two, 1, 1), LOW2(b[0]));
    spread(two, d);
}

static ALWAYS_INLINE void trace_bits(const struct viterbi_run *run, size_t from, size_t to,
                                     uint64_t *seed, uint64_t *words, unsigned bits)
{
    words8 b[VITERBI_LANES_MAX_K - 1], d;

    for (unsigned k = 0; k < bits; k++)
        b[k] = seed[k] - (words8){0};
    if (words && to - from < 64)
        memset(words, 0, 64 * sizeof *words);
    for (size_t i = to; i-- > from;) {
        const uint8_t *dropped = run->dropped + i * run->dropped_step;
        select_word((const uint64_t *)(const void *)dropped, b, bits, &d);
        if (words)
            words[63 - (i - from)] = b[bits - 1][0];
        for (unsigned k = bits - 1; k > 0; k--)
            b[k] = b[k - 1];
        b[0] = d;
    }
    for (unsigned k = 0; k < bits; k++)
        seed[k] = b[k][0];
    if (words)
        transpose64(words);
}

static void trace_lanes(struct viterbi_run *run, size_t from, size_t to, uint64_t *seed,
                        uint64_t *words)
{
    const unsigned bits = run->simd->spec.code.K - 1;

    switch (bits) {
    case 2: trace_bits(run, from, to, seed, words, 2); break;
    case 4: trace_bits(run, from, to, seed, words, 4); break;
    case 6: trace_bits(run, from, to, seed, words, 6); break;
    case 8: trace_bits(run, from, to, seed, words, 8); break;
    case 9: trace_bits(run, from, to, seed, words, 9); break;
    default: trace_bits(run, from, to, seed, words, bits); break;
    }
}

static size_t dropped_step_lanes(const struct viterbi_simd *simd)
{
    return simd->states * sizeof(uint64_t);
}

static size_t dropped_step_along(const struct viterbi_simd *simd)
{
    return simd->states / 8;
}

static void trace_along(struct viterbi_run *run, size_t from, size_t to, uint64_t *seed,
                        uint64_t *words)
{
    const unsigned K = run->simd->spec.code.K;
    const uint32_t mask = run->simd->states - 1;
    uint32_t state = (uint32_t)seed[0];
    uint64_t bits = 0;

    for (size_t i = to; i-- > from;) {
        const uint8_t *dropped = run->dropped + i * run->dropped_step;
        bits = bits >> 1 | (uint64_t)(state >> (K - 2)) << 63;
        state = (state << 1 | (dropped[state / 8] >> state % 8 & 1u)) & mask;
    }
    seed[0] = state;
    if (words)
        words[0] = bits;
}

static ALWAYS_INLINE int value_i8(int8_t x)
{
    return x < -127 ? -127 : x;
}

static ALWAYS_INLINE float value_float(float x)
{
    x = x == x ? x : 0.0f;
    x = x > 1048576.0f ? 1048576.0f : x;
    return x < -1048576.0f ? -1048576.0f : x;
}

/* One level of a transposition: rows i and i + 8 interleaved, four levels make it whole. */
static ALWAYS_INLINE void transpose16(bytes16 *r)
{
    bytes16 t[16];

    for (unsigned level = 0; level < 4; level++) {
        for (unsigned i = 0; i < 8; i++) {
            t[2 * i] = __builtin_shufflevector(r[i], r[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                                               5, 21, 6, 22, 7, 23);
            t[2 * i + 1] = __builtin_shufflevector(r[i], r[i + 8], 8, 24, 9, 25, 10, 26, 11, 27,
                                                   12, 28, 13, 29, 14, 30, 15, 31);
        }
        memcpy(r, t, sizeof t);
    }
}

/* packed[item][lane] */
static void pack_i8(const void *const *rows, unsigned lanes, size_t items, void *packed)
{
    for (unsigned lane = 0; lane < lanes; lane += 16) {
        for (size_t at = 0; at < items; at += 16) {
            const size_t part = items - at < 16 ? items - at : 16;
            uint8_t *to = (uint8_t *)packed + at * VITERBI_LANES + lane;
            bytes16 r[16] = {{0}};
            if (part == 16) {
                for (unsigned i = 0; i < 16; i++)
                    r[i] = *(const bytes16u *)((const uint8_t *)rows[lane + i] + at);
            } else {
                for (unsigned i = 0; i < 16; i++)
                    memcpy(&r[i], (const uint8_t *)rows[lane + i] + at, part);
            }
            transpose16(r);
            for (unsigned i = 0; i < part; i++)
                memcpy(to + i * VITERBI_LANES, &r[i], 16);
        }
    }
}

static void pack_float(const void *const *rows, unsigned lanes, size_t items, void *packed)
{
    const unsigned whole = (lanes + 15) & ~15u; /* idle lanes of a vector: no stray NaNs */

    for (unsigned lane = 0; lane < whole; lane++) {
        const float *row = rows[lane];
        float *to = (float *)packed + lane;
        for (size_t i = 0; i < items; i++)
            to[i * VITERBI_LANES] = value_float(row[i]);
    }
}

#endif

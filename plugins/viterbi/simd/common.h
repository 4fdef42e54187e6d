/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compiled once per instruction set: trace-back for 64 lanes side by side, the transpositions of
 * input and output. Bits of states and decisions are 64-bit words, one bit per lane.
 */
#ifndef VITERBI_SIMD_COMMON_H
#define VITERBI_SIMD_COMMON_H

#include <fecrun/sdk/simd.h>
#include <string.h>

#include "plugins/viterbi/simd/turning.h"

/* metric_acs2 where two states at once are no better than one by one. */
#define ONE_BY_ONE(ACS, x, y, z, w, p, q, mask_p, mask_q) \
    do { \
        ACS(x, y, p, mask_p); \
        ACS(z, w, q, mask_q); \
    } while (0)

/* Words to a vector. */
#if defined(__AVX512F__)
#define WORDS 8
#elif defined(__AVX2__)
#define WORDS 4
#else
#define WORDS 2
#endif

typedef uint64_t wordsv __attribute__((vector_size(8 * WORDS), may_alias));
typedef uint64_t words2 __attribute__((vector_size(16), may_alias));
typedef uint64_t words4 __attribute__((vector_size(32), may_alias));

/* The place of a state's metric `turned` steps after the states were in order; see place.h. */
static FECRUN_ALWAYS_INLINE size_t place_of(uint32_t state, unsigned turned, unsigned digits)
{
    return (state << turned | state >> (digits - turned)) & ((1u << digits) - 1);
}

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

/* Rows of a vector at a distance of d exchange the blocks that lie off the diagonal; `lower` are
 * the rows below it. */
#define SWAP_BLOCKS(v, other, d, lower, mask) \
    do { \
        const wordsv down_ = (lower)&UINT64_C(mask), up_ = ~(lower) & ~UINT64_C(mask); \
        (v) = ((v) & ~(down_ | up_)) | (((other) >> (d)) & down_) | (((other) << (d)) & up_); \
    } while (0)

#define ONES (~UINT64_C(0))

/* The last levels of transpose64(), those within a vector. */
static FECRUN_ALWAYS_INLINE void transpose_inside(wordsv *p)
{
    wordsv v = *p;
#if WORDS == 8
    const wordsv lower4 = {0, 0, 0, 0, ONES, ONES, ONES, ONES};
    const wordsv lower2 = {0, 0, ONES, ONES, 0, 0, ONES, ONES};
    const wordsv lower1 = {0, ONES, 0, ONES, 0, ONES, 0, ONES};
    SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3), 4, lower4,
                0x0f0f0f0f0f0f0f0f);
    SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5), 2, lower2,
                0x3333333333333333);
    SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6), 1, lower1,
                0x5555555555555555);
#elif WORDS == 4
    const wordsv lower2 = {0, 0, ONES, ONES}, lower1 = {0, ONES, 0, ONES};
    SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 2, 3, 0, 1), 2, lower2, 0x3333333333333333);
    SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 1, 0, 3, 2), 1, lower1, 0x5555555555555555);
#else
    const wordsv lower1 = {0, ONES};
    SWAP_BLOCKS(v, __builtin_shufflevector(v, v, 1, 0), 1, lower1, 0x5555555555555555);
#endif
    *p = v;
}

/* a[i] bit j <-> a[j] bit i */
static void transpose64(uint64_t *a)
{
    static const uint64_t mask[6] = {0x5555555555555555u, 0x3333333333333333u, 0x0f0f0f0f0f0f0f0fu,
                                     0x00ff00ff00ff00ffu, 0x0000ffff0000ffffu, 0x00000000ffffffffu};
    wordsv rows[64 / WORDS];

    memcpy(rows, a, sizeof rows);
    for (unsigned k = 6; 1u << --k >= WORDS;) {
        const unsigned d = 1u << k, far = d / WORDS;
        for (unsigned i = 0; i < 64 / WORDS; i += 2 * far) {
            for (unsigned j = i; j < i + far; j++) {
                const wordsv t = (rows[j] >> d ^ rows[j + far]) & mask[k];
                rows[j + far] ^= t;
                rows[j] ^= t << d;
            }
        }
    }
    for (unsigned i = 0; i < 64 / WORDS; i++)
        transpose_inside(&rows[i]);
    memcpy(a, rows, sizeof rows);
}

#define SELECT(x, y, b) (((x) & ~(b)) | ((y) & (b)))

#define LOW2(v) __builtin_shufflevector(v, v, 0, 1)
#define LOW4(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)

/* The lower element to all of them, without a detour through memory: every step waits for it. */
static FECRUN_ALWAYS_INLINE void spread(words2 two, wordsv *all)
{
#if WORDS == 8
    *all = (wordsv)_mm512_broadcastq_epi64((__m128i)two);
#elif WORDS == 4
    *all = (wordsv)_mm256_broadcastq_epi64((__m128i)two);
#else
    *all = __builtin_shufflevector(two, two, 0, 0);
#endif
}

/*
 * *d = the decision word of the state whose bits are in b[0..bits-1], each in all elements. The
 * newest bit comes last: the bits known earlier choose first, so a step waits for little more than
 * the last choice of the step before.
 */
static FECRUN_ALWAYS_INLINE void select_word(const uint64_t *words, const wordsv *b, unsigned bits,
                                             wordsv *d)
{
    const wordsv *src = (const wordsv *)words;
    wordsv tree[(1 << (VITERBI_LANES_MAX_K - 2)) / WORDS];
    words2 two;

    for (unsigned k = bits; k-- > 0 && 1u << k >= WORDS;) {
        const unsigned half = (1u << k) / WORDS;
        for (unsigned i = 0; i < half; i++)
            tree[i] = SELECT(src[i], src[i + half], b[k]);
        src = tree;
    }
#if WORDS == 8
    words4 four;
    if (bits >= 3)
        four = SELECT(LOW4(*src), __builtin_shufflevector(*src, *src, 4, 5, 6, 7), LOW4(b[2]));
    else
        memcpy(&four, words, sizeof four);
#elif WORDS == 4
    const words4 four = *src;
#endif
#if WORDS >= 4
    two = SELECT(LOW2(four), __builtin_shufflevector(four, four, 2, 3), LOW2(b[1]));
#else
    two = *src;
#endif
    two = SELECT(two, __builtin_shufflevector(two, two, 1, 1), LOW2(b[0]));
    spread(two, d);
}

static FECRUN_ALWAYS_INLINE void trace_bits(const struct viterbi_run *run, size_t from, size_t to,
                                            uint64_t *seed, uint64_t *words, unsigned bits)
{
    /* Lanes without a frame hold what memory held; nothing of it is handed on. */
    const uint64_t used = ~UINT64_C(0) >> (64 - run->lanes);
    wordsv b[VITERBI_LANES_MAX_K - 1], d;

    for (unsigned k = 0; k < bits; k++)
        b[k] = seed[k] - (wordsv){0};
    if (words && to - from < 64)
        memset(words, 0, 64 * sizeof *words);
    for (size_t i = to; i-- > from;) {
        const uint8_t *dropped = viterbi_run_dropped(run, i);
        select_word((const uint64_t *)(const void *)dropped, b, bits, &d);
        if (words)
            words[63 - (i - from)] = b[bits - 1][0] & used;
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
    case 2:
        trace_bits(run, from, to, seed, words, 2);
        break;
    case 4:
        trace_bits(run, from, to, seed, words, 4);
        break;
    case 6:
        trace_bits(run, from, to, seed, words, 6);
        break;
    case 8:
        trace_bits(run, from, to, seed, words, 8);
        break;
    case 9:
        trace_bits(run, from, to, seed, words, 9);
        break;
    default:
        trace_bits(run, from, to, seed, words, bits);
        break;
    }
}

#if WORDS == 8
#define INTERLEAVE_LO(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define INTERLEAVE_HI(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif WORDS == 4
#define INTERLEAVE_LO(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define INTERLEAVE_HI(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define INTERLEAVE_LO(a, b) __builtin_shufflevector(a, b, 0, 2)
#define INTERLEAVE_HI(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

/* In which lanes a survivor of `now` comes from a state, one word a state. */
static void back_one(const uint64_t *dropped, uint32_t states, const uint64_t *now,
                     uint64_t *before)
{
    const wordsv *d = (const wordsv *)(const void *)dropped,
                 *from = (const wordsv *)(const void *)now;
    wordsv *to = (wordsv *)(void *)before;
    const uint32_t half = states / 2 / WORDS;

    for (uint32_t i = 0; i < half; i++) {
        const wordsv even = (from[i] & ~d[i]) | (from[i + half] & ~d[i + half]);
        const wordsv odd = (from[i] & d[i]) | (from[i + half] & d[i + half]);
        to[2 * i] = INTERLEAVE_LO(even, odd);
        to[2 * i + 1] = INTERLEAVE_HI(even, odd);
    }
}

static bool one_each(const uint64_t *words, uint32_t states)
{
    const wordsv *v = (const wordsv *)(const void *)words;
    wordsv one = {0}, two = {0};
    uint64_t more = 0;

    for (uint32_t i = 0; i < states / WORDS; i++) {
        two |= one & v[i];
        one |= v[i];
    }
    for (unsigned i = 0; i < WORDS; i++) {
        more |= two[i];
        for (unsigned j = 0; j < i; j++)
            more |= one[i] & one[j];
    }
    return more == 0;
}

static bool merge_lanes(struct viterbi_run *run, size_t from, size_t to, bool again, uint64_t *seed)
{
    const uint32_t states = run->simd->states;
    uint64_t *now = run->words, *before = run->others;

    for (uint32_t i = 0; i < states && !again; i++)
        now[i] = ~UINT64_C(0) >> (64 - run->lanes);
    for (size_t i = to; i-- > from;) {
        uint64_t *last = now;
        back_one((const uint64_t *)(const void *)viterbi_run_dropped(run, i), states, now, before);
        now = before;
        before = last;
    }
    run->words = now;
    run->others = before;
    if (!one_each(now, states))
        return false;
    lowest_state(now, run->simd->spec.code.K - 1, seed);
    return true;
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
        const uint8_t *dropped = viterbi_run_dropped(run, i);
        bits = bits >> 1 | (uint64_t)(state >> (K - 2)) << 63;
        state = (state << 1 | (dropped[state / 8] >> state % 8 & 1u)) & mask;
    }
    seed[0] = state;
    if (words)
        words[0] = bits;
}

static FECRUN_ALWAYS_INLINE int value_i8(int8_t x)
{
    return x < -127 ? -127 : x;
}

static FECRUN_ALWAYS_INLINE float value_float(float x)
{
    x = x == x ? x : 0.0f;
    x = x > 1048576.0f ? 1048576.0f : x;
    return x < -1048576.0f ? -1048576.0f : x;
}

/* packed[item][lane], 16 lanes by 16 items at a time. Idle lanes of a vector get a row as well:
 * stray NaNs would be slow. */
static void pack_float(const void *const *rows, unsigned lanes, size_t items, void *packed)
{
    for (unsigned lane = 0; lane < lanes; lane += 16) {
        for (size_t at = 0; at < items; at += 16) {
            const unsigned part = items - at < 16 ? (unsigned)(items - at) : 16;
            float *to = (float *)packed + at * VITERBI_LANES + lane;
            float block[16][16];
            for (unsigned i = 0; i < 16; i++) {
                const float *row = (const float *)rows[lane + i] + at;
                for (unsigned k = 0; k < part; k++)
                    block[i][k] = value_float(row[k]);
            }
            for (unsigned k = 0; k < part; k++)
                for (unsigned i = 0; i < 16; i++)
                    to[k * VITERBI_LANES + i] = block[i][k];
        }
    }
}

#endif

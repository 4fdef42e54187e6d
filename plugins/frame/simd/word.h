/* SPDX-License-Identifier: BSD-2-Clause */
/* Scores of a sync word in the vectors of one vec_*.h, which comes first. */
#ifndef FRAME_SIMD_WORD_H
#define FRAME_SIMD_WORD_H
#ifdef VEC_BYTES

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/frame/code/word.h"

enum {
    PART = 2048, /* places at a time: they stay in the L1 cache */
    BLOCK = 8,   /* vectors of sums in registers */
    FRONT = 256, /* places whose largest sum is looked for together */
    SHORTS = VEC_BYTES / 2,
    FLOATS = VEC_BYTES / 4,
    SLACK = BLOCK * SHORTS, /* a last block reads so far */
    ROOM = PART + WORD_MOST + SLACK + 1
};

static FECRUN_ALWAYS_INLINE int32_t max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static FECRUN_ALWAYS_INLINE float max_f32(float a, float b)
{
    return a > b ? a : b;
}

static FECRUN_ALWAYS_INLINE void store_floats(float *to, vec_f32 v)
{
    vec_store_any(to, vec_f32_bits(v));
}

/* ---- Scores ---- */

static void widen(const void *from, uint32_t type, int16_t *llr, uint64_t n)
{
    const uint8_t *bits = from;
    const int8_t *llrs = from;

    if (type == FECRUN_U8)
        for (uint64_t i = 0; i < n; i++)
            llr[i] = (int16_t)(1 - 2 * bits[i]);
    else
        for (uint64_t i = 0; i < n; i++)
            llr[i] = llrs[i] < -INT8_MAX ? -INT8_MAX : llrs[i];
}

/* Two symbols of a word are a sum or a difference of two LLRs, with one sign; a last one alone is an LLR. */
struct term {
    unsigned at; /* symbol */
    enum { SUM, DIFFERENCE, ALONE } what;
    bool minus;
};

static unsigned make_terms(const struct word *word, struct term terms[WORD_MOST / 2])
{
    unsigned n = 0;

    for (unsigned b = 0; b < word->width; b += 2) {
        const bool alone = b + 1 == word->width;

        terms[n++] = (struct term){.at = b,
                                   .what = alone                                ? ALONE
                                           : word->sign[b] == word->sign[b + 1] ? SUM
                                                                                : DIFFERENCE,
                                   .minus = word->sign[b] < 0};
    }
    return n;
}

/* Scores of places side by side: whole blocks, also behind the last place. */
#define CORRELATE(name, type, vec_type, zero, load, add, sub, store) \
    static FECRUN_ALWAYS_INLINE void correlate_##name(const struct term *terms, unsigned n_terms, \
                                                      const type *const from[3], uint64_t first, \
                                                      type *score, uint64_t places) \
    { \
        const unsigned lanes = VEC_BYTES / sizeof(type); \
        for (uint64_t at = 0; at < places; at += BLOCK * lanes) { \
            vec_type sum[BLOCK]; \
            for (unsigned v = 0; v < BLOCK; v++) \
                sum[v] = zero; \
            for (unsigned t = 0; t < n_terms; t++) { \
                const type *llr = from[terms[t].what] + first + at + terms[t].at; \
                if (terms[t].minus) \
                    for (unsigned v = 0; v < BLOCK; v++) \
                        sum[v] = sub(sum[v], load(llr + v * lanes)); \
                else \
                    for (unsigned v = 0; v < BLOCK; v++) \
                        sum[v] = add(sum[v], load(llr + v * lanes)); \
            } \
            for (unsigned v = 0; v < BLOCK; v++) \
                store(score + at + v * lanes, sum[v]); \
        } \
    } \
    /* llr: `places` + width - 1 of them, and SLACK + 1 zeros */ \
    static FECRUN_ALWAYS_INLINE void score_part_##name( \
        const struct term *terms, unsigned n_terms, const type *llr, type *score, uint64_t places) \
    { \
        type sums[ROOM] __attribute__((aligned(VEC_BYTES))); \
        type differences[ROOM] __attribute__((aligned(VEC_BYTES))); \
        type last[BLOCK * VEC_BYTES / sizeof(type)]; \
        const type *const from[3] = {sums, differences, llr}; \
        const uint64_t n = places + terms[n_terms - 1].at + SLACK; \
        const uint64_t left = places % (BLOCK * VEC_BYTES / sizeof(type)), whole = places - left; \
        for (uint64_t i = 0; i < n; i++) { \
            sums[i] = (type)(llr[i] + llr[i + 1]); \
            differences[i] = (type)(llr[i] - llr[i + 1]); \
        } \
        correlate_##name(terms, n_terms, from, 0, score, whole); \
        if (left) { \
            correlate_##name(terms, n_terms, from, whole, last, left); \
            memcpy(score + whole, last, left * sizeof *score); \
        } \
    }

CORRELATE(i16, int16_t, vec, vec_zero(), vec_load_any, vec_i16_add, vec_i16_sub, vec_store_any)
CORRELATE(f32, float, vec_f32, vec_f32_set(0), vec_f32_load_any, vec_f32_add, vec_f32_sub,
          store_floats)

static void score_i16(const struct word *word, const void *from, uint32_t type, int16_t *score,
                      uint64_t places)
{
    const uint8_t *bytes = from;
    int16_t llr[ROOM] __attribute__((aligned(VEC_BYTES)));
    struct term terms[WORD_MOST / 2];
    const unsigned n_terms = make_terms(word, terms);

    for (uint64_t at = 0; at < places; at += PART) {
        const uint64_t n = places - at < PART ? places - at : PART;
        const uint64_t llrs = n + word->width - 1;

        widen(bytes + at, type, llr, llrs);
        memset(llr + llrs, 0, (SLACK + 1) * sizeof *llr);
        score_part_i16(terms, n_terms, llr, score + at, n);
    }
}

static void score_f32(const struct word *word, const float *from, float *score, uint64_t places)
{
    float llr[ROOM] __attribute__((aligned(VEC_BYTES)));
    struct term terms[WORD_MOST / 2];
    const unsigned n_terms = make_terms(word, terms);

    for (uint64_t at = 0; at < places; at += PART) {
        const uint64_t n = places - at < PART ? places - at : PART;
        const uint64_t llrs = n + word->width - 1;

        for (uint64_t i = 0; i < llrs; i++)
            llr[i] = word_llr(from[at + i]);
        memset(llr + llrs, 0, (SLACK + 1) * sizeof *llr);
        score_part_f32(terms, n_terms, llr, score + at, n);
    }
}

/* ---- The best place ---- */

/* Of FRONT places only the largest sum is kept. Those with the largest one are looked at again. */

static FECRUN_ALWAYS_INLINE int32_t sum_i16(const int16_t *const *rows, unsigned n_rows,
                                            bool either, uint64_t i)
{
    int32_t sum = 0;

    for (unsigned r = 0; r < n_rows; r++)
        sum += either ? abs(rows[r][i]) : rows[r][i];
    return sum;
}

static FECRUN_ALWAYS_INLINE float sum_f32(const float *const *rows, unsigned n_rows, bool either,
                                          uint64_t i)
{
    float sum = 0;

    for (unsigned r = 0; r < n_rows; r++)
        sum += either ? fabsf(rows[r][i]) : rows[r][i];
    return sum;
}

static FECRUN_ALWAYS_INLINE int32_t largest_narrow(const int16_t *const *rows, unsigned n_rows,
                                                   bool either, uint64_t at, uint64_t n)
{
    int16_t lanes[SHORTS] __attribute__((aligned(VEC_BYTES)));
    vec top = vec_i16_set(INT16_MIN);
    int32_t largest = INT32_MIN;
    uint64_t i = 0;

    for (; i + SHORTS <= n; i += SHORTS) {
        vec sum = vec_zero();

        for (unsigned r = 0; r < n_rows; r++) {
            const vec score = vec_load_any(rows[r] + at + i);

            sum = vec_i16_add(sum, either ? vec_i16_abs(score) : score);
        }
        top = vec_i16_max(top, sum);
    }
    vec_store(lanes, top);
    for (unsigned l = 0; l < SHORTS; l++)
        largest = lanes[l] > largest ? lanes[l] : largest;
    for (; i < n; i++)
        largest = max_i32(largest, sum_i16(rows, n_rows, either, at + i));
    return largest;
}

static FECRUN_ALWAYS_INLINE int32_t largest_wide(const int16_t *const *rows, unsigned n_rows,
                                                 bool either, uint64_t at, uint64_t n)
{
    int32_t largest = INT32_MIN;

    for (uint64_t i = 0; i < n; i++)
        largest = max_i32(largest, sum_i16(rows, n_rows, either, at + i));
    return largest;
}

static FECRUN_ALWAYS_INLINE float largest_f32(const float *const *rows, unsigned n_rows,
                                              bool either, uint64_t at, uint64_t n)
{
    const vec_f32 size = vec_f32_of_bits(vec_i32_set(either ? INT32_MAX : -1));
    float lanes[FLOATS] __attribute__((aligned(VEC_BYTES)));
    vec_f32 top = vec_f32_set(-INFINITY);
    float largest = -INFINITY;
    uint64_t i = 0;

    for (; i + FLOATS <= n; i += FLOATS) {
        vec_f32 sum = vec_f32_set(0);

        for (unsigned r = 0; r < n_rows; r++)
            sum = vec_f32_add(sum, vec_f32_and(vec_f32_load_any(rows[r] + at + i), size));
        top = vec_f32_max(top, sum);
    }
    vec_f32_store(lanes, top);
    for (unsigned l = 0; l < FLOATS; l++)
        largest = lanes[l] > largest ? lanes[l] : largest;
    for (; i < n; i++)
        largest = max_f32(largest, sum_f32(rows, n_rows, either, at + i));
    return largest;
}

#define BEST(name, type, sum_type, sum_of) \
    static FECRUN_ALWAYS_INLINE uint64_t best_of_##name(const type *const *rows, unsigned n_rows, \
                                                        bool either, uint64_t n) \
    { \
        sum_type top = 0; \
        uint64_t best = 0; \
        for (uint64_t at = 0; at < n; at += FRONT) { \
            const uint64_t part = n - at < FRONT ? n - at : FRONT; \
            const sum_type largest = largest_##name(rows, n_rows, either, at, part); \
            if (at && largest <= top) \
                continue; \
            top = largest; \
            best = at; \
        } \
        while (sum_of(rows, n_rows, either, best) != top) \
            best++; \
        return best; \
    } \
    static uint64_t best_##name(const type *const *rows, unsigned n_rows, bool either, uint64_t n) \
    { \
        return either ? best_of_##name(rows, n_rows, true, n) \
                      : best_of_##name(rows, n_rows, false, n); \
    }

BEST(narrow, int16_t, int32_t, sum_i16)
BEST(wide, int16_t, int32_t, sum_i16)
BEST(f32, float, float, sum_f32)

static uint64_t best_i16(const int16_t *const *rows, unsigned n_rows, bool either, bool narrow,
                         uint64_t n)
{
    return (narrow ? best_narrow : best_wide)(rows, n_rows, either, n);
}

#define WORD_KERNELS(set) \
    { \
        .name = set, .score_i16 = score_i16, .score_f32 = score_f32, .best_i16 = best_i16, \
        .best_f32 = best_f32, \
    }

#endif
#endif

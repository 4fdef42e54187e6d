/* SPDX-License-Identifier: BSD-2-Clause */
/* Small blocks as in ref/small.c, frames side by side in words of 16 bits; after kernel.h. */
#include "plugins/polar/code/small.h"

enum { SMALL_FIRST_MASK = 6, SMALL_SIZE = 1 << (SMALL_FIRST_MASK - 1) };

/* The likeliest message of each lane so far. */
struct likeliest {
    words correlation, message;
};

static FECRUN_ALWAYS_INLINE void consider(struct likeliest *best, words correlation,
                                          int16_t message)
{
    const words more = correlation > best->correlation;

    best->correlation = (more & correlation) | (~more & best->correlation);
    best->message = (more & message) | (~more & best->message);
}

/* LLRs of VEC_BYTES / 2 lanes. */
static FECRUN_ALWAYS_INLINE words widen(const int8_t *row)
{
    typedef int8_t bytes __attribute__((vector_size(VEC_BYTES / 2)));
    bytes v;

    memcpy(&v, row, sizeof v);
    return __builtin_convertvector(v, words);
}

static FECRUN_ALWAYS_INLINE void hadamard(words *a)
{
    for (uint32_t half = 1; half < SMALL_SIZE; half *= 2)
        for (uint32_t first = 0; first < SMALL_SIZE; first += 2 * half)
            for (uint32_t i = first; i < first + half; i++) {
                const words x = a[i], y = a[i + half];

                a[i] = x + y;
                a[i + half] = x - y;
            }
}

/* All messages whose bits from 6 on are `high`. */
static inline void small_search(const struct polar_code *code, const words *llr, uint32_t high,
                                struct likeliest *best)
{
    const uint32_t all = code->k < SMALL_FIRST_MASK ? code->k : SMALL_FIRST_MASK;
    words a[SMALL_SIZE] = {{0}};

    for (uint32_t i = 0; i < code->n; i++) {
        const uint32_t row = code->small->row[i], at = row >> 1 & (SMALL_SIZE - 1);

        a[at] += __builtin_popcount(row & high) & 1 ? -llr[i] : llr[i];
    }
    hadamard(a);
    for (uint32_t i = 0; i < 1u << (all - 1); i++) {
        consider(best, a[i], (int16_t)(high | i << 1));
        consider(best, -a[i], (int16_t)(high | i << 1 | 1));
    }
}

/* Of one or two bits. */
static inline void small_search_few(const struct polar_code *code, const words *llr,
                                    struct likeliest *best)
{
    for (uint32_t message = 0; message < 1u << code->k; message++) {
        words sum = {0};

        for (uint32_t i = 0; i < code->n; i++) {
            const uint32_t row = code->small->row[i];

            if (row)
                sum += __builtin_popcount(row & message) & 1 ? -llr[i] : llr[i];
        }
        consider(best, sum, (int16_t)message);
    }
}

static void small(const struct polar_code *code, const polar_row *rows, int16_t *message)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES / 2) {
        struct likeliest best = {(words){0} + INT16_MIN, {0}};
        words llr[POLAR_SMALL_N];

        for (uint32_t i = 0; i < code->n; i++)
            llr[i] = widen(rows[i] + l);
        if (code->k <= 2)
            small_search_few(code, llr, &best);
        for (uint32_t high = 0; high < 1u << code->k && code->k > 2; high += 1 << SMALL_FIRST_MASK)
            small_search(code, llr, high, &best);
        memcpy(message + l, &best.message, sizeof best.message);
    }
}

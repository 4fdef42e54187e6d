/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact decoding of small blocks. The word of a message is a word of the first-order Reed-Muller code, of
 * its first six bits, plus a mask, of the other five: with the mask taken off, one Hadamard transform of 32
 * correlates with all of these at once.
 */
#include "plugins/polar/code/small.h"
#include "plugins/polar/ref/ref.h"

enum { FIRST_MASK = 6, SIZE = 1 << (FIRST_MASK - 1) };

struct best {
    double correlation;
    uint32_t message;
};

static void consider(struct best *best, double correlation, uint32_t message)
{
    if (correlation > best->correlation)
        *best = (struct best){correlation, message};
}

/* a[i] becomes the sum of a[j], negative where i and j have an odd number of common ones. */
static void hadamard(double *a)
{
    for (uint32_t half = 1; half < SIZE; half *= 2)
        for (uint32_t first = 0; first < SIZE; first += 2 * half)
            for (uint32_t i = first; i < first + half; i++) {
                const double x = a[i], y = a[i + half];

                a[i] = x + y;
                a[i + half] = x - y;
            }
}

/* All messages with this mask: bits 6 and up are `high`. Bit 0 is part of all of the word. */
static void search(const struct polar_code *code, const float *llr, uint32_t high,
                   struct best *best)
{
    const uint32_t all = code->k < FIRST_MASK ? code->k : FIRST_MASK;
    double a[SIZE] = {0};

    for (uint32_t i = 0; i < code->n; i++) {
        const uint32_t row = code->small->row[i], odd = __builtin_popcount(row & high) & 1;

        a[row >> 1 & (SIZE - 1)] += (double)(odd ? -llr[i] : llr[i]);
    }
    hadamard(a);
    for (uint32_t i = 0; i < 1u << (all - 1); i++) {
        consider(best, a[i], high | i << 1);
        consider(best, -a[i], high | i << 1 | 1);
    }
}

/* Of one or two bits. */
static void search_few(const struct polar_code *code, const float *llr, struct best *best)
{
    for (uint32_t message = 0; message < 1u << code->k; message++) {
        double sum = 0;

        for (uint32_t i = 0; i < code->n; i++) {
            const uint32_t row = code->small->row[i];

            if (row)
                sum += (double)(__builtin_popcount(row & message) & 1 ? -llr[i] : llr[i]);
        }
        consider(best, sum, message);
    }
}

void polar_ref_small(const struct polar_code *code, const float *llr, uint8_t *message)
{
    struct best best = {-1e300, 0};

    if (code->k <= 2)
        search_few(code, llr, &best);
    for (uint32_t high = 0; high < 1u << code->k && code->k > 2; high += 1 << FIRST_MASK)
        search(code, llr, high, &best);
    for (uint32_t b = 0; b < code->k; b++)
        message[b] = best.message >> b & 1;
}

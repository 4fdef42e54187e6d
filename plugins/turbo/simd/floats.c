/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Floats that arrive become integers of 16 bits. Their scale is a power of two, such that the median of the
 * magnitudes that are not 0 becomes 2^TURBO_MEDIAN and more: then rounding adds less than a five hundredth of it,
 * and what is limited was 64 times as large. The gain of gain.c comes behind that.
 */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "plugins/turbo/simd/simd.h"

enum {
    SIGN = 16,     /* 16 bits of a float, without its sign, are in the order of magnitudes, */
    EXPONENT = 7,  /* of which the upper ones are the exponent, */
    BIAS = 127,    /* 127 more than it is */
    LARGEST = 147, /* of FECRUN_LLR_MAX_F32 */
    TIMES = 5,     /* of long frames each fifth run: as those of gain.c, no multiple of 2 or 3 */
};

/* The upper halves of magnitudes, of floats as integers. NaN becomes 0. */
static void take_halves(const int32_t *restrict llr, uint32_t n, int16_t *restrict half)
{
    const int32_t infinite = 255 << 23, most = LARGEST << 23;

    for (uint32_t i = 0; i < n; i++) {
        int32_t m = llr[i] & INT32_MAX;

        m = m > infinite ? 0 : m;
        half[i] = (int16_t)((m < most ? m : most) >> SIGN);
    }
}

/* The exponent of the median, as in floats; 0: there is nothing but zeros. */
static int median(const struct turbo_simd *s, const float *llr)
{
    alignas(TURBO_ROW) int32_t sample[TURBO_SAMPLE];
    alignas(TURBO_ROW) int16_t half[TURBO_SAMPLE + TURBO_ROW];
    const uint32_t times = s->fixed.take < s->decode->word ? TIMES : 1;
    const uint32_t bytes = turbo_sample(s->decode, &s->fixed, times, llr, TURBO_FLOAT,
                                        (char *)sample);
    const uint32_t n = bytes >> TURBO_FLOAT, rows = (2 * n + TURBO_ROW - 1) / TURBO_ROW;
    uint32_t found = 0, all;

    take_halves(sample, n, half);
    memset(half + n, 0, TURBO_ROW);
    all = s->kernel->add_up[TURBO_WORD](half, rows, 0).count;
    for (uint32_t step = 128; step > 0; step /= 2) {
        const uint32_t limit = ((found + step) << EXPONENT) - 1;

        if (found + step <= LARGEST &&
            2 * s->kernel->add_up[TURBO_WORD](half, rows, limit).count > all)
            found += step;
    }
    return (int)found;
}

float turbo_to_words(const struct turbo_simd *s, const struct turbo_work *work, const float *llr)
{
    const int exponent = TURBO_MEDIAN + BIAS - median(s, llr);
    const float scale = ldexpf(1, exponent < BIAS ? exponent : BIAS);

    s->kernel->to_words(llr, s->decode->word, scale, work->words);
    return scale;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The gain of a frame's LLRs (fixed.h): found from a sample of their magnitudes. */
#include "plugins/ldpc/simd/fixed.h"

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What is added up at once. */
enum { BLOCK = 64 };

/* Magnitudes that are looked at: those of information bits, then all others, each with zeros up to a whole block. */
struct sample {
    ldpc_add_up *add_up;
    uint32_t info, n, looked_info; /* the last: without zeros */
    uint8_t magnitude[LDPC_FIXED_SAMPLE + 2 * BLOCK];
};

static uint8_t magnitude(int8_t llr)
{
    return (uint8_t)(llr == -128 ? 127 : llr < 0 ? -llr : llr);
}

static void look_at(struct sample *sample, const int8_t *llr, uint32_t from, uint32_t to,
                    uint32_t step)
{
    uint8_t *out = sample->magnitude + sample->n;
    const uint32_t n = from < to ? (to - from + step - 1) / step : 0;

    /* as they are first, so that the second loop has vectors */
    for (uint32_t i = 0; i < n; i++, from += step)
        out[i] = (uint8_t)llr[from];
    for (uint32_t i = 0; i < n; i++)
        out[i] = magnitude((int8_t)out[i]);
    sample->n += n;
}

#ifdef __SSE2__
static uint32_t both_halves(__m128i x)
{
    return (uint32_t)_mm_cvtsi128_si32(x) + (uint32_t)_mm_cvtsi128_si32(_mm_unpackhi_epi64(x, x));
}

static void plain_add_up(const uint8_t *magnitude, uint32_t n, uint32_t cut, uint32_t *sum,
                         uint32_t *others)
{
    const __m128i least = _mm_set1_epi8((char)(cut - 1)), zero = _mm_setzero_si128();
    __m128i sums = zero, counts = zero;

    for (uint32_t i = 0; i < n; i += 16) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(magnitude + i));
        const __m128i other = _mm_cmpgt_epi8(a, least);

        sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_andnot_si128(other, a), zero));
        counts = _mm_add_epi64(counts, _mm_sad_epu8(_mm_sub_epi8(zero, other), zero));
    }
    *sum = both_halves(sums);
    *others = both_halves(counts);
}
#else
/* Blocks fit 16 bits, so that the compiler has short lanes to add in. */
static void plain_add_up(const uint8_t *magnitude, uint32_t n, uint32_t cut, uint32_t *sum,
                         uint32_t *others)
{
    *sum = *others = 0;
    for (uint32_t at = 0; at < n; at += BLOCK) {
        uint16_t s = 0, c = 0;

        for (uint32_t i = 0; i < BLOCK; i++) {
            const uint8_t a = magnitude[at + i], below = a < cut;

            s = (uint16_t)(s + (below ? a : 0));
            c = (uint16_t)(c + !below);
        }
        *sum += s;
        *others += c;
    }
}
#endif

/* Zeros up to a whole block. */
static void fill_up(struct sample *sample)
{
    const uint32_t rest = -sample->n % BLOCK;

    memset(sample->magnitude + sample->n, 0, rest);
    sample->n += rest;
}

/*
 * The gain, times 256, with which the sum of min(gain |x|, full) over the first n of the sample is `want`: Newton's
 * method from below. There the steps never go too far, for the sum is concave; rounding down keeps it below.
 */
static uint32_t solve(const struct sample *sample, uint32_t n, uint32_t full, uint32_t want)
{
    uint32_t sum, above, before, passes = 0;
    uint64_t times;

    sample->add_up(sample->magnitude, n, 128, &sum, &above);
    times = 256 * (uint64_t)want / sum;
    do {
        const uint64_t cut = (full * 256 + times - 1) / times;

        before = above;
        sample->add_up(sample->magnitude, n, cut < 128 ? (uint32_t)cut : 128, &sum, &above);
        times = 256 * (uint64_t)(want - full * above) / sum;
    } while (above != before && ++passes < 8);
    return (uint32_t)times;
}

/* Looks at LLRs of information bits, then at the others; returns how many. */
static uint32_t look(const struct ldpc_fixed *fixed, const int8_t *llr, struct sample *sample)
{
    const uint32_t parity = fixed->filler + fixed->fillers;
    const uint32_t info = fixed->filler < fixed->items ? fixed->filler : fixed->items;
    uint32_t looked;

    sample->n = 0;
    look_at(sample, llr, 0, info, fixed->step);
    looked = sample->looked_info = sample->n;
    fill_up(sample);
    sample->info = sample->n;
    look_at(sample, llr, parity, fixed->items, fixed->step);
    looked += sample->n - sample->info;
    fill_up(sample);
    return looked;
}

/* Units from which on an LLR of this frame counts as a known bit. */
static uint32_t full_of(const struct ldpc_fixed *fixed, const struct sample *sample)
{
    uint32_t sum, received;

    if (fixed->poor == fixed->full)
        return fixed->full;
    sample->add_up(sample->magnitude, sample->info, 1, &sum, &received);
    return 2 * received < sample->looked_info ? fixed->poor : fixed->full;
}

/* The mean of min(gain |x|, full) over information bits that were received is to be `info` or more. */
static uint32_t raise_gain(const struct ldpc_fixed *fixed, const struct sample *sample,
                           uint32_t full, uint32_t times)
{
    const uint64_t cut = ((uint64_t)full * 256 + times - 1) / (times ? times : 1);
    uint32_t sum, above, received;
    uint64_t least;

    sample->add_up(sample->magnitude, sample->info, 1, &sum, &received);
    least = (uint64_t)fixed->info * received;
    sample->add_up(sample->magnitude, sample->info, cut < 128 ? (uint32_t)cut : 128, &sum, &above);
    if ((uint64_t)sum * times / 256 + (uint64_t)full * above >= least)
        return times;
    return solve(sample, sample->info, full, (uint32_t)least);
}

static uint32_t find_gain(const struct ldpc_fixed *fixed, const int8_t *llr, ldpc_add_up *add_up)
{
    struct sample sample;
    uint32_t sum, received, looked, full, times;
    uint64_t want, least, most;

    sample.add_up = add_up ? add_up : plain_add_up;
    looked = look(fixed, llr, &sample);
    sample.add_up(sample.magnitude, sample.n, 1, &sum, &received);
    if (!received)
        return 256;
    full = full_of(fixed, &sample);
    want = (uint64_t)full * fixed->bits * looked / (fixed->items - fixed->fillers);
    /* the LLRs of lower rates would be rounded to 0; and solve() wants some that are not full */
    least = fixed->least * (uint64_t)received;
    most = full * (uint64_t)received * 31 / 32;
    want = want < least ? least : want > most ? most : want;
    times = solve(&sample, sample.n, full, (uint32_t)want);
    return fixed->info ? raise_gain(fixed, &sample, full, times) : times;
}

struct ldpc_gain ldpc_fixed_gain(const struct ldpc_fixed *fixed, const int8_t *llr,
                                 ldpc_add_up *add_up)
{
    struct ldpc_gain gain = {.times = fixed->times};
    uint32_t most;

    if (fixed->bits)
        gain.times = (uint16_t)find_gain(fixed, llr, add_up);
    most = (LDPC_FIXED_INPUT * 256 + 128 + gain.times - 1u) / gain.times;
    gain.most = (uint8_t)(most < 127 ? most : 127);
    return gain;
}

int8_t ldpc_fixed_input(const struct ldpc_gain *gain, int8_t llr)
{
    int a = abs(llr) < gain->most ? abs(llr) : gain->most;

    a = (a * gain->times + 128) / 256;
    a = a < LDPC_FIXED_INPUT ? a : LDPC_FIXED_INPUT;
    return (int8_t)(llr < 0 ? -a : a);
}

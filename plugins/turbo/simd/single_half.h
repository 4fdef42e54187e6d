/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: a half iteration of one block, see single.h; the includer has the vectors of vec_avx2.h or
 * vec_avx512.h.
 *
 * Vectors of metrics hold eight alphas in the low lane and eight betas in the high one. States are in such
 * an order that in both lanes the two branches to be compared gain
 *
 *     even:  S 0 A P  S 0 A P        odd:  0 S P A  0 S P A
 *
 * with A (sys + a priori) if the input is 0, P if the parity bit is 0, and S = A + P. So branches of input 0
 * are the even places of `even` and the odd ones of `odd`. In the second half of the steps both ends
 * meet what the other one has stored, and each step gives two LLRs.
 *
 * Metrics are normalised by state 0 each NORMALISE steps. With G as in simd.c all are within 3 G of
 * each other when they are, and r steps later within (3 + r) G of 0. A sum has metrics of r and of 7 - r
 * steps and a branch, so it is within 14 G = 25088.
 */
#include <immintrin.h>

#define ALWAYS static FECRUN_ALWAYS_INLINE

enum { NORMALISE = 8 };

/* Words of lanes: alpha's and beta's, as bytes. */
#define WORD(i) 2 * (i), 2 * (i) + 1
#define LANE(a, b, c, d, e, f, g, h) \
    WORD(a), WORD(b), WORD(c), WORD(d), WORD(e), WORD(f), WORD(g), WORD(h)

typedef struct {
    alignas(32) uint8_t of[32];
} word_order;

/* Where the branches come from, with states as in turbo_pair_state: alpha's from states 0 6 4 2 6 0 2 4 and 1 7 5 3 7 1 3 5, beta's from
   0 0 5 5 7 7 2 2 and 4 4 1 1 3 3 6 6. */
static const word_order from_even = {{LANE(0, 7, 5, 2, 7, 0, 2, 5), LANE(0, 0, 7, 7, 5, 5, 2, 2)}};
static const word_order from_odd = {{LANE(3, 4, 6, 1, 4, 3, 1, 6), LANE(6, 6, 1, 1, 3, 3, 4, 4)}};
/* Betas in the order of alphas, and alphas in that of betas. */
static const word_order other_end = {{LANE(0, 3, 2, 1, 5, 6, 7, 4), LANE(0, 3, 2, 1, 7, 4, 5, 6)}};
static const word_order first_word = {{LANE(0, 0, 0, 0, 0, 0, 0, 0), LANE(0, 0, 0, 0, 0, 0, 0, 0)}};
static const word_order neighbours = {{LANE(1, 0, 3, 2, 5, 4, 7, 6), LANE(1, 0, 3, 2, 5, 4, 7, 6)}};
/* Every second word, the high lane's from the end on. */
static const word_order every_second = {
    {LANE(0, 2, 4, 6, 0, 2, 4, 6), LANE(6, 4, 2, 0, 6, 4, 2, 0)}};

ALWAYS __m256i load(const void *p)
{
    return _mm256_loadu_si256(p);
}

ALWAYS __m256i in_words(__m256i x, const word_order *order)
{
    return _mm256_shuffle_epi8(x, _mm256_load_si256((const __m256i *)(const void *)order));
}

/* Neighbouring words change places. */
ALWAYS __m256i swapped(__m256i x)
{
#if defined(__AVX512VL__)
    return _mm256_rol_epi32(x, 16);
#else
    return in_words(x, &neighbours);
#endif
}

/* ---- what branches gain ----------------------------------------------------------------------- */

/* S 0 A P of each step; the last 16 steps begin where they have to. */
ALWAYS void find_gains(const struct turbo_single_half *h)
{
    const __m256i pairs = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7), zero = _mm256_setzero_si256();

    const uint32_t items = h->windows * h->steps;

    for (uint32_t i = 0; i < items; i += 16) {
        const uint32_t at = i + 16 <= items ? i : items - 16;
        const __m256i in = _mm256_add_epi16(load(h->sys + at), load(h->prior + at));
        const __m256i A = _mm256_permutevar8x32_epi32(in, pairs);
        const __m256i P = _mm256_permutevar8x32_epi32(load(h->parity + at), pairs);
        const __m256i S = _mm256_add_epi16(A, P);
        const __m256i s0 = _mm256_unpacklo_epi16(S, zero), s1 = _mm256_unpackhi_epi16(S, zero);
        const __m256i a0 = _mm256_unpacklo_epi16(A, P), a1 = _mm256_unpackhi_epi16(A, P);
        __m256i *gain = (__m256i *)(void *)(h->gain + at);

        _mm256_storeu_si256((__m256i *)(void *)(h->in + at), in);
        _mm256_storeu_si256(gain, _mm256_unpacklo_epi32(s0, a0));
        _mm256_storeu_si256(gain + 1, _mm256_unpackhi_epi32(s0, a0));
        _mm256_storeu_si256(gain + 2, _mm256_unpacklo_epi32(s1, a1));
        _mm256_storeu_si256(gain + 3, _mm256_unpackhi_epi32(s1, a1));
    }
}

/* Those of step i for alpha, and of the step as far from the end for beta. */
ALWAYS __m256i gains(const struct turbo_single_half *h, uint32_t i)
{
    const __m256i alpha = _mm256_set1_epi64x((int64_t)h->gain[i]);
    const __m256i beta = _mm256_set1_epi64x((int64_t)h->gain[h->steps - 1 - i]);

    return _mm256_blend_epi32(alpha, beta, 0xf0);
}

/* ---- the trellis from both ends --------------------------------------------------------------- */

struct branches {
    __m256i even, odd;
};

ALWAYS struct branches branches(__m256i metric, __m256i gain)
{
    return (struct branches){_mm256_add_epi16(in_words(metric, &from_even), gain),
                             _mm256_add_epi16(in_words(metric, &from_odd), swapped(gain))};
}

ALWAYS __m256i best(struct branches b)
{
    return _mm256_max_epi16(b.even, b.odd);
}

ALWAYS __m256i normalised(__m256i metric)
{
    return _mm256_sub_epi16(metric, in_words(metric, &first_word));
}

/* The first half of the steps, four at a time: K / 2 is a multiple of 4. */
ALWAYS __m256i approach(const struct turbo_single_half *h)
{
    __m256i metric = load(*h->start);

    for (uint32_t i = 0; i < h->steps / 2; i += 4) {
        __m256i *to = (__m256i *)(void *)(h->metric + i);

        if (i % NORMALISE == 0)
            metric = normalised(metric);
        _mm256_store_si256(to, metric);
        metric = best(branches(metric, gains(h, i)));
        _mm256_store_si256(to + 1, metric);
        metric = best(branches(metric, gains(h, i + 1)));
        _mm256_store_si256(to + 2, metric);
        metric = best(branches(metric, gains(h, i + 2)));
        _mm256_store_si256(to + 3, metric);
        metric = best(branches(metric, gains(h, i + 3)));
    }
    return metric;
}

/* Sums of paths through step i and through the one as far from the end: pairs of input 0 and 1, four a
   lane, the best of which is wanted. */
ALWAYS __m256i step_sums(const struct turbo_single_half *h, uint32_t i, __m256i *metric)
{
    const struct branches b = branches(*metric, gains(h, i));
    const __m256i met = load(h->metric + (h->steps - 1 - i));
    const __m256i end = in_words(_mm256_permute4x64_epi64(met, 0x4e), &other_end);

    *metric = best(b);
    return _mm256_max_epi16(_mm256_add_epi16(b.even, end), swapped(_mm256_add_epi16(b.odd, end)));
}

/* Best of the halves of lanes of x and y: pairs x y x y. */
ALWAYS __m256i fold(__m256i x, __m256i y)
{
    return _mm256_max_epi16(_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
}

/* Four words of step i and of the steps as far from the end, in the low half of each lane. */
ALWAYS __m256i load_ends(const int16_t *p, const struct turbo_single_half *h, uint32_t i)
{
    return _mm256_setr_m128i(_mm_loadu_si64(p + i), _mm_loadu_si64(p + (h->steps - 4 - i)));
}

ALWAYS void store_ends(int16_t *p, const struct turbo_single_half *h, uint32_t i, __m256i x)
{
    _mm_storeu_si64(p + i, _mm256_castsi256_si128(x));
    _mm_storeu_si64(p + (h->steps - 4 - i), _mm256_extracti128_si256(x, 1));
}

/* The same as scaled() of rule_words.h. */
ALWAYS __m256i scale(const struct turbo_fixed *fixed, __m256i x)
{
    const __m256i m = _mm256_abs_epi16(x), factor = _mm256_set1_epi16((int16_t)fixed->factor);
    const __m256i twice = _mm256_sub_epi16(_mm256_add_epi16(m, m), _mm256_set1_epi16(-1));
    const __m256i product = _mm256_mulhi_epu16(twice, factor);

    return _mm256_sign_epi16(_mm256_min_epu16(product, _mm256_set1_epi16(fixed->prior)), x);
}

/* The second half of the steps, four at a time, and all LLRs. */
ALWAYS void pass(const struct turbo_single_half *h, __m256i metric, bool wanted)
{
    const __m256i less = _mm256_set1_epi32((int)0xffff0001); /* input 0 - input 1 */
    const struct turbo_fixed fixed = *h->fixed;
    const uint32_t late = h->windows > 1 ? h->steps - h->training : h->steps;

    for (uint32_t i = h->steps / 2; i < h->steps; i += 4) {
        __m256i s0, s1, s2, s3, llr;

        if (i % NORMALISE == 0)
            metric = normalised(metric);
        if (i == late)
            _mm256_store_si256((__m256i *)(void *)*h->late, metric);
        s0 = step_sums(h, i, &metric);
        s1 = step_sums(h, i + 1, &metric);
        s0 = fold(s0, s1);
        s2 = step_sums(h, i + 2, &metric);
        s3 = step_sums(h, i + 3, &metric);
        s2 = fold(s2, s3);
        llr = _mm256_max_epi16(_mm256_unpacklo_epi64(s0, s2), _mm256_unpackhi_epi64(s0, s2));
        llr = in_words(_mm256_madd_epi16(llr, less), &every_second);
        store_ends(h->out, h, i, scale(&fixed, _mm256_sub_epi16(llr, load_ends(h->in, h, i))));
        if (wanted)
            store_ends(h->llr, h, i, llr);
    }
}

/* ---- sub-blocks ------------------------------------------------------------------------------- */

ALWAYS struct turbo_single_half sub_block(const struct turbo_single_half *h, uint32_t w)
{
    struct turbo_single_half part = *h;

    part.in += w * h->steps;
    part.gain += w * h->steps;
    part.out += w * h->steps;
    part.llr = h->llr ? h->llr + w * h->steps : NULL;
    part.start += w;
    part.late += w;
    return part;
}

/* From what is known some steps before the sub-block's end and behind its beginning: what is there. */
ALWAYS __m256i train(const struct turbo_single_half *h)
{
    __m256i metric = load(*h->late);

    for (uint32_t i = h->steps - h->training; i < h->steps; i++) {
        if (i % NORMALISE == 0)
            metric = normalised(metric);
        metric = best(branches(metric, gains(h, i)));
    }
    return metric;
}

/* What is known at the end of a sub-block is where its neighbour begins. The ends of the block stay. */
static void find_borders(const struct turbo_single_half *h)
{
    for (uint32_t w = 0; w < h->windows; w++) {
        const struct turbo_single_half part = sub_block(h, w);
        const __m256i metric = train(&part);
        __m128i *next = (__m128i *)(void *)h->start[w + 1];
        __m128i *before = (__m128i *)(void *)(h->start[w] - TURBO_STATES);

        if (w + 1 < h->windows)
            _mm_store_si128(next, _mm256_castsi256_si128(metric));
        if (w > 0)
            _mm_store_si128(before, _mm256_extracti128_si256(metric, 1));
    }
}

static void half(const struct turbo_single_half *half)
{
    const struct turbo_single_half h = *half; /* which no store changes */

    find_gains(&h);
    if (h.windows > 1)
        find_borders(&h);
    for (uint32_t w = 0; w < h.windows; w++) {
        const struct turbo_single_half part = sub_block(&h, w);

        if (h.llr)
            pass(&part, approach(&part), true);
        else
            pass(&part, approach(&part), false);
    }
}

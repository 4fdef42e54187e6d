/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A half iteration of one block in bytes, see single_bytes.h, in vectors of AVX2.
 *
 * A vector has a sub-block in each lane of 128 bits: eight alphas, then eight betas. States are in such an order
 * that for both the two branches to be compared gain
 *
 *     even:  S 0 A P  S 0 A P        odd:  0 S P A  0 S P A
 *
 * with A (sys + a priori) if the input is 0, P if the parity bit is 0, and S = A + P. In the second half of
 * the steps both ends meet what the other one has stored, and each step gives sums of paths for two LLRs: of each LLR
 * the best of those with (input, parity bit) = (0, 0), (1, 1), (0, 1), (1, 0), four bytes, without what the
 * step's branch gains.
 */
#define ALWAYS static FECRUN_ALWAYS_INLINE

/* Alphas of a lane in the first row, betas in the second one. */
#define LANE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
    _mm256_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, a, b, c, d, e, f, g, h, i, j, \
                     k, l, m, n, o, p)

/* Where the branches come from, with states as in turbo_pair_state. */
#define FROM_EVEN LANE(0, 7, 5, 2, 7, 0, 2, 5, 8, 8, 15, 15, 13, 13, 10, 10)
#define FROM_ODD LANE(3, 4, 6, 1, 4, 3, 1, 6, 14, 14, 9, 9, 11, 11, 12, 12)
/* Betas in the order of alphas, and alphas in that of betas. */
#define OTHER_END LANE(8, 11, 10, 9, 13, 14, 15, 12, 0, 3, 2, 1, 7, 4, 5, 6)
#define SWAPPED LANE(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define SWAPPED_TWO LANE(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
/* Of what two sub-blocks gain, which is in both lanes: each its own. */
#define GAIN_EVEN \
    _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 8, 9, 10, 11, 4, 5, 6, 7, 4, 5, 6, 7, \
                     12, 13, 14, 15, 12, 13, 14, 15)
#define GAIN_ODD \
    _mm256_setr_epi8(1, 0, 3, 2, 1, 0, 3, 2, 9, 8, 11, 10, 9, 8, 11, 10, 5, 4, 7, 6, 5, 4, 7, 6, \
                     13, 12, 15, 14, 13, 12, 15, 14)

enum { PAIR = 2 }; /* sub-blocks of a vector */

/* ---- what branches gain ----------------------------------------------------------------------- */

/* S 0 A P of each item. */
ALWAYS void find_gains(const struct turbo_single_bytes_half *h)
{
    const uint32_t items = h->steps * h->windows;

    for (uint32_t i = 0; i < items; i += VEC_BYTES) {
        const vec A = vec_load(h->in + i), P = vec_load(h->parity + i);
        const vec S = vec_i8_add_sat(A, P);
        const vec s0 = vec_i8_zip_low(S, vec_zero()), s1 = vec_i8_zip_high(S, vec_zero());
        const vec a0 = vec_i8_zip_low(A, P), a1 = vec_i8_zip_high(A, P);
        const vec q0 = _mm256_unpacklo_epi16(s0, a0), q1 = _mm256_unpackhi_epi16(s0, a0);
        const vec q2 = _mm256_unpacklo_epi16(s1, a1), q3 = _mm256_unpackhi_epi16(s1, a1);

        vec_store(h->gain + i, _mm256_permute2x128_si256(q0, q1, 0x20));
        vec_store(h->gain + i + 8, _mm256_permute2x128_si256(q2, q3, 0x20));
        vec_store(h->gain + i + 16, _mm256_permute2x128_si256(q0, q1, 0x31));
        vec_store(h->gain + i + 24, _mm256_permute2x128_si256(q2, q3, 0x31));
    }
}

/* Those of step i for alphas, and of the step as far from the end for betas, of sub-blocks w and w + 1. */
ALWAYS vec gains(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w, uint32_t i)
{
    long long alpha, beta;

    memcpy(&alpha, h->gain + i * windows + w, sizeof alpha);
    memcpy(&beta, h->gain + (h->steps - 1 - i) * windows + w, sizeof beta);
    return _mm256_blend_epi32(vec_i64_set(alpha), vec_i64_set(beta), 0xcc);
}

/* ---- the trellis from both ends --------------------------------------------------------------- */

ALWAYS vec normalised(vec metric, vec top)
{
    vec most = vec_i8_max(metric, _mm256_shuffle_epi32(metric, 0xb1));

    most = vec_i8_max(most, _mm256_shuffle_epi8(most, SWAPPED_TWO));
    most = vec_i8_max(most, _mm256_shuffle_epi8(most, SWAPPED));
    return vec_i8_sub_sat(metric, vec_i8_sub(most, top));
}

struct sources {
    vec even, odd;
};

ALWAYS struct sources sources_of(vec metric)
{
    return (struct sources){_mm256_shuffle_epi8(metric, FROM_EVEN),
                            _mm256_shuffle_epi8(metric, FROM_ODD)};
}

ALWAYS vec next(struct sources from, vec gain)
{
    return vec_i8_max(vec_i8_add_sat(from.even, _mm256_shuffle_epi8(gain, GAIN_EVEN)),
                      vec_i8_add_sat(from.odd, _mm256_shuffle_epi8(gain, GAIN_ODD)));
}

/* Metrics after step i, in place of those before. */
ALWAYS void step(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w, uint32_t i,
                 vec *metric)
{
    *metric = next(sources_of(*metric), gains(h, windows, w, i));
}

/* The same; returns sums of paths, twice four a sub-block and end, the best of which is wanted. */
ALWAYS vec step_sums(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w,
                     uint32_t i, vec met, vec *metric)
{
    const struct sources from = sources_of(*metric);
    const vec end = _mm256_shuffle_epi8(met, OTHER_END);
    const vec odd = _mm256_shuffle_epi8(vec_i8_add_sat(from.odd, end), SWAPPED);

    *metric = next(from, gains(h, windows, w, i));
    return vec_i8_max(vec_i8_add_sat(from.even, end), odd);
}

/* The best sums of steps i and i + 1 and of the steps as far from the end, of sub-blocks w and w + 1. */
ALWAYS void store_sums(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w,
                       uint32_t i, vec s0, vec s1)
{
    const __m256 x = _mm256_castsi256_ps(s0), y = _mm256_castsi256_ps(s1);
    const vec best = vec_i8_max(_mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88)),
                                _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xdd)));
    uint32_t *first = h->sum + i * windows + w, *last = h->sum + (h->steps - 2 - i) * windows + w;

    if (windows == 1) {
        const __m128i four = _mm_shuffle_epi32(_mm256_castsi256_si128(best), 0x78);

        _mm_storeu_si64(first, four);
        _mm_storeu_si64(last, _mm_unpackhi_epi64(four, four));
    } else {
        const vec order = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
        const vec ends = _mm256_permutevar8x32_epi32(best, order);
        const __m128i alphas = _mm256_castsi256_si128(ends);
        const __m128i betas = _mm256_extracti128_si256(ends, 1);

        _mm_storeu_si64(first, alphas);
        _mm_storeu_si64(first + windows, _mm_unpackhi_epi64(alphas, alphas));
        _mm_storeu_si64(last + windows, betas);
        _mm_storeu_si64(last, _mm_unpackhi_epi64(betas, betas));
    }
}

/* Sub-blocks w on, in `vectors` vectors. */
ALWAYS void train(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w,
                  uint32_t vectors, turbo_ends *to)
{
    const vec top = vec_i8_set(h->fixed->top);
    vec metric[PAIR];

#pragma GCC unroll 2
    for (uint32_t v = 0; v < vectors; v++)
        metric[v] = vec_load(h->late + w + PAIR * v);
    for (uint32_t i = h->steps - h->training; i < h->steps; i += 2) {
#pragma GCC unroll 2
        for (uint32_t v = 0; v < vectors; v++) {
            step(h, windows, w + PAIR * v, i, &metric[v]);
            step(h, windows, w + PAIR * v, i + 1, &metric[v]);
            metric[v] = normalised(metric[v], top);
        }
    }
#pragma GCC unroll 2
    for (uint32_t v = 0; v < vectors; v++)
        vec_store(to + w + PAIR * v, metric[v]);
}

/* What is known at the end of a sub-block is where its neighbour begins. The ends of the block stay. */
ALWAYS void find_borders(const struct turbo_single_bytes_half *h, uint32_t windows,
                         uint32_t vectors)
{
    alignas(VEC_BYTES) turbo_ends border[TURBO_SINGLE_WINDOWS];

    for (uint32_t w = 0; w < windows; w += PAIR * vectors)
        train(h, windows, w, vectors, border);
    for (uint32_t w = 0; w + 1 < windows; w++) {
        memcpy(h->start[w + 1], border[w], TURBO_STATES);
        memcpy(h->start[w] + TURBO_STATES, border[w + 1] + TURBO_STATES, TURBO_STATES);
    }
}

/* The first half of the steps, two at a time: steps / 2 is even. */
ALWAYS void approach(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w,
                     uint32_t vectors, vec *metric)
{
    const vec top = vec_i8_set(h->fixed->top);
    turbo_ends *to = h->metric;

#pragma GCC unroll 2
    for (uint32_t v = 0; v < vectors; v++)
        metric[v] = vec_load(h->start + w + PAIR * v);
    for (uint32_t i = 0; i < h->steps / 2; i += 2, to += 2 * PAIR * vectors) {
#pragma GCC unroll 2
        for (uint32_t v = 0; v < vectors; v++) {
            metric[v] = normalised(metric[v], top);
            vec_store(to + PAIR * v, metric[v]);
            step(h, windows, w + PAIR * v, i, &metric[v]);
            vec_store(to + PAIR * (vectors + v), metric[v]);
            step(h, windows, w + PAIR * v, i + 1, &metric[v]);
        }
    }
}

/* The second half of the steps. */
ALWAYS void pass(const struct turbo_single_bytes_half *h, uint32_t windows, uint32_t w,
                 uint32_t vectors, vec *metric)
{
    const vec top = vec_i8_set(h->fixed->top);
    const turbo_ends *met = h->metric + h->steps / 2 * PAIR * vectors;

    for (uint32_t i = h->steps / 2; i < h->steps; i += 2) {
        met -= 2 * PAIR * vectors;
#pragma GCC unroll 2
        for (uint32_t v = 0; v < vectors; v++) {
            const uint32_t at = w + PAIR * v;
            vec s0, s1;

            metric[v] = normalised(metric[v], top);
            if (windows > 1 && i == h->steps - h->training)
                vec_store(h->late + at, metric[v]);
            s0 = step_sums(h, windows, at, i, vec_load(met + PAIR * (vectors + v)), &metric[v]);
            s1 = step_sums(h, windows, at, i + 1, vec_load(met + PAIR * v), &metric[v]);
            store_sums(h, windows, at, i, s0, s1);
        }
    }
}

/* ---- LLRs ------------------------------------------------------------------------------------- */

/* The sums of 32 items: four vectors for (0, 0), (1, 1), (0, 1), (1, 0). */
ALWAYS void load_sums(const uint32_t *sum, vec *best)
{
    const vec order = LANE(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    vec v[4], t0, t1, t2, t3;

#pragma GCC unroll 4
    for (uint32_t j = 0; j < 4; j++) {
        const __m128i *low = (const __m128i *)(const void *)(sum + 4 * j);

        v[j] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_load_si128(low)),
                                       _mm_load_si128(low + 4), 1);
        v[j] = _mm256_shuffle_epi8(v[j], order);
    }
    t0 = _mm256_unpacklo_epi32(v[0], v[1]), t1 = _mm256_unpackhi_epi32(v[0], v[1]);
    t2 = _mm256_unpacklo_epi32(v[2], v[3]), t3 = _mm256_unpackhi_epi32(v[2], v[3]);
    best[0] = _mm256_unpacklo_epi64(t0, t2), best[1] = _mm256_unpackhi_epi64(t0, t2);
    best[2] = _mm256_unpacklo_epi64(t1, t3), best[3] = _mm256_unpackhi_epi64(t1, t3);
}

ALWAYS void find_llrs(const struct turbo_single_bytes_half *half, bool add, bool decide)
{
    const struct turbo_single_bytes_half h = *half; /* which no store changes */
    const uint32_t items = h.steps * h.windows;
    const struct rule rule = rule_of(h.fixed);

    for (uint32_t i = 0; i < items; i += VEC_BYTES) {
        const vec P = vec_load(h.parity + i);
        vec best[4], zero, one, extrinsic, out;

        load_sums(h.sum + i, best);
        zero = vec_i8_max(vec_i8_add_sat(best[0], P), best[2]);
        one = vec_i8_max(vec_i8_add_sat(best[3], P), best[1]);
        extrinsic = vec_i8_sub_sat(zero, one);
        out = scaled(&rule, extrinsic);
        vec_store(h.out + i, add ? vec_i8_add_sat(out, vec_load(h.sys + i)) : out);
        if (decide)
            vec_store(h.llr + i, vec_i8_add_sat(extrinsic, vec_load(h.in + i)));
    }
}

ALWAYS void find_sums(const struct turbo_single_bytes_half *half, uint32_t windows,
                      uint32_t vectors)
{
    const struct turbo_single_bytes_half h = *half; /* which no store changes */
    vec metric[PAIR];

    if (windows > 1)
        find_borders(&h, windows, vectors);
    for (uint32_t w = 0; w < windows; w += PAIR * vectors) {
        approach(&h, windows, w, vectors, metric);
        pass(&h, windows, w, vectors, metric);
    }
}

static void half(const struct turbo_single_bytes_half *h)
{
    find_gains(h);
    if (h->windows == 1)
        find_sums(h, 1, 1);
    else if (h->windows == 2)
        find_sums(h, 2, 1);
    else
        find_sums(h, h->windows, 2);
    if (h->sys)
        find_llrs(h, true, false);
    else if (h->llr)
        find_llrs(h, false, true);
    else
        find_llrs(h, false, false);
}

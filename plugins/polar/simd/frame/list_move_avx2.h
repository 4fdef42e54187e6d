/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows whose paths change places, with AVX2: part of list.h. */

#define MAP struct LIST(map)

#if LIST_PATHS == 8

/* Where each path's qword comes from: its two words of 32 bits. */
struct LIST(map) {
    lv v[2];
};

static FECRUN_ALWAYS_INLINE MAP LIST(map_of)(__m256i places)
{
    const __m128i eight = _mm256_castsi256_si128(places);
    MAP m;

    EACH_VECTOR
    {
        const lv place = _mm256_cvtepu8_epi64(w ? _mm_srli_epi64(eight, 32) : eight);
        const lv low = _mm256_add_epi32(place, place);

        m.v[w] = lv_or(low, lv_or(lv_slli(low, 32), lv_set((uint64_t)1 << 32)));
    }
    return m;
}

static FECRUN_ALWAYS_INLINE ROW LIST(move)(ROW r, MAP m)
{
    ROW to;

    EACH_VECTOR
    to.v[w] = _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(_mm256_permutevar8x32_epi32(r.v[0], m.v[w])),
                         _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(r.v[1], m.v[w])),
                         _mm256_castsi256_ps(_mm256_slli_epi32(m.v[w], 28))));
    return to;
}

static FECRUN_ALWAYS_INLINE ROW LIST(take)(const void *row, MAP m)
{
    return LIST(move)(LIST(load)(row), m);
}

#else

/* More vectors than can be permuted at once: qwords are loaded one by one. */
struct LIST(map) {
    uint8_t at[32] __attribute__((aligned(32)));
};

static FECRUN_ALWAYS_INLINE MAP LIST(map_of)(__m256i places)
{
    MAP m;

    _mm256_store_si256((void *)m.at, places);
    return m;
}

static FECRUN_ALWAYS_INLINE ROW LIST(take)(const void *row, MAP m)
{
    const long long *word = row;
    ROW to;

    EACH_VECTOR
    to.v[w] = _mm256_setr_epi64x(word[m.at[4 * w]], word[m.at[4 * w + 1]], word[m.at[4 * w + 2]],
                                 word[m.at[4 * w + 3]]);
    return to;
}

static FECRUN_ALWAYS_INLINE ROW LIST(move)(ROW r, MAP m)
{
    return LIST(take)(&r, m);
}

#endif

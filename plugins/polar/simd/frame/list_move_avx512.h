/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows whose paths change places, with AVX-512: part of list.h. */

/* Where each path's qword comes from. */
struct LIST(map) {
    lv v[LIST(W)];
};

#define MAP struct LIST(map)

static FECRUN_ALWAYS_INLINE MAP LIST(map_of)(__m256i places)
{
    const __m128i low = _mm256_castsi256_si128(places), high = _mm256_extracti128_si256(places, 1);
    MAP m;

    EACH_VECTOR
    {
        const __m128i half = w < 2 ? low : high;

        m.v[w] = _mm512_cvtepu8_epi64(w % 2 ? _mm_unpackhi_epi64(half, half) : half);
    }
    return m;
}

static FECRUN_ALWAYS_INLINE ROW LIST(move)(ROW r, MAP m)
{
    ROW to;

    EACH_VECTOR
    {
#if LIST_PATHS == 8
        to.v[w] = _mm512_permutexvar_epi64(m.v[w], r.v[w]);
#elif LIST_PATHS == 16
        to.v[w] = _mm512_permutex2var_epi64(r.v[0], m.v[w], r.v[1]);
#else
        to.v[w] = _mm512_mask_blend_epi64(_mm512_test_epi64_mask(m.v[w], lv_set(16)),
                                          _mm512_permutex2var_epi64(r.v[0], m.v[w], r.v[1]),
                                          _mm512_permutex2var_epi64(r.v[2], m.v[w], r.v[3]));
#endif
    }
    return to;
}

/* The same of a row in memory. */
static FECRUN_ALWAYS_INLINE ROW LIST(take)(const void *row, MAP m)
{
    return LIST(move)(LIST(load)(row), m);
}

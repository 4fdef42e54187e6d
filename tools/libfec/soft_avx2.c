/* SPDX-License-Identifier: BSD-2-Clause */
/* What soft_loops.h does, FEC_WIDE symbols at a time; its loops where the compiler has no AVX2. */
#include "tools/libfec/soft.h"

#ifdef __AVX2__

#include <immintrin.h>

static __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i_u *)(const void *)p);
}

static uint64_t total(__m256i sums)
{
    uint64_t part[4];

    _mm256_storeu_si256((__m256i_u *)(void *)part, sums);
    return part[0] + part[1] + part[2] + part[3];
}

void fec_soft_sums_avx2(const uint8_t *symbols, size_t count, uint64_t *sum, uint64_t *said)
{
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi8(1);
    __m256i far_sum = zero, said_sum = zero;

    for (size_t i = 0; i < count; i += FEC_WIDE) {
        const __m256i signed_ = _mm256_xor_si256(load(symbols + i), _mm256_set1_epi8(-128));
        const __m256i far = _mm256_abs_epi8(signed_); /* without its sign even that of -128 */
        const __m256i more = _mm256_min_epu8(_mm256_subs_epu8(far, one), one);
        far_sum = _mm256_add_epi64(far_sum, _mm256_sad_epu8(far, zero));
        said_sum = _mm256_add_epi64(said_sum, _mm256_sad_epu8(more, zero));
    }
    *sum = total(far_sum);
    *said = total(said_sum);
}

/* mulhrs is (x y + 2^14) >> 15. */
void fec_soft_all_avx2(const uint8_t *restrict symbols, size_t count, int factor, int llr_max,
                       int8_t *restrict llrs)
{
    const __m256i zero = _mm256_setzero_si256(), middle = _mm256_set1_epi16(128);
    const __m256i by = _mm256_set1_epi16((int16_t)(factor << 7));
    const __m256i top = _mm256_set1_epi8((char)llr_max), least = _mm256_set1_epi8((char)-llr_max);

    for (size_t i = 0; i < count; i += FEC_WIDE) {
        const __m256i x = load(symbols + i);
        const __m256i a = _mm256_sub_epi16(middle, _mm256_unpacklo_epi8(x, zero));
        const __m256i b = _mm256_sub_epi16(middle, _mm256_unpackhi_epi8(x, zero));
        const __m256i y = _mm256_packs_epi16(_mm256_mulhrs_epi16(a, by),
                                             _mm256_mulhrs_epi16(b, by));
        _mm256_storeu_si256((__m256i_u *)(void *)(llrs + i),
                            _mm256_max_epi8(_mm256_min_epi8(y, top), least));
    }
}

#else

#define FEC_SOFT(name) fec_soft_##name##_avx2
#include "tools/libfec/soft_loops.h"

#endif

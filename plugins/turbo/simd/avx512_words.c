/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: 32 lanes of 16 bits. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include "plugins/turbo/simd/avx512.h"

#define V_WORDS
#define V_LANE int16_t
#define V_SET1(x) _mm512_set1_epi16(x)
#define V_ADDS _mm512_add_epi16
#define V_SUBS _mm512_sub_epi16
#define V_SUB _mm512_sub_epi16
#define V_MAX _mm512_max_epi16

struct rule {
    __m512i factor, prior, one;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    return (struct rule){_mm512_set1_epi16((short)fixed->factor), V_SET1(fixed->prior), V_SET1(1)};
}

/* Of the magnitude m the whole part of (2 m + 1) / 2 times the factor. */
static inline __m512i V_SCALED(const struct rule *rule, __m512i x)
{
    const __m512i m = _mm512_abs_epi16(x);
    const __m512i twice = _mm512_add_epi16(_mm512_add_epi16(m, m), rule->one);
    const __m512i scaled = _mm512_min_epu16(_mm512_mulhi_epu16(twice, rule->factor), rule->prior);

    return _mm512_mask_sub_epi16(scaled, _mm512_movepi16_mask(x), _mm512_setzero_si512(), scaled);
}

static inline uint64_t sign_bits(const int16_t *p)
{
    const __m256i low = _mm512_cvtsepi16_epi8(_mm512_loadu_si512(p));
    const __m256i high = _mm512_cvtsepi16_epi8(_mm512_loadu_si512(p + 32));

    return turned_signs(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

const struct turbo_kernel *turbo_kernel_avx512_words(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx512_words(void)
{
    return NULL;
}

#endif

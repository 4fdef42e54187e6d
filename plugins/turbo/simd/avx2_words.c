/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: 32 lanes of 16 bits. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX2__)
#include "plugins/turbo/simd/avx2.h"

#define V_WORDS
#define V_LANE int16_t
#define V_SET1(x) _mm256_set1_epi16(x)
#define V_ADDS _mm256_add_epi16
#define V_SUBS _mm256_sub_epi16
#define V_SUB _mm256_sub_epi16
#define V_MAX _mm256_max_epi16

struct rule {
    __m256i factor, prior, one;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    return (struct rule){_mm256_set1_epi16((short)fixed->factor), V_SET1(fixed->prior), V_SET1(1)};
}

/* Of the magnitude m the whole part of (2 m + 1) / 2 times the factor. */
static inline __m256i V_SCALED(const struct rule *rule, __m256i x)
{
    const __m256i m = _mm256_abs_epi16(x);
    const __m256i twice = _mm256_add_epi16(_mm256_add_epi16(m, m), rule->one);
    const __m256i scaled = _mm256_min_epu16(_mm256_mulhi_epu16(twice, rule->factor), rule->prior);

    return _mm256_sign_epi16(scaled, x);
}

/* The signs of 32 lanes as bytes: packing takes quarters of both in turn. */
static inline __m256i signs_of(const int16_t *p)
{
    return _mm256_permute4x64_epi64(_mm256_packs_epi16(load_any(p), load_any(p + 16)), 0xd8);
}

static inline uint64_t sign_bits(const int16_t *p)
{
    return turned_signs(signs_of(p), signs_of(p + 32));
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

const struct turbo_kernel *turbo_kernel_avx2_words(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx2_words(void)
{
    return NULL;
}

#endif

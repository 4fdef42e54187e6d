/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: 64 lanes of bytes. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX2__)
#include "plugins/turbo/simd/avx2.h"

#define V_LANE int8_t
#define V_SET1(x) _mm256_set1_epi8((char)(x))
#define V_ADDS _mm256_adds_epi8
#define V_SUBS _mm256_subs_epi8
#define V_SUB _mm256_sub_epi8
#define V_MAX _mm256_max_epi8

struct rule {
    __m256i low, high, clip;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    uint8_t high[16] = {0};

    memcpy(high, fixed->high, sizeof fixed->high);
    return (struct rule){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)fixed->low)),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)high)),
        V_SET1(fixed->clip)};
}

static inline __m256i V_SCALED(const struct rule *rule, __m256i x)
{
    const __m256i m = _mm256_min_epu8(_mm256_abs_epi8(x), rule->clip);
    const __m256i top = _mm256_and_si256(_mm256_srli_epi16(m, 4), _mm256_set1_epi8(15));
    const __m256i scaled = _mm256_add_epi8(_mm256_shuffle_epi8(rule->low, m),
                                           _mm256_shuffle_epi8(rule->high, top));

    return _mm256_sign_epi8(scaled, x);
}

static inline uint64_t sign_bits(const int8_t *p)
{
    return turned_signs(load_any(p), load_any(p + 32));
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

const struct turbo_kernel *turbo_kernel_avx2(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx2(void)
{
    return NULL;
}

#endif

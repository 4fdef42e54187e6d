/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: 64 lanes of bytes. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include "plugins/turbo/simd/avx512.h"

#define V_LANE int8_t
#define V_SET1(x) _mm512_set1_epi8((char)(x))
#define V_ADDS _mm512_adds_epi8
#define V_SUBS _mm512_subs_epi8
#define V_SUB _mm512_sub_epi8
#define V_MAX _mm512_max_epi8

struct rule {
    __m512i scaled, clip; /* scaled[m] */
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    uint8_t scaled[TURBO_TABLE];

    for (unsigned m = 0; m < TURBO_TABLE; m++)
        scaled[m] = (uint8_t)(fixed->low[m % 16] + fixed->high[m / 16]);
    return (struct rule){_mm512_loadu_si512(scaled), V_SET1(fixed->clip)};
}

static inline __m512i V_SCALED(const struct rule *rule, __m512i x)
{
    const __m512i m = _mm512_min_epu8(_mm512_abs_epi8(x), rule->clip);
    const __m512i scaled = _mm512_permutexvar_epi8(m, rule->scaled);

    return _mm512_mask_sub_epi8(scaled, _mm512_movepi8_mask(x), _mm512_setzero_si512(), scaled);
}

static inline uint64_t sign_bits(const int8_t *p)
{
    return turned_signs(_mm512_loadu_si512(p));
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

const struct turbo_kernel *turbo_kernel_avx512(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx512(void)
{
    return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: all 64 lanes. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include <immintrin.h>
#include <string.h>

typedef __m512i vec;

#define V_WIDTH 64
#define V_LOAD(p) _mm512_load_si512((const void *)(p))
#define V_STORE(p, v) _mm512_store_si512((void *)(p), v)
#define V_SET1(x) _mm512_set1_epi8(x)
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
    return (struct rule){_mm512_loadu_si512(scaled), _mm512_set1_epi8(fixed->clip)};
}

static inline __m512i V_SCALED(const struct rule *rule, __m512i x)
{
    const __m512i m = _mm512_min_epu8(_mm512_abs_epi8(x), rule->clip);
    const __m512i scaled = _mm512_permutexvar_epi8(m, rule->scaled);

    return _mm512_mask_sub_epi8(scaled, _mm512_movepi8_mask(x), _mm512_setzero_si512(), scaled);
}

static inline uint64_t sign_bits(const int8_t *p)
{
    const __m512i turned = _mm512_set4_epi64(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                             0x08090a0b0c0d0e0f, 0x0001020304050607);

    return _mm512_movepi8_mask(_mm512_shuffle_epi8(_mm512_loadu_si512(p), turned));
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

static void gather(const struct turbo_simd *s, const turbo_row *from, turbo_row *to)
{
    for (uint32_t x = 0; x < s->steps; x++)
        V_STORE(to[x], _mm512_permutexvar_epi8(V_LOAD(s->read[x]), V_LOAD(from[s->row[x]])));
}

static void scatter(const struct turbo_simd *s, const turbo_row *from, const turbo_row *sys,
                    turbo_row *to)
{
    for (uint32_t x = 0; x < s->steps; x++) {
        const __m512i v = _mm512_permutexvar_epi8(V_LOAD(s->write[x]), V_LOAD(from[x]));

        V_STORE(to[s->row[x]], sys ? V_ADDS(v, V_LOAD(sys[s->row[x]])) : v);
    }
}

const struct turbo_kernel *turbo_kernel_avx512(void)
{
    static const struct turbo_kernel kernel = {"avx512", half,     gather, scatter,
                                               add_up,   quantise, decide};

    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx512(void)
{
    return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: a row is a vector. */
#include "plugins/polar/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include <immintrin.h>

typedef __m512i vec;
typedef __mmask64 mask;

#define V_WIDTH 64
#define V_LOAD(p) _mm512_load_si512((const void *)(p))
#define V_LOADU(p) _mm512_loadu_si512((const void *)(p))
#define V_STORE(p, v) _mm512_store_si512((void *)(p), v)
#define V_SET1(x) _mm512_set1_epi8(x)
#define V_MIN _mm512_min_epi8
#define V_MAX _mm512_max_epi8
#define V_MINU _mm512_min_epu8
#define V_SUB _mm512_sub_epi8
#define V_ADDS _mm512_adds_epi8
#define V_ABS _mm512_abs_epi8
#define V_BITS(m) ((polar_bits)(m))
#define V_OF_BITS(bits) ((__mmask64)(bits))
#define V_BYTES _mm512_movm_epi8
#define V_NEGATIVE _mm512_movepi8_mask
#define V_EQ _mm512_cmpeq_epi8_mask
#define V_LESSU _mm512_cmplt_epu8_mask
#define V_PICK(m, a, b) _mm512_mask_blend_epi8(m, b, a)
#define V_NEGATE(m, a) _mm512_mask_sub_epi8(a, m, _mm512_setzero_si512(), a)
#define V_LOW _mm512_unpacklo_epi8
#define V_HIGH _mm512_unpackhi_epi8
#define V_LANES(row, map, at) \
    _mm512_permutexvar_epi8(_mm512_load_si512((const void *)(map)), \
                            _mm512_load_si512((const void *)(row)))

static inline void V_PUT(int8_t *to, __m512i v, uint32_t piece)
{
    __m128i part = _mm512_castsi512_si128(v);

    if (piece == 1)
        part = _mm512_extracti32x4_epi32(v, 1);
    else if (piece == 2)
        part = _mm512_extracti32x4_epi32(v, 2);
    else if (piece == 3)
        part = _mm512_extracti32x4_epi32(v, 3);
    _mm_store_si128((__m128i *)(void *)to, part);
}

#include "plugins/polar/simd/kernel.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"

const struct polar_kernel *polar_kernel_avx512(void)
{
    static const struct polar_kernel kernel = {"avx512", load, sc, scl, bits_of};

    return &kernel;
}

#else

const struct polar_kernel *polar_kernel_avx512(void)
{
    return NULL;
}

#endif

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
#define V_KEEP(x) __asm__("" : "+v"(x))
#define V_SUM _mm512_add_epi8
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

/* 4 x 4 pieces of 16 bytes change places. */
static inline void V_ROWS(polar_row *rows, __m512i a, __m512i b, __m512i c, __m512i d, bool half)
{
    const __m512i ab02 = _mm512_shuffle_i32x4(a, b, 0x88), ab13 = _mm512_shuffle_i32x4(a, b, 0xdd);
    const __m512i cd02 = _mm512_shuffle_i32x4(c, d, 0x88), cd13 = _mm512_shuffle_i32x4(c, d, 0xdd);

    V_STORE(rows[0], _mm512_shuffle_i32x4(ab02, cd02, 0x88));
    V_STORE(rows[16], _mm512_shuffle_i32x4(ab13, cd13, 0x88));
    if (half)
        return;
    V_STORE(rows[32], _mm512_shuffle_i32x4(ab02, cd02, 0xdd));
    V_STORE(rows[48], _mm512_shuffle_i32x4(ab13, cd13, 0xdd));
}

#include "plugins/polar/simd/kernel.h"
#define V_RANKS 1
#include "plugins/polar/simd/rank_avx512.h"

#include "plugins/polar/simd/kernel_bp.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"
#include "plugins/polar/simd/kernel_small.h"

const struct polar_kernel *polar_kernel_avx512(void)
{
    static const struct polar_kernel kernel = {"avx512",  load,       repeat,  sc,
                                               correlate, scl,        bits_of, transform,
                                               lanes,     bp_iterate, small,   spread};

    return &kernel;
}

#else

const struct polar_kernel *polar_kernel_avx512(void)
{
    return NULL;
}

#endif

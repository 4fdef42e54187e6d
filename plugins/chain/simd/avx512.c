/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/simd/simd.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <immintrin.h>

typedef __m512i vi;
typedef __m512 vf;

static FECRUN_ALWAYS_INLINE vi even(uint32_t first)
{
    const vi steps = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    return _mm512_add_epi64(_mm512_set1_epi64(first), steps);
}

/* A byte's nibbles on top of two lanes. */
static FECRUN_ALWAYS_INLINE vi top_nibbles(const uint8_t *p)
{
    const vi b = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return _mm512_or_si512(_mm512_slli_epi64(b, 24), _mm512_slli_epi64(b, 60));
}

static FECRUN_ALWAYS_INLINE vi bytes(vi a, vi b, vi c, vi d)
{
    const vi low = _mm512_mask_blend_epi8(0x2222222222222222u, a, _mm512_slli_epi32(b, 8));
    const vi high = _mm512_mask_blend_epi8(0x8888888888888888u, _mm512_slli_epi32(c, 16),
                                           _mm512_slli_epi32(d, 24));
    return _mm512_mask_blend_epi16(0xaaaaaaaau, low, high);
}

static FECRUN_ALWAYS_INLINE vf look(const float *table, vi index)
{
    return _mm512_permutexvar_ps(index, _mm512_broadcast_f32x8(_mm256_loadu_ps(table)));
}

/* Four lanes of each are transposed, then the blocks of four are put in order. */
static FECRUN_ALWAYS_INLINE void order(const vf s[4], float *out)
{
    const __m512d a = _mm512_castps_pd(_mm512_unpacklo_ps(s[0], s[1]));
    const __m512d b = _mm512_castps_pd(_mm512_unpackhi_ps(s[0], s[1]));
    const __m512d c = _mm512_castps_pd(_mm512_unpacklo_ps(s[2], s[3]));
    const __m512d d = _mm512_castps_pd(_mm512_unpackhi_ps(s[2], s[3]));
    const __m512d r0 = _mm512_unpacklo_pd(a, c), r1 = _mm512_unpackhi_pd(a, c);
    const __m512d r2 = _mm512_unpacklo_pd(b, d), r3 = _mm512_unpackhi_pd(b, d);
    const __m512d t0 = _mm512_shuffle_f64x2(r0, r1, 0x44), t1 = _mm512_shuffle_f64x2(r2, r3, 0x44);
    const __m512d t2 = _mm512_shuffle_f64x2(r0, r1, 0xee), t3 = _mm512_shuffle_f64x2(r2, r3, 0xee);

    _mm512_storeu_pd(out, _mm512_shuffle_f64x2(t0, t1, 0x88));
    _mm512_storeu_pd(out + 16, _mm512_shuffle_f64x2(t0, t1, 0xdd));
    _mm512_storeu_pd(out + 32, _mm512_shuffle_f64x2(t2, t3, 0x88));
    _mm512_storeu_pd(out + 48, _mm512_shuffle_f64x2(t2, t3, 0xdd));
}

#define V_LANES 16
#define V_SET _mm512_set1_epi32
#define V_SET64(x) _mm512_set1_epi64(x)
#define V_FSET _mm512_set1_ps
#define V_EVEN even
#define V_MUL _mm512_mul_epu32
#define V_HIGH(a) _mm512_srli_epi64(a, 32)
#define V_WEAVE(a, b) _mm512_mask_blend_epi32(0xaaaa, a, _mm512_slli_epi64(b, 32))
#define V_PICK(s, a, b) _mm512_mask_blend_ps(_mm512_movepi32_mask(s), a, b)
#define V_ADD _mm512_add_epi32
#define V_SUB _mm512_sub_epi32
#define V_AND _mm512_and_si512
#define V_ANDNOT _mm512_andnot_si512
#define V_OR _mm512_or_si512
#define V_XOR _mm512_xor_si512
#define V_SLL(a, n) _mm512_slli_epi32(a, (unsigned)(n))
#define V_SRL(a, n) _mm512_srli_epi32(a, (unsigned)(n))
#define V_SRA(a, n) _mm512_srai_epi32(a, (unsigned)(n))
#define V_FADD _mm512_add_ps
#define V_FSUB _mm512_sub_ps
#define V_FMUL _mm512_mul_ps
#define V_FSQRT _mm512_sqrt_ps
#define V_FMIN _mm512_min_ps
#define V_FMAX _mm512_max_ps
#define V_FLOAT _mm512_cvtepi32_ps
#define V_ROUND _mm512_cvtps_epi32
#define V_BITS _mm512_castps_si512
#define V_FBITS _mm512_castsi512_ps
#define NOISE_GROUPS 2
#define V_LOOK look
#define V_BYTES bytes
#define V_TOP_NIBBLES top_nibbles
#define V_LOADU _mm512_loadu_si512
#define V_STOREU _mm512_storeu_si512
#define V_ORDER order
#include "plugins/chain/simd/noise.h"
#include "plugins/chain/simd/link.h"

const struct chain_kernels *chain_kernels_avx512(void)
{
    static const struct chain_kernels kernels = {"avx512", link_run, link_add, link_quantize_row,
                                                 link_hard_row};

    return &kernels;
}

#else

const struct chain_kernels *chain_kernels_avx512(void)
{
    return NULL;
}

#endif

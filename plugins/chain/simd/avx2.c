/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/simd/simd.h"

#if defined(__AVX2__)

#include <immintrin.h>
#include <string.h>

typedef __m256i vi;
typedef __m256 vf;

static FECRUN_ALWAYS_INLINE vi even(uint32_t first)
{
    return _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 2, 4, 6));
}

/* A byte's nibbles on top of two lanes. */
static FECRUN_ALWAYS_INLINE vi top_nibbles(const uint8_t *p)
{
    int four;
    vi b;

    memcpy(&four, p, sizeof four);
    b = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four));
    return _mm256_or_si256(_mm256_slli_epi64(b, 24), _mm256_slli_epi64(b, 60));
}

static FECRUN_ALWAYS_INLINE vi bytes(vi a, vi b, vi c, vi d)
{
    const vi odd = _mm256_set1_epi16((short)0xff00);
    const vi low = _mm256_blendv_epi8(a, _mm256_slli_epi32(b, 8), odd);
    const vi high = _mm256_blendv_epi8(_mm256_slli_epi32(c, 16), _mm256_slli_epi32(d, 24), odd);
    return _mm256_blend_epi16(low, high, 0xaa);
}

static FECRUN_ALWAYS_INLINE vf look(const float *table, vi index)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), index);
}

/* Four lanes of each are transposed, then the blocks of four are put in order. */
static FECRUN_ALWAYS_INLINE void order(const vf s[4], float *out)
{
    const __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(s[0], s[1]));
    const __m256d b = _mm256_castps_pd(_mm256_unpackhi_ps(s[0], s[1]));
    const __m256d c = _mm256_castps_pd(_mm256_unpacklo_ps(s[2], s[3]));
    const __m256d d = _mm256_castps_pd(_mm256_unpackhi_ps(s[2], s[3]));
    const vf r0 = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
    const vf r1 = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
    const vf r2 = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
    const vf r3 = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));

    _mm256_storeu_ps(out, _mm256_permute2f128_ps(r0, r1, 0x20));
    _mm256_storeu_ps(out + 8, _mm256_permute2f128_ps(r2, r3, 0x20));
    _mm256_storeu_ps(out + 16, _mm256_permute2f128_ps(r0, r1, 0x31));
    _mm256_storeu_ps(out + 24, _mm256_permute2f128_ps(r2, r3, 0x31));
}

#define V_LANES 8
#define V_SET _mm256_set1_epi32
#define V_SET64(x) _mm256_set1_epi64x(x)
#define V_FSET _mm256_set1_ps
#define V_EVEN even
#define V_MUL _mm256_mul_epu32
#define V_HIGH(a) _mm256_srli_epi64(a, 32)
#define V_WEAVE(a, b) _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xaa)
#define V_PICK(s, a, b) _mm256_blendv_ps(a, b, _mm256_castsi256_ps(s))
#define V_ADD _mm256_add_epi32
#define V_SUB _mm256_sub_epi32
#define V_AND _mm256_and_si256
#define V_ANDNOT _mm256_andnot_si256
#define V_OR _mm256_or_si256
#define V_XOR _mm256_xor_si256
#define V_SLL(a, n) _mm256_slli_epi32(a, n)
#define V_SRL(a, n) _mm256_srli_epi32(a, n)
#define V_SRA(a, n) _mm256_srai_epi32(a, n)
#define V_FADD _mm256_add_ps
#define V_FSUB _mm256_sub_ps
#define V_FMUL _mm256_mul_ps
#define V_FSQRT _mm256_sqrt_ps
#define V_FMIN _mm256_min_ps
#define V_FMAX _mm256_max_ps
#define V_FLOAT _mm256_cvtepi32_ps
#define V_ROUND _mm256_cvtps_epi32
#define V_BITS _mm256_castps_si256
#define V_FBITS _mm256_castsi256_ps
#define NOISE_GROUPS 2
#define V_LOOK look
#define V_BYTES bytes
#define V_TOP_NIBBLES top_nibbles
#define V_LOADU(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define V_STOREU(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define V_ORDER order
#include "plugins/chain/simd/noise.h"
#include "plugins/chain/simd/link.h"

const struct chain_kernels *chain_kernels_avx2(void)
{
    static const struct chain_kernels kernels = {"avx2", link_run, link_add, link_quantize_row,
                                                 link_hard_row};

    return &kernels;
}

#else

const struct chain_kernels *chain_kernels_avx2(void)
{
    return NULL;
}

#endif

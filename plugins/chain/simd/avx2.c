/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/simd/simd.h"

#if defined(__AVX2__)

#include "plugins/common/vec/vec_avx2.h"

static FECRUN_ALWAYS_INLINE vec every_second(uint32_t first)
{
    return vec_i64_add(vec_i64_set(first), _mm256_setr_epi64x(0, 2, 4, 6));
}

/* A byte's nibbles on top of two lanes. */
static FECRUN_ALWAYS_INLINE vec top_nibbles(const uint8_t *p)
{
    int four;
    vec b;

    memcpy(&four, p, sizeof four);
    b = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four));
    return vec_or(vec_u64_sll(b, 24), vec_u64_sll(b, 60));
}

static FECRUN_ALWAYS_INLINE vec low_bytes(vec a, vec b, vec c, vec d)
{
    const vec odd = vec_i16_set(0xff00);
    const vec low = _mm256_blendv_epi8(a, vec_u32_sll(b, 8), odd);
    const vec high = _mm256_blendv_epi8(vec_u32_sll(c, 16), vec_u32_sll(d, 24), odd);
    return _mm256_blend_epi16(low, high, 0xaa);
}

static FECRUN_ALWAYS_INLINE vec_f32 look_up(const float *table, vec index)
{
    return _mm256_permutevar8x32_ps(vec_f32_load_any(table), index);
}

/* Four lanes of each are transposed, then the blocks of four are put in order. */
static FECRUN_ALWAYS_INLINE void in_order(const vec_f32 s[4], float *out)
{
    const __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(s[0], s[1]));
    const __m256d b = _mm256_castps_pd(_mm256_unpackhi_ps(s[0], s[1]));
    const __m256d c = _mm256_castps_pd(_mm256_unpacklo_ps(s[2], s[3]));
    const __m256d d = _mm256_castps_pd(_mm256_unpackhi_ps(s[2], s[3]));
    const vec_f32 r0 = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
    const vec_f32 r1 = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
    const vec_f32 r2 = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
    const vec_f32 r3 = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));

    _mm256_storeu_ps(out, _mm256_permute2f128_ps(r0, r1, 0x20));
    _mm256_storeu_ps(out + 8, _mm256_permute2f128_ps(r2, r3, 0x20));
    _mm256_storeu_ps(out + 16, _mm256_permute2f128_ps(r0, r1, 0x31));
    _mm256_storeu_ps(out + 24, _mm256_permute2f128_ps(r2, r3, 0x31));
}

static FECRUN_ALWAYS_INLINE vec weave(vec a, vec b)
{
    return _mm256_blend_epi32(a, vec_u64_sll(b, 32), 0xaa);
}

static FECRUN_ALWAYS_INLINE vec_f32 pick(vec s, vec_f32 a, vec_f32 b)
{
    return _mm256_blendv_ps(a, b, vec_f32_of_bits(s));
}

#define NOISE_GROUPS 2
#include "plugins/chain/simd/noise.h"
#include "plugins/chain/simd/link.h"
#include "plugins/chain/simd/wave.h"

const struct chain_kernels *chain_kernels_avx2(void)
{
    static const struct chain_kernels kernels = {
        "avx2", link_run, link_add, link_quantize_row, link_hard_row, wave_add};

    return &kernels;
}

#else

const struct chain_kernels *chain_kernels_avx2(void)
{
    return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/simd/simd.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include "plugins/common/vec/vec_avx512.h"

static FECRUN_ALWAYS_INLINE vec every_second(uint32_t first)
{
    const vec steps = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    return vec_i64_add(vec_i64_set(first), steps);
}

/* A byte's nibbles on top of two lanes. */
static FECRUN_ALWAYS_INLINE vec top_nibbles(const uint8_t *p)
{
    const vec b = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return vec_or(vec_u64_sll(b, 24), vec_u64_sll(b, 60));
}

static FECRUN_ALWAYS_INLINE vec low_bytes(vec a, vec b, vec c, vec d)
{
    const vec low = _mm512_mask_blend_epi8(0x2222222222222222u, a, vec_u32_sll(b, 8));
    const vec high = _mm512_mask_blend_epi8(0x8888888888888888u, vec_u32_sll(c, 16),
                                            vec_u32_sll(d, 24));
    return _mm512_mask_blend_epi16(0xaaaaaaaau, low, high);
}

static FECRUN_ALWAYS_INLINE vec_f32 look_up(const float *table, vec index)
{
    return _mm512_permutexvar_ps(index, _mm512_broadcast_f32x8(_mm256_loadu_ps(table)));
}

/* Four lanes of each are transposed, then the blocks of four are put in order. */
static FECRUN_ALWAYS_INLINE void in_order(const vec_f32 s[4], float *out)
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

static FECRUN_ALWAYS_INLINE vec weave(vec a, vec b)
{
    return _mm512_mask_blend_epi32(0xaaaa, a, vec_u64_sll(b, 32));
}

static FECRUN_ALWAYS_INLINE vec_f32 pick(vec s, vec_f32 a, vec_f32 b)
{
    return _mm512_mask_blend_ps(_mm512_movepi32_mask(s), a, b);
}

#define NOISE_GROUPS 2
#include "plugins/chain/simd/noise.h"
#include "plugins/chain/simd/link.h"
#include "plugins/chain/simd/wave.h"

const struct chain_kernels *chain_kernels_avx512(void)
{
    static const struct chain_kernels kernels = {"avx512",          link_run,      link_add,
                                                 link_quantize_row, link_hard_row, wave_add};

    return &kernels;
}

#else

const struct chain_kernels *chain_kernels_avx512(void)
{
    return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/simd.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include "plugins/common/vec/vec_avx512.h"
#include "plugins/viterbi/simd/common.h"

static FECRUN_ALWAYS_INLINE void acs8(vec x, vec y, vec *out, void *mask)
{
    const __mmask64 ge = _mm512_cmpge_epi8_mask(y, x);
    memcpy(mask, &ge, sizeof ge);
    *out = vec_i8_max(x, y);
}

static FECRUN_ALWAYS_INLINE void wrap_acs8(vec x, vec y, vec *out, void *mask)
{
    const __mmask64 ge = _mm512_cmpge_epi8_mask(vec_i8_sub(y, x), vec_zero());
    memcpy(mask, &ge, sizeof ge);
    *out = _mm512_mask_blend_epi8(ge, x, y);
}

static FECRUN_ALWAYS_INLINE vec llr16(const int8_t *p)
{
    const __m256i x = _mm256_load_si256((const __m256i *)(const void *)p);
    return vec_i16_max(_mm512_cvtepi8_epi16(x), vec_i16_set(-127));
}

static FECRUN_ALWAYS_INLINE void acs16(vec x, vec y, vec *out, void *mask)
{
    const __mmask32 ge = _mm512_cmpge_epi16_mask(y, x);
    memcpy(mask, &ge, sizeof ge);
    *out = vec_i16_max(x, y);
}

static FECRUN_ALWAYS_INLINE void acs_float(vec_f32 x, vec_f32 y, vec_f32 *out, void *mask)
{
    const __mmask16 ge = _mm512_cmp_ps_mask(y, x, _CMP_GE_OQ);
    memcpy(mask, &ge, sizeof ge);
    *out = vec_f32_max(x, y);
}

static FECRUN_ALWAYS_INLINE void parts16(const int16_t *p, vec *even, vec *odd)
{
    const vec x = vec_load(p), y = vec_load(p + 32);
    const vec lane = _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34,
                                      32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2,
                                      0);
    *even = _mm512_permutex2var_epi16(x, lane, y);
    *odd = _mm512_permutex2var_epi16(x, vec_i16_add(lane, vec_i16_set(1)), y);
}

/* Lanes of *p whose number has this bit change places with those of *q whose number has not. */
static FECRUN_ALWAYS_INLINE void exchange16(unsigned bit, vec *p, vec *q)
{
    const vec x = *p, y = *q;
    const vec up = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13));
    const vec down = _mm512_broadcast_i32x4(
        _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15));

    switch (bit) {
    case 0:
        *p = _mm512_mask_shuffle_epi8(x, 0xcccccccccccccccc, y, up);
        *q = _mm512_mask_shuffle_epi8(y, 0x3333333333333333, x, down);
        break;
    case 1:
        *p = _mm512_mask_shuffle_epi32(x, 0xaaaa, y, _MM_PERM_CCAA);
        *q = _mm512_mask_shuffle_epi32(y, 0x5555, x, _MM_PERM_DDBB);
        break;
    case 2:
        *p = _mm512_unpacklo_epi64(x, y);
        *q = _mm512_unpackhi_epi64(x, y);
        break;
    case 3:
        *p = _mm512_mask_shuffle_i64x2(x, 0xcc, y, y, 0x80);
        *q = _mm512_mask_shuffle_i64x2(y, 0x33, x, x, 0x31);
        break;
    default:
        *p = _mm512_shuffle_i64x2(x, y, 0x44);
        *q = _mm512_shuffle_i64x2(x, y, 0xee);
        break;
    }
}

static FECRUN_ALWAYS_INLINE void parts_float(const float *p, vec_f32 *even, vec_f32 *odd)
{
    const vec_f32 x = vec_f32_load(p), y = vec_f32_load(p + 16);
    const vec lane = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    *even = _mm512_permutex2var_ps(x, lane, y);
    *odd = _mm512_permutex2var_ps(x, _mm512_add_epi32(lane, _mm512_set1_epi32(1)), y);
}

/* -v where m is all ones. */
#define vec_f32_negate(m, v) vec_f32_xor(v, vec_f32_and(m, vec_f32_set(-0.0f)))

#define acs16_2(...) ONE_BY_ONE(acs16, __VA_ARGS__)
#define decide16(x, y, z, w, p, q, mask) ONE_BY_ONE(acs16, x, y, z, w, p, q, mask, (mask) + 4)
#define BIAS8 0
#define floats vec_f32
#define FLOATS(op) vec_f32_##op
#ifndef K7_STEPS8
#define K7_STEPS8 4
#define K7_STEPS16 4
#endif
#ifndef K9_STEPS
#define K9_STEPS 3
#endif
#define ALONG16_MIN_K 7
#define TURN16_MIN_K 11
#define TURN16_LANE_BITS 5
#define TURN16_STATE_BIT 5
#define ALONG_FLOAT_MIN_K 6
#define ISA_NAME "avx512"
#include "plugins/viterbi/simd/kernels.h"

/* Nothing here asks for more than the four extensions, but a build may allow the compiler more. */
const struct viterbi_kernel *viterbi_kernels_avx512(void)
{
#ifdef __AVX512VBMI__
    if (!__builtin_cpu_supports("avx512vbmi"))
        return NULL;
#endif
#ifdef __GFNI__
    if (!__builtin_cpu_supports("gfni"))
        return NULL;
#endif
    return kernels;
}

#else

const struct viterbi_kernel *viterbi_kernels_avx512(void)
{
    return NULL;
}

#endif

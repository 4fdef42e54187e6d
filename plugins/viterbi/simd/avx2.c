/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/simd.h"

#if defined(__AVX2__)

#include "plugins/common/vec/vec_avx2.h"
#include "plugins/viterbi/simd/common.h"

static FECRUN_ALWAYS_INLINE void acs8(vec x, vec y, vec *out, void *mask)
{
    const vec max = vec_i8_max(x, y);
    const uint32_t ge = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(max, y));
    memcpy(mask, &ge, sizeof ge);
    *out = max;
}

static FECRUN_ALWAYS_INLINE void wrap_acs8(vec x, vec y, vec *out, void *mask)
{
    const vec less = vec_i8_sub(y, x); /* by its sign */
    const uint32_t ge = ~(uint32_t)_mm256_movemask_epi8(less);
    memcpy(mask, &ge, sizeof ge);
    *out = _mm256_blendv_epi8(y, x, less);
}

static FECRUN_ALWAYS_INLINE vec llr16(const int8_t *p)
{
    const __m128i x = _mm_load_si128((const __m128i *)(const void *)p);
    return vec_i16_max(_mm256_cvtepi8_epi16(x), vec_i16_set(-127));
}

static FECRUN_ALWAYS_INLINE void acs16(vec x, vec y, vec *out, void *mask)
{
    const vec gt = _mm256_cmpgt_epi16(x, y);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(gt),
                                          _mm256_extracti128_si256(gt, 1));
    const uint16_t ge = (uint16_t)~_mm_movemask_epi8(bytes);
    memcpy(mask, &ge, sizeof ge);
    *out = vec_i16_max(x, y);
}

/* Two states share what it takes to make bits of the comparison. */
static FECRUN_ALWAYS_INLINE void acs16_2(vec x, vec y, vec z, vec w, vec *p, vec *q, void *mask_p,
                                         void *mask_q)
{
    const vec gt = _mm256_packs_epi16(_mm256_cmpgt_epi16(x, y), _mm256_cmpgt_epi16(z, w));
    const uint32_t ge = ~(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(gt, 0xd8));
    const uint16_t lo = (uint16_t)ge, hi = (uint16_t)(ge >> 16);
    memcpy(mask_p, &lo, sizeof lo);
    memcpy(mask_q, &hi, sizeof hi);
    *p = vec_i16_max(x, y);
    *q = vec_i16_max(z, w);
}

/* The same with the decisions as packs leaves them: [lane / 8][state][lane % 8]. */
static FECRUN_ALWAYS_INLINE void decide16(vec x, vec y, vec z, vec w, vec *p, vec *q, void *mask)
{
    uint32_t ge;

    *p = vec_i16_max(x, y);
    *q = vec_i16_max(z, w);
    ge = (uint32_t)_mm256_movemask_epi8(
        _mm256_packs_epi16(_mm256_cmpeq_epi16(*p, y), _mm256_cmpeq_epi16(*q, w)));
    memcpy(mask, &ge, sizeof ge);
}

/* Lanes of *p whose number has this bit change places with those of *q whose number has not. */
static FECRUN_ALWAYS_INLINE void exchange16(unsigned bit, vec *p, vec *q)
{
    const vec x = *p, y = *q;

    switch (bit) {
    case 0:
        *p = _mm256_blend_epi16(x, vec_u32_sll(y, 16), 0xaa);
        *q = _mm256_blend_epi16(vec_u32_srl(x, 16), y, 0xaa);
        break;
    case 1:
        *p = _mm256_blend_epi32(x, vec_u64_sll(y, 32), 0xaa);
        *q = _mm256_blend_epi32(vec_u64_srl(x, 32), y, 0xaa);
        break;
    case 2:
        *p = _mm256_unpacklo_epi64(x, y);
        *q = _mm256_unpackhi_epi64(x, y);
        break;
    default:
        *p = _mm256_permute2x128_si256(x, y, 0x20);
        *q = _mm256_permute2x128_si256(x, y, 0x31);
        break;
    }
}

static FECRUN_ALWAYS_INLINE void acs_float(vec_f32 x, vec_f32 y, vec_f32 *out, void *mask)
{
    *(uint8_t *)mask = (uint8_t)_mm256_movemask_ps(_mm256_cmp_ps(y, x, _CMP_GE_OQ));
    *out = vec_f32_max(x, y);
}

static FECRUN_ALWAYS_INLINE void parts16(const int16_t *p, vec *even, vec *odd)
{
    const vec apart = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const vec x = _mm256_shuffle_epi8(vec_load(p), apart);
    const vec y = _mm256_shuffle_epi8(vec_load(p + 16), apart);
    *even = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(x, y), 0xd8);
    *odd = _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(x, y), 0xd8);
}

static FECRUN_ALWAYS_INLINE vec_f32 in_order(vec_f32 v)
{
    return _mm256_castsi256_ps(_mm256_permute4x64_epi64(_mm256_castps_si256(v), 0xd8));
}

static FECRUN_ALWAYS_INLINE void parts_float(const float *p, vec_f32 *even, vec_f32 *odd)
{
    const vec_f32 x = vec_f32_load(p), y = vec_f32_load(p + 8);
    *even = in_order(_mm256_shuffle_ps(x, y, 0x88));
    *odd = in_order(_mm256_shuffle_ps(x, y, 0xdd));
}

/* -v where m is all ones. */
#define vec_f32_negate(m, v) vec_f32_xor(v, vec_f32_and(m, vec_f32_set(-0.0f)))

#define BIAS8 0
#define floats vec_f32
#define FLOATS(op) vec_f32_##op
#ifndef K7_STEPS8
#define K7_STEPS8 2
#define K7_STEPS16 2
#endif
#ifndef K9_STEPS
#define K9_STEPS 2
#endif
#define ALONG16_MIN_K 6
#define TURN16_MIN_K 10
#define TURN16_LANE_BITS 4
#define TURN16_STATE_BIT 3
#define ALONG_FLOAT_MIN_K 5
#define ISA_NAME "avx2"
#include "plugins/viterbi/simd/kernels.h"

const struct viterbi_kernel *viterbi_kernels_avx2(void)
{
    return kernels;
}

#else

const struct viterbi_kernel *viterbi_kernels_avx2(void)
{
    return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/simd.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include "plugins/viterbi/simd/common.h"

static FECRUN_ALWAYS_INLINE __m256i load(const void *p)
{
    return _mm256_load_si256(p);
}

static FECRUN_ALWAYS_INLINE void store(void *p, __m256i v)
{
    _mm256_store_si256(p, v);
}

static FECRUN_ALWAYS_INLINE void acs8(__m256i x, __m256i y, __m256i *out, void *mask)
{
    const __m256i max = _mm256_max_epi8(x, y);
    const uint32_t ge = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(max, y));
    memcpy(mask, &ge, sizeof ge);
    *out = max;
}

static FECRUN_ALWAYS_INLINE void wrap_acs8(__m256i x, __m256i y, __m256i *out, void *mask)
{
    const __m256i less = _mm256_sub_epi8(y, x); /* by its sign */
    const uint32_t ge = ~(uint32_t)_mm256_movemask_epi8(less);
    memcpy(mask, &ge, sizeof ge);
    *out = _mm256_blendv_epi8(y, x, less);
}

static FECRUN_ALWAYS_INLINE __m256i llr16(const int8_t *p)
{
    const __m128i x = _mm_load_si128((const __m128i *)(const void *)p);
    return _mm256_max_epi16(_mm256_cvtepi8_epi16(x), _mm256_set1_epi16(-127));
}

static FECRUN_ALWAYS_INLINE void acs16(__m256i x, __m256i y, __m256i *out, void *mask)
{
    const __m256i gt = _mm256_cmpgt_epi16(x, y);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(gt),
                                          _mm256_extracti128_si256(gt, 1));
    const uint16_t ge = (uint16_t)~_mm_movemask_epi8(bytes);
    memcpy(mask, &ge, sizeof ge);
    *out = _mm256_max_epi16(x, y);
}

/* Two states share what it takes to make bits of the comparison. */
static FECRUN_ALWAYS_INLINE void acs16_2(__m256i x, __m256i y, __m256i z, __m256i w, __m256i *p,
                                         __m256i *q, void *mask_p, void *mask_q)
{
    const __m256i gt = _mm256_packs_epi16(_mm256_cmpgt_epi16(x, y), _mm256_cmpgt_epi16(z, w));
    const uint32_t ge = ~(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(gt, 0xd8));
    const uint16_t lo = (uint16_t)ge, hi = (uint16_t)(ge >> 16);
    memcpy(mask_p, &lo, sizeof lo);
    memcpy(mask_q, &hi, sizeof hi);
    *p = _mm256_max_epi16(x, y);
    *q = _mm256_max_epi16(z, w);
}

/* The same with the decisions as packs leaves them: [lane / 8][state][lane % 8]. */
static FECRUN_ALWAYS_INLINE void decide16(__m256i x, __m256i y, __m256i z, __m256i w, __m256i *p,
                                          __m256i *q, void *mask)
{
    uint32_t ge;

    *p = _mm256_max_epi16(x, y);
    *q = _mm256_max_epi16(z, w);
    ge = (uint32_t)_mm256_movemask_epi8(
        _mm256_packs_epi16(_mm256_cmpeq_epi16(*p, y), _mm256_cmpeq_epi16(*q, w)));
    memcpy(mask, &ge, sizeof ge);
}

/* Lanes of *p whose number has this bit change places with those of *q whose number has not. */
static FECRUN_ALWAYS_INLINE void exchange16(unsigned bit, __m256i *p, __m256i *q)
{
    const __m256i x = *p, y = *q;

    switch (bit) {
    case 0:
        *p = _mm256_blend_epi16(x, _mm256_slli_epi32(y, 16), 0xaa);
        *q = _mm256_blend_epi16(_mm256_srli_epi32(x, 16), y, 0xaa);
        break;
    case 1:
        *p = _mm256_blend_epi32(x, _mm256_slli_epi64(y, 32), 0xaa);
        *q = _mm256_blend_epi32(_mm256_srli_epi64(x, 32), y, 0xaa);
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

static FECRUN_ALWAYS_INLINE void acs_float(__m256 x, __m256 y, __m256 *out, void *mask)
{
    *(uint8_t *)mask = (uint8_t)_mm256_movemask_ps(_mm256_cmp_ps(y, x, _CMP_GE_OQ));
    *out = _mm256_max_ps(x, y);
}

static FECRUN_ALWAYS_INLINE void parts16(const int16_t *p, __m256i *even, __m256i *odd)
{
    const __m256i apart = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const __m256i x = _mm256_shuffle_epi8(load(p), apart);
    const __m256i y = _mm256_shuffle_epi8(load(p + 16), apart);
    *even = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(x, y), 0xd8);
    *odd = _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(x, y), 0xd8);
}

static FECRUN_ALWAYS_INLINE __m256 in_order(__m256 v)
{
    return _mm256_castsi256_ps(_mm256_permute4x64_epi64(_mm256_castps_si256(v), 0xd8));
}

static FECRUN_ALWAYS_INLINE void parts_float(const float *p, __m256 *even, __m256 *odd)
{
    const __m256 x = _mm256_load_ps(p), y = _mm256_load_ps(p + 8);
    *even = in_order(_mm256_shuffle_ps(x, y, 0x88));
    *odd = in_order(_mm256_shuffle_ps(x, y, 0xdd));
}

static FECRUN_ALWAYS_INLINE __m256i rows2(const void *const *rows, size_t at)
{
    const uint8_t *lo = (const uint8_t *)rows[0] + at, *hi = (const uint8_t *)rows[16] + at;
    return _mm256_loadu2_m128i((const __m128i_u *)(const void *)hi,
                               (const __m128i_u *)(const void *)lo);
}

#define vec __m256i
#define V_LANES 32
#define V_STORE store
#define V_ROWS rows2
#define V_LO _mm256_unpacklo_epi8
#define V_HI _mm256_unpackhi_epi8
#include "plugins/viterbi/simd/pack.h"

#ifndef K7_STEPS8
#define K7_STEPS8 2
#define K7_STEPS16 2
#endif

#define NAME(x) lanes8_##x
#define V_BITS 8
#define V_LANES 32
#define vec __m256i
#define elem int8_t
#define item int8_t
#define V_LOAD load
#define V_STORE store
#define V_ADD _mm256_add_epi8
#define V_SUB _mm256_sub_epi8
#define V_SET1(x) _mm256_set1_epi8(x)
#define V_LLR load
#define V_ACS acs8
#define V_ACS2(...) ONE_BY_ONE(acs8, __VA_ARGS__)
#define V_WRAP_ACS2(...) ONE_BY_ONE(wrap_acs8, __VA_ARGS__)
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS8
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes16_##x
#define V_BITS 16
#define V_LANES 16
#define vec __m256i
#define elem int16_t
#define item int8_t
#define V_LOAD load
#define V_STORE store
#define V_ADD _mm256_add_epi16
#define V_SUB _mm256_sub_epi16
#define V_SET1(x) _mm256_set1_epi16(x)
#define V_LLR llr16
#define V_ACS acs16
#define V_ACS2 acs16_2
#define V_WRAP_ACS2 V_ACS2
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS16
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes_float_##x
#define V_BITS 32
#define V_LANES 8
#define vec __m256
#define elem float
#define item float
#define V_LOAD(p) _mm256_load_ps(p)
#define V_STORE(p, v) _mm256_store_ps(p, v)
#define V_ADD _mm256_add_ps
#define V_SUB _mm256_sub_ps
#define V_SET1(x) _mm256_set1_ps(x)
#define V_LLR(p) _mm256_load_ps(p)
#define V_ACS acs_float
#define V_ACS2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define V_WRAP_ACS2 V_ACS2
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS16
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) along16_##x
#define V_BITS 16
#define V_LANES 16
#define vec __m256i
#define elem int16_t
#define item int8_t
#define ITEM_VALUE(x) (int16_t) value_i8(x)
#define V_LOAD(p) _mm256_loadu_si256((const __m256i_u *)(const void *)(p))
#define V_STORE store
#define V_ADD _mm256_add_epi16
#define V_SUB _mm256_sub_epi16
#define V_SET1(x) _mm256_set1_epi16(x)
#define V_ACS acs16
#define V_ACS2 acs16_2
#define V_PARTS parts16
#define V_SIGN(v, m) _mm256_sub_epi16(_mm256_xor_si256(v, m), m)
#define V_AND _mm256_and_si256
#define V_EXCHANGE exchange16
#define V_DECIDE2 decide16
#include "plugins/viterbi/simd/along.h"

#define NAME(x) along_float_##x
#define V_BITS 32
#define V_LANES 8
#define vec __m256
#define elem float
#define item float
#define ITEM_VALUE(x) value_float(x)
#define V_LOAD(p) _mm256_loadu_ps(p)
#define V_STORE(p, v) _mm256_store_ps(p, v)
#define V_ADD _mm256_add_ps
#define V_SUB _mm256_sub_ps
#define V_SET1(x) _mm256_set1_ps(x)
#define V_ACS acs_float
#define V_ACS2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define V_PARTS parts_float
#define V_SIGN(v, m) _mm256_xor_ps(v, _mm256_and_ps(m, _mm256_set1_ps(-0.0f)))
#define V_AND _mm256_and_ps
#include "plugins/viterbi/simd/along.h"

#define LANES8_K7 K7_STEPS8
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

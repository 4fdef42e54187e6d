/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/simd.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <immintrin.h>

#include "plugins/viterbi/simd/common.h"

static FECRUN_ALWAYS_INLINE void acs8(__m512i x, __m512i y, __m512i *out, void *mask)
{
    const __mmask64 ge = _mm512_cmpge_epi8_mask(y, x);
    memcpy(mask, &ge, sizeof ge);
    *out = _mm512_max_epi8(x, y);
}

static FECRUN_ALWAYS_INLINE void wrap_acs8(__m512i x, __m512i y, __m512i *out, void *mask)
{
    const __mmask64 ge = _mm512_cmpge_epi8_mask(_mm512_sub_epi8(y, x), _mm512_setzero_si512());
    memcpy(mask, &ge, sizeof ge);
    *out = _mm512_mask_blend_epi8(ge, x, y);
}

static FECRUN_ALWAYS_INLINE __m512i llr16(const int8_t *p)
{
    const __m256i x = _mm256_load_si256((const __m256i *)(const void *)p);
    return _mm512_max_epi16(_mm512_cvtepi8_epi16(x), _mm512_set1_epi16(-127));
}

static FECRUN_ALWAYS_INLINE void acs16(__m512i x, __m512i y, __m512i *out, void *mask)
{
    const __mmask32 ge = _mm512_cmpge_epi16_mask(y, x);
    memcpy(mask, &ge, sizeof ge);
    *out = _mm512_max_epi16(x, y);
}

static FECRUN_ALWAYS_INLINE void acs_float(__m512 x, __m512 y, __m512 *out, void *mask)
{
    const __mmask16 ge = _mm512_cmp_ps_mask(y, x, _CMP_GE_OQ);
    memcpy(mask, &ge, sizeof ge);
    *out = _mm512_max_ps(x, y);
}

static FECRUN_ALWAYS_INLINE void parts16(const int16_t *p, __m512i *even, __m512i *odd)
{
    const __m512i x = _mm512_load_si512(p), y = _mm512_load_si512(p + 32);
    const __m512i lane = _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36,
                                          34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6,
                                          4, 2, 0);
    *even = _mm512_permutex2var_epi16(x, lane, y);
    *odd = _mm512_permutex2var_epi16(x, _mm512_add_epi16(lane, _mm512_set1_epi16(1)), y);
}

/* Lanes of *p whose number has this bit change places with those of *q whose number has not. */
static FECRUN_ALWAYS_INLINE void exchange16(unsigned bit, __m512i *p, __m512i *q)
{
    const __m512i x = *p, y = *q;
    const __m512i up = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13));
    const __m512i down = _mm512_broadcast_i32x4(
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

static FECRUN_ALWAYS_INLINE void parts_float(const float *p, __m512 *even, __m512 *odd)
{
    const __m512 x = _mm512_load_ps(p), y = _mm512_load_ps(p + 16);
    const __m512i lane = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2,
                                          0);
    *even = _mm512_permutex2var_ps(x, lane, y);
    *odd = _mm512_permutex2var_ps(x, _mm512_add_epi32(lane, _mm512_set1_epi32(1)), y);
}

static FECRUN_ALWAYS_INLINE __m128i row16(const void *row, size_t at)
{
    return _mm_loadu_si128((const __m128i_u *)(const void *)((const uint8_t *)row + at));
}

static FECRUN_ALWAYS_INLINE __m512i rows4(const void *const *rows, size_t at)
{
    __m512i v = _mm512_castsi128_si512(row16(rows[0], at));
    v = _mm512_mask_broadcast_i32x4(v, 0x00f0, row16(rows[16], at));
    v = _mm512_mask_broadcast_i32x4(v, 0x0f00, row16(rows[32], at));
    return _mm512_mask_broadcast_i32x4(v, 0xf000, row16(rows[48], at));
}

#define vec __m512i
#define V_LANES 64
#define V_STORE(p, v) _mm512_store_si512(p, v)
#define V_ROWS rows4
#define V_LO _mm512_unpacklo_epi8
#define V_HI _mm512_unpackhi_epi8
#include "plugins/viterbi/simd/pack.h"

#ifndef K7_STEPS8
#define K7_STEPS8 4
#define K7_STEPS16 4
#endif

#define NAME(x) lanes8_##x
#define V_BITS 8
#define V_LANES 64
#define vec __m512i
#define elem int8_t
#define item int8_t
#define V_LOAD(p) _mm512_load_si512(p)
#define V_STORE(p, v) _mm512_store_si512(p, v)
#define V_ADD _mm512_add_epi8
#define V_SUB _mm512_sub_epi8
#define V_SET1(x) _mm512_set1_epi8(x)
#define V_LLR(p) _mm512_load_si512(p)
#define V_ACS acs8
#define V_ACS2(...) ONE_BY_ONE(acs8, __VA_ARGS__)
#define V_WRAP_ACS2(...) ONE_BY_ONE(wrap_acs8, __VA_ARGS__)
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS8
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes16_##x
#define V_BITS 16
#define V_LANES 32
#define vec __m512i
#define elem int16_t
#define item int8_t
#define V_LOAD(p) _mm512_load_si512(p)
#define V_STORE(p, v) _mm512_store_si512(p, v)
#define V_ADD _mm512_add_epi16
#define V_SUB _mm512_sub_epi16
#define V_SET1(x) _mm512_set1_epi16(x)
#define V_LLR llr16
#define V_ACS acs16
#define V_ACS2(...) ONE_BY_ONE(acs16, __VA_ARGS__)
#define V_WRAP_ACS2 V_ACS2
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS16
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes_float_##x
#define V_BITS 32
#define V_LANES 16
#define vec __m512
#define elem float
#define item float
#define V_LOAD(p) _mm512_load_ps(p)
#define V_STORE(p, v) _mm512_store_ps(p, v)
#define V_ADD _mm512_add_ps
#define V_SUB _mm512_sub_ps
#define V_SET1(x) _mm512_set1_ps(x)
#define V_LLR(p) _mm512_load_ps(p)
#define V_ACS acs_float
#define V_ACS2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define V_WRAP_ACS2 V_ACS2
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS16
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) along16_##x
#define V_BITS 16
#define V_LANES 32
#define vec __m512i
#define elem int16_t
#define item int8_t
#define ITEM_VALUE(x) (int16_t) value_i8(x)
#define V_LOAD(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_store_si512(p, v)
#define V_ADD _mm512_add_epi16
#define V_SUB _mm512_sub_epi16
#define V_SET1(x) _mm512_set1_epi16(x)
#define V_ACS acs16
#define V_ACS2(...) ONE_BY_ONE(acs16, __VA_ARGS__)
#define V_PARTS parts16
#define V_SIGN(v, m) _mm512_sub_epi16(_mm512_xor_si512(v, m), m)
#define V_AND _mm512_and_si512
#define V_EXCHANGE exchange16
#define V_DECIDE2(x, y, z, w, p, q, mask) ONE_BY_ONE(acs16, x, y, z, w, p, q, mask, (mask) + 4)
#include "plugins/viterbi/simd/along.h"

#define NAME(x) along_float_##x
#define V_BITS 32
#define V_LANES 16
#define vec __m512
#define elem float
#define item float
#define ITEM_VALUE(x) value_float(x)
#define V_LOAD(p) _mm512_loadu_ps(p)
#define V_STORE(p, v) _mm512_store_ps(p, v)
#define V_ADD _mm512_add_ps
#define V_SUB _mm512_sub_ps
#define V_SET1(x) _mm512_set1_ps(x)
#define V_ACS acs_float
#define V_ACS2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define V_PARTS parts_float
#define V_SIGN(v, m) _mm512_xor_ps(v, _mm512_and_ps(m, _mm512_set1_ps(-0.0f)))
#define V_AND _mm512_and_ps
#include "plugins/viterbi/simd/along.h"

#define LANES8_K7 K7_STEPS8
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

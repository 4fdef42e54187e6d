/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 128-bit vectors by the compiler's vector extensions, for every machine; movemask where there is
 * SSE2. Decision words are stored in pieces, so this (as the other vector code) needs a machine
 * that stores the least significant byte first.
 */
#include "plugins/viterbi/simd/simd.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "plugins/viterbi/simd/common.h"

typedef int8_t i8x8 __attribute__((vector_size(8), may_alias));
typedef int8_t i8x16 __attribute__((vector_size(16), may_alias));
typedef uint8_t u8x16 __attribute__((vector_size(16), may_alias));
typedef int16_t i16x8 __attribute__((vector_size(16), may_alias));
typedef int16_t i16x8u __attribute__((vector_size(16), may_alias, aligned(2)));
typedef uint16_t u16x8 __attribute__((vector_size(16), may_alias));
typedef int32_t i32x4 __attribute__((vector_size(16), may_alias));
typedef float f32x4 __attribute__((vector_size(16), may_alias));
typedef struct {
    f32x4 lo, hi;
} f32x8;

#ifndef __SSE2__
/* Bit i of the result: byte i, all ones or 0. */
static FECRUN_ALWAYS_INLINE unsigned mask_of_bytes(uint64_t bytes)
{
    return (unsigned)((bytes & UINT64_C(0x8040201008040201)) * UINT64_C(0x0101010101010101) >> 56);
}
#endif

static FECRUN_ALWAYS_INLINE void store_mask16(i8x16 v, void *mask)
{
#ifdef __SSE2__
    const uint16_t bits = (uint16_t)_mm_movemask_epi8((__m128i)v);
#else
    uint64_t bytes[2];
    memcpy(bytes, &v, sizeof v);
    const uint16_t bits = (uint16_t)(mask_of_bytes(bytes[0]) | mask_of_bytes(bytes[1]) << 8);
#endif
    memcpy(mask, &bits, sizeof bits);
}

static FECRUN_ALWAYS_INLINE void store_mask8(i16x8 v, void *mask)
{
#ifdef __SSE2__
    *(uint8_t *)mask = (uint8_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)v, (__m128i)v));
#else
    const i8x8 narrow = __builtin_convertvector(v, i8x8);
    uint64_t bytes;
    memcpy(&bytes, &narrow, sizeof bytes);
    *(uint8_t *)mask = (uint8_t)mask_of_bytes(bytes);
#endif
}

static FECRUN_ALWAYS_INLINE i8x16 load8(const void *p)
{
    return *(const i8x16 *)p;
}

static FECRUN_ALWAYS_INLINE void store8(void *p, i8x16 v)
{
    *(i8x16 *)p = v;
}

static FECRUN_ALWAYS_INLINE i8x16 add8(i8x16 a, i8x16 b)
{
    return (i8x16)((u8x16)a + (u8x16)b);
}

static FECRUN_ALWAYS_INLINE i8x16 sub8(i8x16 a, i8x16 b)
{
    return (i8x16)((u8x16)a - (u8x16)b);
}

static FECRUN_ALWAYS_INLINE i8x16 set8(int8_t x)
{
    return (i8x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

/* Unsigned numbers: SSE2 has no maximum of signed bytes. */
static FECRUN_ALWAYS_INLINE void acs8(i8x16 x, i8x16 y, i8x16 *out, void *mask)
{
#ifdef __SSE2__
    const i8x16 max = (i8x16)_mm_max_epu8((__m128i)x, (__m128i)y);
#else
    const i8x16 use_x = (i8x16)((u8x16)x > (u8x16)y), max = (x & use_x) | (y & ~use_x);
#endif
    store_mask16((i8x16)(max == y), mask);
    *out = max;
}

static FECRUN_ALWAYS_INLINE void wrap_acs8(i8x16 x, i8x16 y, i8x16 *out, void *mask)
{
    const i8x16 use_x = (i8x16)(sub8(y, x) < 0);
    *out = (x & use_x) | (y & ~use_x);
    store_mask16(~use_x, mask);
}

static FECRUN_ALWAYS_INLINE i16x8 load16(const void *p)
{
    return *(const i16x8u *)p;
}

static FECRUN_ALWAYS_INLINE void store16(void *p, i16x8 v)
{
    *(i16x8 *)p = v;
}

static FECRUN_ALWAYS_INLINE i16x8 add16(i16x8 a, i16x8 b)
{
    return (i16x8)((u16x8)a + (u16x8)b);
}

static FECRUN_ALWAYS_INLINE i16x8 sub16(i16x8 a, i16x8 b)
{
    return (i16x8)((u16x8)a - (u16x8)b);
}

static FECRUN_ALWAYS_INLINE i16x8 set16(int16_t x)
{
    return (i16x8){x, x, x, x, x, x, x, x};
}

static FECRUN_ALWAYS_INLINE i16x8 llr16(const int8_t *p)
{
    const i16x8 x = __builtin_convertvector(*(const i8x8 *)p, i16x8);
    return x - (i16x8)(x < -127); /* the comparison gives -1 */
}

static FECRUN_ALWAYS_INLINE i16x8 max16(i16x8 x, i16x8 y)
{
#ifdef __SSE2__
    return (i16x8)_mm_max_epi16((__m128i)x, (__m128i)y);
#else
    const i16x8 use_x = x > y;
    return (x & use_x) | (y & ~use_x);
#endif
}

static FECRUN_ALWAYS_INLINE void acs16(i16x8 x, i16x8 y, i16x8 *out, void *mask)
{
    store_mask8(y >= x, mask);
    *out = max16(x, y);
}

static FECRUN_ALWAYS_INLINE void acs16_2(i16x8 x, i16x8 y, i16x8 z, i16x8 w, i16x8 *p, i16x8 *q,
                                         void *mask_p, void *mask_q)
{
#ifdef __SSE2__
    const __m128i gt = _mm_packs_epi16((__m128i)(x > y), (__m128i)(z > w));
    const unsigned ge = ~(unsigned)_mm_movemask_epi8(gt);
    *(uint8_t *)mask_p = (uint8_t)ge;
    *(uint8_t *)mask_q = (uint8_t)(ge >> 8);
#else
    store_mask8(y >= x, mask_p);
    store_mask8(w >= z, mask_q);
#endif
    *p = max16(x, y);
    *q = max16(z, w);
}

/* Lanes of *p whose number has this bit change places with those of *q whose number has not. */
static FECRUN_ALWAYS_INLINE void exchange16(unsigned bit, i16x8 *p, i16x8 *q)
{
    const i16x8 x = *p, y = *q;

    switch (bit) {
    case 0:
        *p = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
        *q = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
        break;
    case 1:
        *p = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13);
        *q = __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
        break;
    default:
        *p = __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11);
        *q = __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
        break;
    }
}

static FECRUN_ALWAYS_INLINE void parts16(const int16_t *p, i16x8 *even, i16x8 *odd)
{
    const i16x8 x = load16(p), y = load16(p + 8);
    *even = __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14);
    *odd = __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15);
}

static FECRUN_ALWAYS_INLINE f32x8 load_float(const float *p)
{
    f32x8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static FECRUN_ALWAYS_INLINE void store_float(float *p, f32x8 v)
{
    memcpy(p, &v, sizeof v);
}

static FECRUN_ALWAYS_INLINE f32x8 add_float(f32x8 a, f32x8 b)
{
    return (f32x8){a.lo + b.lo, a.hi + b.hi};
}

static FECRUN_ALWAYS_INLINE f32x8 sub_float(f32x8 a, f32x8 b)
{
    return (f32x8){a.lo - b.lo, a.hi - b.hi};
}

static FECRUN_ALWAYS_INLINE f32x8 set_float(float x)
{
    const f32x4 v = {x, x, x, x};
    return (f32x8){v, v};
}

static FECRUN_ALWAYS_INLINE f32x4 select_float(f32x4 x, f32x4 y, i32x4 use_x)
{
    return (f32x4)(((i32x4)x & use_x) | ((i32x4)y & ~use_x));
}

static FECRUN_ALWAYS_INLINE void acs_float(f32x8 x, f32x8 y, f32x8 *out, void *mask)
{
    const i32x4 lo = x.lo > y.lo, hi = x.hi > y.hi;
#ifdef __SSE2__
    const unsigned gt = (unsigned)_mm_movemask_ps((__m128)lo) |
                        (unsigned)_mm_movemask_ps((__m128)hi) << 4;
    *(uint8_t *)mask = (uint8_t)~gt;
#else
    const i32x4 ge[2] = {~lo, ~hi};
    uint8_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint8_t)((ge[i / 4][i % 4] & 1) << i);
    *(uint8_t *)mask = bits;
#endif
    out->lo = select_float(x.lo, y.lo, lo);
    out->hi = select_float(x.hi, y.hi, hi);
}

static FECRUN_ALWAYS_INLINE void parts_float(const float *p, f32x8 *even, f32x8 *odd)
{
    const f32x8 x = load_float(p), y = load_float(p + 8);
    even->lo = __builtin_shufflevector(x.lo, x.hi, 0, 2, 4, 6);
    even->hi = __builtin_shufflevector(y.lo, y.hi, 0, 2, 4, 6);
    odd->lo = __builtin_shufflevector(x.lo, x.hi, 1, 3, 5, 7);
    odd->hi = __builtin_shufflevector(y.lo, y.hi, 1, 3, 5, 7);
}

/* m is all ones or nothing in each lane. */
static FECRUN_ALWAYS_INLINE f32x8 and_float(f32x8 v, f32x8 m)
{
    return (f32x8){(f32x4)((i32x4)v.lo & (i32x4)m.lo), (f32x4)((i32x4)v.hi & (i32x4)m.hi)};
}

static FECRUN_ALWAYS_INLINE f32x8 sign_float(f32x8 v, f32x8 m)
{
    const f32x8 twice = and_float(add_float(v, v), m);
    return sub_float(v, twice);
}

typedef uint8_t u8x16u __attribute__((vector_size(16), may_alias, aligned(1)));

static FECRUN_ALWAYS_INLINE u8x16 row16(const void *const *rows, size_t at)
{
    return *(const u8x16u *)((const uint8_t *)rows[0] + at);
}

#define vec u8x16
#define V_LANES 16
#define V_STORE(p, v) (*(u8x16 *)(void *)(p) = (v))
#define V_ROWS row16
#define V_LO(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define V_HI(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#include "plugins/viterbi/simd/pack.h"

#ifndef K7_STEPS8
#define K7_STEPS8 2
#define K7_STEPS16 2
#endif

#define NAME(x) lanes8_##x
#define V_BITS 8
#define V_LANES 16
#define vec i8x16
#define elem int8_t
#define item int8_t
#define V_LOAD load8
#define V_STORE store8
#define V_ADD add8
#define V_SUB sub8
#define V_SET1(x) set8((int8_t)(x))
#define V_LLR load8
#define V_ACS acs8
#define V_ACS2(...) ONE_BY_ONE(acs8, __VA_ARGS__)
#define V_WRAP_ACS2(...) ONE_BY_ONE(wrap_acs8, __VA_ARGS__)
#define V_BIAS 0x80
#define V_K7_STEPS K7_STEPS8
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes16_##x
#define V_BITS 16
#define V_LANES 8
#define vec i16x8
#define elem int16_t
#define item int8_t
#define V_LOAD load16
#define V_STORE store16
#define V_ADD add16
#define V_SUB sub16
#define V_SET1(x) set16((int16_t)(x))
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
#define vec f32x8
#define elem float
#define item float
#define V_LOAD load_float
#define V_STORE store_float
#define V_ADD add_float
#define V_SUB sub_float
#define V_SET1(x) set_float((float)(x))
#define V_LLR load_float
#define V_ACS acs_float
#define V_ACS2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define V_WRAP_ACS2 V_ACS2
#define V_BIAS 0
#define V_K7_STEPS K7_STEPS16
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) along16_##x
#define V_BITS 16
#define V_LANES 8
#define vec i16x8
#define elem int16_t
#define item int8_t
#define ITEM_VALUE(x) value_i8(x)
#define V_LOAD load16
#define V_STORE store16
#define V_ADD add16
#define V_SUB sub16
#define V_SET1(x) set16((int16_t)(x))
#define V_ACS acs16
#define V_ACS2 acs16_2
#define V_PARTS parts16
#define V_SIGN(v, m) sub16((v) ^ (m), m)
#define V_AND(v, m) ((v) & (m))
#define V_EXCHANGE exchange16
#define V_DECIDE2(x, y, z, w, p, q, mask) acs16_2(x, y, z, w, p, q, mask, (mask) + 1)
#include "plugins/viterbi/simd/along.h"

#define NAME(x) along_float_##x
#define V_BITS 32
#define V_LANES 8
#define vec f32x8
#define elem float
#define item float
#define ITEM_VALUE(x) value_float(x)
#define V_LOAD load_float
#define V_STORE store_float
#define V_ADD add_float
#define V_SUB sub_float
#define V_SET1(x) set_float((float)(x))
#define V_ACS acs_float
#define V_ACS2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define V_PARTS parts_float
#define V_SIGN sign_float
#define V_AND and_float
#include "plugins/viterbi/simd/along.h"

#define LANES8_K7 K7_STEPS8
#define ALONG16_MIN_K 5
#define TURN16_MIN_K 9
#define TURN16_LANE_BITS 3
#define TURN16_STATE_BIT 3
#define ALONG_FLOAT_MIN_K 5
#define ISA_NAME "generic"
#include "plugins/viterbi/simd/kernels.h"

const struct viterbi_kernel *viterbi_kernels_generic(void)
{
    return kernels;
}

#else

const struct viterbi_kernel *viterbi_kernels_generic(void)
{
    return NULL;
}

#endif

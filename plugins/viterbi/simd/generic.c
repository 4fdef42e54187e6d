/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 128-bit vectors by the compiler's vector extensions, for every machine; movemask where there is
 * SSE2. Decision words are stored in pieces, so this (as the other vector code) needs a machine
 * that stores the least significant byte first.
 */
#include "plugins/viterbi/simd/simd.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "plugins/common/vec/vec_generic.h"
#include "plugins/viterbi/simd/common.h"

/* Unsigned numbers: SSE2 has no maximum of signed bytes. */
static FECRUN_ALWAYS_INLINE void acs8(vec x, vec y, vec *out, void *mask)
{
    const vec max = vec_u8_max(x, y);
    vec_i8_put_signs(mask, vec_i8_eq(max, y));
    *out = max;
}

static FECRUN_ALWAYS_INLINE void wrap_acs8(vec x, vec y, vec *out, void *mask)
{
    const vec use_x = vec_i8_negative(vec_i8_sub(y, x));
    *out = vec_i8_pick(use_x, x, y);
    vec_i8_put_signs(mask, ~use_x);
}

static FECRUN_ALWAYS_INLINE vec llr16(const int8_t *p)
{
    typedef int8_t bytes8 __attribute__((vector_size(8), may_alias));
    const vec_lanes_i16 x = __builtin_convertvector(*(const bytes8 *)p, vec_lanes_i16);
    return (vec)(x - (vec_lanes_i16)(x < -127)); /* the comparison gives -1 */
}

/* Where y >= x, then where w >= z: a bit each. */
static FECRUN_ALWAYS_INLINE unsigned not_more16(vec x, vec y, vec z, vec w)
{
    return ~vec_i8_signs(vec_i16_to_i8_sat(VEC_OP(i16, x, >, y), VEC_OP(i16, z, >, w)));
}

static FECRUN_ALWAYS_INLINE void acs16(vec x, vec y, vec *out, void *mask)
{
    *(uint8_t *)mask = (uint8_t)not_more16(x, y, x, y);
    *out = vec_i16_max(x, y);
}

static FECRUN_ALWAYS_INLINE void acs16_2(vec x, vec y, vec z, vec w, vec *p, vec *q, void *mask_p,
                                         void *mask_q)
{
    const unsigned ge = not_more16(x, y, z, w);
    *(uint8_t *)mask_p = (uint8_t)ge;
    *(uint8_t *)mask_q = (uint8_t)(ge >> 8);
    *p = vec_i16_max(x, y);
    *q = vec_i16_max(z, w);
}

/* Lanes of *p whose number has this bit change places with those of *q whose number has not. */
static FECRUN_ALWAYS_INLINE void exchange16(unsigned bit, vec *p, vec *q)
{
    const vec_lanes_i16 x = (vec_lanes_i16)*p, y = (vec_lanes_i16)*q;

    switch (bit) {
    case 0:
        *p = (vec)__builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
        *q = (vec)__builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
        break;
    case 1:
        *p = (vec)__builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13);
        *q = (vec)__builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
        break;
    default:
        *p = (vec)__builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11);
        *q = (vec)__builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
        break;
    }
}

static FECRUN_ALWAYS_INLINE void parts16(const int16_t *p, vec *even, vec *odd)
{
    const vec_lanes_i16 x = (vec_lanes_i16)vec_load_any(p), y = (vec_lanes_i16)vec_load_any(p + 8);
    *even = (vec)__builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14);
    *odd = (vec)__builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15);
}

/* Eight floats, for a byte of decisions. */
typedef struct {
    vec_f32 lo, hi;
} pair;

static FECRUN_ALWAYS_INLINE pair pair_load(const float *p)
{
    return (pair){vec_f32_load_any(p), vec_f32_load_any(p + 4)};
}

#define pair_load_any pair_load

static FECRUN_ALWAYS_INLINE void pair_store(float *p, pair v)
{
    memcpy(p, &v, sizeof v);
}

static FECRUN_ALWAYS_INLINE pair pair_add(pair a, pair b)
{
    return (pair){vec_f32_add(a.lo, b.lo), vec_f32_add(a.hi, b.hi)};
}

static FECRUN_ALWAYS_INLINE pair pair_sub(pair a, pair b)
{
    return (pair){vec_f32_sub(a.lo, b.lo), vec_f32_sub(a.hi, b.hi)};
}

static FECRUN_ALWAYS_INLINE pair pair_set(float x)
{
    return (pair){vec_f32_set(x), vec_f32_set(x)};
}

/* m is all ones or nothing in each lane. */
static FECRUN_ALWAYS_INLINE pair pair_and(pair v, pair m)
{
    return (pair){vec_f32_and(v.lo, m.lo), vec_f32_and(v.hi, m.hi)};
}

static FECRUN_ALWAYS_INLINE pair pair_negate(pair m, pair v)
{
    return pair_sub(v, pair_and(pair_add(v, v), m));
}

static FECRUN_ALWAYS_INLINE vec_f32 larger_float(vec_f32 x, vec_f32 y, vec use_x)
{
    return vec_f32_of_bits(vec_i8_pick(use_x, vec_f32_bits(x), vec_f32_bits(y)));
}

static FECRUN_ALWAYS_INLINE void acs_float(pair x, pair y, pair *out, void *mask)
{
    const vec lo = (vec)(x.lo > y.lo), hi = (vec)(x.hi > y.hi);
#if VEC_SSE2
    const unsigned gt = (unsigned)_mm_movemask_ps((__m128)lo) |
                        (unsigned)_mm_movemask_ps((__m128)hi) << 4;
    *(uint8_t *)mask = (uint8_t)~gt;
#else
    const vec_lanes_i32 ge[2] = {(vec_lanes_i32)~lo, (vec_lanes_i32)~hi};
    uint8_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint8_t)((ge[i / 4][i % 4] & 1) << i);
    *(uint8_t *)mask = bits;
#endif
    out->lo = larger_float(x.lo, y.lo, lo);
    out->hi = larger_float(x.hi, y.hi, hi);
}

static FECRUN_ALWAYS_INLINE void parts_float(const float *p, pair *even, pair *odd)
{
    const pair x = pair_load(p), y = pair_load(p + 8);
    even->lo = __builtin_shufflevector(x.lo, x.hi, 0, 2, 4, 6);
    even->hi = __builtin_shufflevector(y.lo, y.hi, 0, 2, 4, 6);
    odd->lo = __builtin_shufflevector(x.lo, x.hi, 1, 3, 5, 7);
    odd->hi = __builtin_shufflevector(y.lo, y.hi, 1, 3, 5, 7);
}

#define decide16(x, y, z, w, p, q, mask) acs16_2(x, y, z, w, p, q, mask, (mask) + 1)
#define BIAS8 0x80
#define floats pair
#define FLOATS(op) pair_##op
#ifndef K7_STEPS8
#define K7_STEPS8 2
#define K7_STEPS16 2
#endif
#ifndef K9_STEPS
#define K9_STEPS 2
#endif
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

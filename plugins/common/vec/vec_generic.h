/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Vectors of 16 bytes, in the compiler's vector types: for every machine that stores the least
 * significant byte first. SSE2 is used where it has an instruction for what the compiler would
 * make several of.
 *
 * This file is the definition of the names that vec_avx2.h and vec_avx512.h have too. A kernel's
 * file includes one of the three. A name is vec_TYPE_OPERATION: i8, u8, i16, u16, i32, u32, i64 and
 * u64 say how the bits of a lane are read, f32 that it is a float. Without a type, all bits are
 * treated alike. Integers wrap unless the name ends in _sat. Names may be macros: arguments without
 * side effects, and shift counts that are constants.
 *
 *   vec, vec_f32         VEC_BYTES bytes of integers of any width, or of floats
 *   vec_mask             true or false for each byte
 *   load, store          VEC_BYTES-aligned; load_any, store_any: any address
 *   load_rows(rows, at)  of each 16 bytes of a vector, number i: those of rows[16 i] from `at` on
 *   keep(v)              v stays in its register instead of being loaded or computed again
 *   andnot(a, b)         ~a & b
 *   set(x)               x in all lanes
 *   zip_low, zip_high    in each 16 bytes: the lower, the upper half of a and b, in turn
 *   pack                 in each 16 bytes: lanes of a, then of b, as bytes of at most 255; lanes
 *                        are at most 32767
 *   signs(v)             lane i's sign is bit i
 *   put_signs(p, v)      stores these VEC_BYTES / 8 bytes at p; first_high: lane 0 has the highest
 *                        bit of the first byte
 *   sum8(v)              64-bit sums of eight bytes each
 *   negative, eq, less   masks; pick(m, a, b): a where true; negate(m, v): -v where true
 *   mask_bits(m)         byte i's truth is bit i; mask_of_bits(bits): from there
 *   mask_bytes(m)        -1 where true; mask_ones(m): 1 where true
 *   sign(v, s)           -v where s is negative, else v; v is 0 where s is
 *   to_i8_sat(a, b)      the lanes of a, then of b
 *   mul, mul_high        low, high halves of the products
 *   mul_even             64-bit products of the even lanes
 *   sll, srl, sra        shift to the left, to the right, and with the sign
 *   round(v)             to the nearest integers, halves to even; magnitudes below 2^22
 *   min, max of f32      b if one is not a number or both are zeros
 */
#ifndef PLUGINS_COMMON_VEC_GENERIC_H
#define PLUGINS_COMMON_VEC_GENERIC_H

#include <fecrun/sdk/simd.h>
#include <math.h>
#include <string.h>

/* VEC_PORTABLE: as on a machine without SSE2, for tests. */
#if defined(__SSE2__) && !defined(VEC_PORTABLE)
#define VEC_SSE2 1
#include <immintrin.h>
#else
#define VEC_SSE2 0
#endif

#define VEC_BYTES 16

typedef long long vec __attribute__((vector_size(16), may_alias));
typedef long long vec_unaligned __attribute__((vector_size(16), may_alias, aligned(1)));
typedef float vec_f32 __attribute__((vector_size(16), may_alias));
typedef float vec_f32_unaligned __attribute__((vector_size(16), may_alias, aligned(1)));
typedef vec vec_mask; /* bytes of -1 and 0 */

/* A vec seen as lanes. */
typedef int8_t vec_lanes_i8 __attribute__((vector_size(16), may_alias));
typedef uint8_t vec_lanes_u8 __attribute__((vector_size(16), may_alias));
typedef int16_t vec_lanes_i16 __attribute__((vector_size(16), may_alias));
typedef uint16_t vec_lanes_u16 __attribute__((vector_size(16), may_alias));
typedef int32_t vec_lanes_i32 __attribute__((vector_size(16), may_alias));
typedef uint32_t vec_lanes_u32 __attribute__((vector_size(16), may_alias));
typedef uint64_t vec_lanes_u64 __attribute__((vector_size(16), may_alias));

#define VEC_OP(type, a, op, b) ((vec)((vec_lanes_##type)(a)op(vec_lanes_##type)(b)))

#define vec_load(p) (*(const vec *)(const void *)(p))
#define vec_store(p, v) (*(vec *)(void *)(p) = (v))
#define vec_load_any(p) ((vec) * (const vec_unaligned *)(const void *)(p))
#define vec_store_any(p, v) (*(vec_unaligned *)(void *)(p) = (vec_unaligned)(v))
#define vec_load_rows(rows, at) vec_load_any((const char *)(rows)[0] + (at))
#define vec_keep(v) ((void)(v))

#define vec_zero() ((vec){0, 0})
#define vec_and(a, b) ((vec)((a) & (b)))
#define vec_andnot(a, b) ((vec)(~(a) & (b)))
#define vec_or(a, b) ((vec)((a) | (b)))
#define vec_xor(a, b) ((vec)((a) ^ (b)))

#define vec_i8_set(x) ((vec)((vec_lanes_i8){0} + (int8_t)(x)))
#define vec_i8_add(a, b) VEC_OP(u8, a, +, b)
#define vec_i8_sub(a, b) VEC_OP(u8, a, -, b)
#define vec_i8_negative(v) ((vec)((vec_lanes_i8)(v) < 0))
#define vec_i8_eq(a, b) VEC_OP(i8, a, ==, b)
#define vec_u8_less(a, b) VEC_OP(u8, a, <, b)
#define vec_i8_pick(m, a, b) ((vec)(((a) & (m)) | ((b) & ~(m))))
#define vec_i8_negate(m, v) vec_i8_sub((v) ^ (m), m)
#define vec_i8_sign(v, s) vec_i8_negate(vec_i8_negative(s), v)
#define vec_mask_bits vec_i8_signs
#define vec_mask_bytes(m) (m)
#define vec_mask_ones(m) ((m)&vec_i8_set(1))

#define vec_i16_set(x) ((vec)((vec_lanes_i16){0} + (int16_t)(x)))
#define vec_i16_add(a, b) VEC_OP(u16, a, +, b)
#define vec_i16_sub(a, b) VEC_OP(u16, a, -, b)
#define vec_i16_mul(a, b) VEC_OP(u16, a, *, b)
#define vec_u16_srl(v, n) ((vec)((vec_lanes_u16)(v) >> (n)))

#define vec_i32_set(x) ((vec)((vec_lanes_i32){0} + (int32_t)(x)))
#define vec_i32_add(a, b) VEC_OP(u32, a, +, b)
#define vec_i32_sub(a, b) VEC_OP(u32, a, -, b)
#define vec_i32_sra(v, n) ((vec)((vec_lanes_i32)(v) >> (n)))
#define vec_u32_sll(v, n) ((vec)((vec_lanes_u32)(v) << (n)))
#define vec_u32_srl(v, n) ((vec)((vec_lanes_u32)(v) >> (n)))

#define vec_i64_set(x) ((vec)((vec_lanes_u64){0} + (uint64_t)(x)))
#define vec_i64_add(a, b) VEC_OP(u64, a, +, b)
#define vec_u64_sll(v, n) ((vec)((vec_lanes_u64)(v) << (n)))
#define vec_u64_srl(v, n) ((vec)((vec_lanes_u64)(v) >> (n)))

#define vec_f32_load(p) (*(const vec_f32 *)(const void *)(p))
#define vec_f32_store(p, v) (*(vec_f32 *)(void *)(p) = (v))
#define vec_f32_load_any(p) ((vec_f32) * (const vec_f32_unaligned *)(const void *)(p))
#define vec_f32_add(a, b) ((vec_f32)((a) + (b)))
#define vec_f32_sub(a, b) ((vec_f32)((a) - (b)))
#define vec_f32_mul(a, b) ((vec_f32)((a) * (b)))
#define vec_f32_of_i32(v) __builtin_convertvector((vec_lanes_i32)(v), vec_f32)
#define vec_f32_and(a, b) ((vec_f32)((vec)(a) & (vec)(b)))
#define vec_f32_xor(a, b) ((vec_f32)((vec)(a) ^ (vec)(b)))
#define vec_f32_bits(v) ((vec)(v))
#define vec_f32_of_bits(v) ((vec_f32)(v))

static FECRUN_ALWAYS_INLINE vec_f32 vec_f32_set(float x)
{
    return (vec_f32){x, x, x, x};
}

static FECRUN_ALWAYS_INLINE vec vec_i8_zip_low(vec a, vec b)
{
    return (vec)__builtin_shufflevector((vec_lanes_i8)a, (vec_lanes_i8)b, 0, 16, 1, 17, 2, 18, 3,
                                        19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static FECRUN_ALWAYS_INLINE vec vec_i8_zip_high(vec a, vec b)
{
    return (vec)__builtin_shufflevector((vec_lanes_i8)a, (vec_lanes_i8)b, 8, 24, 9, 25, 10, 26, 11,
                                        27, 12, 28, 13, 29, 14, 30, 15, 31);
}

static FECRUN_ALWAYS_INLINE vec vec_i8_abs(vec v)
{
    return vec_i8_negate(vec_i8_negative(v), v);
}

static FECRUN_ALWAYS_INLINE vec vec_i16_abs(vec v)
{
    const vec negative = (vec)((vec_lanes_i16)v < 0);

    return vec_i16_sub(v ^ negative, negative);
}

static FECRUN_ALWAYS_INLINE vec vec_i16_sign(vec v, vec s)
{
    const vec negative = (vec)((vec_lanes_i16)s < 0);

    return vec_i16_sub(v ^ negative, negative);
}

/* SSE2 compares signed bytes only. */
static FECRUN_ALWAYS_INLINE vec vec_i8_min(vec a, vec b)
{
    return vec_i8_pick(VEC_OP(i8, a, <, b), a, b);
}

static FECRUN_ALWAYS_INLINE vec vec_i8_max(vec a, vec b)
{
    return vec_i8_pick(VEC_OP(i8, a, >, b), a, b);
}

/* Each byte eight times, of which each keeps a bit. */
static FECRUN_ALWAYS_INLINE vec_mask vec_mask_of_bits(uint64_t bits)
{
    const vec bit = vec_i64_set(0x8040201008040201);
    const vec_lanes_u64 all = (vec_lanes_u64){bits & 255, bits >> 8 & 255} * 0x0101010101010101;

    return vec_i8_eq((vec)all & bit, bit);
}

/* The signs of eight bytes, moved to the highest byte by a product: the first one's lowest there. */
static FECRUN_ALWAYS_INLINE unsigned vec_signs_of_8(uint64_t bytes, uint64_t places)
{
    return (unsigned)((bytes >> 7 & 0x0101010101010101) * places >> 56);
}

static FECRUN_ALWAYS_INLINE void vec_i8_put_signs_first_high(void *p, vec v)
{
    uint8_t *to = p;

    to[0] = (uint8_t)vec_signs_of_8((uint64_t)v[0], 0x8040201008040201);
    to[1] = (uint8_t)vec_signs_of_8((uint64_t)v[1], 0x8040201008040201);
}

#if VEC_SSE2

#define VEC_SSE2_OP(intrinsic, a, b) ((vec)intrinsic((__m128i)(a), (__m128i)(b)))

#define vec_i8_add_sat(a, b) VEC_SSE2_OP(_mm_adds_epi8, a, b)
#define vec_i8_sub_sat(a, b) VEC_SSE2_OP(_mm_subs_epi8, a, b)
#define vec_i8_signs(v) ((uint32_t)_mm_movemask_epi8((__m128i)(v)))
#define vec_u8_min(a, b) VEC_SSE2_OP(_mm_min_epu8, a, b)
#define vec_u8_max(a, b) VEC_SSE2_OP(_mm_max_epu8, a, b)
#define vec_u8_sum8(v) VEC_SSE2_OP(_mm_sad_epu8, v, vec_zero())
#define vec_i16_max(a, b) VEC_SSE2_OP(_mm_max_epi16, a, b)
#define vec_i16_to_i8_sat(a, b) VEC_SSE2_OP(_mm_packs_epi16, a, b)
#define vec_u16_min(a, b) vec_i16_sub(a, VEC_SSE2_OP(_mm_subs_epu16, a, b))
#define vec_u16_mul_high(a, b) VEC_SSE2_OP(_mm_mulhi_epu16, a, b)
#define vec_u16_pack(a, b) VEC_SSE2_OP(_mm_packus_epi16, a, b)
#define vec_u32_mul_even(a, b) VEC_SSE2_OP(_mm_mul_epu32, a, b)
#define vec_f32_min(a, b) ((vec_f32)_mm_min_ps((__m128)(a), (__m128)(b)))
#define vec_f32_max(a, b) ((vec_f32)_mm_max_ps((__m128)(a), (__m128)(b)))
#define vec_f32_sqrt(v) ((vec_f32)_mm_sqrt_ps((__m128)(v)))

#else

/* The sum of two of the same sign that has another one is replaced by the end of that side. */
static FECRUN_ALWAYS_INLINE vec vec_i8_add_sat(vec a, vec b)
{
    const vec sum = vec_i8_add(a, b), end = vec_i8_negative(a) ^ vec_i8_set(127);

    return vec_i8_pick(vec_i8_negative(~(a ^ b) & (a ^ sum)), end, sum);
}

static FECRUN_ALWAYS_INLINE vec vec_i8_sub_sat(vec a, vec b)
{
    const vec difference = vec_i8_sub(a, b), end = vec_i8_negative(a) ^ vec_i8_set(127);

    return vec_i8_pick(vec_i8_negative((a ^ b) & (a ^ difference)), end, difference);
}

static FECRUN_ALWAYS_INLINE uint32_t vec_i8_signs(vec v)
{
    return vec_signs_of_8((uint64_t)v[0], 0x0102040810204080) |
           vec_signs_of_8((uint64_t)v[1], 0x0102040810204080) << 8;
}

static FECRUN_ALWAYS_INLINE vec vec_u8_min(vec a, vec b)
{
    return vec_i8_pick(vec_u8_less(a, b), a, b);
}

static FECRUN_ALWAYS_INLINE vec vec_u8_max(vec a, vec b)
{
    return vec_i8_pick(vec_u8_less(a, b), b, a);
}

/* Sums of two, of four and of eight in lanes that hold them. */
static FECRUN_ALWAYS_INLINE vec vec_u8_sum8(vec v)
{
    const vec_lanes_u16 two = ((vec_lanes_u16)v & 255) + ((vec_lanes_u16)v >> 8);
    const vec_lanes_u32 four = ((vec_lanes_u32)two & 65535) + ((vec_lanes_u32)two >> 16);

    return (vec)(((vec_lanes_u64)four & UINT32_MAX) + ((vec_lanes_u64)four >> 32));
}

static FECRUN_ALWAYS_INLINE vec vec_i16_max(vec a, vec b)
{
    return vec_i8_pick(VEC_OP(i16, a, >, b), a, b);
}

static FECRUN_ALWAYS_INLINE vec vec_i16_limit(vec v)
{
    const vec low = vec_i8_pick(VEC_OP(i16, v, <, vec_i16_set(127)), v, vec_i16_set(127));

    return vec_i16_max(low, vec_i16_set(-128));
}

static FECRUN_ALWAYS_INLINE vec vec_i16_to_i8_sat(vec a, vec b)
{
    return (vec)__builtin_shufflevector((vec_lanes_i8)vec_i16_limit(a),
                                        (vec_lanes_i8)vec_i16_limit(b), 0, 2, 4, 6, 8, 10, 12, 14,
                                        16, 18, 20, 22, 24, 26, 28, 30);
}

static FECRUN_ALWAYS_INLINE vec vec_u16_min(vec a, vec b)
{
    return vec_i8_pick(VEC_OP(u16, a, <, b), a, b);
}

static FECRUN_ALWAYS_INLINE vec vec_u16_mul_high(vec a, vec b)
{
    const vec_lanes_u32 even = ((vec_lanes_u32)a & 65535) * ((vec_lanes_u32)b & 65535);
    const vec_lanes_u32 odd = ((vec_lanes_u32)a >> 16) * ((vec_lanes_u32)b >> 16);

    return (vec)(even >> 16 | (odd & 0xffff0000));
}

static FECRUN_ALWAYS_INLINE vec vec_u16_pack(vec a, vec b)
{
    const vec_lanes_u16 most = (vec_lanes_u16){0} + 255;
    const vec low = vec_i8_pick(VEC_OP(u16, a, <, most), a, (vec)most);
    const vec high = vec_i8_pick(VEC_OP(u16, b, <, most), b, (vec)most);

    return (vec)__builtin_shufflevector((vec_lanes_i8)low, (vec_lanes_i8)high, 0, 2, 4, 6, 8, 10,
                                        12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

static FECRUN_ALWAYS_INLINE vec vec_u32_mul_even(vec a, vec b)
{
    return (vec)(((vec_lanes_u64)a & UINT32_MAX) * ((vec_lanes_u64)b & UINT32_MAX));
}

static FECRUN_ALWAYS_INLINE vec_f32 vec_f32_min(vec_f32 a, vec_f32 b)
{
    return (vec_f32)vec_i8_pick((vec)(a < b), (vec)a, (vec)b);
}

static FECRUN_ALWAYS_INLINE vec_f32 vec_f32_max(vec_f32 a, vec_f32 b)
{
    return (vec_f32)vec_i8_pick((vec)(a > b), (vec)a, (vec)b);
}

static FECRUN_ALWAYS_INLINE vec_f32 vec_f32_sqrt(vec_f32 v)
{
    return (vec_f32){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
}

#endif

/* A sum with 1.5 * 2^23 has no fraction left. */
static FECRUN_ALWAYS_INLINE vec vec_f32_round(vec_f32 v)
{
    const vec_f32 to_integer = vec_f32_set(12582912.0f);

    return vec_i32_sub((vec)(v + to_integer), (vec)to_integer);
}

static FECRUN_ALWAYS_INLINE void vec_i8_put_signs(void *p, vec v)
{
    const uint16_t signs = (uint16_t)vec_i8_signs(v);

    memcpy(p, &signs, sizeof signs);
}

#endif

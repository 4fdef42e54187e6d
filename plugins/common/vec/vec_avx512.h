/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of 64 bytes, in AVX-512 (F, BW, VL, DQ); vec_generic.h says what each name means. */
#ifndef PLUGINS_COMMON_VEC_AVX512_H
#define PLUGINS_COMMON_VEC_AVX512_H
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <fecrun/sdk/simd.h>
#include <immintrin.h>
#include <string.h>

#define VEC_BYTES 64

typedef __m512i vec;
typedef __m512 vec_f32;
typedef __mmask64 vec_mask;

#define vec_load(p) _mm512_load_si512((const void *)(p))
#define vec_store(p, v) _mm512_store_si512((void *)(p), v)
#define vec_load_any(p) _mm512_loadu_si512((const void *)(p))
#define vec_store_any(p, v) _mm512_storeu_si512((void *)(p), v)
#ifdef SANITIZED /* the memory sanitizer: lanes that nobody uses may be unwritten */
#define vec_keep(v) ((void)(v))
#else
#define vec_keep(v) __asm__("" : "+v"(v))
#endif

#define vec_zero _mm512_setzero_si512
#define vec_and _mm512_and_si512
#define vec_andnot _mm512_andnot_si512
#define vec_or _mm512_or_si512
#define vec_xor _mm512_xor_si512

#define vec_i8_set(x) _mm512_set1_epi8((char)(x))
#define vec_i8_add _mm512_add_epi8
#define vec_i8_sub _mm512_sub_epi8
#define vec_i8_add_sat _mm512_adds_epi8
#define vec_i8_sub_sat _mm512_subs_epi8
#define vec_i8_min _mm512_min_epi8
#define vec_i8_max _mm512_max_epi8
#define vec_i8_abs _mm512_abs_epi8
#define vec_i8_sign(v, s) vec_i8_negate(vec_i8_negative(s), v)
#define vec_i8_zip_low _mm512_unpacklo_epi8
#define vec_i8_zip_high _mm512_unpackhi_epi8
#define vec_i8_signs(v) ((uint64_t)_mm512_movepi8_mask(v))
#define vec_u8_min _mm512_min_epu8
#define vec_u8_max _mm512_max_epu8
#define vec_u8_sum8(v) _mm512_sad_epu8(v, vec_zero())

#define vec_i8_negative _mm512_movepi8_mask
#define vec_i8_eq _mm512_cmpeq_epi8_mask
#define vec_u8_less _mm512_cmplt_epu8_mask
#define vec_i8_pick(m, a, b) _mm512_mask_blend_epi8(m, b, a)
#define vec_i8_negate(m, v) _mm512_mask_sub_epi8(v, m, vec_zero(), v)
#define vec_mask_bits(m) ((uint64_t)(m))
#define vec_mask_of_bits(bits) ((vec_mask)(bits))
#define vec_mask_bytes _mm512_movm_epi8
#define vec_mask_ones(m) _mm512_maskz_mov_epi8(m, vec_i8_set(1))

#define vec_i16_set(x) _mm512_set1_epi16((short)(x))
#define vec_i16_add _mm512_add_epi16
#define vec_i16_sub _mm512_sub_epi16
#define vec_i16_max _mm512_max_epi16
#define vec_i16_abs _mm512_abs_epi16
#define vec_i16_sign(v, s) _mm512_mask_sub_epi16(v, _mm512_movepi16_mask(s), vec_zero(), v)
#define vec_i16_mul _mm512_mullo_epi16
#define vec_u16_min _mm512_min_epu16
#define vec_u16_mul_high _mm512_mulhi_epu16
#define vec_u16_srl(v, n) _mm512_srli_epi16(v, (unsigned)(n))
#define vec_u16_pack _mm512_packus_epi16

#define vec_i32_set _mm512_set1_epi32
#define vec_i32_add _mm512_add_epi32
#define vec_i32_sub _mm512_sub_epi32
#define vec_i32_sra(v, n) _mm512_srai_epi32(v, (unsigned)(n))
#define vec_u32_sll(v, n) _mm512_slli_epi32(v, (unsigned)(n))
#define vec_u32_srl(v, n) _mm512_srli_epi32(v, (unsigned)(n))
#define vec_u32_mul_even _mm512_mul_epu32

#define vec_i64_set(x) _mm512_set1_epi64((long long)(x))
#define vec_i64_add _mm512_add_epi64
#define vec_u64_sll(v, n) _mm512_slli_epi64(v, (unsigned)(n))
#define vec_u64_srl(v, n) _mm512_srli_epi64(v, (unsigned)(n))

#define vec_f32_load(p) _mm512_load_ps(p)
#define vec_f32_store(p, v) _mm512_store_ps(p, v)
#define vec_f32_load_any(p) _mm512_loadu_ps(p)
#define vec_f32_set _mm512_set1_ps
#define vec_f32_add _mm512_add_ps
#define vec_f32_sub _mm512_sub_ps
#define vec_f32_mul _mm512_mul_ps
#define vec_f32_min _mm512_min_ps
#define vec_f32_max _mm512_max_ps
#define vec_f32_sqrt _mm512_sqrt_ps
#define vec_f32_of_i32 _mm512_cvtepi32_ps
#define vec_f32_round _mm512_cvtps_epi32
#define vec_f32_and _mm512_and_ps
#define vec_f32_xor _mm512_xor_ps
#define vec_f32_bits _mm512_castps_si512
#define vec_f32_of_bits _mm512_castsi512_ps

static FECRUN_ALWAYS_INLINE __m128i vec_load_row(const void *row, size_t at)
{
    return _mm_loadu_si128((const __m128i_u *)(const void *)((const char *)row + at));
}

static FECRUN_ALWAYS_INLINE vec vec_load_rows(const void *const *rows, size_t at)
{
    vec v = _mm512_castsi128_si512(vec_load_row(rows[0], at));

    v = _mm512_inserti32x4(v, vec_load_row(rows[16], at), 1);
    v = _mm512_inserti32x4(v, vec_load_row(rows[32], at), 2);
    return _mm512_inserti32x4(v, vec_load_row(rows[48], at), 3);
}

static FECRUN_ALWAYS_INLINE vec vec_i16_to_i8_sat(vec a, vec b)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtsepi16_epi8(a)),
                              _mm512_cvtsepi16_epi8(b), 1);
}

static FECRUN_ALWAYS_INLINE void vec_i8_put_signs(void *p, vec v)
{
    const uint64_t signs = vec_i8_signs(v);

    memcpy(p, &signs, sizeof signs);
}

static FECRUN_ALWAYS_INLINE void vec_i8_put_signs_first_high(void *p, vec v)
{
    const vec turned = _mm512_set4_epi64(0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f,
                                         0x0001020304050607);

    vec_i8_put_signs(p, _mm512_shuffle_epi8(v, turned));
}

#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of 32 bytes, in AVX2; vec_generic.h says what each name means. */
#ifndef PLUGINS_COMMON_VEC_AVX2_H
#define PLUGINS_COMMON_VEC_AVX2_H
#ifdef __AVX2__

#include <fecrun/sdk/simd.h>
#include <immintrin.h>
#include <string.h>

#define VEC_BYTES 32

typedef __m256i vec;
typedef __m256 vec_f32;
typedef __m256i vec_mask;

#define vec_load(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define vec_store(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)
#define vec_load_any(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define vec_store_any(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#ifdef SANITIZED /* the memory sanitizer: lanes that nobody uses may be unwritten */
#define vec_keep(v) ((void)(v))
#else
#define vec_keep(v) __asm__("" : "+x"(v))
#endif

#define vec_zero _mm256_setzero_si256
#define vec_and _mm256_and_si256
#define vec_andnot _mm256_andnot_si256
#define vec_or _mm256_or_si256
#define vec_xor _mm256_xor_si256

#define vec_i8_set(x) _mm256_set1_epi8((char)(x))
#define vec_i8_add _mm256_add_epi8
#define vec_i8_sub _mm256_sub_epi8
#define vec_i8_add_sat _mm256_adds_epi8
#define vec_i8_sub_sat _mm256_subs_epi8
#define vec_i8_min _mm256_min_epi8
#define vec_i8_max _mm256_max_epi8
#define vec_i8_abs _mm256_abs_epi8
#define vec_i8_sign _mm256_sign_epi8
#define vec_i8_zip_low _mm256_unpacklo_epi8
#define vec_i8_zip_high _mm256_unpackhi_epi8
#define vec_i8_signs(v) ((uint32_t)_mm256_movemask_epi8(v))
#define vec_u8_min _mm256_min_epu8
#define vec_u8_max _mm256_max_epu8
#define vec_u8_sum8(v) _mm256_sad_epu8(v, vec_zero())

#define vec_i8_negative(v) _mm256_cmpgt_epi8(vec_zero(), v)
#define vec_i8_eq _mm256_cmpeq_epi8
#define vec_u8_less(a, b) vec_andnot(vec_i8_eq(a, b), vec_i8_eq(vec_u8_min(a, b), a))
#define vec_i8_pick(m, a, b) _mm256_blendv_epi8(b, a, m)
#define vec_i8_negate(m, v) vec_i8_sub(vec_xor(v, m), m)
#define vec_mask_bits vec_i8_signs
#define vec_mask_bytes(m) (m)
#define vec_mask_ones(m) vec_and(m, vec_i8_set(1))

#define vec_i16_set(x) _mm256_set1_epi16((short)(x))
#define vec_i16_add _mm256_add_epi16
#define vec_i16_sub _mm256_sub_epi16
#define vec_i16_max _mm256_max_epi16
#define vec_i16_abs _mm256_abs_epi16
#define vec_i16_sign _mm256_sign_epi16
#define vec_i16_mul _mm256_mullo_epi16
#define vec_i16_to_i8_sat(a, b) _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8)
#define vec_u16_min _mm256_min_epu16
#define vec_u16_mul_high _mm256_mulhi_epu16
#define vec_u16_srl(v, n) _mm256_srli_epi16(v, n)
#define vec_u16_pack _mm256_packus_epi16

#define vec_i32_set _mm256_set1_epi32
#define vec_i32_add _mm256_add_epi32
#define vec_i32_sub _mm256_sub_epi32
#define vec_i32_sra(v, n) _mm256_srai_epi32(v, n)
#define vec_u32_sll(v, n) _mm256_slli_epi32(v, n)
#define vec_u32_srl(v, n) _mm256_srli_epi32(v, n)
#define vec_u32_mul_even _mm256_mul_epu32

#define vec_i64_set(x) _mm256_set1_epi64x((long long)(x))
#define vec_i64_add _mm256_add_epi64
#define vec_u64_sll(v, n) _mm256_slli_epi64(v, n)
#define vec_u64_srl(v, n) _mm256_srli_epi64(v, n)

#define vec_f32_load(p) _mm256_load_ps(p)
#define vec_f32_store(p, v) _mm256_store_ps(p, v)
#define vec_f32_load_any(p) _mm256_loadu_ps(p)
#define vec_f32_set _mm256_set1_ps
#define vec_f32_add _mm256_add_ps
#define vec_f32_sub _mm256_sub_ps
#define vec_f32_mul _mm256_mul_ps
#define vec_f32_min _mm256_min_ps
#define vec_f32_max _mm256_max_ps
#define vec_f32_sqrt _mm256_sqrt_ps
#define vec_f32_of_i32 _mm256_cvtepi32_ps
#define vec_f32_round _mm256_cvtps_epi32
#define vec_f32_and _mm256_and_ps
#define vec_f32_xor _mm256_xor_ps
#define vec_f32_bits _mm256_castps_si256
#define vec_f32_of_bits _mm256_castsi256_ps

static FECRUN_ALWAYS_INLINE vec_mask vec_mask_of_bits(uint64_t bits)
{
    const vec byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                      2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const vec bit = vec_i64_set(0x8040201008040201);
    const vec all = _mm256_shuffle_epi8(vec_i32_set((int)bits), byte);

    return vec_i8_eq(vec_and(all, bit), bit);
}

static FECRUN_ALWAYS_INLINE vec vec_load_rows(const void *const *rows, size_t at)
{
    const __m128i *low = (const void *)((const char *)rows[0] + at);
    const __m128i *high = (const void *)((const char *)rows[16] + at);

    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                   _mm_loadu_si128(high), 1);
}

static FECRUN_ALWAYS_INLINE void vec_i8_put_signs(void *p, vec v)
{
    const uint32_t signs = vec_i8_signs(v);

    memcpy(p, &signs, sizeof signs);
}

static FECRUN_ALWAYS_INLINE void vec_i8_put_signs_first_high(void *p, vec v)
{
    const vec turned = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f,
                                         0x0001020304050607);

    vec_i8_put_signs(p, _mm256_shuffle_epi8(v, turned));
}

#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512: 64 LLRs in a vector, decided bits in words. */
#include "plugins/polar/simd/frame/frame.h"

#include <fecrun/sdk/simd.h>
#include <stdlib.h>
#include <string.h>

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include <immintrin.h>

typedef __m128i vec_4, vec_8, vec_16;
typedef __m256i vec_32;
typedef __m512i vec_64;
typedef uint64_t bits_4, bits_8, bits_16, bits_32, bits_64;

/* ---- f and g ----------------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE vec_16 check_16(vec_16 a, vec_16 b)
{
    const vec_16 least = _mm_min_epu8(_mm_abs_epi8(a), _mm_abs_epi8(b));

    return _mm_sign_epi8(least, _mm_or_si128(_mm_xor_si128(a, b), _mm_set1_epi8(1)));
}

static FECRUN_ALWAYS_INLINE vec_32 check_32(vec_32 a, vec_32 b)
{
    const vec_32 least = _mm256_min_epu8(_mm256_abs_epi8(a), _mm256_abs_epi8(b));

    return _mm256_sign_epi8(least, _mm256_or_si256(_mm256_xor_si256(a, b), _mm256_set1_epi8(1)));
}

static FECRUN_ALWAYS_INLINE vec_64 check_64(vec_64 a, vec_64 b)
{
    const vec_64 least = _mm512_min_epu8(_mm512_abs_epi8(a), _mm512_abs_epi8(b));

    return _mm512_mask_sub_epi8(least, _mm512_movepi8_mask(_mm512_xor_si512(a, b)),
                                _mm512_setzero_si512(), least);
}

static FECRUN_ALWAYS_INLINE vec_16 sum_16(vec_16 a, vec_16 b, bits_16 bits)
{
    const vec_16 sum = _mm_mask_subs_epi8(_mm_adds_epi8(b, a), (__mmask16)bits, b, a);

    return _mm_max_epi8(sum, _mm_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_32 sum_32(vec_32 a, vec_32 b, bits_32 bits)
{
    const vec_32 sum = _mm256_mask_subs_epi8(_mm256_adds_epi8(b, a), (__mmask32)bits, b, a);

    return _mm256_max_epi8(sum, _mm256_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_64 sum_64(vec_64 a, vec_64 b, bits_64 bits)
{
    const vec_64 sum = _mm512_mask_subs_epi8(_mm512_adds_epi8(b, a), bits, b, a);

    return _mm512_max_epi8(sum, _mm512_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_16 plain_16(vec_16 a, vec_16 b)
{
    return _mm_max_epi8(_mm_adds_epi8(b, a), _mm_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_32 plain_32(vec_32 a, vec_32 b)
{
    return _mm256_max_epi8(_mm256_adds_epi8(b, a), _mm256_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_64 plain_64(vec_64 a, vec_64 b)
{
    return _mm512_max_epi8(_mm512_adds_epi8(b, a), _mm512_set1_epi8(-127));
}

#define check_4 check_16
#define check_8 check_16
#define plain_4 plain_16
#define plain_8 plain_16
#define sum_4 sum_16
#define sum_8 sum_16

/* ---- Halves and bits ----------------------------------------------------------------------------- */

#define low_8(v) (v)
#define high_8(v) _mm_srli_epi64(v, 32)
#define low_16(v) (v)
#define high_16(v) _mm_unpackhi_epi64(v, v)
#define low_32(v) _mm256_castsi256_si128(v)
#define high_32(v) _mm256_extracti128_si256(v, 1)
#define low_64(v) _mm512_castsi512_si256(v)
#define high_64(v) _mm512_extracti64x4_epi64(v, 1)

#define join_8(l, r) join(l, r, 4)
#define join_16(l, r) join(l, r, 8)
#define join_32(l, r) join(l, r, 16)
#define join_64(l, r) join(l, r, 32)
#define twice_8(r) join(0, r, 4)
#define twice_16(r) join(0, r, 8)
#define twice_32(r) join(0, r, 16)
#define twice_64(r) join(0, r, 32)

static FECRUN_ALWAYS_INLINE uint64_t join(uint64_t l, uint64_t r, uint32_t half)
{
    return (l ^ r) | r << half;
}

#define left_8(l) (l)
#define left_16(l) (l)
#define left_32(l) (l)
#define left_64(l) (l)
#define none_4() 0
#define none_8() 0
#define none_16() 0
#define none_32() 0
#define none_64() 0
#define word_4(bits) (bits)
#define word_8(bits) (bits)
#define word_16(bits) (bits)
#define word_32(bits) (bits)
#define word_64(bits) (bits)
#define bits_of_4(word) (word)
#define bits_of_64(word) (word)
#define rest_4(v) ((uint32_t)_mm_cvtsi128_si32(v))

#define load_64(p) _mm512_load_si512(p)
#define store_64(p, v) _mm512_store_si512(p, v)
#define received_32(p) \
    _mm256_max_epi8(_mm256_loadu_si256((const void *)(p)), _mm256_set1_epi8(-127))
#define put_bits_64(word, to) \
    _mm512_storeu_si512(to, _mm512_maskz_mov_epi8(word, _mm512_set1_epi8(1)))
#define received_64(p) _mm512_max_epi8(_mm512_loadu_si512(p), _mm512_set1_epi8(-127))

#define signs_4(v) ((uint64_t)_mm_movemask_epi8(v) & 0xf)
#define signs_8(v) ((uint64_t)_mm_movemask_epi8(v) & 0xff)
#define signs_16(v) ((uint64_t)_mm_movemask_epi8(v))
#define signs_32(v) ((uint64_t)(uint32_t)_mm256_movemask_epi8(v))
#define signs_64(v) ((uint64_t)_mm512_movepi8_mask(v))

static FECRUN_ALWAYS_INLINE bits_4 add_halves_4(vec_4 v)
{
    const uint64_t r = (uint64_t)_mm_movemask_epi8(_mm_adds_epi8(v, _mm_srli_epi64(v, 16))) & 3;

    return r | r << 2;
}

/* ---- Sums of LLRs, biased by 128 each ------------------------------------------------------------ */

static FECRUN_ALWAYS_INLINE int total_16(vec_16 v)
{
    const vec_16 sum = _mm_sad_epu8(_mm_xor_si128(v, _mm_set1_epi8(-128)), _mm_setzero_si128());

    return _mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4) - 16 * 128;
}

static FECRUN_ALWAYS_INLINE int total_8(vec_8 v)
{
    const vec_8 biased = _mm_xor_si128(v, _mm_set1_epi8(-128));

    return _mm_cvtsi128_si32(_mm_sad_epu8(biased, _mm_setzero_si128())) - 8 * 128;
}

static FECRUN_ALWAYS_INLINE int total_4(vec_4 v)
{
    const vec_4 biased = _mm_xor_si128(v, _mm_set1_epi8(-128));

    return _mm_cvtsi128_si32(
               _mm_sad_epu8(_mm_and_si128(biased, _mm_cvtsi32_si128(-1)), _mm_setzero_si128())) -
           4 * 128;
}

static FECRUN_ALWAYS_INLINE int total_32(vec_32 v)
{
    const vec_32 sum = _mm256_sad_epu8(_mm256_xor_si256(v, _mm256_set1_epi8(-128)),
                                       _mm256_setzero_si256());
    const vec_16 half = _mm_add_epi64(low_32(sum), high_32(sum));

    return _mm_cvtsi128_si32(half) + _mm_extract_epi16(half, 4) - 32 * 128;
}

static FECRUN_ALWAYS_INLINE int total_64(vec_64 v)
{
    const vec_64 sum = _mm512_sad_epu8(_mm512_xor_si512(v, _mm512_set1_epi8(-128)),
                                       _mm512_setzero_si512());
    const vec_32 half = _mm256_add_epi64(low_64(sum), high_64(sum));
    const vec_16 quarter = _mm_add_epi64(low_32(half), high_32(half));

    return _mm_cvtsi128_si32(quarter) + _mm_extract_epi16(quarter, 4) - 64 * 128;
}

static FECRUN_ALWAYS_INLINE uint64_t repeat(int total, uint64_t ones)
{
    return total < 0 ? ones : 0;
}

#define repeat_4(v) repeat(total_4(v), 0xf)
#define repeat_8(v) repeat(total_8(v), 0xff)
#define repeat_16(v) repeat(total_16(v), 0xffff)
#define repeat_32(v) repeat(total_32(v), 0xffffffff)
#define repeat_64(v) repeat(total_64(v), ~(uint64_t)0)
#define repeat_128(a, b) repeat(total_64(a) + total_64(b), ~(uint64_t)0)

/* ---- The first least magnitude -------------------------------------------------------------------- */

/* The least one of 16 bytes, in all of them. */
static FECRUN_ALWAYS_INLINE vec_16 least_of(vec_16 m)
{
    m = _mm_minpos_epu16(_mm_min_epu8(m, _mm_srli_epi16(m, 8)));
    return _mm_broadcastb_epi8(m);
}

static FECRUN_ALWAYS_INLINE bits_4 even_4(vec_4 v)
{
    const bits_4 bits = signs_4(v);
    /* words of others are as large as can be */
    const vec_16 magnitude = _mm_or_si128(_mm_cvtepu8_epi16(_mm_abs_epi8(v)),
                                          _mm_setr_epi16(0, 0, 0, 0, -1, -1, -1, -1));
    const uint32_t at = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(magnitude), 1);

    return bits ^ (uint64_t)__builtin_parityll(bits) << at;
}

static FECRUN_ALWAYS_INLINE bits_8 even_8(vec_8 v)
{
    const bits_8 bits = signs_8(v);
    const vec_16 magnitude = _mm_cvtepu8_epi16(_mm_abs_epi8(v));

    if (!__builtin_parityll(bits))
        return bits;
    return bits ^ (uint64_t)1 << _mm_extract_epi16(_mm_minpos_epu16(magnitude), 1);
}

static FECRUN_ALWAYS_INLINE bits_16 even_16(vec_16 v)
{
    const bits_16 bits = signs_16(v);
    const vec_16 magnitude = _mm_abs_epi8(v);

    if (!__builtin_parityll(bits))
        return bits;
    return bits ^ (uint64_t)1 << __builtin_ctz(_mm_cmpeq_epi8_mask(magnitude, least_of(magnitude)));
}

static FECRUN_ALWAYS_INLINE bits_32 even_32(vec_32 v)
{
    const bits_32 bits = signs_32(v);
    const vec_32 magnitude = _mm256_abs_epi8(v);
    vec_16 least;

    if (!__builtin_parityll(bits))
        return bits;
    least = least_of(_mm_min_epu8(low_32(magnitude), high_32(magnitude)));
    return bits ^ (uint64_t)1 << __builtin_ctz(
                      _mm256_cmpeq_epi8_mask(magnitude, _mm256_broadcastb_epi8(least)));
}

static FECRUN_ALWAYS_INLINE uint64_t first_least(vec_64 magnitude, vec_64 of)
{
    const vec_32 half = _mm256_min_epu8(low_64(of), high_64(of));
    const vec_16 least = least_of(_mm_min_epu8(low_32(half), high_32(half)));
    const uint64_t is = _mm512_cmpeq_epi8_mask(magnitude, _mm512_broadcastb_epi8(least));

    return is & -is;
}

static FECRUN_ALWAYS_INLINE bits_64 even_64(vec_64 v)
{
    const bits_64 bits = signs_64(v);
    const vec_64 magnitude = _mm512_abs_epi8(v);

    return __builtin_parityll(bits) ? bits ^ first_least(magnitude, magnitude) : bits;
}

static FECRUN_ALWAYS_INLINE void even_128(vec_64 a, vec_64 b, uint64_t *x)
{
    const vec_64 one = _mm512_abs_epi8(a), other = _mm512_abs_epi8(b);

    x[0] = signs_64(a);
    x[1] = signs_64(b);
    if (__builtin_parityll(x[0] ^ x[1])) {
        const vec_64 both = _mm512_min_epu8(one, other);
        const uint64_t first = first_least(one, both);

        x[0] ^= first;
        x[1] ^= first ? 0 : first_least(other, both);
    }
}

/* REP_SPC. What REP decides stays in a vector: bytes of -1 where all four bits are 1. */
static FECRUN_ALWAYS_INLINE bits_8 rep_spc(vec_8 v)
{
    const vec_4 a = low_8(v), b = high_8(v);
    const vec_4 biased = _mm_xor_si128(check_4(a, b), _mm_set1_epi8(-128));
    const vec_4 sum = _mm_sad_epu8(_mm_and_si128(biased, _mm_cvtsi32_si128(-1)),
                                   _mm_setzero_si128());
    const vec_4 ones = _mm_shuffle_epi32(_mm_cmpgt_epi32(_mm_set1_epi32(4 * 128), sum), 0);
    const vec_4 g = plain_4(_mm_sub_epi8(_mm_xor_si128(a, ones), ones), b);

    return join_8(signs_4(ones), even_4(g));
}

#include "plugins/polar/simd/frame/list_avx512.h"
#include "plugins/polar/simd/frame/lists.h"
#include "plugins/polar/simd/frame/sc.h"

const struct polar_frame_kernel *polar_frame_avx512(void)
{
    static const struct polar_frame_kernel kernel = {sc, gather, spread, list, 20, {10, 12, 7}};

    return &kernel;
}

#else

const struct polar_frame_kernel *polar_frame_avx512(void)
{
    return NULL;
}

#endif

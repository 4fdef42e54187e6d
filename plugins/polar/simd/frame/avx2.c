/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: 32 LLRs in a vector, decided bits in bytes of -1 and 0. */
#include "plugins/polar/simd/frame/frame.h"

#include <fecrun/sdk/simd.h>
#include <stdlib.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>

typedef __m128i vec_4, vec_8, vec_16, bits_4, bits_8, bits_16;
typedef __m256i vec_32, bits_32;
typedef struct {
    __m256i low, high;
} vec_64, bits_64;

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

static FECRUN_ALWAYS_INLINE vec_16 plain_16(vec_16 a, vec_16 b)
{
    return _mm_max_epi8(_mm_adds_epi8(b, a), _mm_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_32 plain_32(vec_32 a, vec_32 b)
{
    return _mm256_max_epi8(_mm256_adds_epi8(b, a), _mm256_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_16 sum_16(vec_16 a, vec_16 b, bits_16 bits)
{
    return plain_16(_mm_sub_epi8(_mm_xor_si128(a, bits), bits), b);
}

static FECRUN_ALWAYS_INLINE vec_32 sum_32(vec_32 a, vec_32 b, bits_32 bits)
{
    return plain_32(_mm256_sub_epi8(_mm256_xor_si256(a, bits), bits), b);
}

static FECRUN_ALWAYS_INLINE vec_64 check_64(vec_64 a, vec_64 b)
{
    return (vec_64){check_32(a.low, b.low), check_32(a.high, b.high)};
}

static FECRUN_ALWAYS_INLINE vec_64 plain_64(vec_64 a, vec_64 b)
{
    return (vec_64){plain_32(a.low, b.low), plain_32(a.high, b.high)};
}

static FECRUN_ALWAYS_INLINE vec_64 sum_64(vec_64 a, vec_64 b, bits_64 bits)
{
    return (vec_64){sum_32(a.low, b.low, bits.low), sum_32(a.high, b.high, bits.high)};
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
#define low_64(v) ((v).low)
#define high_64(v) ((v).high)

#define join_8(l, r) join_two_8(l, r)
#define join_16(l, r) join_two_16(l, r)
#define join_32(l, r) join_two_32(l, r)
#define join_64(l, r) join_two_64(l, r)
#define twice_8(r) join_two_8(_mm_setzero_si128(), r)
#define twice_16(r) join_two_16(_mm_setzero_si128(), r)
#define twice_32(r) join_two_32(_mm_setzero_si128(), r)
#define twice_64(r) join_two_64(_mm256_setzero_si256(), r)
#define left_8(l) _mm_unpacklo_epi32(l, _mm_setzero_si128())
#define left_16(l) _mm_unpacklo_epi64(l, _mm_setzero_si128())
#define left_32(l) _mm256_set_m128i(_mm_setzero_si128(), l)
#define left_64(l) ((bits_64){l, _mm256_setzero_si256()})

static FECRUN_ALWAYS_INLINE bits_8 join_two_8(bits_4 l, bits_4 r)
{
    return _mm_unpacklo_epi32(_mm_xor_si128(l, r), r);
}

static FECRUN_ALWAYS_INLINE bits_16 join_two_16(bits_8 l, bits_8 r)
{
    return _mm_unpacklo_epi64(_mm_xor_si128(l, r), r);
}

static FECRUN_ALWAYS_INLINE bits_32 join_two_32(bits_16 l, bits_16 r)
{
    return _mm256_set_m128i(r, _mm_xor_si128(l, r));
}

static FECRUN_ALWAYS_INLINE bits_64 join_two_64(bits_32 l, bits_32 r)
{
    return (bits_64){_mm256_xor_si256(l, r), r};
}

#define none_4() _mm_setzero_si128()
#define none_8() _mm_setzero_si128()
#define none_16() _mm_setzero_si128()
#define none_32() _mm256_setzero_si256()
#define none_64() ((bits_64){_mm256_setzero_si256(), _mm256_setzero_si256()})
#define word_4(bits) ((uint64_t)_mm_movemask_epi8(bits) & 0xf)
#define word_8(bits) ((uint64_t)_mm_movemask_epi8(bits) & 0xff)
#define word_16(bits) ((uint64_t)_mm_movemask_epi8(bits))
#define word_32(bits) ((uint64_t)(uint32_t)_mm256_movemask_epi8(bits))

static FECRUN_ALWAYS_INLINE uint64_t word_64(bits_64 bits)
{
    return word_32(bits.low) | word_32(bits.high) << 32;
}

/* Bits 7 apart in the product do not meet. */
static FECRUN_ALWAYS_INLINE bits_4 bits_of_4(uint64_t word)
{
    return _mm_cvtsi32_si128((int)(((uint32_t)word * 0x204081 & 0x01010101) * 255));
}

static FECRUN_ALWAYS_INLINE bits_32 bits_of_32(uint32_t word)
{
    const vec_32 byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                           0x0303030303030303);
    const vec_32 bit = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    const vec_32 all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)word), byte);

    return _mm256_cmpeq_epi8(_mm256_and_si256(all, bit), bit);
}

static FECRUN_ALWAYS_INLINE bits_64 bits_of_64(uint64_t word)
{
    return (bits_64){bits_of_32((uint32_t)word), bits_of_32((uint32_t)(word >> 32))};
}

static FECRUN_ALWAYS_INLINE vec_64 load_64(const int8_t *p)
{
    return (vec_64){_mm256_load_si256((const void *)p), _mm256_load_si256((const void *)(p + 32))};
}

static FECRUN_ALWAYS_INLINE void store_64(int8_t *p, vec_64 v)
{
    _mm256_store_si256((void *)p, v.low);
    _mm256_store_si256((void *)(p + 32), v.high);
}

static FECRUN_ALWAYS_INLINE void put_bits_64(uint64_t word, uint8_t *to)
{
    const bits_64 bits = bits_of_64(word);

    _mm256_storeu_si256((void *)to, _mm256_abs_epi8(bits.low));
    _mm256_storeu_si256((void *)(to + 32), _mm256_abs_epi8(bits.high));
}

static FECRUN_ALWAYS_INLINE vec_32 received_32(const int8_t *p)
{
    return _mm256_max_epi8(_mm256_loadu_si256((const void *)p), _mm256_set1_epi8(-127));
}

static FECRUN_ALWAYS_INLINE vec_64 received_64(const int8_t *p)
{
    return (vec_64){received_32(p), received_32(p + 32)};
}

static FECRUN_ALWAYS_INLINE bits_64 signs_64(vec_64 v)
{
    return (bits_64){_mm256_cmpgt_epi8(_mm256_setzero_si256(), v.low),
                     _mm256_cmpgt_epi8(_mm256_setzero_si256(), v.high)};
}

#define rest_4(v) ((uint32_t)_mm_cvtsi128_si32(v))
#define signs_4 signs_16
#define signs_8 signs_16
#define signs_16(v) _mm_cmpgt_epi8(_mm_setzero_si128(), v)
#define signs_32(v) _mm256_cmpgt_epi8(_mm256_setzero_si256(), v)

static FECRUN_ALWAYS_INLINE bits_4 add_halves_4(vec_4 v)
{
    const bits_4 r = signs_4(_mm_adds_epi8(v, _mm_srli_epi64(v, 16)));

    return _mm_shufflelo_epi16(r, 0);
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

#define total_64(v) (total_32((v).low) + total_32((v).high))
#define repeat_4(v) _mm_set1_epi32(total_4(v) >> 31)
#define repeat_8(v) _mm_set1_epi32(total_8(v) >> 31)
#define repeat_16(v) _mm_set1_epi32(total_16(v) >> 31)
#define repeat_32(v) _mm256_set1_epi32(total_32(v) >> 31)
#define repeat_128(a, b) ((uint64_t)((int64_t)(total_64(a) + total_64(b)) >> 63))

static FECRUN_ALWAYS_INLINE bits_64 repeat_64(vec_64 v)
{
    const vec_32 all = _mm256_set1_epi32(total_64(v) >> 31);

    return (bits_64){all, all};
}

/* ---- The first least magnitude -------------------------------------------------------------------- */

/* Vectors that begin at 32 - i of these are -1 in byte i, else 0. */
static const int8_t one_byte[64] = {[32] = -1};

static FECRUN_ALWAYS_INLINE vec_16 byte_of_16(uint32_t i)
{
    return _mm_loadu_si128((const void *)(one_byte + 32 - i));
}

static FECRUN_ALWAYS_INLINE vec_32 byte_of_32(uint32_t i)
{
    return _mm256_loadu_si256((const void *)(one_byte + 32 - i));
}

/* The least one of 16 bytes, in all of them. */
static FECRUN_ALWAYS_INLINE vec_16 least_of(vec_16 m)
{
    m = _mm_minpos_epu16(_mm_min_epu8(m, _mm_srli_epi16(m, 8)));
    return _mm_broadcastb_epi8(m);
}

static FECRUN_ALWAYS_INLINE vec_16 least_of_32(vec_32 m)
{
    return least_of(_mm_min_epu8(low_32(m), high_32(m)));
}

static FECRUN_ALWAYS_INLINE bits_4 even_4(vec_4 v)
{
    const bits_4 bits = signs_4(v);
    /* words of others are as large as can be */
    const vec_16 magnitude = _mm_or_si128(_mm_cvtepu8_epi16(_mm_abs_epi8(v)),
                                          _mm_setr_epi16(0, 0, 0, 0, -1, -1, -1, -1));

    if (!__builtin_parityll(word_4(bits)))
        return bits;
    return _mm_xor_si128(bits,
                         byte_of_16((uint32_t)_mm_extract_epi16(_mm_minpos_epu16(magnitude), 1)));
}

static FECRUN_ALWAYS_INLINE bits_8 even_8(vec_8 v)
{
    const bits_8 bits = signs_8(v);
    const vec_16 magnitude = _mm_cvtepu8_epi16(_mm_abs_epi8(v));

    if (!__builtin_parityll(word_8(bits)))
        return bits;
    return _mm_xor_si128(bits,
                         byte_of_16((uint32_t)_mm_extract_epi16(_mm_minpos_epu16(magnitude), 1)));
}

static FECRUN_ALWAYS_INLINE bits_16 even_16(vec_16 v)
{
    const bits_16 bits = signs_16(v);
    const vec_16 magnitude = _mm_abs_epi8(v);

    if (!__builtin_parityll(word_16(bits)))
        return bits;
    return _mm_xor_si128(bits, byte_of_16((uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(
                                   _mm_cmpeq_epi8(magnitude, least_of(magnitude))))));
}

/* Where the first byte of m is that is least; 0: none is. */
static FECRUN_ALWAYS_INLINE bits_32 first_least(vec_32 m, vec_16 least)
{
    const uint32_t is = (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(m, _mm256_broadcastsi128_si256(least)));

    return is ? byte_of_32((uint32_t)__builtin_ctz(is)) : none_32();
}

static FECRUN_ALWAYS_INLINE bits_32 even_32(vec_32 v)
{
    const bits_32 bits = signs_32(v);
    const vec_32 magnitude = _mm256_abs_epi8(v);

    if (!__builtin_parityll(word_32(bits)))
        return bits;
    return _mm256_xor_si256(bits, first_least(magnitude, least_of_32(magnitude)));
}

static FECRUN_ALWAYS_INLINE bits_64 even_64(vec_64 v)
{
    const bits_64 bits = signs_64(v);
    const vec_32 low = _mm256_abs_epi8(v.low), high = _mm256_abs_epi8(v.high);
    const vec_16 least = least_of_32(_mm256_min_epu8(low, high));
    const bits_32 first = first_least(low, least);

    if (!__builtin_parityll(word_64(bits)))
        return bits;
    if (!_mm256_testz_si256(first, first))
        return (bits_64){_mm256_xor_si256(bits.low, first), bits.high};
    return (bits_64){bits.low, _mm256_xor_si256(bits.high, first_least(high, least))};
}

static FECRUN_ALWAYS_INLINE void even_128(vec_64 a, vec_64 b, uint64_t *x)
{
    const vec_32 m[4] = {_mm256_abs_epi8(a.low), _mm256_abs_epi8(a.high), _mm256_abs_epi8(b.low),
                         _mm256_abs_epi8(b.high)};
    const vec_16 least = least_of_32(
        _mm256_min_epu8(_mm256_min_epu8(m[0], m[1]), _mm256_min_epu8(m[2], m[3])));

    x[0] = word_64(signs_64(a));
    x[1] = word_64(signs_64(b));
    for (uint32_t i = 0; i < 4 && __builtin_parityll(x[0] ^ x[1]); i++)
        x[i / 2] ^= word_32(first_least(m[i], least)) << i % 2 * 32;
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

    return join_8(ones, even_4(g));
}

#include "plugins/polar/simd/frame/list_avx2.h"
#include "plugins/polar/simd/frame/lists.h"
#include "plugins/polar/simd/frame/sc.h"

const struct polar_frame_kernel *polar_frame_avx2(void)
{
    static const struct polar_frame_kernel kernel = {sc, gather, spread, list, 24, {11, 13, 64}};

    return &kernel;
}

#else

const struct polar_frame_kernel *polar_frame_avx2(void)
{
    return NULL;
}

#endif

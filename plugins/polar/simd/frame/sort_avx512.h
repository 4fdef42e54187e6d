/* SPDX-License-Identifier: BSD-2-Clause */
/* Bitonic sorting networks of words of 32 bits with AVX-512. */
#include <fecrun/sdk/simd.h>
#include <immintrin.h>
#include <stdbool.h>

/* Each word with a partner: those of `upper` keep the larger one. */
static FECRUN_ALWAYS_INLINE __m512i in_order(__m512i v, __m512i partner, __mmask16 upper)
{
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, partner), upper, v, partner);
}

static FECRUN_ALWAYS_INLINE __m256i in_order_8(__m256i v, __m256i partner, __mmask8 upper)
{
    return _mm256_mask_max_epu32(_mm256_min_epu32(v, partner), upper, v, partner);
}

#define NEXT_WORD(v) _mm512_shuffle_epi32(v, 0xb1)
#define NEXT_PAIR(v) _mm512_shuffle_epi32(v, 0x4e)
#define NEXT_FOUR(v) _mm512_permutex_epi64(v, 0x4e)

/* The lower half upwards, the upper half downwards. */
static FECRUN_ALWAYS_INLINE __m512i sort_halves(__m512i v)
{
    v = in_order(v, NEXT_WORD(v), 0x6666);
    v = in_order(v, NEXT_PAIR(v), 0x3c3c);
    v = in_order(v, NEXT_WORD(v), 0x5a5a);
    v = in_order(v, NEXT_FOUR(v), 0x0ff0);
    v = in_order(v, NEXT_PAIR(v), 0x33cc);
    return in_order(v, NEXT_WORD(v), 0x55aa);
}

static FECRUN_ALWAYS_INLINE __m256i least_half(__m512i v)
{
    __m256i low = _mm256_min_epu32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));

    low = in_order_8(low, _mm256_permute4x64_epi64(low, 0x4e), 0xf0);
    low = in_order_8(low, _mm256_shuffle_epi32(low, 0x4e), 0xcc);
    return in_order_8(low, _mm256_shuffle_epi32(low, 0xb1), 0xaa);
}

/* A vector that rises and then falls, or the other way round, in order: upwards, or downwards. */
static FECRUN_ALWAYS_INLINE __m512i merge_16(__m512i v, bool down)
{
    v = in_order(v, _mm512_shuffle_i64x2(v, v, 0x4e), down ? 0x00ff : 0xff00);
    v = in_order(v, NEXT_FOUR(v), down ? 0x0f0f : 0xf0f0);
    v = in_order(v, NEXT_PAIR(v), down ? 0x3333 : 0xcccc);
    return in_order(v, NEXT_WORD(v), down ? 0x5555 : 0xaaaa);
}

static FECRUN_ALWAYS_INLINE __m512i sort_16(__m512i v, bool down)
{
    return merge_16(sort_halves(v), down);
}

/* 32 words in two vectors. */
static FECRUN_ALWAYS_INLINE void merge_32(__m512i *low, __m512i *high, bool down)
{
    const __m512i least = _mm512_min_epu32(*low, *high), most = _mm512_max_epu32(*low, *high);

    *low = merge_16(down ? most : least, down);
    *high = merge_16(down ? least : most, down);
}

static FECRUN_ALWAYS_INLINE void sort_32(__m512i *low, __m512i *high, bool down)
{
    *low = sort_16(*low, false);
    *high = sort_16(*high, true);
    merge_32(low, high, down);
}

#undef NEXT_WORD
#undef NEXT_PAIR
#undef NEXT_FOUR

/* SPDX-License-Identifier: BSD-2-Clause */
/* Bitonic sorting networks of words of 32 bits with AVX2: one vector of eight, two or four. */
#include <fecrun/sdk/simd.h>
#include <immintrin.h>
#include <stdbool.h>

/* Each word with a partner: those of `upper` keep the larger one. */
#define IN_ORDER(v, partner, upper) \
    _mm256_blend_epi32(_mm256_min_epu32(v, partner), _mm256_max_epu32(v, partner), upper)

#define NEXT_WORD(v) _mm256_shuffle_epi32(v, 0xb1)
#define NEXT_PAIR(v) _mm256_shuffle_epi32(v, 0x4e)
#define NEXT_FOUR(v) _mm256_permute4x64_epi64(v, 0x4e)

/* A vector that rises and then falls, or the other way round, in order: upwards, or downwards. */
static FECRUN_ALWAYS_INLINE __m256i merge_8(__m256i v, bool down)
{
    if (down) {
        v = IN_ORDER(v, NEXT_FOUR(v), 0x0f);
        v = IN_ORDER(v, NEXT_PAIR(v), 0x33);
        return IN_ORDER(v, NEXT_WORD(v), 0x55);
    }
    v = IN_ORDER(v, NEXT_FOUR(v), 0xf0);
    v = IN_ORDER(v, NEXT_PAIR(v), 0xcc);
    return IN_ORDER(v, NEXT_WORD(v), 0xaa);
}

static FECRUN_ALWAYS_INLINE __m256i sort_8(__m256i v, bool down)
{
    v = IN_ORDER(v, NEXT_WORD(v), 0x66);
    v = IN_ORDER(v, NEXT_PAIR(v), 0x3c);
    v = IN_ORDER(v, NEXT_WORD(v), 0x5a);
    return merge_8(v, down);
}

/* The same of n vectors, 1, 2 or 4. */
static FECRUN_ALWAYS_INLINE void merge_all(__m256i *v, uint32_t n, bool down)
{
#pragma GCC unroll 4
    for (uint32_t d = n / 2; d; d /= 2)
#pragma GCC unroll 4
        for (uint32_t i = 0; i < n; i++) {
            const __m256i low = v[i], high = v[i | d];

            if (i & d)
                continue;
            v[i] = down ? _mm256_max_epu32(low, high) : _mm256_min_epu32(low, high);
            v[i | d] = down ? _mm256_min_epu32(low, high) : _mm256_max_epu32(low, high);
        }
#pragma GCC unroll 4
    for (uint32_t i = 0; i < n; i++)
        v[i] = merge_8(v[i], down);
}

static FECRUN_ALWAYS_INLINE void sort_all(__m256i *v, uint32_t n, bool down)
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < n; i++)
        v[i] = sort_8(v[i], n == 1 ? down : i & 1);
    if (n == 4) {
        merge_all(v, 2, false);
        merge_all(v + 2, 2, true);
    }
    if (n > 1)
        merge_all(v, n, down);
}

#undef IN_ORDER
#undef NEXT_WORD
#undef NEXT_PAIR
#undef NEXT_FOUR

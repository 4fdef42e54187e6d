/* SPDX-License-Identifier: BSD-2-Clause */
/* Division of bits by a BCH code's generator, 256 at a time by products without carries. A template for files of
   one instruction set each: they need PCLMUL. */
#ifndef OUTER_SIMD_BCH_DIVIDE_H
#define OUTER_SIMD_BCH_DIVIDE_H

#if defined(__PCLMUL__) && defined(__AVX2__)

#include <immintrin.h>

#include "plugins/outer/simd/bch.h"

/* The sum of the products of four words by factors. */
static inline __m128i bch_products(const __m128i *word, const __m128i *factor)
{
    return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(word[0], factor[0], 0x00),
                                       _mm_clmulepi64_si128(word[0], factor[0], 0x11)),
                         _mm_xor_si128(_mm_clmulepi64_si128(word[1], factor[1], 0x00),
                                       _mm_clmulepi64_si128(word[1], factor[1], 0x11)));
}

/* Each step multiplies what there is by x^256, modulo the generator, and adds a block. */
static inline void bch_divide(const struct bch_simd *s, const uint8_t *bytes, size_t blocks,
                              uint64_t *rest)
{
    const __m256i turn = _mm256_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f,
                                           0x0001020304050607, 0x08090a0b0c0d0e0f);
    __m128i factor[BCH_SIMD_WORDS][2], word[2] = {_mm_setzero_si128(), _mm_setzero_si128()};

    for (unsigned i = 0; i < BCH_SIMD_WORDS; i++)
        for (unsigned h = 0; h < 2; h++)
            factor[i][h] = _mm_loadu_si128((const void *)(s->fold[i] + 2 * h));
    for (size_t b = 0; b < blocks; b++) {
        const __m256i next = _mm256_shuffle_epi8(
            _mm256_loadu_si256((const void *)(bytes + b * BCH_BLOCK)), turn);
        const __m128i low = bch_products(word, factor[0]), middle = bch_products(word, factor[1]),
                      high = bch_products(word, factor[2]);

        word[0] = _mm_xor_si128(_mm_xor_si128(low, _mm_slli_si128(middle, 8)),
                                _mm256_extracti128_si256(next, 1));
        word[1] = _mm_xor_si128(_mm_xor_si128(high, _mm_srli_si128(middle, 8)),
                                _mm256_castsi256_si128(next));
    }
    _mm_storeu_si128((void *)rest, word[0]);
    _mm_storeu_si128((void *)(rest + 2), word[1]);
}

#endif

#endif

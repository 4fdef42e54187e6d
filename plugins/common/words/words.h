/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits in 64-bit words, the first in the lowest place. */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

/* 64 bits, one a byte. */
static inline uint64_t words_pack_64(const uint8_t *bits)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < 64; i += 16) {
        const __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)(bits + i));
        const uint32_t highest = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(sixteen, 7));

        word |= (uint64_t)highest << i;
    }
    return word;
}

/* Eight copies of byte 0 and of byte 1 of the lowest two bytes: 16 bits as 16 bytes. */
static inline void words_unpack_16(uint8_t *bits, __m128i bytes)
{
    const __m128i place = _mm_set1_epi64x((long long)0x8040201008040201);
    const __m128i is = _mm_cmpeq_epi8(_mm_and_si128(bytes, place), place);

    _mm_storeu_si128((__m128i *)(void *)bits, _mm_and_si128(is, _mm_set1_epi8(1)));
}

static inline void words_unpack_64(uint8_t *bits, uint64_t word)
{
    const __m128i all = _mm_cvtsi64_si128((long long)word), twice = _mm_unpacklo_epi8(all, all);
    const __m128i low = _mm_unpacklo_epi16(twice, twice), high = _mm_unpackhi_epi16(twice, twice);

    words_unpack_16(bits, _mm_unpacklo_epi32(low, low));
    words_unpack_16(bits + 16, _mm_unpackhi_epi32(low, low));
    words_unpack_16(bits + 32, _mm_unpacklo_epi32(high, high));
    words_unpack_16(bits + 48, _mm_unpackhi_epi32(high, high));
}
#define WORDS_BY_64 1
#endif

/* n bits, one a byte; the words must be zero. */
static inline void words_pack(uint64_t *word, const uint8_t *bits, size_t n)
{
    size_t i = 0;

#ifdef WORDS_BY_64
    for (; i + 64 <= n; i += 64)
        word[i / 64] = words_pack_64(bits + i);
#endif
    for (; i + 8 <= n; i += 8) {
        uint64_t eight;

        memcpy(&eight, bits + i, 8);
        /* Byte j times 2^(56 - 7 j) puts its bit in place 56 + j; no two products meet. */
        eight = (le64toh(eight) & 0x0101010101010101) * 0x0102040810204080 >> 56;
        word[i / 64] |= eight << i % 64;
    }
    for (; i < n; i++)
        word[i / 64] |= (uint64_t)(bits[i] & 1) << i % 64;
}

/* Eight bits as eight bytes. */
static inline uint64_t words_spread(uint64_t byte)
{
    uint64_t one = byte * 0x0101010101010101 & 0x8040201008040201; /* bit j of byte j */

    return htole64((one + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101);
}

static inline void words_unpack(uint8_t *bits, const uint64_t *word, size_t n)
{
    size_t i = 0;

#ifdef WORDS_BY_64
    for (; i + 64 <= n; i += 64)
        words_unpack_64(bits + i, word[i / 64]);
#endif
    for (; i + 8 <= n; i += 8) {
        uint64_t eight = words_spread(word[i / 64] >> i % 64 & 255);

        memcpy(bits + i, &eight, 8);
    }
    for (; i < n; i++)
        bits[i] = word[i / 64] >> i % 64 & 1;
}

#endif

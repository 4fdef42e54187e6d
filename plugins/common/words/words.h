/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits in 64-bit words, the first in the lowest place. */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* n bits, one a byte; the words must be zero. */
static inline void words_pack(uint64_t *word, const uint8_t *bits, size_t n)
{
    size_t i = 0;

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

    for (; i + 8 <= n; i += 8) {
        uint64_t eight = words_spread(word[i / 64] >> i % 64 & 255);

        memcpy(bits + i, &eight, 8);
    }
    for (; i < n; i++)
        bits[i] = word[i / 64] >> i % 64 & 1;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits in 64-bit words, the first in the lowest place. */
#ifndef LDPC_ENCODE_WORDS_H
#define LDPC_ENCODE_WORDS_H

#include <endian.h>
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

/* to ^= from shifted down by `shift` bits; reads from[shift / 64 + n], too. */
static inline void words_add(uint64_t *to, const uint64_t *from, uint32_t shift, size_t n)
{
    const uint64_t *low = from + shift / 64;
    unsigned s = shift % 64;

    for (size_t i = 0; i < n; i++)
        to[i] ^= low[i] >> s | low[i + 1] << 1 << (63 - s);
}

/* The first z bits of `bits` twice, in 2 words_of(z) + 1 words, zeros behind. */
static inline void words_double(uint64_t *to, uint64_t *bits, uint32_t z)
{
    size_t n = (z + 63) / 64, whole = z / 64;
    unsigned part = z % 64;

    if (part)
        bits[whole] &= (UINT64_MAX >> (64 - part));
    memset(to + n, 0, (n + 1) * sizeof *to);
    memcpy(to, bits, n * sizeof *to);
    for (size_t i = 0; i < n; i++) {
        to[whole + i] |= bits[i] << part;
        if (part)
            to[whole + i + 1] |= bits[i] >> (64 - part);
    }
}

#endif

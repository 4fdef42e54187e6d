/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns of z bits in words. */
#ifndef LDPC_ENCODE_WORDS_H
#define LDPC_ENCODE_WORDS_H

#include "plugins/common/words/words.h"

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

/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of a frame in both forms, U8 and PACKED: read, copied, inverted. Header only. */
#ifndef OUTER_BITS_H
#define OUTER_BITS_H

#include <fecrun/sdk/params.h>

/* m bits, at most 16, from bit `at` on; the first one is the highest. */
static inline uint32_t bits_get(const uint8_t *row, uint32_t type, uint64_t at, unsigned m)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < m; i++, at++)
        value = value << 1 |
                (type == FECRUN_PACKED ? row[at / 8] >> (7 - at % 8) & 1u : row[at] & 1u);
    return value;
}

/* Inverts those of m bits from bit `at` on that are 1 in `value`. */
static inline void bits_flip(uint8_t *row, uint32_t type, uint64_t at, unsigned m, uint32_t value)
{
    for (unsigned i = 0; i < m; i++, at++) {
        const unsigned bit = value >> (m - 1 - i) & 1;

        if (type == FECRUN_PACKED)
            row[at / 8] ^= (uint8_t)(bit << (7 - at % 8));
        else
            row[at] ^= (uint8_t)bit;
    }
}

/* The first n bits of a frame, and zeros behind them up to the end of `total` bits. */
static inline void bits_copy(uint8_t *to, const uint8_t *from, uint32_t type, uint64_t n,
                             uint64_t total)
{
    const uint64_t bytes = fecrun_bytes(type, n);

    memcpy(to, from, bytes);
    if (type == FECRUN_PACKED && n % 8)
        to[n / 8] &= (uint8_t)(0xff << (8 - n % 8));
    memset(to + bytes, 0, fecrun_bytes(type, total) - bytes);
}

#endif

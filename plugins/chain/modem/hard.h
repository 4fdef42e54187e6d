/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of modem.hard, compiled for several instruction sets. */
#ifndef CHAIN_MODEM_HARD_H
#define CHAIN_MODEM_HARD_H

#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"

#include <math.h>

/* One bit a dimension, in `step` floats. A NaN and either zero are 0. */
static inline void chain_hard_signs(const float *y, unsigned step, size_t n, uint8_t *bits)
{
    for (size_t i = 0; i < n; i++)
        bits[i] = y[step * i] < 0;
}

/*
 * n dimensions to `bits` planes, bits a constant. modem/modem.c puts the level with bits b0, b1, .. at
 * (1-2 b0) [2^(m-1) - (1-2 b1) [2^(m-2) - ...]]: each bit is the sign of what those before it leave.
 */
static inline void chain_hard_planes(float inverse_unit, unsigned bits, const float *y, size_t n,
                                     uint8_t plane[][CHAIN_CHUNK])
{
    for (size_t i = 0; i < n; i++) {
        float left = y[i] * inverse_unit;

#pragma GCC unroll 4
        for (unsigned j = 0; j < bits; j++) {
            plane[j][i] = left < 0;
            left = (float)(1u << (bits - 1) >> j) - fabsf(left);
        }
    }
}

/* Square QAM: n dimensions, an even number, at most CHAIN_CHUNK. */
static inline void chain_hard_chunk(const struct hard_code *code, const float *y, size_t n,
                                    uint8_t *bits)
{
    uint8_t plane[4][CHAIN_CHUNK];
    const unsigned m = code->bits;

    if (m == 2)
        chain_hard_planes(code->inverse_unit, 2, y, n, plane);
    else if (m == 3)
        chain_hard_planes(code->inverse_unit, 3, y, n, plane);
    else
        chain_hard_planes(code->inverse_unit, 4, y, n, plane);
    for (size_t i = 0; i < n; i += 2)
        for (unsigned j = 0; j < m; j++)
            memcpy(bits + m * i + 2 * j, plane[j] + i, 2);
}

/* A frame of n bits to U8 or PACKED. */
static inline void chain_hard_row(const struct hard_code *code, const float *y, uint64_t n,
                                  uint8_t *row, uint32_t type)
{
    const unsigned step = code->scheme == FECRUN_BPSK ? 2 : 1;
    uint8_t buffer[CHAIN_CHUNK];

    for (uint64_t i = 0; i < n; i += CHAIN_CHUNK) {
        const size_t part = chain_part(n - i);
        uint8_t *bits = type == FECRUN_U8 ? row + i : buffer;

        if (code->bits == 1)
            chain_hard_signs(y + step * i, step, part, bits);
        else
            chain_hard_chunk(code, y + i / code->bits, part / code->bits, bits);
        if (type == FECRUN_PACKED)
            fecrun_bits_pack(row + i / 8, buffer, part);
    }
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of modem.hard, compiled for several instruction sets. */
#ifndef CHAIN_MODEM_HARD_H
#define CHAIN_MODEM_HARD_H

#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"
#include "plugins/chain/modem/modem.h"

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

#pragma GCC unroll 6
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
    uint8_t plane[6][CHAIN_CHUNK];
    const unsigned m = code->bits;

    if (m == 2)
        chain_hard_planes(code->inverse_unit, 2, y, n, plane);
    else if (m == 3)
        chain_hard_planes(code->inverse_unit, 3, y, n, plane);
    else if (m == 4)
        chain_hard_planes(code->inverse_unit, 4, y, n, plane);
    else if (m == 5)
        chain_hard_planes(code->inverse_unit, 5, y, n, plane);
    else
        chain_hard_planes(code->inverse_unit, 6, y, n, plane);
    for (size_t i = 0; i < n; i += 2)
        for (unsigned j = 0; j < m; j++)
            memcpy(bits + m * i + 2 * j, plane[j] + i, 2);
}

enum { CHAIN_HARD_SIDE = 32 }; /* symbols side by side, so that loops vectorise */

/* Labels of the nearest points; of several that are as near, the smallest label. A NaN has label 0. */
static inline void chain_hard_nearest(const struct points_code *points,
                                      const float real[CHAIN_HARD_SIDE],
                                      const float imaginary[CHAIN_HARD_SIDE],
                                      uint32_t label[CHAIN_HARD_SIDE])
{
    float best[CHAIN_HARD_SIDE];

    for (unsigned i = 0; i < CHAIN_HARD_SIDE; i++) {
        best[i] = INFINITY;
        label[i] = 0;
    }
    for (uint32_t p = 0; p < 1u << points->bits; p++)
        for (unsigned i = 0; i < CHAIN_HARD_SIDE; i++) {
            const float metric = points->energy[p] - (points->twice[p][0] * real[i] +
                                                      points->twice[p][1] * imaginary[i]);

            label[i] = metric < best[i] ? p : label[i];
            best[i] = metric < best[i] ? metric : best[i];
        }
}

/* n bits of whole symbols, of which the first one has number `first`. */
static inline void chain_hard_points(const struct hard_code *code, const float *y, size_t n,
                                     uint64_t first, uint8_t *bits)
{
    const unsigned m = code->points.bits;
    const size_t symbols = n / m;
    float real[CHAIN_HARD_SIDE] = {0}, imaginary[CHAIN_HARD_SIDE] = {0};
    uint32_t label[CHAIN_HARD_SIDE];

    for (size_t s = 0; s < symbols; s += CHAIN_HARD_SIDE) {
        const size_t part = symbols - s < CHAIN_HARD_SIDE ? symbols - s : CHAIN_HARD_SIDE;

        for (size_t i = 0; i < part; i++) {
            const bool turned = code->shape == CHAIN_TURNED && (first + s + i) % 2;
            const float *at = y + 2 * (s + i);

            real[i] = turned ? at[1] : at[0];
            imaginary[i] = turned ? -at[0] : at[1];
        }
        chain_hard_nearest(&code->points, real, imaginary, label);
        for (size_t i = 0; i < part; i++)
            for (unsigned j = 0; j < m; j++)
                *bits++ = label[i] >> (m - 1 - j) & 1;
    }
}

/* The number of a frame's first symbol in its stream, as chain_hard_row() takes it. */
static inline uint64_t chain_hard_first(const struct fecrun_call *call,
                                        const struct fecrun_view *in, uint64_t frame)
{
    const struct hard_code *code = call->codes[0];

    return chain_first_symbol(code->points.stream, call, in->items, frame);
}

/* A frame of n bits to U8 or PACKED; its first symbol has number `first`. */
static inline void chain_hard_row(const struct hard_code *code, const float *y, uint64_t n,
                                  uint8_t *row, uint32_t type, uint64_t first)
{
    const bool table = code->shape == CHAIN_POINTS || code->shape == CHAIN_TURNED;
    const unsigned step = code->shape == CHAIN_REAL ? 2 : 1;
    const unsigned bits_of = table ? code->points.bits : code->bits;
    const uint64_t chunk = chain_chunk(bits_of);
    uint8_t buffer[CHAIN_CHUNK];

    for (uint64_t i = 0; i < n; i += chunk) {
        const size_t part = n - i < chunk ? (size_t)(n - i) : (size_t)chunk;
        uint8_t *bits = type == FECRUN_U8 ? row + i : buffer;

        if (table)
            chain_hard_points(code, y + 2 * (i / bits_of), part, first + i / bits_of, bits);
        else if (bits_of == 1)
            chain_hard_signs(y + step * i, step, part, bits);
        else
            chain_hard_chunk(code, y + i / bits_of, part / bits_of, bits);
        if (type == FECRUN_PACKED)
            fecrun_bits_pack(row + i / 8, buffer, part);
    }
}

#endif

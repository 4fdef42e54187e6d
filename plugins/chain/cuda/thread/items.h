/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one GPU thread does to its group of items, bit for bit what the references do to a frame.
 * Works in C, too, where a test compares the two. Float operations are single ones, each rounded
 * (gauss.h); `wide` says that rows begin at multiples of 16 bytes, so that whole groups may move in
 * one access.
 */
#ifndef CHAIN_CUDA_THREAD_ITEMS_H
#define CHAIN_CUDA_THREAD_ITEMS_H

#include "plugins/chain/codes.h"

#include <fecrun/plugin.h>
#include <fecrun/sdk/device.h>
#include <fecrun/sdk/gauss.h>
#include <fecrun/sdk/grid.cuh>
#include <fecrun/sdk/rng.h>

/* Items that a thread does at once. */
enum {
    GROUP_PACKED = 128, /* of source.random: bits of one RNG block */
    GROUP_U8 = 16,      /* of source.random */
    GROUP_SYMBOLS = 2,
    GROUP_REAL = 4, /* BPSK symbols */
    GROUP_LLRS = 4,
};

struct levels {
    float level[16]; /* of a dimension's bits, the first one highest */
};

/* ---- Who does what ------------------------------------------------------------------------- */

enum { THREADS = 256 };

/* Groups of a frame along x: blocks as wide as leaves few threads without one. */
static inline struct fecrun_grid make_grid(uint64_t frames, uint64_t groups)
{
    unsigned width = THREADS;

    while (width > 16 && (groups + width - 1) / width * width - groups > groups / 8)
        width /= 2;
    return fecrun_grid_of(groups, frames, THREADS, fecrun_grid_width(groups, 1, width));
}

/* ---- Memory -------------------------------------------------------------------------------- */

FECRUN_INLINE void load_floats(float x[4], const float *from)
{
    uint32_t v[4];

    fecrun_load_128(v, from);
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = fecrun_bits_float(v[i]);
}

FECRUN_INLINE void store_floats(float *to, const float x[4])
{
    uint32_t v[4];

    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        v[i] = fecrun_float_bits(x[i]);
    fecrun_store_128(to, v);
}

/* How many items of a group that begins at `first` there are. */
FECRUN_INLINE unsigned group_part(uint64_t items, uint64_t first, unsigned group)
{
    return items - first < group ? (unsigned)(items - first) : group;
}

/* ---- Bits ---------------------------------------------------------------------------------- */

/* Bits first .. first+n-1 of a row, the first one highest. Packed ones lie in at most two bytes. */
FECRUN_INLINE uint32_t take_bits(uint32_t type, const uint8_t *row, uint64_t first, unsigned n)
{
    unsigned offset = (unsigned)(first % 8);
    uint32_t x = 0;

    if (type == FECRUN_PACKED) {
        row += first / 8;
        x = (uint32_t)row[0] << 8;
        if (offset + n > 8)
            x |= row[1];
        return x >> (16 - offset - n) & ((1u << n) - 1);
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < n; i++)
        x = x << 1 | (row[first + i] & 1u);
    return x;
}

#endif

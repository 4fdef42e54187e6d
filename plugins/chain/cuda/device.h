/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one GPU thread does to its group of items, bit for bit what the references do to a frame.
 * Works in C, too, where a test compares the two. Float operations are single ones, each rounded
 * (gauss.h); `wide` says that rows begin at multiples of 16 bytes, so that whole groups may move in
 * one access.
 */
#ifndef CHAIN_DEVICE_H
#define CHAIN_DEVICE_H

#include "codes.h"

#include <fecrun/plugin.h>
#include <fecrun/sdk/gauss.h>
#include <fecrun/sdk/rng.h>

#define CHAIN_INLINE FECRUN_RNG_INLINE /* of the device, in CUDA */

#ifdef __CUDACC__
#define CHAIN_UNROLL _Pragma("unroll")
#else
#define CHAIN_UNROLL
#endif

/* Items that a thread does at once. */
enum {
    GROUP_PACKED = 128, /* of source.random: bits of one RNG block */
    GROUP_U8 = 16,      /* of source.random */
    GROUP_SYMBOLS = 2,
    GROUP_REAL = 4,     /* BPSK symbols */
    GROUP_LLRS = 4,
};

struct levels {
    float level[16]; /* of a dimension's bits, the first one highest */
};

/* ---- Who does what ------------------------------------------------------------------------- */

enum { THREADS = 256, MAX_DOWN = 65535 };

/* Threads and blocks in two dimensions: groups of a frame along x, frames along y. */
struct grid {
    unsigned width, height; /* of a block */
    unsigned across, down;  /* blocks; a thread goes on to further frames if `down` was cut */
};

/* Blocks as wide as leaves few threads without a group; short frames share a block. */
static inline struct grid make_grid(uint64_t frames, uint64_t groups)
{
    uint64_t width = THREADS, height, down;
    struct grid grid;

    while (width > 16 && (groups + width - 1) / width * width - groups > groups / 8)
        width /= 2;
    while (width / 2 >= groups)
        width /= 2;
    height = THREADS / width;
    down = (frames + height - 1) / height;
    grid.width = (unsigned)width;
    grid.height = (unsigned)height;
    grid.across = (unsigned)((groups + width - 1) / width);
    grid.down = down < MAX_DOWN ? (unsigned)down : MAX_DOWN;
    return grid;
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* 4, 8 and 16 bytes, aligned. */
CHAIN_INLINE void store_1(void *to, uint32_t x)
{
#ifdef __CUDACC__
    *(uint32_t *)to = x;
#else
    memcpy(to, &x, sizeof x);
#endif
}

CHAIN_INLINE void store_2(void *to, uint32_t x, uint32_t y)
{
#ifdef __CUDACC__
    *(uint2 *)to = make_uint2(x, y);
#else
    const uint32_t v[2] = {x, y};

    memcpy(to, v, sizeof v);
#endif
}

CHAIN_INLINE void store_4(void *to, const uint32_t v[4])
{
#ifdef __CUDACC__
    *(uint4 *)to = make_uint4(v[0], v[1], v[2], v[3]);
#else
    memcpy(to, v, 16);
#endif
}

CHAIN_INLINE void load_4(uint32_t v[4], const void *from)
{
#ifdef __CUDACC__
    uint4 x = *(const uint4 *)from;

    v[0] = x.x;
    v[1] = x.y;
    v[2] = x.z;
    v[3] = x.w;
#else
    memcpy(v, from, 16);
#endif
}

CHAIN_INLINE void load_floats(float x[4], const float *from)
{
    uint32_t v[4];

    load_4(v, from);
    CHAIN_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = fecrun_bits_float(v[i]);
}

CHAIN_INLINE void store_floats(float *to, const float x[4])
{
    uint32_t v[4];

    CHAIN_UNROLL
    for (int i = 0; i < 4; i++)
        v[i] = fecrun_float_bits(x[i]);
    store_4(to, v);
}

/* How many items of a group that begins at `first` there are. */
CHAIN_INLINE unsigned group_part(uint64_t items, uint64_t first, unsigned group)
{
    return items - first < group ? (unsigned)(items - first) : group;
}

/* ---- Bits ---------------------------------------------------------------------------------- */

/* Bits first .. first+n-1 of a row, the first one highest. Packed ones lie in at most two bytes. */
CHAIN_INLINE uint32_t take_bits(uint32_t type, const uint8_t *row, uint64_t first, unsigned n)
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
    CHAIN_UNROLL
    for (unsigned i = 0; i < n; i++)
        x = x << 1 | (row[first + i] & 1u);
    return x;
}

#endif

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

#define CHAIN_INLINE FECRUN_RNG_INLINE

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

/* Four bits, the first one highest, as bytes, the first one lowest. */
CHAIN_INLINE uint32_t spread_bits(uint32_t x)
{
    return (x << 24 | x << 15 | x << 6 | x >> 3) & 0x01010101u;
}

/* A word whose first bit is the highest as it lies in memory. */
CHAIN_INLINE uint32_t big_endian(uint32_t x)
{
#ifdef __CUDACC__
    return __byte_perm(x, 0, 0x0123);
#else
    return __builtin_bswap32(x);
#endif
}

CHAIN_INLINE unsigned count_bits(uint32_t x)
{
#ifdef __CUDACC__
    return (unsigned)__popc(x);
#else
    return (unsigned)__builtin_popcount(x);
#endif
}

CHAIN_INLINE uint32_t pick_word(const philox4x32_ctr_t *x, unsigned i)
{
    uint32_t low = i & 1 ? x->v[1] : x->v[0], high = i & 1 ? x->v[3] : x->v[2];

    return i & 2 ? high : low;
}

CHAIN_INLINE void random_packed(const struct fecrun_rng *rng, uint64_t frame, uint64_t group,
                                uint64_t bits, uint8_t *row, bool wide)
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)group);
    unsigned n = group_part(bits, group * GROUP_PACKED, GROUP_PACKED);
    uint32_t v[4];

    row += group * (GROUP_PACKED / 8);
    if (wide && n == GROUP_PACKED) {
        CHAIN_UNROLL
        for (int i = 0; i < 4; i++)
            v[i] = big_endian(x.v[i]);
        store_4(row, v);
        return;
    }
    for (unsigned i = 0; i < n; i += 8) {
        uint32_t byte = pick_word(&x, i / 32) >> (24 - i % 32) & 255u;

        if (n - i < 8)
            byte &= 0xff00u >> (n - i);
        row[i / 8] = (uint8_t)byte;
    }
}

CHAIN_INLINE void random_bytes(const struct fecrun_rng *rng, uint64_t frame, uint64_t group,
                               uint64_t bits, uint8_t *row, bool wide)
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)(group / 8));
    unsigned n = group_part(bits, group * GROUP_U8, GROUP_U8);
    uint32_t word = pick_word(&x, (unsigned)(group / 2 % 4)) << (group % 2 ? 16 : 0);
    uint32_t v[4];

    row += group * GROUP_U8;
    if (wide && n == GROUP_U8) {
        CHAIN_UNROLL
        for (int i = 0; i < 4; i++)
            v[i] = spread_bits(word >> (28 - 4 * i) & 15u);
        store_4(row, v);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        row[i] = word >> (31 - i) & 1u;
}

/*
 * In how many of n bits do two rows differ, as far as this lane of several looks? `unit` is 16, 4 or
 * 1: the bytes that may be read at once from both. What fills the last byte does not count.
 */
CHAIN_INLINE uint32_t differ(uint32_t type, const uint8_t *a, const uint8_t *b, uint64_t n,
                             unsigned lane, unsigned lanes, unsigned unit)
{
    uint64_t bytes = type == FECRUN_PACKED ? n / 8 : n, whole = 0;
    uint32_t mask = type == FECRUN_PACKED ? ~0u : 0x01010101u, count = 0;

    if (unit == 16) {
        whole = bytes / 16 * 16;
        for (uint64_t i = 16ull * lane; i < whole; i += 16ull * lanes) {
            uint32_t x[4], y[4];

            load_4(x, a + i);
            load_4(y, b + i);
            CHAIN_UNROLL
            for (int k = 0; k < 4; k++)
                count += count_bits((x[k] ^ y[k]) & mask);
        }
    } else if (unit == 4) {
        whole = bytes / 4 * 4;
        for (uint64_t i = 4ull * lane; i < whole; i += 4ull * lanes)
            count += count_bits((*(const uint32_t *)(a + i) ^ *(const uint32_t *)(b + i)) & mask);
    }
    for (uint64_t i = whole + lane; i < bytes; i += lanes)
        count += count_bits((uint32_t)(a[i] ^ b[i]) & mask & 255u);
    if (type == FECRUN_PACKED && n % 8 && lane == 0)
        count += count_bits((uint32_t)(a[bytes] ^ b[bytes]) >> (8 - n % 8));
    return count;
}

/* ---- Symbols ------------------------------------------------------------------------------- */

/* A symbol of the lowest `bits` bits of x: even ones choose the real part, odd ones the other. */
CHAIN_INLINE void map_symbol(const struct levels *levels, unsigned bits, uint32_t x, float out[2])
{
    unsigned real = 0, imaginary = 0;

    if (bits == 1) {
        out[0] = levels->level[x & 1];
        out[1] = 0.0f;
        return;
    }
    CHAIN_UNROLL
    for (unsigned i = bits / 2; i-- > 0;) {
        real = real << 1 | (x >> (2 * i + 1) & 1);
        imaginary = imaginary << 1 | (x >> 2 * i & 1);
    }
    out[0] = levels->level[real];
    out[1] = levels->level[imaginary];
}

/* Two symbols, from symbol `first` on; the second may be behind the row's end, then it is 0. */
CHAIN_INLINE void map_two(const struct levels *levels, unsigned bits, uint32_t type,
                          const uint8_t *row, uint64_t first, uint64_t symbols, float out[4])
{
    unsigned n = group_part(symbols, first, 2);
    uint32_t x = take_bits(type, row, first * bits, n * bits);

    if (n == 1)
        x <<= bits;
    map_symbol(levels, bits, x >> bits, out);
    map_symbol(levels, bits, x, out + 2);
}

/* The same out of memory. */
CHAIN_INLINE void load_two(const float *row, uint64_t first, uint64_t symbols, bool wide,
                           float out[4])
{
    unsigned n = group_part(symbols, first, 2);

    row += 2 * first;
    if (wide && n == 2) {
        load_floats(out, row);
        return;
    }
    CHAIN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        out[i] = i < 2 * n ? row[i] : 0.0f;
}

CHAIN_INLINE void store_two(float *row, uint64_t first, uint64_t symbols, bool wide,
                            const float x[4])
{
    unsigned n = group_part(symbols, first, 2);

    row += 2 * first;
    if (wide && n == 2) {
        store_floats(row, x);
        return;
    }
    CHAIN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < 2 * n)
            row[i] = x[i];
}

/* ---- Channels ------------------------------------------------------------------------------ */

/* Samples 4 block .. 4 block + 3 of a frame. */
CHAIN_INLINE void noise_block(const struct fecrun_rng *rng, uint64_t frame, uint64_t block,
                              float noise[4])
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)block);

    fecrun_gauss_pair(x.v[0], x.v[1], noise);
    fecrun_gauss_pair(x.v[2], x.v[3], noise + 2);
}

/* A NaN passes, as it does on the CPU, where only a signalling one becomes a quiet one. */
CHAIN_INLINE float add_noise(float x, float sigma, float noise)
{
    float y = fecrun_horner(x, sigma, noise);

    return x == x ? y : fecrun_bits_float(fecrun_float_bits(x) | 0x00400000u);
}

CHAIN_INLINE void noise_complex(float sigma, const float noise[4], float x[4])
{
    CHAIN_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = add_noise(x[i], sigma, noise[i]);
}

/* Two real symbols. */
CHAIN_INLINE void noise_real(float sigma, const float noise[2], float x[4])
{
    x[0] = add_noise(x[0], sigma, noise[0]);
    x[2] = add_noise(x[2], sigma, noise[1]);
}

/* BSC or BEC: the LLR of a bit that this random word hits or not. */
CHAIN_INLINE float channel_llr(const struct channel_code *code, uint32_t bit, uint32_t word)
{
    bool hit = word < code->threshold;

    bit ^= hit && !code->erases;
    return hit && code->erases ? 0.0f : bit ? -code->magnitude : code->magnitude;
}

/* Bits 4 block .. of a frame; n of them are there. */
CHAIN_INLINE void channel_block(const struct channel_code *code, const struct fecrun_rng *rng,
                                uint64_t frame, uint64_t block, uint32_t type, const uint8_t *row,
                                unsigned n, float llr[4])
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)block);
    uint32_t bits = take_bits(type, row, 4 * block, n) << (4 - n);

    CHAIN_UNROLL
    for (int i = 0; i < 4; i++)
        llr[i] = channel_llr(code, bits >> (3 - i) & 1u, x.v[i]);
}

/* ---- Demapping ----------------------------------------------------------------------------- */

CHAIN_INLINE float only_nan(float x)
{
    return x == x ? x : fecrun_bits_float(0x7fc00000);
}

CHAIN_INLINE float least_metric(const float *metric, unsigned levels, unsigned bit, unsigned value)
{
    float best = fecrun_bits_float(0x7f800000); /* infinity */

    CHAIN_UNROLL
    for (unsigned p = 0; p < levels; p++)
        if ((p >> bit & 1) == value)
            best = metric[p] < best ? metric[p] : best;
    return best;
}

/* The LLRs of the `bits` bits of one dimension; see modem_demap.c. */
CHAIN_INLINE void demap_dimension(const struct demap_code *code, unsigned bits, float y, float *llr)
{
    unsigned levels = 1u << (bits - 1);
    float metric[MAX_LEVELS];
    float scaled, size, sign;
    uint32_t sign_bit;

    if (bits == 1) {
        llr[0] = only_nan(fecrun_mul(code->linear, y));
        return;
    }
    scaled = fecrun_mul(y, code->inverse_unit);
    sign_bit = fecrun_float_bits(scaled) & 0x80000000u;
    size = fecrun_bits_float(fecrun_float_bits(scaled) & 0x7fffffffu);
    CHAIN_UNROLL
    for (unsigned p = 0; p < levels; p++)
        metric[p] = fecrun_add(code->square[p], -fecrun_mul(code->twice[p], size));
    sign = fecrun_add(fecrun_add(1.0f, fecrun_mul(2.0f, size)),
                      -least_metric(metric, levels, 31, 0));
    sign = fecrun_bits_float((fecrun_float_bits(sign) & 0x7fffffffu) | sign_bit);
    llr[0] = only_nan(fecrun_mul(code->gain, sign));
    CHAIN_UNROLL
    for (unsigned j = 1; j < bits; j++) {
        float one = least_metric(metric, levels, bits - 1 - j, 1);
        float zero = least_metric(metric, levels, bits - 1 - j, 0);

        llr[j] = only_nan(fecrun_mul(code->gain, fecrun_add(one, -zero)));
    }
}

/* 4 * bits LLRs of two symbols with that many bits a dimension. */
CHAIN_INLINE void demap_two(const struct demap_code *code, unsigned bits, const float y[4],
                            float *llr)
{
    float plane[4];

    CHAIN_UNROLL
    for (unsigned d = 0; d < 4; d++) {
        demap_dimension(code, bits, y[d], plane);
        CHAIN_UNROLL
        for (unsigned j = 0; j < bits; j++)
            llr[2 * bits * (d / 2) + 2 * j + d % 2] = plane[j];
    }
}

/* ---- LLRs to memory ------------------------------------------------------------------------ */

CHAIN_INLINE int32_t quantize_llr(const struct quantize_code *code, float llr)
{
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: a sum with it has no fraction left */
    float x = fecrun_mul(llr, code->scale);

    x = x == x ? x : 0.0f;
    x = code->max < x ? code->max : x;
    x = -code->max > x ? -code->max : x;
    return (int32_t)fecrun_add(fecrun_add(x, to_integer), -to_integer);
}

/* Four LLRs, from LLR `first` (a multiple of 4) on, of which n are there, as one type or another.
   F32 takes them as they are. */
CHAIN_INLINE void put_f32(float *row, uint64_t first, unsigned n, bool wide, const float x[4])
{
    row += first;
    if (wide && n == 4) {
        store_floats(row, x);
        return;
    }
    CHAIN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = x[i];
}

CHAIN_INLINE void put_i8(int8_t *row, uint64_t first, unsigned n, bool wide, const int32_t x[4])
{
    row += first;
    if (wide && n == 4) {
        store_1(row, ((uint32_t)x[0] & 255u) | ((uint32_t)x[1] & 255u) << 8 |
                         ((uint32_t)x[2] & 255u) << 16 | (uint32_t)x[3] << 24);
        return;
    }
    CHAIN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = (int8_t)x[i];
}

CHAIN_INLINE void put_i16(int16_t *row, uint64_t first, unsigned n, bool wide, const int32_t x[4])
{
    row += first;
    if (wide && n == 4) {
        store_2(row, ((uint32_t)x[0] & 0xffffu) | (uint32_t)x[1] << 16,
                ((uint32_t)x[2] & 0xffffu) | (uint32_t)x[3] << 16);
        return;
    }
    CHAIN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = (int16_t)x[i];
}

/* A half byte that nothing fills is 0. */
CHAIN_INLINE void put_i4(uint8_t *row, uint64_t first, unsigned n, const int32_t x[4])
{
    row += first / 2;
    CHAIN_UNROLL
    for (unsigned i = 0; i < 4; i += 2) {
        uint32_t low = i + 1 < n ? (uint32_t)x[i + 1] & 15u : 0;

        if (i < n)
            row[i / 2] = (uint8_t)(((uint32_t)x[i] & 15u) << 4 | low);
    }
}

/* `code` is read where the type is an integer. `wide`: rows begin at multiples of four items. */
CHAIN_INLINE void put_llrs(uint32_t type, const struct quantize_code *code, void *row,
                           uint64_t first, unsigned n, bool wide, const float x[4])
{
    int32_t q[4];

    if (type == FECRUN_F32) {
        put_f32((float *)row, first, n, wide, x);
        return;
    }
    CHAIN_UNROLL
    for (int i = 0; i < 4; i++)
        q[i] = quantize_llr(code, x[i]);
    if (type == FECRUN_I8)
        put_i8((int8_t *)row, first, n, wide, q);
    else if (type == FECRUN_I16)
        put_i16((int16_t *)row, first, n, wide, q);
    else
        put_i4((uint8_t *)row, first, n, q);
}

#endif

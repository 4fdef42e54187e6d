/* SPDX-License-Identifier: BSD-2-Clause */
/* Per-thread work on symbols and LLRs: modem.*, channel.* and llr.quantize. See items.h. */
#ifndef CHAIN_CUDA_THREAD_SYMBOLS_H
#define CHAIN_CUDA_THREAD_SYMBOLS_H

#include "plugins/chain/cuda/thread/items.h"
#include "plugins/chain/cuda/thread/noise.h"

#include <fecrun/sdk/sample.h>

/* ---- Symbols ------------------------------------------------------------------------------- */

#ifndef __CUDACC__
/* Out of the table of whole symbols. */
static inline void fill_levels(struct levels *levels, const struct map_code *code)
{
    unsigned bits = code->bits == 1 ? 1 : code->bits / 2;

    for (unsigned p = 0; p < 1u << bits; p++) {
        unsigned symbol = code->bits == 1 ? p : 0;

        for (unsigned i = 0; i < bits && code->bits > 1; i++)
            symbol |= (p >> i & 1) << (2 * i + 1);
        levels->level[p] = code->symbol[symbol][0];
    }
}
#endif

/* A symbol of the lowest `bits` bits of x: even ones choose the real part, odd ones the other. */
FECRUN_INLINE void map_symbol(const struct levels *levels, unsigned bits, uint32_t x, float out[2])
{
    unsigned real = 0, imaginary = 0;

    if (bits == 1) {
        out[0] = levels->level[x & 1];
        out[1] = 0.0f;
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = bits / 2; i-- > 0;) {
        real = real << 1 | (x >> (2 * i + 1) & 1);
        imaginary = imaginary << 1 | (x >> 2 * i & 1);
    }
    out[0] = levels->level[real];
    out[1] = levels->level[imaginary];
}

/* Two symbols, from symbol `first` on; the second may be behind the row's end, then it is 0. */
FECRUN_INLINE void map_two(const struct levels *levels, unsigned bits, uint32_t type,
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
FECRUN_INLINE void load_two(const float *row, uint64_t first, uint64_t symbols, bool wide,
                            float out[4])
{
    unsigned n = group_part(symbols, first, 2);

    row += 2 * first;
    if (wide && n == 2) {
        load_floats(out, row);
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        out[i] = i < 2 * n ? row[i] : 0.0f;
}

FECRUN_INLINE void store_two(float *row, uint64_t first, uint64_t symbols, bool wide,
                             const float x[4])
{
    unsigned n = group_part(symbols, first, 2);

    row += 2 * first;
    if (wide && n == 2) {
        store_floats(row, x);
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < 2 * n)
            row[i] = x[i];
}

/* ---- Channels ------------------------------------------------------------------------------ */

/* Samples 4 block .. 4 block + 3 of a frame. */
FECRUN_INLINE void noise_block(const struct fecrun_rng *rng, uint64_t frame, uint64_t block,
                               float noise[4])
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)block);

    noise_pair(x.v[0], x.v[1], noise);
    noise_pair(x.v[2], x.v[3], noise + 2);
}

/* A NaN passes, as it does on the CPU, where only a signalling one becomes a quiet one. */
FECRUN_INLINE float add_noise(float x, float sigma, float noise)
{
    float y = fecrun_horner(x, sigma, noise);

    return x == x ? y : fecrun_bits_float(fecrun_float_bits(x) | 0x00400000u);
}

FECRUN_INLINE void noise_complex(float sigma, const float noise[4], float x[4])
{
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = add_noise(x[i], sigma, noise[i]);
}

/* Two real symbols. */
FECRUN_INLINE void noise_real(float sigma, const float noise[2], float x[4])
{
    x[0] = add_noise(x[0], sigma, noise[0]);
    x[2] = add_noise(x[2], sigma, noise[1]);
}

/* BSC or BEC: the LLR of a bit that this random word hits or not. */
FECRUN_INLINE float channel_llr(const struct channel_code *code, uint32_t bit, uint32_t word)
{
    bool hit = word < code->threshold;

    bit ^= hit && !code->erases;
    return hit && code->erases ? 0.0f : bit ? -code->magnitude : code->magnitude;
}

/* Bits 4 block .. of a frame; n of them are there. */
FECRUN_INLINE void channel_block(const struct channel_code *code, const struct fecrun_rng *rng,
                                 uint64_t frame, uint64_t block, uint32_t type, const uint8_t *row,
                                 unsigned n, float llr[4])
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)block);
    uint32_t bits = take_bits(type, row, 4 * block, n) << (4 - n);

    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        llr[i] = channel_llr(code, bits >> (3 - i) & 1u, x.v[i]);
}

/* ---- Demapping ----------------------------------------------------------------------------- */

FECRUN_INLINE float only_nan(float x)
{
    return x == x ? x : fecrun_bits_float(0x7fc00000);
}

FECRUN_INLINE float least_metric(const float *metric, unsigned levels, unsigned bit, unsigned value)
{
    float best = fecrun_bits_float(0x7f800000); /* infinity */

    FECRUN_UNROLL
    for (unsigned p = 0; p < levels; p++)
        if ((p >> bit & 1) == value)
            best = metric[p] < best ? metric[p] : best;
    return best;
}

/* The LLRs of the `bits` bits of one dimension; see modem/demap.c. */
FECRUN_INLINE void demap_dimension(const struct demap_code *code, unsigned bits, float y,
                                   float *llr)
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
    FECRUN_UNROLL
    for (unsigned p = 0; p < levels; p++)
        metric[p] = fecrun_add(code->square[p], -fecrun_mul(code->twice[p], size));
    sign = fecrun_add(fecrun_add(1.0f, fecrun_mul(2.0f, size)),
                      -least_metric(metric, levels, 31, 0));
    sign = fecrun_bits_float((fecrun_float_bits(sign) & 0x7fffffffu) | sign_bit);
    llr[0] = only_nan(fecrun_mul(code->gain, sign));
    FECRUN_UNROLL
    for (unsigned j = 1; j < bits; j++) {
        float one = least_metric(metric, levels, bits - 1 - j, 1);
        float zero = least_metric(metric, levels, bits - 1 - j, 0);

        llr[j] = only_nan(fecrun_mul(code->gain, fecrun_add(one, -zero)));
    }
}

/* 4 * bits LLRs of two symbols with that many bits a dimension. */
FECRUN_INLINE void demap_two(const struct demap_code *code, unsigned bits, const float y[4],
                             float *llr)
{
    float plane[4];

    FECRUN_UNROLL
    for (unsigned d = 0; d < 4; d++) {
        demap_dimension(code, bits, y[d], plane);
        FECRUN_UNROLL
        for (unsigned j = 0; j < bits; j++)
            llr[2 * bits * (d / 2) + 2 * j + d % 2] = plane[j];
    }
}

/* ---- LLRs to memory ------------------------------------------------------------------------ */

FECRUN_INLINE int32_t quantize_llr(const struct quantize_code *code, float llr)
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
FECRUN_INLINE void put_f32(float *row, uint64_t first, unsigned n, bool wide, const float x[4])
{
    row += first;
    if (wide && n == 4) {
        store_floats(row, x);
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = x[i];
}

/* The same of floats whose bits are given. */
FECRUN_INLINE void put_words(uint32_t *row, uint64_t first, unsigned n, bool wide,
                             const int32_t x[4])
{
    row += first;
    if (wide && n == 4) {
        const uint32_t v[4] = {(uint32_t)x[0], (uint32_t)x[1], (uint32_t)x[2], (uint32_t)x[3]};

        fecrun_store_128(row, v);
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = (uint32_t)x[i];
}

/* The nearest half, at most CHAIN_HALF_MAX, in the lowest bits. */
FECRUN_INLINE int32_t half_llr(float llr)
{
    llr = llr > CHAIN_HALF_MAX ? CHAIN_HALF_MAX : llr < -CHAIN_HALF_MAX ? -CHAIN_HALF_MAX : llr;
#ifdef __CUDA_ARCH__
    uint16_t half;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(llr));
    return llr == llr ? half : 0x7e00;
#else
    return fecrun_half(llr);
#endif
}

FECRUN_INLINE void put_i8(int8_t *row, uint64_t first, unsigned n, bool wide, const int32_t x[4])
{
    row += first;
    if (wide && n == 4) {
        fecrun_store_32(row, ((uint32_t)x[0] & 255u) | ((uint32_t)x[1] & 255u) << 8 |
                                 ((uint32_t)x[2] & 255u) << 16 | (uint32_t)x[3] << 24);
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = (int8_t)x[i];
}

FECRUN_INLINE void put_i16(int16_t *row, uint64_t first, unsigned n, bool wide, const int32_t x[4])
{
    row += first;
    if (wide && n == 4) {
        const uint32_t v[2] = {((uint32_t)x[0] & 0xffffu) | (uint32_t)x[1] << 16,
                               ((uint32_t)x[2] & 0xffffu) | (uint32_t)x[3] << 16};

        fecrun_store_64(row, v);
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < n)
            row[i] = (int16_t)x[i];
}

/* The lower half of the word, to an even address. */
FECRUN_INLINE void store_half(void *to, uint32_t word)
{
    const uint16_t half = (uint16_t)word;

#ifdef __CUDA_ARCH__
    *(uint16_t *)to = half;
#else
    memcpy(__builtin_assume_aligned(to, 2), &half, sizeof half);
#endif
}

/* A half byte that nothing fills is 0. */
FECRUN_INLINE void put_i4(uint8_t *row, uint64_t first, unsigned n, bool wide, const int32_t x[4])
{
    row += first / 2;
    if (wide && n == 4) {
        const uint32_t high = ((uint32_t)x[2] & 15u) << 12 | ((uint32_t)x[3] & 15u) << 8;

        store_half(row, high | ((uint32_t)x[0] & 15u) << 4 | ((uint32_t)x[1] & 15u));
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4; i += 2) {
        uint32_t low = i + 1 < n ? (uint32_t)x[i + 1] & 15u : 0;

        if (i < n)
            row[i / 2] = (uint8_t)(((uint32_t)x[i] & 15u) << 4 | low);
    }
}

/* `code` is read where the type is an integer. `wide`: rows begin at multiples of four items. */
FECRUN_INLINE void put_llrs(uint32_t type, const struct quantize_code *code, void *row,
                            uint64_t first, unsigned n, bool wide, const float x[4])
{
    int32_t q[4];

    if (type == FECRUN_F32) {
        put_f32((float *)row, first, n, wide, x);
        return;
    }
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        q[i] = type == FECRUN_F16 ? half_llr(x[i]) : quantize_llr(code, x[i]);
    if (type == FECRUN_I8)
        put_i8((int8_t *)row, first, n, wide, q);
    else if (type == FECRUN_I16 || type == FECRUN_F16)
        put_i16((int16_t *)row, first, n, wide, q);
    else
        put_i4((uint8_t *)row, first, n, wide, q);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of llr.quantize, compiled for several instruction sets. */
#ifndef CHAIN_QUANTIZE_H
#define CHAIN_QUANTIZE_H

#include "plugins/chain/codes.h"

#include <fecrun/plugin.h>
#include <stddef.h>

static inline float chain_smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float chain_larger(float a, float b)
{
    return a > b ? a : b;
}

/* Branch free and without libm, so that the loops vectorise and a GPU does the same. */
static inline int32_t chain_quantize(const struct quantize_code *code, float llr)
{
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: a sum with it has no fraction left */
    float x = llr * code->scale;

    x = x == x ? x : 0.0f;
    x = chain_larger(-code->max, chain_smaller(code->max, x));
    return (int32_t)((x + to_integer) - to_integer);
}

static inline void chain_quantize_i8(const struct quantize_code *code, const float *in, int8_t *out,
                                     uint64_t n)
{
    struct quantize_code own = *code;

    for (uint64_t i = 0; i < n; i++)
        out[i] = (int8_t)chain_quantize(&own, in[i]);
}

static inline void chain_quantize_i16(const struct quantize_code *code, const float *in,
                                      int16_t *out, uint64_t n)
{
    struct quantize_code own = *code;

    for (uint64_t i = 0; i < n; i++)
        out[i] = (int16_t)chain_quantize(&own, in[i]);
}

static inline void chain_quantize_i4(const struct quantize_code *code, const float *in,
                                     uint8_t *out, uint64_t n)
{
    struct quantize_code own = *code;

    for (uint64_t i = 0; i < n / 2; i++) {
        uint32_t high = (uint32_t)chain_quantize(&own, in[2 * i]);
        uint32_t low = (uint32_t)chain_quantize(&own, in[2 * i + 1]);

        out[i] = (uint8_t)(high << 4 | (low & 15));
    }
    if (n % 2)
        out[n / 2] = (uint8_t)((uint32_t)chain_quantize(&own, in[n - 1]) << 4);
}

/* type: I8, I16, or I4. */
static inline void chain_quantize_row(const struct quantize_code *code, const float *in, void *out,
                                      uint32_t type, uint64_t n)
{
    if (type == FECRUN_I8)
        chain_quantize_i8(code, in, out, n);
    else if (type == FECRUN_I16)
        chain_quantize_i16(code, in, out, n);
    else
        chain_quantize_i4(code, in, out, n);
}

#endif

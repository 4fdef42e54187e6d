/* SPDX-License-Identifier: BSD-2-Clause */
#include "convert.h"

#include "chain.h"

bool chain_lossless(uint32_t from, uint32_t to)
{
    switch (from) {
    case FECRUN_U8:
    case FECRUN_PACKED:
        return to == FECRUN_U8 || to == FECRUN_PACKED;
    case FECRUN_I4:
        return to == FECRUN_I4 || to == FECRUN_F16 || chain_lossless(FECRUN_I8, to);
    case FECRUN_I8:
        return to == FECRUN_I8 || to == FECRUN_F16 || chain_lossless(FECRUN_I16, to);
    case FECRUN_I16:
        return to == FECRUN_I16 || to == FECRUN_F32;
    case FECRUN_F16:
        return to == FECRUN_F16 || to == FECRUN_F32;
    default:
        return to == from;
    }
}

/* A half's exponent and mantissa, 13 places up, make a float that is 2^112 times too small. */
static float half_to_float(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
    float x = fecrun_bits_float(bits) * 0x1p112f;

    bits = (half & 0x7c00) == 0x7c00 ? bits | 0x7f800000 : fecrun_float_bits(x);
    return fecrun_bits_float(bits | (uint32_t)(half & 0x8000) << 16);
}

/* x came from a half or a small integer, so nothing is rounded. */
static uint16_t float_to_half(float x)
{
    uint32_t bits = fecrun_float_bits(x);
    uint32_t size = bits & 0x7fffffff;

    if (size < 0x7f800000)
        size = fecrun_float_bits(fecrun_bits_float(size) * 0x1p-112f);
    return (uint16_t)(bits >> 16 & 0x8000) | (uint16_t)(size >> 13 & 0x7fff);
}

/* All LLR types fit into a float. */
static void decode(float *to, const void *from, uint32_t type, size_t n)
{
    const uint8_t *nibbles = from;
    const int8_t *i8 = from;
    const int16_t *i16 = from;

    switch (type) {
    case FECRUN_I4:
        for (size_t i = 0; i < n; i++)
            to[i] = (float)((int8_t)(nibbles[i / 2] << (i % 2 ? 4 : 0)) >> 4);
        break;
    case FECRUN_I8:
        for (size_t i = 0; i < n; i++)
            to[i] = i8[i];
        break;
    case FECRUN_I16:
        for (size_t i = 0; i < n; i++)
            to[i] = i16[i];
        break;
    case FECRUN_F16:
        for (size_t i = 0; i < n; i++)
            to[i] = half_to_float((uint16_t)i16[i]);
        break;
    default:
        memcpy(to, from, n * sizeof *to);
        break;
    }
}

static void encode(void *to, const float *from, uint32_t type, size_t n)
{
    uint8_t *nibbles = to;
    int8_t *i8 = to;
    int16_t *i16 = to;

    switch (type) {
    case FECRUN_I4:
        memset(nibbles, 0, (n + 1) / 2);
        for (size_t i = 0; i < n; i++)
            nibbles[i / 2] |= (uint8_t)(((int)from[i] & 15) << (i % 2 ? 0 : 4));
        break;
    case FECRUN_I8:
        for (size_t i = 0; i < n; i++)
            i8[i] = (int8_t)from[i];
        break;
    case FECRUN_I16:
        for (size_t i = 0; i < n; i++)
            i16[i] = (int16_t)from[i];
        break;
    case FECRUN_F16:
        for (size_t i = 0; i < n; i++)
            i16[i] = (int16_t)float_to_half(from[i]);
        break;
    default:
        memcpy(to, from, n * sizeof *from);
        break;
    }
}

void chain_convert(void *to, uint32_t to_type, const void *from, uint32_t from_type, size_t n)
{
    float values[CHAIN_CHUNK];

    if (to_type == from_type) {
        memcpy(to, from, fecrun_bytes(to_type, n));
    } else if (to_type == FECRUN_PACKED) {
        fecrun_bits_pack(to, from, n);
    } else if (to_type == FECRUN_U8) {
        fecrun_bits_unpack(to, from, n);
    } else {
        decode(values, from, from_type, n);
        encode(to, values, to_type, n);
    }
}

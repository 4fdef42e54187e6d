/* SPDX-License-Identifier: BSD-2-Clause */
#include "convert.h"

#include "bits.h"
#include "params.h"

#include <string.h>

unsigned convert_bits(uint32_t type)
{
    return type == FECRUN_PACKED ? 1 : type == FECRUN_I4 ? 4 : 8 * (unsigned)fecrun_bytes(type, 1);
}

unsigned convert_per_byte(uint32_t type)
{
    return type == FECRUN_PACKED ? 8 : type == FECRUN_I4 ? 2 : 1;
}

bool convert_holds(uint32_t type, uint32_t natural)
{
    switch (natural) {
    case FECRUN_U8:
    case FECRUN_PACKED:
        return type == FECRUN_U8 || type == FECRUN_PACKED;
    case FECRUN_I4:
        return type == FECRUN_I4 || convert_holds(type, FECRUN_I8);
    case FECRUN_I8: /* f16 holds integers up to 2048 */
        return type == FECRUN_I8 || type == FECRUN_F16 || convert_holds(type, FECRUN_I16);
    case FECRUN_I16:
        return type == FECRUN_I16 || type == FECRUN_F32;
    case FECRUN_F16:
        return type == FECRUN_F16 || type == FECRUN_F32;
    default:
        return type == natural;
    }
}

bool convert_known(uint32_t from, uint32_t to)
{
    if (from == to)
        return true;
    if (to == FECRUN_F16)
        return false; /* no stage asks for it yet; a widening to f32 serves instead */
    return convert_holds(to, from);
}

static int read_i4(const uint8_t *in, uint64_t i)
{
    int v = in[i / 2] >> (i % 2 ? 0 : 4) & 15;

    v = (v ^ 8) - 8;
    return v == -8 ? -7 : v; /* symmetric, as i8: see plugin.h */
}

/* -128 means -127, see plugin.h; other types have no such value. */
static int read_i8(const int8_t *in, uint64_t i)
{
    return in[i] < -127 ? -127 : in[i];
}

static float read_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 1023;
    union {
        uint32_t u;
        float f;
    } x;

    if (exponent == 31)
        x.u = sign | 0x7f800000 | mantissa << 13;
    else if (exponent)
        x.u = sign | (exponent + 112) << 23 | mantissa << 13;
    else {
        x.f = (float)mantissa * 0x1p-24f;
        x.u |= sign;
    }
    return x.f;
}

#define WIDEN(out_type, value) \
    do { \
        out_type *o = out; \
        for (uint64_t i = 0; i < n; i++) \
            o[i] = (out_type)(value); \
    } while (0)

static void widen_to_f32(uint32_t from, const void *in, void *out, uint64_t n)
{
    if (from == FECRUN_I16)
        WIDEN(float, ((const int16_t *)in)[i]);
    else if (from == FECRUN_I8)
        WIDEN(float, read_i8(in, i));
    else if (from == FECRUN_I4)
        WIDEN(float, read_i4(in, i));
    else
        WIDEN(float, read_f16(((const uint16_t *)in)[i]));
}

void convert_items(uint32_t from, uint32_t to, const void *in, void *out, uint64_t n)
{
    if (from == to)
        memcpy(out, in, fecrun_bytes(from, n));
    else if (to == FECRUN_PACKED)
        fecrun_bits_pack(out, in, n);
    else if (to == FECRUN_U8)
        fecrun_bits_unpack(out, in, n);
    else if (to == FECRUN_F32)
        widen_to_f32(from, in, out, n);
    else if (to == FECRUN_I16 && from == FECRUN_I8)
        WIDEN(int16_t, read_i8(in, i));
    else if (to == FECRUN_I16)
        WIDEN(int16_t, read_i4(in, i));
    else if (to == FECRUN_I8)
        WIDEN(int8_t, read_i4(in, i));
}

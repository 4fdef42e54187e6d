/* SPDX-License-Identifier: BSD-2-Clause */
#include "sample.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/params.h>

static const char *const names[] = {
    [FECRUN_NONE] = "none", [FECRUN_U8] = "u8",   [FECRUN_PACKED] = "packed",
    [FECRUN_F32] = "f32",   [FECRUN_F16] = "f16", [FECRUN_I16] = "i16",
    [FECRUN_I8] = "i8",     [FECRUN_I4] = "i4",   [FECRUN_C8] = "c8",
};

enum { TYPES = sizeof names / sizeof *names };

const char *fecrun_type_name(uint32_t type)
{
    return type < TYPES ? names[type] : "unknown";
}

uint32_t fecrun_type_of_name(const char *name)
{
    uint32_t type = TYPES - 1;

    while (type > FECRUN_NONE && strcmp(names[type], name))
        type--;
    return type;
}

uint32_t fecrun_type_kind(uint32_t type)
{
    if (type == FECRUN_U8 || type == FECRUN_PACKED)
        return FECRUN_KIND_BITS;
    return type == FECRUN_C8 ? FECRUN_KIND_SYMBOLS : FECRUN_KIND_LLR;
}

uint32_t fecrun_type_kinds(uint32_t type)
{
    if (type == FECRUN_NONE || type >= TYPES)
        return 0;
    if (fecrun_type_kind(type) == FECRUN_KIND_LLR && type != FECRUN_I4)
        return FECRUN_KIND_LLR | FECRUN_KIND_VALUES;
    return fecrun_type_kind(type);
}

unsigned fecrun_type_bits(uint32_t type)
{
    return type == FECRUN_PACKED ? 1 : type == FECRUN_I4 ? 4 : 8 * (unsigned)fecrun_bytes(type, 1);
}

unsigned fecrun_type_per_byte(uint32_t type)
{
    return type == FECRUN_PACKED ? 8 : type == FECRUN_I4 ? 2 : 1;
}

bool fecrun_type_holds(uint32_t type, uint32_t natural)
{
    switch (natural) {
    case FECRUN_U8:
    case FECRUN_PACKED:
        return type == FECRUN_U8 || type == FECRUN_PACKED;
    case FECRUN_I4:
        return type == FECRUN_I4 || fecrun_type_holds(type, FECRUN_I8);
    case FECRUN_I8: /* f16 holds integers up to 2048 */
        return type == FECRUN_I8 || type == FECRUN_F16 || fecrun_type_holds(type, FECRUN_I16);
    case FECRUN_I16:
        return type == FECRUN_I16 || type == FECRUN_F32;
    case FECRUN_F16:
        return type == FECRUN_F16 || type == FECRUN_F32;
    default:
        return type == natural;
    }
}

bool fecrun_convert_known(uint32_t from, uint32_t to)
{
    if (from == to)
        return true;
    if (to == FECRUN_F16)
        return false; /* no stage asks for it yet; a widening to f32 serves instead */
    return fecrun_type_holds(to, from);
}

/* ---- halves -------------------------------------------------------------------------------- */

/* Below 2^-14 halves are multiples of 2^-24, which are the last places of doubles round 2^28. */
uint16_t fecrun_half(double x)
{
    const double size = x < 0 ? -x : x;
    uint64_t bits, half;

    memcpy(&bits, &x, sizeof bits);
    half = bits >> 48 & 0x8000;
    bits &= INT64_MAX;
    if (size != size)
        half |= 0x7e00 | (bits >> 42 & 1023);
    else if (size >= 65520)
        half |= 0x7c00;
    else if (size < 0x1p-14)
        half |= (uint64_t)((size + 0x1p28 - 0x1p28) * 0x1p24);
    else /* of 52 binary digits 10 stay; the exponent, with what is carried into it, is moved */
        half |= ((bits + 0x1ffffffffff + (bits >> 42 & 1)) >> 42) - ((1023 - 15) << 10);
    return (uint16_t)half;
}

/* ---- conversions --------------------------------------------------------------------------- */

static int read_i4(const uint8_t *in, uint64_t i)
{
    int v = in[i / 2] >> (i % 2 ? 0 : 4) & 15;

    v = (v ^ 8) - 8;
    return v == -8 ? -7 : v;
}

static int read_i8(const int8_t *in, uint64_t i)
{
    return in[i] < -127 ? -127 : in[i];
}

#define EACH(out_type, value) \
    do { \
        out_type *o = out; \
        for (uint64_t i = 0; i < n; i++) \
            o[i] = (out_type)(value); \
    } while (0)

/* Of any type of LLRs: a float holds them all. */
static void to_float(uint32_t from, const void *in, float *out, uint64_t n)
{
    if (from == FECRUN_I16)
        EACH(float, ((const int16_t *)in)[i]);
    else if (from == FECRUN_I8)
        EACH(float, read_i8(in, i));
    else if (from == FECRUN_I4)
        EACH(float, read_i4(in, i));
    else if (from == FECRUN_F16)
        EACH(float, fecrun_bits_float(fecrun_half_widen(((const uint16_t *)in)[i])));
    else
        memcpy(out, in, n * sizeof *out);
}

/* Values that `to` holds. */
static void from_float(uint32_t to, const float *in, void *out, uint64_t n)
{
    uint8_t *nibbles = out;

    if (to == FECRUN_F16)
        EACH(uint16_t, fecrun_half(in[i]));
    else if (to == FECRUN_I16)
        EACH(int16_t, in[i]);
    else if (to == FECRUN_I8)
        EACH(int8_t, in[i]);
    else
        for (uint64_t i = 0; i < n; i++)
            nibbles[i / 2] = (uint8_t)(((int)in[i] & 15) << (i % 2 ? 0 : 4) |
                                       (i % 2 ? nibbles[i / 2] : 0));
}

static void by_float(uint32_t from, uint32_t to, const uint8_t *in, uint8_t *out, uint64_t n)
{
    enum { PART = 512 }; /* whole bytes of any type */
    float part[PART];

    for (uint64_t i = 0; i < n; i += PART) {
        const uint64_t m = n - i < PART ? n - i : PART;

        to_float(from, in + fecrun_bytes(from, i), part, m);
        from_float(to, part, out + fecrun_bytes(to, i), m);
    }
}

void fecrun_convert(uint32_t from, uint32_t to, const void *in, void *out, uint64_t n)
{
    if (from == to)
        memcpy(out, in, fecrun_bytes(from, n));
    else if (to == FECRUN_PACKED)
        fecrun_bits_pack(out, in, n);
    else if (to == FECRUN_U8)
        fecrun_bits_unpack(out, in, n);
    else if (to == FECRUN_F32)
        to_float(from, in, out, n);
    else if (to == FECRUN_I16 && from == FECRUN_I8)
        EACH(int16_t, read_i8(in, i));
    else if (to == FECRUN_I16 && from == FECRUN_I4)
        EACH(int16_t, read_i4(in, i));
    else if (to == FECRUN_I8 && from == FECRUN_I4)
        EACH(int8_t, read_i4(in, i));
    else
        by_float(from, to, in, out, n);
}

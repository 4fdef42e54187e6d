/* SPDX-License-Identifier: BSD-2-Clause */
/* Sample types (enum fecrun_type): names, ranges and conversions. */
#ifndef FECRUN_SDK_SAMPLE_H
#define FECRUN_SDK_SAMPLE_H

#include <fecrun/plugin.h>
#include <fecrun/sdk/device.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "u8", "packed", "f32", ...; "none" and "unknown" for what is no type. */
const char *fecrun_type_name(uint32_t type);

/* The type of that name; FECRUN_NONE: there is none. */
uint32_t fecrun_type_of_name(const char *name);

/* enum fecrun_kind of a type: bits, symbols (C8) or LLRs. */
uint32_t fecrun_type_kind(uint32_t type);

/* All kinds that can have this type; 0 of one that is none. */
uint32_t fecrun_type_kinds(uint32_t type);

/* Bits that one item takes: 1 for PACKED, 4 for I4, 64 for C8. */
unsigned fecrun_type_bits(uint32_t type);

/* Items of a type that share a byte: 8 of PACKED, 2 of I4, else 1. */
unsigned fecrun_type_per_byte(uint32_t type);

/* Can values whose smallest type is `natural` be kept in `type` without loss? */
bool fecrun_type_holds(uint32_t type, uint32_t natural);

/* Does a host put a conversion between such ports? Lossless ones only, equal types included. */
bool fecrun_convert_known(uint32_t from, uint32_t to);

/*
 * n items; from and to do not overlap. Both are types of bits or both of LLRs, or they are equal,
 * and then the bytes are. Fixed point is symmetric: -128 of I8 becomes -127, -8 of I4 -7. Into a
 * type that does not hold all values of `from` only those that it does hold: they came from it. The
 * last byte of PACKED and I4 is filled with zeros.
 */
void fecrun_convert(uint32_t from, uint32_t to, const void *in, void *out, uint64_t n);

/* The half (IEEE 754 binary16) next to x, the even one of two as near; infinite beyond 65504. */
uint16_t fecrun_half(double x);

/* The bits of the float of a half's value; also of what is not a number. */
FECRUN_INLINE uint32_t fecrun_half_widen(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;

    if (exponent == 31)
        return sign | 0x7f800000 | mantissa << 13;
    if (exponent)
        return sign | (exponent + 112) << 23 | mantissa << 13;
    return sign | fecrun_float_bits((float)mantissa * (1.0f / 16777216)); /* 2^-24 */
}

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel parts of the general decoder (plan.h): 16-bit numbers, two a word. C as well as CUDA, so that a test
 * can run them on the host: t/lib/cuda_emulate.h has what CUDA brings along.
 *
 * `mode` is a constant wherever a function is called. No function lets a product and a sum become
 * one operation: messages must leave a posterior as they went into it, and no number gets to -0.
 */
#ifndef LDPC_CUDA_GENERAL_ARITH_H
#define LDPC_CUDA_GENERAL_ARITH_H

#include <fecrun/sdk/device.h>

#include "plugins/ldpc/cuda/general/plan.h"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#define MAY_ALIAS
#else
#define MAY_ALIAS __attribute__((may_alias))
#endif

enum { MODE_NR = 1, MODE_I16 = 2, MODE_SOFT = 4 }; /* MODE_SOFT: LLRs out */

#define LOW 0xffffu
#define SIGN 0x8000u
#define SIGNS 0x80008000u

FECRUN_ON_DEVICE uint32_t pair_of(uint32_t number)
{
    return number | number << 16;
}

/* Magnitudes compare as integers. */
FECRUN_ON_DEVICE uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

FECRUN_ON_DEVICE uint32_t larger(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}

/* The largest number that a posterior or a message has. */
FECRUN_ON_DEVICE uint32_t most_of(unsigned mode)
{
    return mode & MODE_I16 ? LDPC_GENERAL_I16_MOST : LDPC_GENERAL_HALF_MOST;
}

#ifdef __CUDACC__

FECRUN_ON_DEVICE uint32_t half_word(__half2 x)
{
    return *(const uint32_t *)&x;
}

FECRUN_ON_DEVICE __half2 word_half(const uint32_t &x)
{
    return *(const __half2 *)&x;
}

FECRUN_ON_DEVICE uint32_t half_add(uint32_t a, uint32_t b)
{
    return half_word(__hadd2_rn(word_half(a), word_half(b)));
}

FECRUN_ON_DEVICE uint32_t half_sub(uint32_t a, uint32_t b)
{
    return half_word(__hsub2_rn(word_half(a), word_half(b)));
}

FECRUN_ON_DEVICE uint32_t half_mul(uint32_t a, uint32_t b)
{
    return half_word(__hmul2_rn(word_half(a), word_half(b)));
}

FECRUN_ON_DEVICE uint32_t half_min(uint32_t a, uint32_t b)
{
    return half_word(__hmin2(word_half(a), word_half(b)));
}

FECRUN_ON_DEVICE uint32_t half_max(uint32_t a, uint32_t b)
{
    return half_word(__hmax2(word_half(a), word_half(b)));
}

FECRUN_ON_DEVICE uint32_t half_equal(uint32_t a, uint32_t b)
{
    return __heq2_mask(word_half(a), word_half(b));
}

FECRUN_ON_DEVICE uint32_t half_of_float(float x)
{
    return __half_as_ushort(__float2half_rn(x));
}

FECRUN_ON_DEVICE float float_of_half(uint32_t x)
{
    return __half2float(__ushort_as_half((unsigned short)x));
}

/* Both halves' signs as masks. */
FECRUN_ON_DEVICE uint32_t sign_masks(uint32_t x)
{
    uint32_t mask;

    asm("prmt.b32 %0, %1, %1, 0xbb99;" : "=r"(mask) : "r"(x));
    return mask;
}

#else

typedef _Float16 half_number;

FECRUN_ON_DEVICE half_number half_at(uint32_t word, unsigned i)
{
    const uint16_t bits = (uint16_t)(word >> 16 * i);
    half_number x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

FECRUN_ON_DEVICE uint32_t half_pair(half_number low, half_number high)
{
    uint16_t a, b;

    memcpy(&a, &low, sizeof a);
    memcpy(&b, &high, sizeof b);
    return a | (uint32_t)b << 16;
}

FECRUN_ON_DEVICE uint32_t half_add(uint32_t a, uint32_t b)
{
    return half_pair((half_number)(half_at(a, 0) + half_at(b, 0)),
                     (half_number)(half_at(a, 1) + half_at(b, 1)));
}

FECRUN_ON_DEVICE uint32_t half_sub(uint32_t a, uint32_t b)
{
    return half_pair((half_number)(half_at(a, 0) - half_at(b, 0)),
                     (half_number)(half_at(a, 1) - half_at(b, 1)));
}

FECRUN_ON_DEVICE uint32_t half_mul(uint32_t a, uint32_t b)
{
    return half_pair((half_number)(half_at(a, 0) * half_at(b, 0)),
                     (half_number)(half_at(a, 1) * half_at(b, 1)));
}

FECRUN_ON_DEVICE uint32_t half_min(uint32_t a, uint32_t b)
{
    return half_pair(half_at(a, 0) < half_at(b, 0) ? half_at(a, 0) : half_at(b, 0),
                     half_at(a, 1) < half_at(b, 1) ? half_at(a, 1) : half_at(b, 1));
}

FECRUN_ON_DEVICE uint32_t half_max(uint32_t a, uint32_t b)
{
    return half_pair(half_at(a, 0) > half_at(b, 0) ? half_at(a, 0) : half_at(b, 0),
                     half_at(a, 1) > half_at(b, 1) ? half_at(a, 1) : half_at(b, 1));
}

FECRUN_ON_DEVICE uint32_t half_equal(uint32_t a, uint32_t b)
{
    return (half_at(a, 0) == half_at(b, 0) ? LOW : 0) | (half_at(a, 1) == half_at(b, 1) ? ~LOW : 0);
}

FECRUN_ON_DEVICE uint32_t half_of_float(float x)
{
    return half_pair((half_number)x, 0);
}

FECRUN_ON_DEVICE float float_of_half(uint32_t x)
{
    return (float)half_at(x, 0);
}

FECRUN_ON_DEVICE uint32_t sign_masks(uint32_t x)
{
    return (x & SIGN ? LOW : 0) | (x & SIGN << 16 ? ~LOW : 0);
}

#endif

/* ---- Two numbers at once ---- */

/* Sums of fixed point numbers fit: of three at most, each up to LDPC_GENERAL_I16_MOST. */
FECRUN_ON_DEVICE uint32_t add_pair(unsigned mode, uint32_t a, uint32_t b)
{
    return mode & MODE_I16 ? __viaddmax_s16x2(a, b, SIGNS) : half_add(a, b);
}

FECRUN_ON_DEVICE uint32_t negative_pair(uint32_t a)
{
    return __viaddmax_s16x2(~a, pair_of(1), SIGNS);
}

FECRUN_ON_DEVICE uint32_t sub_pair(unsigned mode, uint32_t a, uint32_t b)
{
    return mode & MODE_I16 ? __viaddmax_s16x2(a, negative_pair(b), SIGNS) : half_sub(a, b);
}

FECRUN_ON_DEVICE uint32_t abs_pair(unsigned mode, uint32_t a)
{
    return mode & MODE_I16 ? __vmaxs2(a, negative_pair(a)) : a & ~SIGNS;
}

FECRUN_ON_DEVICE uint32_t min_pair(unsigned mode, uint32_t a, uint32_t b)
{
    return mode & MODE_I16 ? __vmins2(a, b) : half_min(a, b);
}

FECRUN_ON_DEVICE uint32_t max_pair(unsigned mode, uint32_t a, uint32_t b)
{
    return mode & MODE_I16 ? __vmaxs2(a, b) : half_max(a, b);
}

/* Magnitudes: all bits of a half are 1 where they are equal. */
FECRUN_ON_DEVICE uint32_t equal_pair(unsigned mode, uint32_t a, uint32_t b)
{
    return mode & MODE_I16 ? __vcmpeq2(a, b) : half_equal(a, b);
}

/* Magnitudes with the signs of `signs`, of which other bits do not count. */
FECRUN_ON_DEVICE uint32_t signed_pair(unsigned mode, uint32_t magnitude, uint32_t signs)
{
    if (!(mode & MODE_I16))
        return magnitude ^ (signs & SIGNS);
    signs = sign_masks(signs);
    return __viaddmax_s16x2(magnitude ^ signs, signs & pair_of(1), SIGNS);
}

/* q + r, kept within most_of(). */
FECRUN_ON_DEVICE uint32_t posterior_pair(unsigned mode, uint32_t q, uint32_t r)
{
    const uint32_t most = pair_of(most_of(mode));
    const uint32_t least = mode & MODE_I16 ? pair_of((uint32_t)-LDPC_GENERAL_I16_MOST & LOW)
                                           : most | SIGNS;

    if (mode & MODE_I16)
        return __vmaxs2(__viaddmin_s16x2(q, r, most), least);
    return half_max(half_min(half_add(q, r), most), least);
}

/* ---- One number, in the lower half ---- */

/* As in struct ldpc_general_class. */
struct check_rule {
    uint32_t offset, factor;
};

/* What a check node makes of a minimum. */
FECRUN_ON_DEVICE uint32_t scaled(unsigned mode, struct check_rule rule, uint32_t minimum)
{
    if (mode & MODE_I16 && rule.offset)
        return minimum > rule.factor ? minimum - rule.factor : 0;
    if (mode & MODE_I16)
        return smaller((minimum * rule.factor + 0x4000) >> 15, most_of(mode));
    if (rule.offset)
        return half_max(half_sub(minimum, rule.factor), 0) & LOW;
    return smaller(half_mul(minimum, rule.factor) & LOW, most_of(mode));
}

/* A channel value of a form's type. */
FECRUN_ON_DEVICE uint32_t number_of_int(unsigned mode, int x)
{
    x = x < -127 ? -127 : x;
    if (mode & MODE_I16)
        return (uint32_t)(x * (1 << LDPC_GENERAL_FRACTION)) & LOW;
    return half_of_float((float)x);
}

/* In units of the input; sums that were not limited are now. */
FECRUN_ON_DEVICE float float_of_number(unsigned mode, uint32_t number)
{
    const float most = mode & MODE_I16 ? LDPC_GENERAL_I16_MOST : 32752;
    const float x = mode & MODE_I16 ? (float)(int16_t)number : float_of_half(number & LOW);
    const float limited = x > most ? most : x < -most ? -most : x;

    return mode & MODE_I16 ? limited / (1 << LDPC_GENERAL_FRACTION) : limited;
}

/* Half only. */
FECRUN_ON_DEVICE uint32_t number_of_float(float x)
{
    const float most = 32752;
    uint32_t number;

    if (x != x)
        return 0;
    x = x > most ? most : x;
    number = half_of_float(x < -most ? -most : x);
    return number == SIGN ? 0 : number;
}

#endif

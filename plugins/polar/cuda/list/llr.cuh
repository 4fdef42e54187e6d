/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs of the list kernels: two in a word, each a half-precision number of a sign and at most 2047
 * units of 2^-24. The bits of such a half are its sign and its size as an integer, with no exponent
 * to it, so that integer and half instructions both know it; all sums up to 2047 units are exact.
 * Of LLRs of up to 127 units two words fit into one.
 *
 * -0 stands for 0 here and there, as check() makes it: as an addend and as a size it is one, but its
 * sign says nothing; llr_negative() knows that.
 */
#ifndef POLAR_CUDA_LIST_LLR_CUH
#define POLAR_CUDA_LIST_LLR_CUH

#include "plugins/polar/cuda/halves.cuh"

#define LLR_SIGNS 0x80008000u
#define LLR_MOST 0x007f007fu /* 127 */

#ifdef __CUDACC__

FECRUN_ON_DEVICE uint32_t llr_check(uint32_t a, uint32_t b)
{
    return halves_check(a, b);
}

FECRUN_ON_DEVICE uint32_t llr_add(uint32_t a, uint32_t b)
{
    return halves_add(a, b);
}

FECRUN_ON_DEVICE uint32_t llr_least(uint32_t a, uint32_t b)
{
    return halves_least(a, b);
}

/* All bits of LLRs that are less than 0. */
FECRUN_ON_DEVICE uint32_t llr_negative(uint32_t a)
{
    uint32_t out;

    asm("set.lt.u32.f16x2 %0, %1, %2;" : "=r"(out) : "r"(a), "r"(0));
    return out;
}

/* Two of four bytes that are 128 more than an LLR, by a selector: 1024 and the byte is a half. */
FECRUN_ON_DEVICE uint32_t llr_of_bytes(uint32_t bytes, uint32_t selector)
{
    return halves_fma(polar_bytes(bytes, 0x64646464u, selector), 0x00010001u, 0x84808480u);
}

#else /* on the host, for tests */

FECRUN_ON_DEVICE int llr_value(uint32_t a, unsigned lane)
{
    const uint32_t h = a >> 16 * lane & 0xffff;

    return h & 0x8000 ? -(int)(h & 0x7fff) : (int)h;
}

/* More than 2047 units would have an exponent, or be rounded. */
FECRUN_ON_DEVICE uint32_t llr_lane(int x, unsigned lane)
{
    if (x > 2047 || x < -2047)
        __builtin_trap();
    return (x < 0 ? 0x8000u | (uint32_t)-x : (uint32_t)x) << 16 * lane;
}

#define LLR_EACH(expression) \
    uint32_t out = 0; \
    for (unsigned lane = 0; lane < 2; lane++) { \
        const int x = llr_value(a, lane), y = llr_value(b, lane); \
        out |= llr_lane(expression, lane); \
    } \
    return out;

FECRUN_ON_DEVICE uint32_t llr_add(uint32_t a, uint32_t b){LLR_EACH(x + y)}

FECRUN_ON_DEVICE uint32_t llr_least(uint32_t a, uint32_t b){LLR_EACH(x < y ? x : y)}

FECRUN_ON_DEVICE uint32_t llr_check(uint32_t a, uint32_t b)
{
    return __vminu2(a & ~LLR_SIGNS, b & ~LLR_SIGNS) | ((a ^ b) & LLR_SIGNS);
}

FECRUN_ON_DEVICE uint32_t llr_negative(uint32_t a)
{
    return (llr_value(a, 0) < 0 ? 0xffffu : 0) | (llr_value(a, 1) < 0 ? 0xffff0000u : 0);
}

FECRUN_ON_DEVICE uint32_t llr_of_bytes(uint32_t bytes, uint32_t selector)
{
    const uint32_t two = polar_bytes(bytes, 0, selector);

    return llr_lane((int)(two & 255) - 128, 0) | llr_lane((int)(two >> 16 & 255) - 128, 1);
}

#endif

FECRUN_ON_DEVICE uint32_t llr_limited(uint32_t a)
{
    return llr_check(a, LLR_MOST);
}

FECRUN_ON_DEVICE uint32_t llr_size(uint32_t a)
{
    return a & ~LLR_SIGNS;
}

/* b +- a, minus where the sign of `flip` is set. */
FECRUN_ON_DEVICE uint32_t llr_sum(uint32_t a, uint32_t b, uint32_t flip)
{
    return llr_limited(llr_add(a ^ (flip & LLR_SIGNS), b));
}

/* Of a node whose LLRs are a and b; bits 15 and 31 of `bits` say what its left child is. */
template <bool RIGHT> FECRUN_ON_DEVICE uint32_t llr_child(uint32_t a, uint32_t b, uint32_t bits)
{
    return RIGHT ? llr_sum(a, b, bits) : llr_check(a, b);
}

/* The LLR of the lower half as an integer. */
FECRUN_ON_DEVICE int llr_integer(uint32_t a)
{
    const int size = (int)(a & 0x7fff);

    return a & 0x8000 ? -size : size;
}

/* ---- Four in a word ------------------------------------------------------------------------------ */

/* The other word's bytes are exchanged: its sizes come to bits 8 .. 14, its signs to bit 7. */
FECRUN_ON_DEVICE uint32_t llr_pack(uint32_t first, uint32_t second)
{
    return first | polar_bytes(second, 0, 0x2301);
}

FECRUN_ON_DEVICE void llr_unpack(uint32_t packed, uint32_t &first, uint32_t &second)
{
    first = packed & (LLR_SIGNS | LLR_MOST);
    second = polar_bytes(packed, 0, 0x2301) & (LLR_SIGNS | LLR_MOST);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Add, compare, select in words of two 16-bit lanes, for the kernels of plan.h: one body for each kind of
 * compute capability.
 *
 * Metrics are positive numbers, a lane each. Terms are what is added to them: LLRs, of either sign.
 *
 * WIN_DPX    9.0 and 10.0 add and take the maximum in one instruction. Terms are lanes in two's complement:
 *            additions of lanes run in another pipe than maxima.
 * WIN_LANES  12.0 has maxima of lanes, but they do not add; older devices than 8.0 do it in several steps.
 * WIN_BF16   8.0 to 8.9 have maxima of two bf16 numbers, and positive bf16 numbers are in the order of
 *            their bits. The words have to be numbers: 128 to 32640 (below are subnormal ones, above is
 *            what is no number). trellis.cuh says why they are.
 *
 * But for WIN_DPX a term with lanes h and l is the integer 65536 h + l: if l is negative, the upper half
 * is one less than h. So words are added as they are, with any instruction of integers: carries and
 * borrows between lanes are right again once the lanes of the sum are positive.
 */
#ifndef TURBO_CUDA_WINDOWS_ACS_CUH
#define TURBO_CUDA_WINDOWS_ACS_CUH

#include "plugins/turbo/cuda/windows/packed.cuh"

#define WIN_LANES 1
#define WIN_BF16 2
#define WIN_DPX 3

#ifndef WIN_ACS
#if !defined __CUDA_ARCH__ || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200)
#define WIN_ACS WIN_DPX
#elif __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
#define WIN_ACS WIN_BF16
#else
#define WIN_ACS WIN_LANES
#endif
#endif

/* ---- Metrics --------------------------------------------------------------------------------- */

WIN_FN uint32_t greater_of(uint32_t a, uint32_t b)
{
#if WIN_ACS != WIN_BF16
    return __vmaxu2(a, b);
#elif defined WIN_ON_HOST
    return emu_bf16_max(a, b);
#else
    uint32_t out;

    asm("max.bf16x2 %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b));
    return out;
#endif
}

WIN_FN uint32_t less_of(uint32_t a, uint32_t b)
{
#if WIN_ACS != WIN_BF16
    return __vminu2(a, b);
#elif defined WIN_ON_HOST
    return emu_bf16_min(a, b);
#else
    uint32_t out;

    asm("min.bf16x2 %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b));
    return out;
#endif
}

/* A metric or a term, plus a term. */
WIN_FN uint32_t plus(uint32_t a, uint32_t term)
{
#if WIN_ACS == WIN_DPX
    return __vadd2(a, term);
#else
    return a + term;
#endif
}

#ifndef WIN_ON_HOST /* for the host, too, whose code names it where a device has it */
static __constant__ uint32_t win_zero = 0;
#endif

/*
 * The same in the pipe of the maxima. Compilers leave all sums of two words to the pipe of multiply-adds, which
 * is then the busier one by a quarter. Sums of three are for the other one, and a constant of which compilers do not
 * know that it is 0 takes no register.
 */
WIN_FN uint32_t plus_beside_max(uint32_t a, uint32_t b)
{
#if WIN_ACS != WIN_BF16 || defined WIN_ON_HOST
    return plus(a, b);
#else
    uint32_t out;

    asm("{ .reg .u32 t; add.u32 t, %1, %2; add.u32 %0, t, %3; }"
        : "=r"(out)
        : "r"(a), "r"(b), "r"(win_zero));
    return out;
#endif
}

/* max(a + b, c); b: a term or a metric. */
WIN_FN uint32_t add_max(uint32_t a, uint32_t b, uint32_t c)
{
#if WIN_ACS == WIN_DPX
    return __viaddmax_u16x2(a, b, c);
#else
    return greater_of(a + b, c);
#endif
}

/* ---- Terms ----------------------------------------------------------------------------------- */

/* Of lanes in two's complement. */
WIN_FN uint32_t term_of(uint32_t lanes)
{
#if WIN_ACS == WIN_DPX
    return lanes;
#else
    return (lanes ^ 0x80008000u) - 0x80008000u;
#endif
}

/* The difference of positive lanes, as a term. */
WIN_FN uint32_t minus(uint32_t a, uint32_t b)
{
#if WIN_ACS == WIN_DPX
    return __vsub2(a, b);
#else
    return a - b;
#endif
}

/* Of two bytes plus 128: the bytes that widen() makes a term of. */
WIN_FN uint32_t byte_term(uint32_t pair)
{
#if WIN_ACS == WIN_DPX
    return pair ^ 0x8080u;
#else
    return (pair - 0x8080u) & 0xffffu;
#endif
}

/* Changes one lane of a term. */
WIN_FN void put_lane(uint32_t &term, unsigned lane, int x)
{
#if WIN_ACS == WIN_DPX
    ((int16_t *)&term)[lane] = (int16_t)x;
#else
    const uint32_t lanes = term + 0x80008000u;

    term = ((lanes & 0xffff0000u >> 16 * lane) | (uint32_t)(x + 0x8000) << 16 * lane) - 0x80008000u;
#endif
}

/* One of a byte_term(), now x - 128. */
WIN_FN void put_byte(uint16_t &term, unsigned lane, uint32_t x)
{
#if WIN_ACS == WIN_DPX
    ((uint8_t *)&term)[lane] = (uint8_t)(x ^ 128);
#else
    const uint32_t bytes = term + 0x8080u;

    term = (uint16_t)(((bytes & 0xff00u >> 8 * lane) | x << 8 * lane) - 0x8080u);
#endif
}

/* ---- Differences of two metrics -------------------------------------------------------------- */

/* The best path with input bit 0, and that with 1. */
struct win_best {
    uint32_t zero, one;
};

/* zero - one + limit, from 0 to 2 limit. */
WIN_FN uint32_t limited_difference(const struct win_best &m, uint32_t limit)
{
#if WIN_ACS == WIN_DPX
    return __viaddmin_s16x2_relu(__vsub2(m.zero, m.one), limit, 2 * limit);
#else
    return less_of(add_max(m.zero, limit, m.one), m.one + 2 * limit) - m.one;
#endif
}

/* zero - one plus a term: lanes in two's complement. */
WIN_FN uint32_t difference(const struct win_best &m, uint32_t term)
{
#if WIN_ACS == WIN_DPX
    return __vadd2(term, __vsub2(m.zero, m.one));
#else
    return (m.zero - m.one + term + 0x80008000u) ^ 0x80008000u;
#endif
}

#endif

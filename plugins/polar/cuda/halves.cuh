/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words of two half-precision lanes. LLRs of 8 bits are integers in them, and so are their sums up to
 * +-2048: what is computed here is exact, and the reference's.
 *
 * -0 stands for 0 here and there, as check() makes it: as an addend and as a magnitude it is one, but
 * its sign says nothing; negative() knows that.
 */
#ifndef POLAR_CUDA_HALVES_CUH
#define POLAR_CUDA_HALVES_CUH

#include <fecrun/sdk/device.h>

#define HALVES_SIGNS 0x80008000u
#define HALVES_ONE 0x3c003c00u
#define HALVES_SIXTEEN 0x4c004c00u
#define HALVES_MOST 0x57f057f0u /* 127 */

#define POLAR_PRAGMA(x) _Pragma(#x)
#ifdef __CUDA_ARCH__
#define POLAR_UNROLL_BY(n) POLAR_PRAGMA(unroll n)
#else
#define POLAR_UNROLL_BY(n)
#endif

#ifdef __CUDACC__

#define HALVES_BINARY(name, instruction) \
    FECRUN_ON_DEVICE uint32_t name(uint32_t a, uint32_t b) \
    { \
        uint32_t out; \
        asm(instruction " %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b)); \
        return out; \
    }

HALVES_BINARY(halves_add, "add.rn.f16x2")
HALVES_BINARY(halves_times, "mul.rn.f16x2")
HALVES_BINARY(halves_equal, "set.eq.u32.f16x2") /* all bits of a lane */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HALVES_BINARY(halves_least, "min.f16x2")
#else
HALVES_BINARY(halves_less, "set.lt.u32.f16x2")
FECRUN_ON_DEVICE uint32_t halves_least(uint32_t a, uint32_t b)
{
    const uint32_t less = halves_less(a, b);

    return (a & less) | (b & ~less);
}
#endif

/* The sign of a b and the smaller magnitude. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 860
HALVES_BINARY(halves_check, "min.xorsign.abs.f16x2")
#elif __CUDA_ARCH__ >= 800 /* min takes magnitudes as operands */
FECRUN_ON_DEVICE uint32_t halves_check(uint32_t a, uint32_t b)
{
    uint32_t out;

    asm("{\n.reg .b32 x, y, s;\nabs.f16x2 x, %1;\nabs.f16x2 y, %2;\nmin.f16x2 x, x, y;\n"
        "xor.b32 s, %1, %2;\nlop3.b32 %0, x, s, 0x80008000, 0xd8;\n}"
        : "=r"(out)
        : "r"(a), "r"(b));
    return out;
}
#else
FECRUN_ON_DEVICE uint32_t halves_check(uint32_t a, uint32_t b)
{
    return halves_least(a & ~HALVES_SIGNS, b & ~HALVES_SIGNS) | ((a ^ b) & HALVES_SIGNS);
}
#endif

/* a b + c */
FECRUN_ON_DEVICE uint32_t halves_fma(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t out;

    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(c));
    return out;
}

FECRUN_ON_DEVICE float halves_float(uint32_t a, unsigned lane)
{
    float out;

    asm("{.reg .b16 low, high;\n mov.b32 {low, high}, %1;\n cvt.f32.f16 %0, low;}"
        : "=f"(out)
        : "r"(a >> 16 * lane));
    return out;
}

FECRUN_ON_DEVICE uint32_t polar_bytes(uint32_t x, uint32_t y, uint32_t selector)
{
    return __byte_perm(x, y, selector);
}

#else /* on the host, for tests */

#include <math.h>

FECRUN_ON_DEVICE float halves_float(uint32_t a, unsigned lane)
{
    const uint32_t h = a >> 16 * lane, exponent = h >> 10 & 31;
    const float size = ldexpf((float)(h % 1024 + (exponent ? 1024 : 0)),
                              (int)(exponent ? exponent : 1) - 25);

    return h & 0x8000 ? -size : size;
}

/* A result that would be rounded is a mistake: a sum outside of what is exact. */
FECRUN_ON_DEVICE uint32_t halves_lane(float x)
{
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    const float m = 2048 * frexpf(fabsf(x), &exponent);

    if (x == 0)
        return sign;
    if (m != rintf(m) || exponent < -13 || exponent > 16)
        __builtin_trap();
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)m & 1023);
}

#define HALVES_EACH(expression) \
    uint32_t out = 0; \
    for (unsigned lane = 0; lane < 2; lane++) { \
        const float x = halves_float(a, lane), y = halves_float(b, lane); \
        out |= (uint32_t)(expression) << 16 * lane; \
    } \
    return out;

FECRUN_ON_DEVICE uint32_t halves_check(uint32_t a, uint32_t b){
    HALVES_EACH(halves_lane(fminf(fabsf(x), fabsf(y))) | (((a ^ b) >> 16 * lane) & 0x8000))}

FECRUN_ON_DEVICE uint32_t halves_add(uint32_t a, uint32_t b){HALVES_EACH(halves_lane(x + y))}

FECRUN_ON_DEVICE uint32_t halves_times(uint32_t a, uint32_t b){HALVES_EACH(halves_lane(x * y))}

FECRUN_ON_DEVICE uint32_t
    halves_least(uint32_t a, uint32_t b){HALVES_EACH(halves_lane(x < y ? x : y))}

FECRUN_ON_DEVICE uint32_t halves_equal(uint32_t a, uint32_t b){HALVES_EACH(x == y ? 0xffff : 0)}

FECRUN_ON_DEVICE uint32_t halves_fma(uint32_t a, uint32_t b, uint32_t c){
    HALVES_EACH(halves_lane(x * y + halves_float(c, lane)))}

FECRUN_ON_DEVICE uint32_t polar_bytes(uint32_t x, uint32_t y, uint32_t selector)
{
    const uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t out = 0;

    for (unsigned i = 0; i < 4; i++)
        out |= (uint32_t)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return out;
}

#endif

/* The signs of lanes that are less than 0. */
FECRUN_ON_DEVICE uint32_t halves_negative(uint32_t a)
{
    return halves_add(a, 0) & HALVES_SIGNS;
}

FECRUN_ON_DEVICE uint32_t halves_limited(uint32_t a)
{
    return halves_check(a, HALVES_MOST);
}

FECRUN_ON_DEVICE uint32_t halves_size(uint32_t a)
{
    return a & ~HALVES_SIGNS;
}

/* b +- a, minus where the sign of `flip` is set. */
FECRUN_ON_DEVICE uint32_t halves_sum(uint32_t a, uint32_t b, uint32_t flip)
{
    return halves_limited(halves_add(a ^ (flip & HALVES_SIGNS), b));
}

/* ---- Two LLRs of two lanes in four bytes, 128 added ------------------------------------------ */

/* Of the halves from 1024 to 2047 the lower byte counts ones. */
FECRUN_ON_DEVICE uint32_t halves_pack(uint32_t first, uint32_t second)
{
    const uint32_t bias = 0x66806680u; /* 1536 + 128 */

    return polar_bytes(halves_add(first, bias), halves_add(second, bias), 0x6420);
}

FECRUN_ON_DEVICE void halves_unpack(uint32_t packed, uint32_t *first, uint32_t *second)
{
    const uint32_t above = 0x64646464u, bias = 0xe480e480u; /* 1024 and more; -1152 */

    *first = halves_add(polar_bytes(packed, above, 0x4140), bias);
    *second = halves_add(polar_bytes(packed, above, 0x4342), bias);
}

#endif

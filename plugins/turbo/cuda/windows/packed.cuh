/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words of two 16-bit lanes, and shared memory, for the kernels of plan.h. With WIN_ON_HOST the
 * kernels are functions of the CPU, and t/lib/cuda_emulate.h has the intrinsics.
 */
#ifndef TURBO_CUDA_WINDOWS_PACKED_CUH
#define TURBO_CUDA_WINDOWS_PACKED_CUH

#include <stdint.h>

#ifdef WIN_ON_HOST
#define WIN_FN static inline
#define WIN_FN_MEMBER inline
#else
#define WIN_FN static __device__ __forceinline__
#define WIN_FN_MEMBER __device__ __forceinline__
#endif

#define WIN_PRAGMA(x) _Pragma(#x)
#ifdef WIN_ON_HOST
#define WIN_UNROLL
#define WIN_NO_UNROLL
#define WIN_PRAGMA_4
#else
#define WIN_UNROLL WIN_PRAGMA(unroll)
#define WIN_NO_UNROLL WIN_PRAGMA(unroll 1)
#define WIN_PRAGMA_4 WIN_PRAGMA(unroll 4)
#endif

/* x in both lanes. */
WIN_FN constexpr uint32_t both(uint32_t x)
{
    return (x & 0xffff) * 0x10001u;
}

/* ---- Bytes of two lanes ---------------------------------------------------------------------- */

/* Selects bytes of x, 0..3, those of y, 4..7; with 8 added, the sign of such a byte. */
WIN_FN uint32_t select_bytes(uint32_t x, uint32_t y, uint32_t selector)
{
#ifdef WIN_ON_HOST
    return emu_prmt(x, y, selector);
#else
    uint32_t out;

    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(x), "r"(y), "r"(selector));
    return out;
#endif
}

/* The signed bytes of two lanes. */
WIN_FN uint32_t widen(uint32_t pair)
{
    return select_bytes(pair, 0, 0x9180);
}

/* The bytes of two lanes, and what stands above them. */
WIN_FN uint32_t bytes_below(uint32_t pair, uint32_t above)
{
    return select_bytes(pair, above * 0x01010101u, 0x4140);
}

/* ---- Scaling
   ---------------------------------------------------------------------------------- */

/*
 * Halves below 2^-13 have steps of 2^-24: their bits are the integers 0 .. 2047. So one fused
 * multiply-add takes an integer times a factor, adds another integer and rounds.
 */
WIN_FN uint32_t multiply_add(uint32_t x, uint32_t factor, uint32_t y)
{
#ifdef WIN_ON_HOST
    return emu_half2_fma(x, factor, y);
#else
    uint32_t out;

    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(out) : "r"(x), "r"(factor), "r"(y));
    return out;
#endif
}

/* ---- Shared memory
   ---------------------------------------------------------------------------- */

#ifdef WIN_ON_HOST
static char *win_shared;
#else
extern __shared__ __align__(16) char win_shared[];
#endif

/* x, but the compiler does not know: it computes again what it would else keep in registers. */
WIN_FN uint32_t opaque(uint32_t x)
{
#ifndef WIN_ON_HOST
    asm volatile("" : "+r"(x));
#endif
    return x;
}

WIN_FN float opaque(float x)
{
#ifndef WIN_ON_HOST
    asm volatile("" : "+f"(x));
#endif
    return x;
}

/* Into the second level cache. */
WIN_FN void prefetch(const void *from)
{
#ifdef WIN_ON_HOST
    (void)from;
#else
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#endif
}

template <class Word> WIN_FN Word &at(char *place, uint32_t offset = 0)
{
    return *(Word *)(place + offset);
}

#endif

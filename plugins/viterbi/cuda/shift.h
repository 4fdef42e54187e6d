/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of bits: two that lie side by side, shifted, and the first bits of one. */
#ifndef VITERBI_CUDA_SHIFT_H
#define VITERBI_CUDA_SHIFT_H

#include <fecrun/sdk/device.h>

/* The upper word of both, shifted left by 0 to 31. */
FECRUN_INLINE uint32_t conv_shift_left(uint32_t high, uint32_t low, unsigned shift)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_l(low, high, shift);
#else
    return (uint32_t)(((uint64_t)high << 32 | low) << shift >> 32);
#endif
}

/* The lower one, shifted right. */
FECRUN_INLINE uint32_t conv_shift_right(uint32_t high, uint32_t low, unsigned shift)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_r(low, high, shift);
#else
    return (uint32_t)(((uint64_t)high << 32 | low) >> shift);
#endif
}

/* The first n bits of a word; of none if n is below 1. */
FECRUN_INLINE uint32_t conv_first(uint32_t word, int32_t n)
{
    return n >= 32 ? word : n < 1 ? 0 : word & UINT32_MAX << (32 - n);
}

#endif

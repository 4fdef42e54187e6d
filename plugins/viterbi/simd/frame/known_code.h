/* SPDX-License-Identifier: BSD-2-Clause */
/* Generators that the compiler knows. */
#ifndef VITERBI_SIMD_FRAME_KNOWN_CODE_H
#define VITERBI_SIMD_FRAME_KNOWN_CODE_H

#include <fecrun/sdk/simd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(SANITIZED)
#define UNROLL /* much slower to build with checks of memory */
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* In step.h of simd/frame/ n = 0 says that they are not known, in that of simd/several/ gen[0] = 0. */
struct known_code {
    unsigned n, gen[3];
};

/* Which outputs depend on the bit `back` steps before: output i in bit i. */
static FECRUN_ALWAYS_INLINE unsigned known_taps(struct known_code code, unsigned m, unsigned back)
{
    return (code.gen[0] >> (m - back) & 1) | (code.gen[1] >> (m - back) & 1) << 1 |
           (code.gen[2] >> (m - back) & 1) << 2;
}

#endif

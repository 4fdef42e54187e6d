/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of bits on any machine: what kernel.h wants. */
#ifndef POLAR_SIMD_WORDS_H
#define POLAR_SIMD_WORDS_H

#include "plugins/polar/simd/simd.h"

#include <fecrun/sdk/simd.h>

typedef polar_bits bits4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef polar_bits bits2 __attribute__((vector_size(16), aligned(8), may_alias));

/* u of eight words of x. */
static FECRUN_ALWAYS_INLINE void transform_8(polar_bits *w)
{
    const polar_bits w7 = w[7], w67 = w[6] ^ w7, w57 = w[5] ^ w7, w37 = w[3] ^ w7;
    const polar_bits w4567 = w[4] ^ w[5] ^ w67, w2367 = w[2] ^ w[3] ^ w67;
    const polar_bits w1357 = w[1] ^ w[3] ^ w57;

    w[0] ^= w[1] ^ w[2] ^ w[3] ^ w4567;
    w[1] = w1357;
    w[2] = w2367;
    w[3] = w37;
    w[4] = w4567;
    w[5] = w57;
    w[6] = w67;
}

static FECRUN_ALWAYS_INLINE void swap_bits(polar_bits *one, polar_bits *other, uint32_t shift,
                                           polar_bits select)
{
    const polar_bits t = (*one >> shift ^ *other) & select;

    *one ^= t << shift;
    *other ^= t;
}

/* Bit c of word r becomes bit r of word c. */
static inline void transpose_64(polar_bits *m)
{
    static const polar_bits select[4] = {0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff,
                                         0x0f0f0f0f0f0f0f0f};

    for (uint32_t k = 0, half = 32; k < 4; k++, half /= 2)
        for (uint32_t first = 0; first < 64; first += 2 * half)
            for (uint32_t r = first; r < first + half; r += 4) {
                bits4 *one = (bits4 *)(m + r), *other = (bits4 *)(m + r + half);
                const bits4 t = (*one >> half ^ *other) & select[k];

                *one ^= t << half;
                *other ^= t;
            }
    for (polar_bits *w = m; w < m + 64; w += 4) {
        bits2 *one = (bits2 *)w, *other = (bits2 *)(w + 2);
        const bits2 t = (*one >> 2 ^ *other) & 0x3333333333333333;

        *one ^= t << 2;
        *other ^= t;
        swap_bits(&w[0], &w[1], 1, 0x5555555555555555);
        swap_bits(&w[2], &w[3], 1, 0x5555555555555555);
    }
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps of the trellis in packed words, max-log. Metrics are positive 16-bit numbers. A branch adds
 * the LLR of its input bit if that is 0, and the LLR of its parity bit if that is 0.
 *
 * States 2i and 2i + 1 lead to i and i + 4, 2i with the input that state i's feedback makes of a 0,
 * 2i + 1 with the other one, and so do their parities. For i = 0 and 3 input and parity are equal,
 * so that one of the branches adds both LLRs and the other none; for 1 and 2 each adds one of them.
 */
#ifndef TURBO_CUDA_WINDOWS_TRELLIS_CUH
#define TURBO_CUDA_WINDOWS_TRELLIS_CUH

#include "plugins/turbo/cuda/windows/acs.cuh"
#include "plugins/turbo/cuda/windows/plan.h"

/* Terms of a step: LLRs of the input bit, of the parity bit, of both. */
struct win_step {
    uint32_t s, p, sp;
};

WIN_FN struct win_step win_make_step(uint32_t s, uint32_t p)
{
    return (struct win_step){s, p, plus(s, p)};
}

/* A sum; BESIDE: in the other pipe, see acs.cuh. */
template <bool BESIDE> WIN_FN uint32_t win_sum(uint32_t a, uint32_t b)
{
    return BESIDE ? plus_beside_max(a, b) : plus(a, b);
}

/* The better of m0 + what a branch with bits u0, z0 adds and m1 + what its complement adds. */
template <bool BESIDE>
WIN_FN uint32_t win_better(uint32_t m0, uint32_t m1, unsigned u0, unsigned z0,
                           const struct win_step &step)
{
    if (u0 == z0)
        return u0 ? add_max(m1, step.sp, m0) : add_max(m0, step.sp, m1);
    return add_max(u0 ? m1 : m0, step.s, win_sum<BESIDE>(u0 ? m0 : m1, step.p));
}

/* From the metrics before a step to those behind it. */
WIN_FN void win_forward(const uint32_t (&a)[8], const struct win_step &step, uint32_t (&next)[8])
{
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++) {
        const unsigned a1 = n >> 2, s1 = n >> 1 & 1, s2 = n & 1;

        next[n] = n < 4
                      ? win_better<true>(a[2 * (n & 3)], a[2 * (n & 3) + 1], a1 ^ s2, a1 ^ s1, step)
                      : win_better<false>(a[2 * (n & 3)], a[2 * (n & 3) + 1], a1 ^ s2, a1 ^ s1,
                                          step);
    }
}

WIN_FN void win_backward(uint32_t (&b)[8], const struct win_step &step)
{
    uint32_t next[8];

    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++) {
        const unsigned s1 = n >> 2, s2 = n >> 1 & 1, s3 = n & 1;

        next[n] = win_better<false>(b[n >> 1], b[4 + (n >> 1)], s2 ^ s3, s1 ^ s3, step);
    }
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        b[n] = next[n];
}

/* The best of all branches with input 0, and with input 1: their difference is the extrinsic LLR. */
WIN_FN struct win_best win_extrinsic(const uint32_t (&a)[8], const uint32_t (&b)[8], uint32_t p)
{
    uint32_t best[2][2]; /* of input, of parity */

    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++) {
        const unsigned s1 = n >> 2, s2 = n >> 1 & 1, s3 = n & 1;

        WIN_UNROLL
        for (unsigned feed = 0; feed < 2; feed++) {
            const unsigned u = feed ^ s2 ^ s3, z = feed ^ s1 ^ s3;
            const uint32_t to = b[4 * feed + (n >> 1)];
            /* states 0 and 2 meet all four kinds of branches first */
            if (n == 0 && WIN_ACS == WIN_BF16)
                best[u][z] = plus_beside_max(a[n], to);
            else
                best[u][z] = n == 0 || n == 2 ? a[n] + to : add_max(a[n], to, best[u][z]);
        }
    }
    return (struct win_best){add_max(best[0][0], p, best[0][1]),
                             add_max(best[1][0], p, best[1][1])};
}

/*
 * Metrics less a common one, so that state 0 has the number that metrics begin with. An input's LLR is at
 * most 511, a parity's 127, and three steps lead from any state to any other one: other states are then at
 * most 3 * 638 away, or at a block's begin a little more than WIN_ZERO - WIN_NEVER. That is enough to keep
 * paths out that begin in other states: 3 * 638 + 2 * 638 + 127 at most could make up for it.
 *
 * From one normalisation to the next there are at most WIN_BLOCK steps. In one the best metric grows by 638
 * or falls by 127 at most, for of two branches that leave a state one adds 0 or its parity's LLR. So metrics
 * stay between 2000 and 20400, and what is compared to find LLRs is between 2 WIN_ZERO - 8400 and
 * 2 WIN_ZERO + 2 * 3 * 638 + 16 * 638 + 127 + 511 = 31058, which acs.cuh wants to be at most 32640.
 */
enum { WIN_ZERO = 8192, WIN_NEVER = WIN_ZERO - 4000 };

WIN_FN void win_normalise(uint32_t (&m)[8])
{
    const uint32_t by = both(WIN_ZERO) - m[0]; /* right in both lanes once it is added */

    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        m[n] += by;
}

#endif

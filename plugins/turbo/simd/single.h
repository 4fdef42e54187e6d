/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One block alone, in 16 bits, with P sub-blocks one after the other. Eight alphas and eight betas are one vector:
 * alpha goes forward from the sub-block's beginning while beta goes backward from its end. The numbers are
 * those of the rows of 16 bits, bit by bit: nothing saturates there, so it does not matter where metrics are
 * normalised.
 */
#ifndef TURBO_SIMD_SINGLE_H
#define TURBO_SIMD_SINGLE_H

#include "plugins/turbo/simd/simd.h"

/* Metrics before step i of alpha and after the step as far from the end of beta. */
typedef int16_t turbo_pair[2 * TURBO_STATES];

/* Their states. */
static const uint8_t turbo_pair_state[2 * TURBO_STATES] = {0, 3, 2, 1, 7, 4, 5, 6,
                                                           0, 1, 2, 3, 6, 7, 4, 5};

enum { TURBO_SINGLE_WORDS = 8 }; /* P: a power of two, at most */

/* One half iteration. Arrays of K = P * `steps` items, none of which overlap. */
struct turbo_single_half {
    const struct turbo_fixed *fixed;
    uint32_t windows; /* P */
    uint32_t
        steps; /* of a sub-block: a multiple of 8, at least 40 and, where P > 1, twice `training` */
    uint32_t training; /* steps of a neighbour that are done again: a multiple of 8 where P > 1 */
    const int16_t *sys, *prior, *parity;
    /* P each: alpha before the first step and beta after the last one, of which those between sub-blocks are
     * written here, and, where P > 1, alpha `training` steps before the ends and beta as many behind the
     * beginnings, which come out of an iteration and begin the next one's training. */
    turbo_pair *start, *late;
    int16_t *llr;       /* sys + prior + extrinsic LLRs; NULL: not wanted */
    int16_t *out;       /* scaled extrinsic LLRs */
    int16_t *in;        /* scratch: sys + prior */
    uint64_t *gain;     /* scratch: what branches gain in each step */
    turbo_pair *metric; /* scratch, steps / 2 */
};

typedef void turbo_single_function(const struct turbo_single_half *half);

/* NULL: not in this build. */
turbo_single_function *turbo_single_avx2(void);
turbo_single_function *turbo_single_avx512(void);

/* Is there such code for these sub-blocks? */
bool turbo_single_fits(const struct turbo_simd *simd);

/* All iterations of a frame. */
void turbo_single_decode(const struct turbo_simd *simd, struct turbo_work *work,
                         const struct turbo_batch *batch, uint64_t frame);

/* Lays out the arrays for a block of k bits, as turbo_simd_carve() does, from base + *used on. */
void turbo_single_carve(struct turbo_single_work *work, uint32_t k, void *base, size_t *used);

#endif

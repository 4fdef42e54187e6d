/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One block alone, in bytes, with P sub-blocks. Eight alphas and eight betas of a sub-block are 16 bytes:
 * alpha goes forward from the sub-block's beginning while beta goes backward from its end. Bytes saturate, so
 * each sum and each normalisation is that of the rows of 64 lanes, and the numbers are the same bit by bit.
 */
#ifndef TURBO_SIMD_SINGLE_BYTES_H
#define TURBO_SIMD_SINGLE_BYTES_H

#include "plugins/turbo/simd/simd.h"

/* Metrics of a sub-block: eight alphas and eight betas, states as in turbo_pair_state. */
typedef int8_t turbo_ends[2 * TURBO_STATES];

enum {
    TURBO_SINGLE_WINDOWS = 16, /* P: a power of two, at most */
    TURBO_SINGLE_ROOM = 64     /* items behind each array that may be read and written */
};

/* One half iteration. Item x P + w of an array is step x of sub-block w. */
struct turbo_single_bytes_half {
    const struct turbo_fixed *fixed;
    uint32_t windows;  /* P */
    uint32_t steps;    /* of a sub-block: a multiple of 4, at least 40 and twice `training` */
    uint32_t training; /* steps of a neighbour that are done again */
    const int8_t *in;  /* sys + a priori LLRs */
    const int8_t *parity;
    const int8_t *sys; /* to be added to the output; NULL: nothing */
    int8_t *out;       /* scaled extrinsic LLRs, + sys; may be `in` */
    int8_t *llr;       /* in + extrinsic LLRs; NULL: not wanted; only where `out` is not `in` */
    /* Of P sub-blocks each: alpha before the first step and beta after the last one, of which those between
       sub-blocks are written here, and, where P > 1, alpha `training` steps before the ends and beta as many
       behind the beginnings, which come out of an iteration and begin the next one's training. */
    turbo_ends *start, *late;
    uint32_t *gain;     /* scratch, K items: what branches gain */
    uint32_t *sum;      /* scratch, K items: best sums of paths, see single_bytes_half.h */
    turbo_ends *metric; /* scratch: 4 times steps / 2 */
};

struct turbo_single_bytes_kernel {
    void (*half)(const struct turbo_single_bytes_half *half);
    /* Into the order of the second encoder, item x P + w as above; */
    void (*gather)(const struct turbo_simd *simd, const int8_t *from, int8_t *to);
    /* and back, where sys is added if it is not NULL. */
    void (*scatter)(const struct turbo_simd *simd, const int8_t *from, const int8_t *sys,
                    int8_t *to);
};

/* NULL: not in this build. */
const struct turbo_single_bytes_kernel *turbo_single_bytes_avx2(void);

/* Is there such code for these sub-blocks? */
bool turbo_single_bytes_fits(const struct turbo_simd *simd);

/* All iterations of a frame. */
void turbo_single_bytes_decode(const struct turbo_simd *simd, struct turbo_work *work,
                               const struct turbo_batch *batch, uint64_t frame);

/* Lays out the arrays for a block of k bits, as turbo_simd_carve() does, from base + *used on. */
void turbo_single_bytes_carve(struct turbo_single_bytes_work *work, uint32_t k, void *base,
                              size_t *used);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The random words of a run: Philox4x32-10 (Random123), counter based, so that every word is a
 * function of (seed, point, random stage, frame, index) alone and any frame can be made again by
 * its number, on any machine. Works in C and in CUDA device code.
 */
#ifndef FECRUN_SDK_RNG_H
#define FECRUN_SDK_RNG_H

#include "device.h"
#include <fecrun/sim.h>
#include <stddef.h>

#ifdef __CUDACC__
#define FECRUN_RNG_PLAIN
#endif

/* In CUDA not Random123 itself: in C++ it draws in iostream, and so a C++ library at run time. */
#ifndef FECRUN_RNG_PLAIN
#include <Random123/philox.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef FECRUN_RNG_PLAIN
typedef struct {
    uint32_t v[4];
} philox4x32_ctr_t;
typedef struct {
    uint32_t v[2];
} philox4x32_key_t;

FECRUN_INLINE philox4x32_ctr_t philox4x32(philox4x32_ctr_t c, philox4x32_key_t key)
{
    FECRUN_UNROLL
    for (int round = 0; round < 10; round++) {
        uint64_t even = (uint64_t)0xd2511f53u * c.v[0];
        uint64_t odd = (uint64_t)0xcd9e8d57u * c.v[2];

        c.v[0] = (uint32_t)(odd >> 32) ^ c.v[1] ^ key.v[0];
        c.v[1] = (uint32_t)odd;
        c.v[2] = (uint32_t)(even >> 32) ^ c.v[3] ^ key.v[1];
        c.v[3] = (uint32_t)even;
        key.v[0] += 0x9e3779b9u;
        key.v[1] += 0xbb67ae85u;
    }
    return c;
}
#endif

/* Words that one counter value gives. */
#define FECRUN_RNG_BLOCK 4

/*
 * The counter of block `block` of a frame: {block, frame bits 0..31, frame bits 32..47 in the
 * upper half and the random stage in the lower half, point}. Nothing else may know this layout:
 * results would change. A frame has 2^32 blocks, a point 2^48 frames.
 */
FECRUN_INLINE philox4x32_ctr_t fecrun_rng_counter(const struct fecrun_rng *rng, uint64_t frame,
                                                  uint32_t block)
{
    philox4x32_ctr_t counter = {{block, (uint32_t)frame,
                                 (uint32_t)(frame >> 32) << 16 | (rng->stage & 0xffffu),
                                 rng->point}};

    return counter;
}

FECRUN_INLINE philox4x32_key_t fecrun_rng_key(const struct fecrun_rng *rng)
{
    philox4x32_key_t key = {{(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)}};

    return key;
}

/* Words 4*block .. 4*block+3 of a frame are v[0] .. v[3]. */
FECRUN_INLINE philox4x32_ctr_t fecrun_rng_block(const struct fecrun_rng *rng, uint64_t frame,
                                                uint32_t block)
{
    return philox4x32(fecrun_rng_counter(rng, frame, block), fecrun_rng_key(rng));
}

/* The words of `blocks` blocks (4 each) of one frame, from block `first` on. */
void fecrun_rng_words(const struct fecrun_rng *rng, uint64_t frame, uint32_t first, uint32_t *words,
                      size_t blocks);

#ifdef __cplusplus
}
#endif

#endif

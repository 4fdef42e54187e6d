/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Successive cancellation, one thread two frames: what its host code and its kernel agree on.
 *
 * A thread has one frame in each lane of its words (halves.cuh). LLRs of the stages of 128 and 256
 * positions lie in shared memory, in 8 bits, those of 512 in global memory: so there is room for two
 * warps a scheduler. A block of 64 positions is decoded in registers, down to leaves of 16, for
 * whose patterns of frozen bits there is compiled code. The steps are those of code/program.h, with
 * all of a block made one.
 *
 * LLRs are rows of 16 bytes a thread: 8 positions of both frames. Decided bits are words of 16
 * positions, one frame in the upper half: x, that is beta of code/program.h, of up to 512 positions
 * in shared memory, where the second half of 1024 takes the place of the first; u in global memory.
 * Rows and words of a warp lie side by side.
 *
 * A code of N = 32 is decoded as one of 64 whose first half is frozen.
 */
#ifndef POLAR_CUDA_SC_PLAN_H
#define POLAR_CUDA_SC_PLAN_H

#include "plugins/polar/cuda/frames.h"

enum {
    SC_LANES = 32,     /* of a warp, */
    SC_MOST_WARPS = 8, /* which a block has up to so many of */
    SC_MOST_STAGES = 10,
    SC_TOP_STAGE = 9, /* that in global memory */
    SC_LEAST_STAGES = 6,
    SC_BLOCK_STAGE = 6, /* a block's */
    SC_MOST_STEPS = 48,
    SC_MOST_X = 32, /* words */
    SC_MOST_WORDS = 64,
};

enum polar_sc_op {
    SC_LOAD, /* all that was received to its stage's place, N < 1024 */
    SC_F,    /* as in code/program.h; of the last stage out of what was received */
    SC_G,
    SC_G0,
    SC_COMBINE,
    SC_COPY,
    SC_LEAF,  /* `whole` says which one; NODE_RATE0 has no LLRs */
    SC_BLOCK, /* a node of 64 positions, from the LLRs of its parent: `head` */
};

struct polar_sc_step {
    uint8_t op, stage;
    uint16_t at;
    uint8_t with_left;  /* SC_F, SC_G, SC_G0 of 256 positions: with those of its left child */
    uint8_t head;       /* SC_F, SC_G, SC_G0; SC_LOAD: the block is all there is */
    uint8_t whole;      /* the block as a node, */
    uint8_t half[2];    /* its halves, */
    uint8_t quarter[4]; /* and its leaves of 16: place in SC_PATTERNS, or SC_NO_PATTERN */
    uint16_t mask[4];   /* of those, bits that are not frozen */
};

/*
 * Which of 16 bits of u are of the message, if the message is in order: `mask`, in both lanes. Those
 * of move[i] are shifted right by 2^i, so that in the end the `count` ones are in the lowest places.
 */
struct polar_sc_pick {
    uint32_t mask, move[4], count;
};

/* What a launch does. All pointers are the device's. */
struct polar_sc_job {
    struct polar_frames frames;
    uint32_t *scratch; /* polar_sc_scratch() words for each warp of the grid */
    uint32_t *fail;    /* not NULL: numbers of frames whose CRC fails go there, */
    uint32_t *n_fail;  /* counted here */
    uint32_t stages;   /* at least 6 */
    uint32_t ordered;  /* the message's bits are in order: pick[] */
    uint32_t n_steps;
    struct polar_sc_step step[SC_MOST_STEPS];
    struct polar_sc_pick pick[SC_MOST_WORDS];
};

/*
 * Patterns of 16 positions, lowest bit first, that are not frozen, with code of their own: the leaves
 * that are not frozen, and what is frequent where the order is 38.212's. Others are decoded in eights,
 * and these in fours: code that a frame needs once is dearer than the steps between.
 */
#define SC_PATTERNS(X) \
    X(0x8000) \
    X(0xe880) \
    X(0xf880) \
    X(0xfee8) \
    X(0xfffe) \
    X(0xffff)

enum { SC_NO_PATTERN = 255 };

/* A thread's rows of shared memory, and where those of a stage begin. */
FECRUN_INLINE uint32_t polar_sc_rows(uint32_t stages)
{
    return stages > 7 ? 48 : 1u << stages >> 3;
}

FECRUN_INLINE uint32_t polar_sc_row(uint32_t stages, uint32_t stage)
{
    return stages > 7 && stage == 7 ? 32 : 0;
}

/* A thread's words of x. */
FECRUN_INLINE uint32_t polar_sc_words(uint32_t stages)
{
    return stages > 9 ? (uint32_t)SC_MOST_X : 1u << stages >> 4;
}

/* A warp's shared memory, in units of 16 bytes. */
FECRUN_INLINE uint32_t polar_sc_warp(uint32_t stages)
{
    return (polar_sc_rows(stages) + polar_sc_words(stages) / 4) * SC_LANES;
}

/* Bytes of shared memory; behind the warps' is the CRC's table. */
FECRUN_INLINE uint32_t polar_sc_shared(uint32_t stages, uint32_t warps)
{
    return warps * polar_sc_warp(stages) * 16 + POLAR_CRC_TABLE * 4;
}

/* A warp's words of global memory: LLRs of 512 positions, then u. */
FECRUN_INLINE uint32_t polar_sc_top(uint32_t stages)
{
    return stages > 8 ? SC_LANES * 4 * 64 : 0;
}

FECRUN_INLINE uint32_t polar_sc_scratch(uint32_t stages)
{
    return polar_sc_top(stages) + (SC_LANES << stages >> 4);
}

#ifdef __cplusplus
extern "C" {
#endif

struct polar_decode;

/* Fills in stages and steps, of sc or of a list of one path, which is the same. NULL, or why not. */
const char *polar_sc_plan(const struct polar_decode *d, struct polar_sc_job *job);
/* Warps of a thread block that can have `shared` bytes of shared memory, at most SC_MOST_WARPS; 0: not
   even one finds room. */
uint32_t polar_sc_fit(uint32_t stages, size_t shared);

#ifdef FECRUN_CUDA
const void *polar_sc_kernel_of(void);
#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Successive cancellation with a list, one lane of a warp a path: what its host code and its kernels
 * agree on. A warp decodes 32 / L frames. The result is exactly the reference's.
 *
 * A path's LLRs of stage s, and its decided bits, may lie in any lane's memory: pointers say where,
 * and a fork moves pointers. Shared memory is rows of a word a lane, so that all lanes of a warp reach
 * a row at once, whichever lane's word each wants. LLRs from 32 positions on are of 8 bits, four in a
 * word; of shorter nodes two halves in a word; those of 256 positions lie in global memory, those of
 * 512 are computed from what was received wherever they are needed.
 *
 * Bits 0, 2, 4, ... of 32 positions are the lower half of a word, the odd ones the upper half, so that
 * one shift takes two of them to the signs of two lanes.
 */
#ifndef POLAR_CUDA_LIST_H
#define POLAR_CUDA_LIST_H

#include "plugins/polar/cuda/frames.h"

enum {
    LIST_MOST_PATHS = 16,
    LIST_MOST_WARPS = 16, /* of a block */
    LIST_GLOBAL_STAGE = 8,
    LIST_TOP_STAGE = 9, /* LLRs of this stage are not kept */
    LIST_GLOBAL_ROWS = 64,
};

enum polar_list_op { LIST_F, LIST_G, LIST_COMBINE, LIST_LEAF };

struct polar_list_step {
    uint8_t op, stage, node, unused;
    uint16_t at, forks;
};

struct polar_list_job {
    struct polar_frames frames;
    const struct polar_list_step *step;
    uint32_t n_steps;
    uint32_t stages, first; /* at least 6; a shorter code's first position */
    uint32_t paths;
    uint32_t *global;         /* LIST_GLOBAL_ROWS rows a warp of the grid */
    const uint32_t *frame;    /* not NULL: the frames to be decoded, */
    const uint32_t *n_frames; /* so many */
};

/* ---- Rows of a warp --------------------------------------------------------------------------- */

/* Stage 7 and below, behind each other: 32, 16, 8 rows of 8 bits, 8, 4, 2, 1, 1 rows of halves. */
FECRUN_INLINE uint32_t polar_list_row(uint32_t stage)
{
    return stage >= 5 ? 64 - (1u << (stage - 1)) : 72 - (stage ? 1u << stage : 1);
}

enum { LIST_ALPHA_ROWS = 72, LIST_ALPHA_5 = 48, LIST_WEAK_ROW = LIST_ALPHA_ROWS };

/* Behind them the weakest bits of a leaf, two in a word, and x. */
FECRUN_INLINE uint32_t polar_list_x_row(uint32_t lanes)
{
    return LIST_WEAK_ROW + lanes / 2;
}

FECRUN_INLINE uint32_t polar_list_rows(uint32_t lanes, uint32_t stages)
{
    return polar_list_x_row(lanes) + (1u << stages) / 32;
}

/* Lanes that a list of so many paths takes. */
FECRUN_INLINE uint32_t polar_list_lanes(uint32_t paths)
{
    return paths <= 2 ? 2 : paths <= 4 ? 4 : paths <= 8 ? 8 : 16;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in stages, first and paths, and the steps: room for polar_list_most_steps(). NULL, or why
   not. */
const char *polar_list_plan(const struct polar_decode *d, struct polar_list_job *job,
                            struct polar_list_step *step);
uint32_t polar_list_most_steps(const struct polar_decode *d);

#ifdef FECRUN_CUDA
const void *polar_list_kernel_of(uint32_t lanes);
#endif

#ifdef __cplusplus
}
#endif

#endif

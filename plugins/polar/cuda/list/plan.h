/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Successive cancellation with a list, one lane of a warp a path: what its host code and its kernels
 * agree on. A warp decodes 32 / L frames. The result is exactly the reference's.
 *
 * A path's LLRs of stage s, and its decided bits, may lie in any lane's memory: pointers say where,
 * and a fork moves pointers. Memory is rows of 16 bytes a lane, so that eight lanes reach all banks
 * of a row, whichever lane's part each wants. LLRs (llr.cuh) of nodes of up to 16 positions are
 * words of two in shared memory, of 32 and 64 words of four; of more, words of four in global memory, where
 * those that were received are once for all paths. From N = 1024 on those of the left half, also once, lie
 * where x of the right half comes later, and that one's are computed wherever they are needed.
 *
 * Bits 0, 2, 4, ... of 32 positions are the lower half of a word, the odd ones the upper half, so that
 * one shift takes two of them to the signs of two lanes.
 */
#ifndef POLAR_CUDA_LIST_PLAN_H
#define POLAR_CUDA_LIST_PLAN_H

#include "plugins/polar/cuda/frames.h"

enum {
    LIST_MOST_PATHS = 32,
    LIST_MOST_WARPS = 23, /* of a block */
    LIST_MOST_STAGES = 12,
    LIST_TOP_STAGES = 10, /* from so many on the LLRs of both halves are not kept for each path */
    LIST_LEAF_WORDS = 4,  /* words of bits that a leaf has at most */
};

/* Where LLRs of a node of 32 positions or more lie: in global memory, in shared memory, nowhere (the
   right half of all). */
enum polar_list_source { LIST_GLOBAL, LIST_SHARED, LIST_TOP_RIGHT };

/* Are a node's LLRs kept? Those of 64 positions and more are with those of its left child, which then
   were before its own step. */
enum polar_list_stored { LIST_NOT_STORED, LIST_STORED, LIST_STORED_BOTH, LIST_STORED_BEFORE };

/*
 * LLRs of a node from those of its parent, and if it is a leaf, the leaf, and as many steps to parents
 * as are complete then. LLRs of leaves of up to 16 positions are not stored.
 */
struct polar_list_step {
    uint8_t right, stage; /* right: a right child */
    uint8_t node;         /* enum polar_node; NODE_SPLIT: no leaf */
    uint8_t stored;       /* enum polar_list_stored */
    uint16_t at, forks;   /* forks; of a NODE_PARITY: its number */
    uint8_t near, far;    /* parents that are complete: of up to 32 positions, of more */
    union {
        struct {
            uint8_t left, place; /* of a node of up to 16: place of its left brother, and its own */
        };
        struct {
            uint8_t source, parent; /* of more: where its LLRs lie, and its parent's */
        };
    };
    uint32_t places; /* of its bits, or of what is complete of the 32 */
} __attribute__((aligned(16)));

enum { LIST_MOST_CRC = 24 };

/* CRCs as sums of bits of x: of each bit of the CRC those that it is the parity of. */
struct polar_list_crc {
    uint32_t bits;        /* a multiple of LIST_CRC_BITS */
    uint32_t target;      /* what they are of a right word */
    const uint32_t *mask; /* [x words / 4][bits][4] */
};

enum { LIST_CRC_BITS = 8, LIST_MOST_PARITIES = 3 };

/* Words of the masks of all parity bits. */
enum { LIST_PARITY_WORDS = LIST_MOST_PARITIES << LIST_MOST_STAGES >> 5 };

struct polar_list_job {
    struct polar_frames frames;
    struct polar_list_crc crc;
    const uint32_t
        *parity; /* [number][words of x]: bits in front that a parity bit is the sum of */
    const struct polar_list_step *step;
    uint32_t n_steps;
    uint32_t stages, first; /* at least 6; a shorter code's first position */
    uint32_t paths;
    uint32_t *global;         /* polar_list_global_rows() rows a warp of the grid */
    const uint32_t *frame;    /* not NULL: the frames to be decoded, */
    const uint32_t *n_frames; /* so many */
    uint32_t *fail, *n_fail;  /* as of struct polar_sc_job */
};

/* ---- Rows of a warp --------------------------------------------------------------------------- */

enum { LIST_ROW = 4 * 32 /* words */ };

/* Shared: stages 6, 5, 4, 3, then 2 and 1 in one row, a leaf's weakest bits, x. Global: stages from 7
   on; then what was received of each frame. */
enum {
    LIST_ROW_6 = 0,
    LIST_ROW_5 = 4,
    LIST_ROW_4 = 6,
    LIST_ROW_3 = 8,
    LIST_ROW_2 = 9,
    LIST_WEAK_ROW = 10,
};

/* The first row of a stage from 7 on, and of what was received: behind those that are kept. */
FECRUN_INLINE uint32_t polar_list_global_row(uint32_t stage)
{
    return (1u << stage) / 16 - 8;
}

FECRUN_INLINE uint32_t polar_list_frames_row(uint32_t stages)
{
    return polar_list_global_row(stages < LIST_TOP_STAGES ? LIST_TOP_STAGES - 1u : stages - 1);
}

/* Words of what was received of a frame. */
FECRUN_INLINE uint32_t polar_list_frame_words(uint32_t stages)
{
    return (1u << (stages < LIST_TOP_STAGES ? (uint32_t)LIST_TOP_STAGES : stages)) / 4;
}

FECRUN_INLINE uint32_t polar_list_global_rows(uint32_t lanes, uint32_t stages)
{
    return polar_list_frames_row(stages) + 32 / lanes * polar_list_frame_words(stages) / LIST_ROW;
}

/* Those of x are words of 32 positions a lane: four in a row. The left half's LLRs of more than four
   frames are more than x of the right half. */
FECRUN_INLINE uint32_t polar_list_x_row(uint32_t lanes)
{
    return LIST_WEAK_ROW + (lanes > 8 ? lanes / 8 : 1);
}

FECRUN_INLINE uint32_t polar_list_rows(uint32_t lanes, uint32_t stages, bool alone)
{
    const uint32_t x = polar_list_x_row(lanes) + ((1u << stages) + 127) / 128;

    const uint32_t more = stages < LIST_TOP_STAGES || lanes > 8
                              ? 0
                              : (32 / lanes - 4) << (stages - LIST_TOP_STAGES);

    /* a frame that has a warp of its own has the rows of global memory there, too */
    return x + more +
           (alone ? polar_list_frames_row(stages) + polar_list_frame_words(stages) / LIST_ROW : 0);
}

/* Lanes that a list of so many paths takes. With 16 frames u of 4096 bits would reach x. */
FECRUN_INLINE uint32_t polar_list_lanes(uint32_t paths, uint32_t stages)
{
    return paths <= 2 && stages < 12 ? 2 : paths <= 4 ? 4 : paths <= 8 ? 8 : paths <= 16 ? 16 : 32;
}

/* Where the bit of a position is in its word of 32. */
FECRUN_INLINE uint32_t polar_list_place(uint32_t at)
{
    return at % 32 / 2 + 16 * (at % 2);
}

/* Words of the masks of a CRC of so many bits, at most. */
enum { LIST_MASK_WORDS = LIST_MOST_CRC << LIST_MOST_STAGES >> 5 };

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in stages, first and paths, and the steps: room for polar_list_most_steps(). paths: those of
   scl, or 1, which is sc. NULL, or why not. */
const char *polar_list_plan(const struct polar_decode *d, uint32_t paths,
                            struct polar_list_job *job, struct polar_list_step *step);
uint32_t polar_list_most_steps(const struct polar_decode *d);
/* Warps of so many rows each that a thread block has, which can have `shared` bytes of shared memory;
   0: not even one finds room. */
uint32_t polar_list_fit(uint32_t rows, size_t shared);
/* Masks of the parity bits of a planned job, LIST_PARITY_WORDS words. */
void polar_list_parity_fill(const struct polar_decode *d, struct polar_list_job *job,
                            uint32_t *mask);
/* The CRC of a planned job; mask: LIST_MASK_WORDS words. */
void polar_list_crc_fill(const struct polar_decode *d, struct polar_list_job *job, uint32_t *mask);

#ifdef FECRUN_CUDA
/* alone: a warp has one frame. */
const void *polar_list_kernel_of(uint32_t lanes, bool alone);
#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation: what the host code and the kernels of half/phases.cuh and any/phases.cuh agree on.
 * What is computed is ref/bp.c's. The messages of a column, those between two stages, lie in one
 * place for both directions: a pass to the left puts L where R was, one to the right R where L was.
 *
 * bp_half: min-sum of 8-bit LLRs, N = 256 to 4096, in halves. A thread has 16 positions of two frames,
 * one frame in each lane of its words, and does up to four stages on them in registers; only the
 * columns between such phases (4 and 8) go through shared memory, and the messages inside of a
 * phase stay in registers from one pass to the next. With T = N / 16 threads, thread t has
 *
 *   stages 0 .. 3               positions 16 b .. 16 b + 15 of block b, which `place` says
 *   stages 4 .. 7, N >= 512     (t / 16) 256 + 16 k + t % 16
 *   the last N / 16, to 4 of them     k T + t
 *
 * bp_any: floats, any rule and N, a thread a pair of positions, a barrier a stage.
 */
#ifndef POLAR_CUDA_BP_PLAN_H
#define POLAR_CUDA_BP_PLAN_H

#include "plugins/polar/cuda/frames.h"

/* Natural LLRs of the exact rules: beyond, nothing changes in floats; of likelihood ratios: their
   logarithm, so that products stay in range. */
#define POLAR_BP_MOST_LLR 1000
#define POLAR_BP_MOST_LOG_RATIO 40

enum {
    BP_HALF_LEAST_STAGES = 8,
    BP_HALF_MOST_STAGES = 12,
    BP_HALF_THREADS = 64, /* of a block, or N / 16 if that is more */
    BP_MOST_THREADS = 1024,
};

/* How stages 0 .. 3 of a block of 16 positions are done; cheap ones first. */
enum polar_bp_block {
    BP_FROZEN_BLOCK,   /* what comes out says 0 for sure */
    BP_FREE_BLOCK,     /* nothing comes out */
    BP_REPEATED_BLOCK, /* all frozen but the last one */
    BP_ANY_BLOCK
};

struct polar_bp_job {
    struct polar_frames frames; /* crc_*, polynomial, iterations: unused */
    const uint32_t *syndrome;   /* a word for each position of u, to be added up where it is 1: */
    uint32_t right;             /* that of a frame whose CRC holds */
    uint32_t stages, iterations;
    uint32_t stop; /* enum polar_stop */
};

/* All pointers are the device's. */
struct polar_bp_half_job {
    struct polar_bp_job bp;
    const struct polar_bp_thread *thread; /* of a block */
    const uint32_t *pairs; /* 16 words for each block of 16 positions: polar_bp_fill_pairs() */
    uint32_t scale;        /* in both lanes, */
    uint32_t unit;         /* that of an LLR of 1, */
    uint32_t bias;         /* that of -1152, */
    uint32_t most;         /* of 127, */
    uint32_t sure;         /* and what is said of frozen bits */
};

struct polar_bp_any_job {
    struct polar_bp_job bp;
    const uint32_t *frozen; /* a bit a position */
    float *memory;          /* not NULL: polar_bp_any_floats() for each frame of the grid */
    uint32_t type;          /* of LLRs */
    uint32_t rule;          /* enum polar_rule */
    uint32_t together;      /* frames of a block */
    float scale;            /* of the minimum */
    float limit, llr_scale; /* of what is received */
    float most;             /* largest message, what is said of frozen bits */
    float nothing;          /* what is said of others */
};

/* Of a frame in bp_any: columns 1 .. stages. */
FECRUN_INLINE uint32_t polar_bp_any_floats(uint32_t stages)
{
    return stages << stages;
}

/* Bytes of shared memory for a frame in bp_any, but for its messages: u, x, flags. */
FECRUN_INLINE uint32_t polar_bp_any_bytes(uint32_t stages)
{
    return (2u << stages) + 16;
}

/* Threads of a frame in bp_any. */
FECRUN_INLINE uint32_t polar_bp_any_threads(uint32_t stages)
{
    return 1u << (stages < 11 ? stages - 1 : 10);
}

/*
 * What a thread of bp_half does in stages 0 .. 3: a block of 16 positions of a pair of frames, how,
 * and which of its positions are not frozen; and where its messages are, in bytes of shared memory:
 * columns 4 and 8 as bp_thread has them. A table, as threads that work it out from their numbers
 * have no registers to keep it in, and work it out again and again.
 */
struct polar_bp_place {
    uint8_t block, pair, kind, unused;
    uint32_t free; /* for both lanes */
    uint32_t first_4, unused_word;
};

struct polar_bp_thread {
    struct polar_bp_place place;
    uint32_t middle_4, middle_8, last, received;
};

/* Pairs of frames of a block of bp_half, and its threads. */
FECRUN_INLINE uint32_t polar_bp_half_pairs(uint32_t stages)
{
    return stages < 10 ? 1u << (10 - stages) : 1;
}

FECRUN_INLINE uint32_t polar_bp_half_threads(uint32_t stages)
{
    return polar_bp_half_pairs(stages) << (stages - 4);
}

/*
 * Its shared memory: columns 4 and 8 of each pair, with gaps between pieces of 16 and 256 positions, so that
 * neither phase's accesses meet in a bank; what was received; u; flags, 4 words a pair.
 */
FECRUN_INLINE uint32_t polar_bp_place_4(uint32_t position)
{
    return position + position / 16 * 4 + position / 256 * 16;
}

FECRUN_INLINE uint32_t polar_bp_place_8(uint32_t position)
{
    return position + position / 256 * 16;
}

enum { BP_FLAGS = 4, BP_THREAD_WORDS = sizeof(struct polar_bp_thread) / sizeof(uint32_t) };

FECRUN_INLINE uint32_t polar_bp_half_words(uint32_t stages)
{
    const uint32_t n = 1u << stages;
    const uint32_t middle = stages > 8 ? polar_bp_place_8(n) : 0;

    return polar_bp_half_pairs(stages) * (polar_bp_place_4(n) + middle + n + n / 16 + BP_FLAGS);
}

#ifdef __cplusplus
extern "C" {
#endif

struct polar_decode;

/* For bp_half: min-sum of 8-bit LLRs of lengths that it has. */
bool polar_bp_half_takes(const struct polar_decode *d, uint32_t type);

/* What finds room in `shared` bytes of shared memory of a thread block. */
enum polar_bp_fit {
    BP_FITS_NOT,
    BP_FITS_GLOBAL, /* bp_any with its messages in global memory, */
    BP_FITS_SHARED, /* and in shared memory */
    BP_FITS_HALF,
};

/* The best form of a code. bp_any: of a frame a block. */
enum polar_bp_fit polar_bp_fit(const struct polar_decode *d, uint32_t type, size_t shared);
/* The form of bp_any with so many frames a block. */
enum polar_bp_fit polar_bp_any_fit(uint32_t stages, uint32_t together, size_t shared);

/* Tables, in memory of the caller: polar_bp_positions() halves; N, N / 32, N words; BP_THREAD_WORDS
   a thread. */
uint32_t polar_bp_positions(const struct polar_decode *d);
void polar_bp_fill_positions(uint16_t *position, const struct polar_decode *d);
void polar_bp_fill_syndrome(uint32_t *syndrome, const struct polar_decode *d);
void polar_bp_fill_frozen(uint32_t *frozen, const struct polar_decode *d);
/* Two words for each pair of positions: by what the left one's message from the right is multiplied and
   what is added to it, what is added to the other's: what R of column 1 is, out of L. */
void polar_bp_fill_pairs(uint32_t *pairs, const struct polar_decode *d);
void polar_bp_fill_threads(uint32_t *thread, const struct polar_decode *d);

/* All but pointers. */
void polar_bp_fill(struct polar_bp_job *job, const struct polar_decode *d);
void polar_bp_half_fill(struct polar_bp_half_job *job, const struct polar_decode *d);
void polar_bp_any_fill(struct polar_bp_any_job *job, const struct polar_decode *d, uint32_t type);

#ifdef FECRUN_CUDA
const void *polar_bp_half_kernel_of(uint32_t stages, bool stops);
/* fast: with the device's approximations of exp, log and division. */
const void *polar_bp_any_kernel_of(uint32_t rule, bool fast);
#endif

#ifdef __cplusplus
}
#endif

#endif

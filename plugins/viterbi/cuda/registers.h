/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fast CUDA decoder, host side: which codes, tiles and inputs it takes, and its launch.
 *
 * Three ways to trace back:
 *
 *     FAST_ANY, FAST_STORED  sub-frames (f0 > 0): survivors in a ring in shared memory
 *     FAST_WHOLE             f0 = 0: survivors of the whole tile in scratch memory
 */
#ifndef VITERBI_CUDA_FAST_H
#define VITERBI_CUDA_FAST_H

#include "decode_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum fast_kind { FAST_ANY, FAST_STORED, FAST_WHOLE };

enum fast_source { FAST_I8, FAST_NIBBLES, FAST_PUNCTURED };

/* Threads of a block, at most; the look-ups of a trace that is made while the next block of steps is
 * computed, for sub-frames of one byte. */
enum { FAST_THREADS = 256, FAST_TRACED_STEPS = 7 };

enum { FAST_MAX_COLUMNS = 64, FAST_MAX_K = 9, FAST_MAX_BYTES = 4 /* of a sub-frame */ };

/* What a kernel must do, and one that does it. */
struct fast_wish {
    enum fast_kind kind;
    enum fast_source source;
    bool wide;               /* LLRs beyond viterbi_fast_limit() */
    uint32_t steps;          /* look-ups of a trace with sub-frames of one byte, else 0 */
};

struct fast_kernel {
    const void *function;
    uint32_t block_bytes; /* survivors of a block of eight steps, of FAST_THREADS threads */
    uint32_t tiles;       /* a thread, or as many threads as are a team */
    uint32_t members;     /* of a team, 1 for none; with teams fewer threads have less survivors */
};

bool fast_choose_k5(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k7(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k7_inverted(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k7_lte(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k7_gsm(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k7_dab(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k9(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k9_third(const struct fast_wish *wish, struct fast_kernel *kernel);
bool fast_choose_k9_quarter(const struct fast_wish *wish, struct fast_kernel *kernel);

/* Byte selectors that put the LLRs of a word into the order of the kernel's code. */
struct fast_order {
    uint32_t pair[2], first[2], second[2];
};

/*
 * A block of a punctured code of rate 1/2 that begins at a certain step of the pattern: where the
 * items of each word come from. select: bytes of words (0, 0), (0, 1), (0, 1) or (1, 2), (1, 2) or
 * (2, 3), the later pair if bit 16 is set; select[0] bits 24..31: LLRs that the block takes;
 * select[1] bits 24..31: entry of the next block.
 */
struct fast_spread {
    uint32_t select[4], mask[4];
};

/* All that a kernel knows; times count steps. */
struct fast_job {
    struct viterbi_gpu_input in;
    struct viterbi_gpu_output out;
    uint64_t T, f, v1, v2, info_bits; /* as in struct viterbi_spec; f: tile steps, never 0 */
    uint64_t first, row, skip_items, items; /* as in struct viterbi_group */
    uint32_t termination;             /* enum viterbi_termination */
    uint8_t from_any;                 /* traces of whole tiles begin in state 0 */
    uint8_t whole;                    /* the frame is one tile */
    uint8_t word_stores;              /* output words are aligned and belong to one tile each */
    uint32_t lead;    /* schedule step of a tile's first output: v1 and padding */
    uint32_t blocks;  /* of eight steps, of the longest tile */
    uint32_t skip, out_blocks; /* blocks from a trace's start to its output; blocks of output */
    uint32_t delay;   /* blocks until byte 0's trace can start, less out_blocks */
    uint32_t settle;  /* steps until metrics are within their settled range after a known start */
    uint32_t ring;    /* blocks that the ring holds */
    const struct fast_spread *spread; /* punctured: [columns of the pattern], device memory */
    uint32_t columns;
    uint32_t threads; /* a block */
    uint32_t lanes, tiles; /* threads or teams of a warp that have tiles, and how many each */
    struct fast_order order;
    uint8_t swapped;  /* the code's two outputs are the kernel's in the other order */
    uint32_t one;     /* 1: see fast_mad() */
    uint8_t *scratch; /* FAST_WHOLE: survivors */
};

/* Is there a code like this? The kernels of some serve the code with its outputs swapped, too. */
bool viterbi_fast_choose(const struct viterbi_code *code, const struct fast_wish *wish,
                         struct fast_kernel *kernel, bool *swapped);

/* The largest |LLR| that 8-bit metrics of this code hold, 0 if it has no kernels. */
int viterbi_fast_limit(const struct viterbi_code *code);

/* NULL, or why the kernels do not do this, in words. */
const char *viterbi_fast_problem(const struct viterbi_spec *spec, enum fast_kind *kind);

/*
 * Fills in what follows from in, out and the spec; the ring's size is the kernel's. With f0 > 0
 * this is all tiles of the call in one launch. With f0 = 0 viterbi_fast_group() then chooses the
 * tiles of one group.
 */
void viterbi_fast_fill(struct fast_job *job, const struct viterbi_spec *spec, bool swapped);
void viterbi_fast_group(struct fast_job *job, const struct viterbi_group *group);

/* For rate 1/2 and rank[] as in struct viterbi_gpu_input: an entry a column. NULL, or what is wrong
 * with the pattern. */
const char *viterbi_fast_spread(const uint16_t *rank, uint32_t period, uint32_t sent,
                                struct fast_spread *spread);

#ifdef __cplusplus
}
#endif

#endif

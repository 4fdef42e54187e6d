/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA decoder in registers, host side: which codes, tiles and inputs it takes, and its launch.
 *
 * Five ways to trace back:
 *
 *     REGISTERS_ANY, REGISTERS_STORED  sub-frames (f0 > 0): survivors in a ring in shared memory
 *     REGISTERS_WHOLE             f0 = 0: survivors of the whole tile in scratch memory
 *     REGISTERS_FRAMES            the same of whole frames: through the ring, with a proof that it
 *                                 is right; what is not, from scratch memory (frames.cuh)
 *     REGISTERS_WRAP              tail-biting frames, round and round: wrap/plan.h
 */
#ifndef VITERBI_CUDA_REGISTERS_PLAN_H
#define VITERBI_CUDA_REGISTERS_PLAN_H

#include "plugins/viterbi/cuda/input.h"

#ifdef __cplusplus
extern "C" {
#endif

struct puncture_code;

enum registers_kind {
    REGISTERS_ANY,
    REGISTERS_STORED,
    REGISTERS_WHOLE,
    REGISTERS_FRAMES,
    REGISTERS_WRAP
};

enum registers_source { REGISTERS_I8, REGISTERS_NIBBLES, REGISTERS_PUNCTURED, REGISTERS_FLOATS };

/* Threads of a block, at most: those that places of survivors are laid out for. Kernels that are
 * compiled when they are used may have fewer, where there is little shared memory. */
#ifndef REGISTERS_THREADS
#define REGISTERS_THREADS 256
#endif

/*
 * Survivors of the newest block stay in registers while the next one is computed, so that the ring has a
 * block less: with tags of eight bits, where all of the blocks do not fit.
 */
#ifndef REGISTERS_HELD
#define REGISTERS_HELD 0
#endif

/*
 * The last slot of the ring is in device memory, where a block's survivors stay in the caches: one of seven or eight.
 * For rings that have no room in shared memory otherwise.
 */
#ifndef REGISTERS_GLOBAL_SLOT
#define REGISTERS_GLOBAL_SLOT 0
#endif

/* The look-ups of a trace that is made while the next block of steps is computed, for sub-frames of one
 * byte. Kernels that are compiled when they are used may have up to two more. */
#ifndef REGISTERS_TRACED_STEPS
#define REGISTERS_TRACED_STEPS 7
#endif

/* Of so many blocks the frames' decoder keeps the metrics of these. */
#define REGISTERS_KEPT(blocks) (((blocks)-1) / REGISTERS_TRACED_STEPS + 1)

enum {
    REGISTERS_MAX_COLUMNS = 64,
    REGISTERS_MAX_K = 9,
    REGISTERS_MAX_BYTES = 4,  /* of a sub-frame */
    REGISTERS_MOST_PIECES = 8 /* of a frame that is cut because there are few */
};

/* Words for two tiles: from compute capability 9.0 on, and before. */
enum registers_lanes { REGISTERS_LANES_16, REGISTERS_LANES_15 };

/* What a kernel must do, and one that does it. */
struct registers_wish {
    enum registers_kind kind;
    enum registers_source source;
    enum registers_lanes lanes;
    bool wide;        /* LLRs beyond viterbi_registers_limit() */
    bool fine;        /* of these, those for which 12-bit metrics will do: if there is a kernel */
    bool held;        /* REGISTERS_HELD */
    bool global_slot; /* REGISTERS_GLOBAL_SLOT */
    uint32_t steps;   /* look-ups of a trace with sub-frames of one byte, else 0 */
};

struct registers_kernel {
    const void *function;
    uint32_t threads;     /* a block, at most */
    uint32_t block_bytes; /* survivors of a block of eight steps, of so many threads */
    uint32_t tiles;       /* a thread, or as many threads as are a team */
    uint32_t members;     /* of a team, 1 for none; with teams fewer threads have less survivors */
    uint32_t traced;      /* look-ups of traces that are made beside the next block, or 0 */
    bool newest;          /* traces look up the newest block in the ring, too */
    bool frames;          /* REGISTERS_FRAMES: if it was wished, else REGISTERS_WHOLE */
};

bool viterbi_choose_k7(const struct registers_wish *wish, struct registers_kernel *kernel);
/* What viterbi_choose_k7() calls if `fine`. */
bool viterbi_choose_k7_fine(const struct registers_wish *wish, struct registers_kernel *kernel);
/* With floats, the same with its second output inverted, too. */
bool viterbi_choose_k7_float(const struct registers_wish *wish, struct registers_kernel *kernel,
                             bool inverted);

/* Byte selectors that put the LLRs of a word into the order of the kernel's code. */
struct registers_order {
    uint32_t pair[2], first[2], second[2];
};

/*
 * A block of a punctured code of rate 1/2 that begins at a certain step of the pattern: where the
 * items of each word come from. select: bytes of words (0, 0), (0, 1), (0, 1) or (1, 2), (1, 2) or
 * (2, 3), the later pair if bit 16 is set; select[0] bits 24..31: LLRs that the block takes;
 * select[1] bits 24..31: entry of the next block.
 */
struct registers_spread {
    uint32_t select[4], mask[4];
};

/* All that a kernel knows; times count steps. */
struct registers_job {
    struct viterbi_gpu_input in;
    struct viterbi_gpu_output out;
    uint64_t T, f, v1, v2, info_bits;       /* as in struct viterbi_spec; f: tile steps, never 0 */
    uint64_t first, row, skip_items, items; /* as in struct viterbi_group */
    uint32_t termination;                   /* enum viterbi_termination */
    uint8_t from_any;                       /* traces of whole tiles begin in state 0 */
    uint8_t whole;                          /* the frame is one tile */
    uint8_t word_stores;       /* output words are aligned and belong to one tile each */
    uint32_t lead;             /* schedule step of a tile's first output: v1 and padding */
    uint32_t blocks;           /* of eight steps, of the longest tile */
    uint32_t skip, out_blocks; /* blocks from a trace's start to its output; blocks of output */
    uint32_t delay;            /* blocks until byte 0's trace can start, less out_blocks */
    uint32_t settle; /* steps until metrics are within their settled range after a known start */
    uint32_t ring;   /* blocks that the ring holds */
    const struct registers_spread *spread; /* punctured: [columns of the pattern], device memory */
    uint32_t columns;
    uint32_t threads;      /* a block */
    uint32_t lanes, tiles; /* threads or teams of a warp that have tiles, and how many each */
    struct registers_order order;
    uint8_t swapped; /* the code's two outputs are the kernel's in the other order */
    uint32_t one;    /* 1: see registers_mad() */
    uint8_t *
        scratch; /* REGISTERS_WHOLE: survivors; REGISTERS_FRAMES: metrics, notes; REGISTERS_GLOBAL_SLOT: slots */
    uint64_t scratch_each; /* REGISTERS_FRAMES: bytes of a block of threads */
};

/* Is there a code like this? The kernels of some serve the code with its outputs swapped, too. */
bool viterbi_registers_choose(const struct viterbi_code *code, const struct registers_wish *wish,
                              struct registers_kernel *kernel, bool *swapped);

/* The largest |LLR| that metrics of 8 bits hold, or, in lanes of 15 bits, of 7; 0 if the code has no
 * kernels. Fine: metrics of 12 bits. */
int viterbi_registers_limit(const struct viterbi_code *code, enum registers_lanes which);
int viterbi_registers_fine_limit(const struct viterbi_code *code);

/* NULL, or why the kernels do not do this, in words. */
const char *viterbi_registers_problem(const struct viterbi_spec *spec, enum registers_kind *kind);

/*
 * Fills in what follows from in, out and the spec; the ring's size is the kernel's. With f0 > 0
 * this is all tiles of the call in one launch. With f0 = 0 viterbi_registers_group() then chooses
 * the tiles of one group.
 */
void viterbi_registers_fill(struct registers_job *job, const struct viterbi_spec *spec,
                            bool swapped);
/* Is this what REGISTERS_FRAMES is for? */
bool viterbi_registers_proves(const struct viterbi_spec *spec);

/*
 * Steps that a piece of a frame goes back to be joined to the one before, more at higher rates, and
 * pieces for so many frames where there is room for `places` of them at a time. Fewer frames are cut
 * into as many pieces or more.
 */
uint32_t viterbi_registers_meet(const struct viterbi_spec *spec,
                                const struct puncture_code *pattern);
uint32_t viterbi_registers_pieces(const struct viterbi_spec *spec, uint32_t meet, uint64_t places,
                                  uint64_t frames);

/*
 * After viterbi_registers_fill(): frames in so many pieces, each of which begins at least `meet`
 * steps, one or more, before what it decides. Pieces of a frame lie beside each other in a warp:
 * job->lanes must be a multiple of `pieces`.
 */
void viterbi_registers_frames(struct registers_job *job, const struct viterbi_spec *spec,
                              uint32_t pieces, uint32_t meet);

/* Of scratch memory for a block of threads. block_bytes: as in struct registers_kernel. */
size_t viterbi_registers_frames_bytes(const struct registers_job *job, uint32_t block_bytes);
void viterbi_registers_group(struct registers_job *job, const struct viterbi_group *group);

/* For rate 1/2 and rank[] as in struct viterbi_gpu_input: an entry a column. NULL, or what is wrong
 * with the pattern. */
const char *viterbi_registers_spread(const uint16_t *rank, uint32_t period, uint32_t sent,
                                     struct registers_spread *spread);

#ifdef __cplusplus
}
#endif

#endif

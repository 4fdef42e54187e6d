/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The general Viterbi decoder for CUDA devices, after A. Mohammadidoost and M. Hashemi,
 * "High-Throughput and Memory-Efficient Parallel Viterbi Decoder for Convolutional Codes on GPU":
 * one kernel computes branch metrics, path metrics and survivors and traces back, several tiles
 * (the document's frames) a thread block, survivors in shared memory, sub-frames traced in
 * parallel, punctured input read in place. It takes every code and every geometry of decode.h.
 *
 * Two forms of it:
 *
 *     state   a thread a state, beyond 1024 states several of them; path metrics in shared memory,
 *             int32 or float
 *     warp    a warp a tile, for K = 7..9; path metrics in registers, handed on by shuffles, so
 *             that the forward pass has no barrier; pairs of int16, which hold them exactly since
 *             they are normalised every 16 steps, or float
 *
 * Survivors are one bit a state and step. Where a tile's do not fit into shared memory, they are in
 * a region of global memory that each block of the grid has for itself; the grid is bounded, and
 * its blocks go from tile to tile.
 *
 * A host makes an object once (plan, then prepare), and launches it for the groups of tiles of a
 * call. All of it is read-only after that.
 */
#ifndef VITERBI_CUDA_GENERAL_PLAN_H
#define VITERBI_CUDA_GENERAL_PLAN_H

#include <fecrun/sdk/cuda.h>

#include "plugins/viterbi/cuda/input.h"

#ifdef __cplusplus
extern "C" {
#endif

enum viterbi_general_form { VITERBI_GENERAL_AUTO, VITERBI_GENERAL_STATE, VITERBI_GENERAL_WARP };

enum viterbi_general_survivors {
    VITERBI_SURVIVORS_AUTO,
    VITERBI_SURVIVORS_SHARED,
    VITERBI_SURVIVORS_GLOBAL
};

struct viterbi_general_config {
    enum viterbi_general_form form;
    enum viterbi_general_survivors survivors;
    unsigned frames; /* tiles a block; 0 chooses */
    uint64_t tiles;  /* of the largest call, as far as known; 0: unknown, many */
    struct fecrun_cuda_limits limits;
};

enum { VITERBI_GENERAL_GROUPS = 16 }; /* in one launch */

struct viterbi_general_group {
    struct viterbi_tile tile;
    uint64_t first, row, skip, items; /* as in struct viterbi_group */
    uint64_t first_block;
    uint32_t traces; /* of a tile */
};

/* What a kernel gets. Lengths of memory are in 32-bit words. */
struct viterbi_general_work {
    struct viterbi_gpu_input input;
    struct viterbi_gpu_output output;
    struct viterbi_code code;
    uint64_t steps, f, v2, f0; /* of a frame; of a tile */
    uint32_t states, start, wrap_limit;
    uint8_t circular, wraps, share_bytes;
    uint8_t alternates;      /* survivors of even steps lie otherwise: steps.h, even_step() */
    uint32_t tiles, threads; /* tiles a block, threads a tile */
    uint32_t chunk;          /* steps whose branch metrics are made at once */
    uint32_t at_bm, at_metric, at_flags, at_rows, at_region; /* in shared memory; LLRs are at 0 */
    uint32_t step_words; /* survivors: from one step to the next */
    uint64_t tile_words; /* from one tile to the next; 0: tiles follow each other within a step */
    uint64_t states_at, region_words; /* start states of traces; the whole region of a block */
    uint32_t max_traces;
    uint32_t *scratch; /* regions in global memory */
    uint32_t n_groups;
    uint64_t blocks;
    struct viterbi_general_group group[VITERBI_GENERAL_GROUPS];
};

struct viterbi_general {
    struct viterbi_spec spec;
    struct viterbi_general_work work; /* but for input, output, scratch and groups */
    unsigned registers;               /* states a lane; 0: the form `state` */
    bool in_shared;
    uint32_t shared_bytes;
    uint64_t limit; /* blocks of a grid */
    char text[96];  /* what was chosen, for people */
};

struct viterbi_general_problem {
    const char *option; /* the member of config at fault, or NULL */
    char text[192];
};

/* 0, or -1 and what is wrong. Pure; the spec must be without a problem. */
int viterbi_general_plan(struct viterbi_general *general, const struct viterbi_spec *spec,
                         const struct viterbi_general_config *config,
                         struct viterbi_general_problem *problem);

/* Bytes of device memory, 64-byte aligned, for calls with up to that many tiles. */
size_t viterbi_general_scratch(const struct viterbi_general *general, uint64_t tiles);

/*
 * Do the bits of different traces share bytes of the output? Then they are ORed into it by aligned
 * 32-bit words, and the caller has cleared it before the first launch; the memory reaches up to the
 * end of the last such word. Else each launch writes whole bytes, and nothing needs to be cleared.
 */
bool viterbi_general_shares_bytes(const struct viterbi_spec *spec);

/* Fills work->group from groups[0 .. n), n <= VITERBI_GENERAL_GROUPS, and counts the blocks. */
void viterbi_general_set_groups(struct viterbi_general_work *work,
                                const struct viterbi_group *groups, size_t n);

#ifdef FECRUN_CUDA

/*
 * Lets the kernel have the shared memory that it was planned with, on the present device. The limit
 * is a property of the kernel, which other objects share: so it is all that a block may have.
 */
cudaError_t viterbi_general_prepare(struct viterbi_general *general, size_t shared_block);

/*
 * Queues the decoding of exactly the tiles of these groups. Other tiles' bits stay as they are,
 * also in bytes that they share. Tail-biting frames without tiles get their frame infos.
 */
cudaError_t viterbi_general_launch(const struct viterbi_general *general,
                                   const struct viterbi_gpu_input *input,
                                   const struct viterbi_gpu_output *output,
                                   const struct viterbi_group *groups, size_t n, void *scratch,
                                   cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* An instance of the backend cuda of viterbi.decode: decode.c runs it, choose.c finds its kernel. */
#ifndef VITERBI_CUDA_INSTANCE_H
#define VITERBI_CUDA_INSTANCE_H

#include <fecrun/sdk/cuda.h>

#ifdef FECRUN_CUDA

#include "plugins/common/rtc/compiled.h"
#include "plugins/viterbi/cuda/device.h"
#include "plugins/viterbi/cuda/general/plan.h"
#include "plugins/viterbi/cuda/registers/plan.h"
#include "plugins/viterbi/cuda/registers/wrap/plan.h"

/* Whole tiles, or pieces of frames, and tail-biting frames in registers take as long for few as for
 * many: below this many the general decoder is the faster one. */
#define WHOLE_TILES 4096
#define WRAP_FRAMES 512

/* A thread takes longer for a tile than a warp of the general decoder does, which for K = 7 does two
 * steps at a time: up to so many tiles a multiprocessor it is the faster one. */
#define FEW_TILES 16

/* Survivors of whole tiles, of all blocks of a grid. */
#define WHOLE_SCRATCH ((size_t)6 << 30)

struct viterbi_cuda_instance {
    struct viterbi_gpu gpu;
    struct viterbi_general general;
    bool in_registers; /* has a kernel */
    bool insists;      /* on registers, also for few tiles */
    bool asked;        /* for note(): nothing is uploaded or compiled */
    bool built_in;     /* the build's kernels may be taken */
    struct registers_wish wish;
    struct registers_kernel kernel;
    bool compiles;                /* it is none of the build's */
    struct rtc_compiled compiled; /* then */
    enum registers_kind kind;
    struct wrap_plan wrap;
    bool swapped;
    uint32_t ring;    /* blocks */
    uint32_t threads; /* a block, at most */
    struct fecrun_cuda_limits limits;
    unsigned processors;
    struct registers_spread *spread; /* device memory */
};

/*
 * Chooses a kernel in registers, and compiles it if it is none of the build's; what `asked` says. 1: done;
 * 0: the general decoder does all of the work, and `why` says why; -1: error.
 */
int viterbi_cuda_choose(struct viterbi_cuda_instance *i, int device, struct fecrun_error *why);

/* Is there a kernel in registers for what gpu and limits say, but for its ring's room? Asks no device. */
bool viterbi_cuda_may_compile(const struct viterbi_cuda_instance *asked);

/* Survivors of a block of eight steps in the ring, in bytes. */
uint32_t viterbi_cuda_ring_block(const struct viterbi_cuda_instance *i);

/* Are survivors of whole tiles in scratch memory? */
bool viterbi_cuda_traces_all(const struct viterbi_cuda_instance *i);

/* After viterbi_registers_fill(): cuts frames into pieces. */
void viterbi_cuda_pieces(const struct viterbi_cuda_instance *i, struct registers_job *job,
                         uint64_t frames);

/* Survivors of one block of threads with whole tiles, in a call with so many frames. */
uint64_t viterbi_cuda_block_scratch(const struct viterbi_cuda_instance *i, uint64_t frames);

/* With fewer tiles in a call `auto` takes the general decoder. */
unsigned viterbi_cuda_fewest(const struct viterbi_cuda_instance *i);

#endif
#endif

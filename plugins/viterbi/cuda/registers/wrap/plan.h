/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tail-biting frames in registers, round and round (wrap_around() of ref/decode.c): REGISTERS_WRAP.
 *
 * A warp has a share of the batch's frames. All of its threads go round their frames at the same
 * time, one frame a lane of their words; after each round a lane whose frame is done takes the next
 * one of the share. So nothing waits for the frames that need many rounds, but at the very end.
 *
 * Survivors of two rounds, the present one and the one before it, are kept by turns in two sets of
 * places, a place a block of eight steps: the first places in shared memory, the others in scratch
 * memory, of which so little is in use that it stays in the L2 cache.
 */
#ifndef VITERBI_CUDA_REGISTERS_WRAP_PLAN_H
#define VITERBI_CUDA_REGISTERS_WRAP_PLAN_H

#include "plugins/viterbi/cuda/registers/plan.h"

#ifdef FECRUN_CUDA
#include <cuda_runtime_api.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* All that a kernel knows. */
struct wrap_job {
    struct registers_job registers; /* in, out, T, order, swapped, one, scratch */
    uint32_t full, rest;            /* a round: blocks of eight steps, and steps behind them */
    uint32_t near;                  /* places of survivors in shared memory */
    uint32_t limit;                 /* rounds of a frame */
    uint32_t warps;                 /* of a block that have frames */
};

/* The kernels of K = 7; wide: LLRs beyond viterbi_registers_limit(). */
bool viterbi_wrap_k7(bool wide, struct registers_kernel *kernel);
bool viterbi_wrap_k7_inverted(bool wide, struct registers_kernel *kernel);
bool viterbi_wrap_k7_lte(bool wide, struct registers_kernel *kernel);
bool viterbi_wrap_k7_gsm(bool wide, struct registers_kernel *kernel);
bool viterbi_wrap_k7_dab(bool wide, struct registers_kernel *kernel);

/* Where survivors lie, for one kernel and one length of frames. */
struct wrap_plan {
    uint32_t places, near; /* of both rounds; of them in shared memory */
    uint32_t shared;       /* bytes a block of threads */
    uint64_t scratch;      /* bytes a block of threads */
};

/* NULL, or why it is not possible. */
const char *viterbi_wrap_plan(struct wrap_plan *plan, const struct viterbi_spec *spec,
                              const struct registers_kernel *kernel, size_t shared_block);

/* Few frames are spread over all multiprocessors, and there over the schedulers: blocks and the
 * threads of one. */
struct wrap_grid {
    uint32_t blocks, threads;
};
struct wrap_grid viterbi_wrap_grid(uint64_t frames, const struct registers_kernel *kernel,
                                   unsigned processors);

/* in, out and scratch of job->registers are set. */
void viterbi_wrap_fill(struct wrap_job *job, const struct viterbi_spec *spec,
                       const struct wrap_plan *plan, struct wrap_grid grid, bool swapped);

#ifdef FECRUN_CUDA

/* Queues the decoding of all frames of job->registers.in. */
cudaError_t viterbi_wrap_launch(struct wrap_job *job, const struct viterbi_spec *spec,
                                const struct registers_kernel *kernel, const struct wrap_plan *plan,
                                unsigned processors, bool swapped, cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif

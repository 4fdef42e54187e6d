/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the CUDA backends of viterbi.decode share: from the host's calls and views to what kernels
 * take (decode_cuda.h), with or without an absorbed conv.depuncture.
 */
#ifndef VITERBI_VITERBI_CUDA_H
#define VITERBI_VITERBI_CUDA_H

#include <fecrun/plugin.h>

#include "decode_cuda.h"
#include "puncture.h"

/*
 * Items of a stream that viterbi.decode asks for beyond an overlap. Where conv.depuncture is
 * absorbed the host shrinks the margin by the pattern's rate; how many items an overlap really has
 * depends on where its ones are, and differs from that by less than a period.
 */
#define VITERBI_SPARE_ITEMS 64

/* EXACT holds for integer LLRs; for F32 ones this bound does. That is float rounding of metrics,
 * which stay near the LLRs' size, for LLRs up to some hundreds. */
#define VITERBI_F32_BOUND 0.01

extern const struct fecrun_form *const viterbi_cuda_forms[];
extern const char *const viterbi_cuda_absorbs[];

/* For both: all codes are taken, but not all patterns can be absorbed. */
int viterbi_cuda_takes(const struct fecrun_create *args, struct fecrun_error *err);

extern const struct fecrun_backend viterbi_cuda_fast;
extern const struct fecrun_backend viterbi_cuda_document;

/* ---- punctured streams; also for tests ---- */

/* How many of `items` items of the mother code, from the beginning of a period on, are sent. */
uint64_t viterbi_sent_items(const struct puncture_code *pattern, uint64_t items);

/*
 * Steps of n outputs that `items` sent items cover right before and right behind a period's border:
 * exactly what conv.depuncture makes of them at a stream's ends, elsewhere perhaps a last step that
 * is not whole, which does not matter where viterbi_spare_suffices().
 */
uint64_t viterbi_steps_before(const struct puncture_code *pattern, unsigned n, uint64_t items);
uint64_t viterbi_steps_after(const struct puncture_code *pattern, unsigned n, uint64_t items);

/* Are the margins that a host makes of plan()'s always enough for the overlaps? */
bool viterbi_spare_suffices(const struct puncture_code *pattern, const struct viterbi_spec *spec);

/* rank[] of struct viterbi_gpu_input, [pattern->period]. */
void viterbi_fill_rank(const struct puncture_code *pattern, uint16_t *rank);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* The part of an instance that both backends have. */
struct viterbi_gpu {
    struct viterbi_spec spec; /* is_float as the form says */
    uint32_t type;            /* of the input */
    int device;
    struct puncture_code *pattern; /* absorbed, a copy; NULL: none */
    uint16_t *rank;                /* device memory */
};

/* A call as kernels and decode_tiles.c see it; `geometry` has no LLRs. */
struct viterbi_gpu_call {
    struct viterbi_gpu_input input;
    struct viterbi_gpu_output output;
    struct viterbi_input geometry;
};

/* Makes args->device the thread's device, too. On failure nothing is left behind. */
int viterbi_gpu_create(struct viterbi_gpu *gpu, const struct fecrun_create *args,
                       struct fecrun_error *err);
void viterbi_gpu_destroy(struct viterbi_gpu *gpu);

/* Makes the instance's device the thread's device, too. */
int viterbi_gpu_begin(const struct viterbi_gpu *gpu, const struct fecrun_call *call,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      struct viterbi_gpu_call *made, struct fecrun_error *err);

/* Queues zeros for all output of a call. */
cudaError_t viterbi_gpu_clear(const struct viterbi_gpu *gpu, const struct viterbi_gpu_call *call,
                              cudaStream_t stream);

#endif
#endif

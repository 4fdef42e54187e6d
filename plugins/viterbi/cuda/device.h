/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the CUDA backends of viterbi.decode share: from the host's calls and views to what kernels
 * take (input.h), with or without an absorbed conv.depuncture.
 */
#ifndef VITERBI_CUDA_DEVICE_H
#define VITERBI_CUDA_DEVICE_H

#include <fecrun/plugin.h>

#include "plugins/viterbi/code/puncture.h"
#include "plugins/viterbi/cuda/input.h"
#include "plugins/viterbi/decode.h"

extern const struct fecrun_form *const viterbi_cuda_forms[];
extern const char *const viterbi_cuda_absorbs[];

/* For both: all codes are taken, but not all patterns can be absorbed. */
int viterbi_cuda_takes(const struct fecrun_create *args, struct fecrun_error *err);

/* ---- punctured streams; also for tests ---- */

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

#ifdef __cplusplus
extern "C" {
#endif

/* probe() of all backends of this plugin, and the kernel that it looks for: the build has code for
 * the same devices of all of them. */
int viterbi_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                       size_t reason_size);
const void *viterbi_cuda_kernel(void);

/* apart_copy, see plugins/common/gpu/apart.h. */
struct apart_args;
cudaError_t viterbi_cuda_copy_classes(const struct apart_args *args, bool back, void *stream);

/* The part of an instance that both backends have. */
struct viterbi_gpu {
    struct viterbi_spec spec; /* is_float as the form says */
    uint32_t type;            /* of the input */
    int device;
    struct puncture_code *pattern; /* absorbed, a copy; NULL: none */
    uint16_t *rank;                /* device memory */
};

/* A call as kernels and code/tiles.c see it; `geometry` has no LLRs. */
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

/* Queues the decoding of all tiles of a call, as many groups of them a launch as it takes. */
struct viterbi_general;
cudaError_t viterbi_general_launch_all(const struct viterbi_general *general,
                                       const struct viterbi_gpu_call *made, void *memory,
                                       cudaStream_t stream);

/* Queues zeros for all output of a call. */
cudaError_t viterbi_gpu_clear(const struct viterbi_gpu *gpu, const struct viterbi_gpu_call *call,
                              cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
#endif

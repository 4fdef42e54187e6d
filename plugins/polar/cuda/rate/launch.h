/* SPDX-License-Identifier: BSD-2-Clause */
/* polar.rate_match and polar.rate_recover on CUDA devices: tables, and launches of the kernels. */
#ifndef POLAR_CUDA_RATE_LAUNCH_H
#define POLAR_CUDA_RATE_LAUNCH_H

#include <fecrun/plugin.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct polar_rate_args;
struct polar_rate_class;

/*
 * Returns n classes of frames, followed by their tables, in one piece of memory of *bytes bytes, which the
 * caller frees. NULL and a reason if there is no memory.
 */
struct polar_rate_class *polar_match_tables(void *const *codes, uint32_t n, size_t *bytes,
                                            struct fecrun_error *err);
struct polar_rate_class *polar_recover_tables(void *const *codes, uint32_t n, size_t *bytes,
                                              struct fecrun_error *err);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* One of the kernels. */
const void *polar_rate_kernel(void);

/* Queues the work: rate_match if `type` is one of bits, rate_recover if it is one of LLRs. */
cudaError_t polar_rate_launch(const struct polar_rate_args *args, uint32_t type,
                              cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif

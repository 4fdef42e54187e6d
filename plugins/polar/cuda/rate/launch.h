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
 * What the kernels know of the classes of frames, one piece of memory of so many bytes: n classes, and their
 * tables behind them. The caller frees it. NULL and a reason: out of memory.
 */
struct polar_rate_class *polar_match_tables(void *const *codes, uint32_t n, size_t *bytes,
                                            struct fecrun_error *err);
struct polar_rate_class *polar_recover_tables(void *const *codes, uint32_t n, size_t *bytes,
                                              struct fecrun_error *err);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* One of the kernels. */
const void *polar_rate_kernel(void);

/* Queues the work: rate_match for types of bits, rate_recover for those of LLRs. */
cudaError_t polar_rate_launch(const struct polar_rate_args *args, uint32_t type,
                              cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif

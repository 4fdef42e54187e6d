/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.rate_match and turbo.rate_recover on CUDA devices: tables, and launches of the kernels. */
#ifndef TURBO_CUDA_RATE_LAUNCH_H
#define TURBO_CUDA_RATE_LAUNCH_H

#include <fecrun/plugin.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct turbo_rate_args;
struct turbo_rate_class;

/*
 * What the kernels know of the classes of frames, one piece of memory: classes, and behind them a
 * table a class. The caller frees it. NULL and a reason.
 */
struct turbo_rate_class *turbo_match_tables(void *const *codes, uint32_t n, size_t *bytes,
                                            struct fecrun_error *err);
struct turbo_rate_class *turbo_recover_tables(void *const *codes, uint32_t n, size_t *bytes,
                                              struct fecrun_error *err);

/* Threads of a frame, and words of shared memory that it has, for frames of n classes: struct turbo_rate_args.
   size: bytes of an item, 0: packed bits. */
void turbo_rate_layout(const struct turbo_rate_class *classes, uint32_t n, unsigned size,
                       bool match, uint32_t *group, uint32_t *shared);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* One of the kernels. */
const void *turbo_rate_kernel(void);

/* Queues the work: rate_match for types of bits, rate_recover for those of LLRs. */
cudaError_t turbo_rate_launch(const struct turbo_rate_args *args, uint32_t type,
                              cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif

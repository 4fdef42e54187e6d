/* SPDX-License-Identifier: BSD-2-Clause */
/* Launches the kernels of rate matching from C. */
#ifndef LDPC_CUDA_RATE_LAUNCH_H
#define LDPC_CUDA_RATE_LAUNCH_H

#include <fecrun/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ldpc_rate;
struct ldpc_rate_args;
struct ldpc_rate_class;
struct ldpc_recover;

/* What the kernels know of a class. type: that of the samples, enum fecrun_type. */
struct ldpc_rate_class ldpc_match_class(const struct ldpc_rate *rate);
struct ldpc_rate_class ldpc_recover_class(const struct ldpc_recover *recover, uint32_t type);

/* Chunks of a frame of any of these classes, at most. */
uint64_t ldpc_rate_chunks(const struct ldpc_rate_class *classes, uint32_t n, uint32_t type);

/* Windows of rate_recover of a frame of any of these classes, at most; 0: it is better without. */
uint32_t ldpc_rate_windows(const struct ldpc_rate_class *classes, uint32_t n, uint32_t type);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* Queues the work: rate_match for types of bits, rate_recover for those of LLRs. */
cudaError_t ldpc_rate_launch(const struct ldpc_rate_args *args, uint32_t type, cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif

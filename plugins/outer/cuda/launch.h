/* SPDX-License-Identifier: BSD-2-Clause */
/* Launches of the CUDA kernels of outer codes. */
#ifndef OUTER_CUDA_LAUNCH_H
#define OUTER_CUDA_LAUNCH_H

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct outer_gpu_args;

/* One of the kernels. */
const void *outer_gpu_kernel(void);

/* Encodes, or copies the information and makes remainders. */
cudaError_t outer_gpu_divide(const struct outer_gpu_args *args, cudaStream_t stream);

/* Corrects the output by the remainders. */
cudaError_t outer_gpu_solve(const struct outer_gpu_args *args, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
#endif

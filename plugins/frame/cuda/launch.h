/* SPDX-License-Identifier: BSD-2-Clause */
/* Launches of the CUDA kernels of the plugin frame. */
#ifndef FRAME_CUDA_LAUNCH_H
#define FRAME_CUDA_LAUNCH_H

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct frame_gpu_args;
struct frame_pieces_args;

/* One of the kernels. */
const void *frame_gpu_kernel(void);

/* type: enum fecrun_type, of input and output. */
cudaError_t frame_gpu_interleave(const struct frame_gpu_args *args, uint32_t type,
                                 cudaStream_t stream);
cudaError_t frame_gpu_scramble(const struct frame_gpu_args *args, uint32_t type,
                               cudaStream_t stream);
/* type: of the LLRs. packed: of the bits. */
cudaError_t frame_gpu_hard(const struct frame_gpu_args *args, uint32_t type, int packed,
                           cudaStream_t stream);

/* type: of the items. */
cudaError_t frame_gpu_pieces(const struct frame_pieces_args *args, uint32_t type,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
#endif

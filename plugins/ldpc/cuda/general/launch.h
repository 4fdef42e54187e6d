/* SPDX-License-Identifier: BSD-2-Clause */
/* Between launch.c and the kernels: a .cu file for each arithmetic. */
#ifndef LDPC_CUDA_GENERAL_LAUNCH_H
#define LDPC_CUDA_GENERAL_LAUNCH_H

#include <cuda_runtime_api.h>

#include "plugins/ldpc/cuda/general/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ldpc_general_grid {
    enum ldpc_general_home home;
    bool nr, roomy, soft;
    uint32_t blocks, threads;
    size_t shared; /* bytes */
    cudaStream_t stream;
};

/* Fills constant memory and lets kernels have all shared memory, on the present device. */
cudaError_t ldpc_general_prepare_half(const struct ldpc_general_graphs *graphs,
                                      size_t shared_block);
cudaError_t ldpc_general_prepare_i16(const struct ldpc_general_graphs *graphs, size_t shared_block);

cudaError_t ldpc_general_launch_half(const struct ldpc_general_work *work,
                                     const struct ldpc_general_grid *grid);
cudaError_t ldpc_general_launch_i16(const struct ldpc_general_work *work,
                                    const struct ldpc_general_grid *grid);

#ifdef __cplusplus
}
#endif

#endif

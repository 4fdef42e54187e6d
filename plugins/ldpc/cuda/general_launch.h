/* SPDX-License-Identifier: BSD-2-Clause */
/* Between cuda_document.c and the kernels: a .cu file for each arithmetic. */
#ifndef LDPC_CUDA_DOCUMENT_LAUNCH_H
#define LDPC_CUDA_DOCUMENT_LAUNCH_H

#include <cuda_runtime_api.h>

#include "cuda_document.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ldpc_document_grid {
    enum ldpc_document_home home;
    bool nr, roomy;
    uint32_t blocks, threads;
    size_t shared; /* bytes */
    cudaStream_t stream;
};

/* Fills constant memory and lets kernels have all shared memory, on the present device. */
cudaError_t ldpc_document_prepare_half(const struct ldpc_document_graphs *graphs,
                                       size_t shared_block);
cudaError_t ldpc_document_prepare_i16(const struct ldpc_document_graphs *graphs,
                                      size_t shared_block);

cudaError_t ldpc_document_launch_half(const struct ldpc_document_work *work,
                                      const struct ldpc_document_grid *grid);
cudaError_t ldpc_document_launch_i16(const struct ldpc_document_work *work,
                                     const struct ldpc_document_grid *grid);

#ifdef __cplusplus
}
#endif

#endif

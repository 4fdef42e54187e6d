/* SPDX-License-Identifier: BSD-2-Clause */
#define ARITHMETIC MODE_I16
#include "cuda_document.cuh"

cudaError_t ldpc_document_prepare_i16(const struct ldpc_document_graphs *host,
                                      size_t shared_block)
{
    return prepare(host, shared_block);
}

cudaError_t ldpc_document_launch_i16(const struct ldpc_document_work *work,
                                     const struct ldpc_document_grid *grid)
{
    return launch(work, grid);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#define ARITHMETIC 0u
#include "plugins/ldpc/cuda/general/kernel.cuh"

cudaError_t ldpc_general_prepare_half(const struct ldpc_general_graphs *host, size_t shared_block)
{
    return prepare(host, shared_block);
}

cudaError_t ldpc_general_launch_half(const struct ldpc_general_work *work,
                                     const struct ldpc_general_grid *grid)
{
    return launch(work, grid);
}

const void *ldpc_cuda_kernel(void)
{
    return (const void *)nr_shared;
}

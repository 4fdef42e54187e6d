/* SPDX-License-Identifier: BSD-2-Clause */
#define ARITHMETIC MODE_I16
#include "plugins/ldpc/cuda/general/kernel.cuh"

cudaError_t ldpc_general_prepare_i16(const struct ldpc_general_graphs *host, size_t shared_block)
{
    return prepare(host, shared_block);
}

cudaError_t ldpc_general_launch_i16(const struct ldpc_general_work *work,
                                    const struct ldpc_general_grid *grid)
{
    return launch(work, grid);
}

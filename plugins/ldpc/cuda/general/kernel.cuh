/* SPDX-License-Identifier: BSD-2-Clause */
/* The general kernels (plan.h) of one arithmetic (ARITHMETIC: 0 or MODE_I16), and their launch. */
#include "plugins/ldpc/cuda/general/block.h"
#include "plugins/ldpc/cuda/general/launch.h"

#define KERNEL(name, mode, home, threads) \
    __global__ void __launch_bounds__(threads) \
        name(const __grid_constant__ struct ldpc_general_work work) \
    { \
        extern __shared__ uint4 shared[]; \
        decode_bins((mode) | ARITHMETIC, home, &work, (uint32_t *)shared); \
    }

/* The second one of each may take more registers, the third one has LLRs out. */
#define KERNELS(name, mode, home) \
    KERNEL(name, mode, home, LDPC_GENERAL_MOST_THREADS) \
    KERNEL(name##_roomy, mode, home, LDPC_GENERAL_ROOMY_THREADS) \
    KERNEL(name##_soft, (mode) | MODE_SOFT, home, LDPC_GENERAL_MOST_THREADS)

namespace
{

KERNELS(nr_shared, MODE_NR, LDPC_GENERAL_SHARED)
KERNELS(nr_global, MODE_NR, LDPC_GENERAL_GLOBAL)
KERNELS(any_shared, 0, LDPC_GENERAL_SHARED)
KERNELS(any_global, 0, LDPC_GENERAL_GLOBAL)
KERNELS(any_far, 0, LDPC_GENERAL_FAR)

typedef void kernel_function(struct ldpc_general_work);

#define ALL(name) \
    { \
        name, name##_roomy, name##_soft \
    }

kernel_function *const kernels[][3] = {ALL(any_shared), ALL(any_global), ALL(any_far),
                                       ALL(nr_shared), ALL(nr_global)};

kernel_function *kernel_of(const struct ldpc_general_grid *grid)
{
    const unsigned form = grid->soft ? 2 : grid->roomy ? 1 : 0;

    return kernels[(grid->nr ? 3 : 0) + grid->home - LDPC_GENERAL_SHARED][form];
}

cudaError_t prepare(const struct ldpc_general_graphs *host, size_t shared_block)
{
    void *memory = nullptr;
    cudaError_t status = cudaGetSymbolAddress(&memory, graphs);

    if (status == cudaSuccess)
        status = fecrun_cuda_copy_in(memory, host, sizeof *host);

    for (const auto &all : kernels)
        for (kernel_function *kernel : all)
            if (status == cudaSuccess)
                status = cudaFuncSetAttribute((const void *)kernel,
                                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              (int)shared_block);
    return status;
}

cudaError_t launch(const struct ldpc_general_work *work, const struct ldpc_general_grid *grid)
{
    kernel_of(grid)<<<grid->blocks, grid->threads, grid->shared, grid->stream>>>(*work);
    return cudaGetLastError();
}

}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/cuda/block.h"
#include "plugins/outer/cuda/launch.h"
#include "plugins/outer/cuda/warp.h"

namespace
{

template <unsigned words, bool bytes>
__global__ void __launch_bounds__(OUTER_GPU_THREADS)
    divide(const __grid_constant__ struct outer_gpu_args args)
{
    extern __shared__ uint4 shared[];

    outer_divide_block(&args, words, bytes, (uint32_t *)shared);
}

__global__ void __launch_bounds__(OUTER_GPU_WARPS *OUTER_LANES)
    solve(const __grid_constant__ struct outer_gpu_args args)
{
    __shared__ struct outer_solve_shared shared;

    outer_solve_block(&args, &shared);
}

template <bool bytes> void (*kernel_of(unsigned words))(const struct outer_gpu_args)
{
    switch (words) {
    case 2:
        return divide<2, bytes>;
    case 4:
        return divide<4, bytes>;
    case 6:
        return divide<6, bytes>;
    case 8:
        return divide<8, bytes>;
    default:
        return divide<16, bytes>;
    }
}

} // namespace

extern "C" const void *outer_gpu_kernel(void)
{
    return (const void *)solve;
}

extern "C" cudaError_t outer_gpu_divide(const struct outer_gpu_args *args, cudaStream_t stream)
{
    const struct outer_gpu_code *c = &args->code;
    const uint32_t per_block = outer_gpu_frames(c);
    const uint64_t blocks = (args->frames.n + per_block - 1) / per_block;
    void (*const kernel)(const struct outer_gpu_args) = c->step == 8 && !c->pad
                                                            ? kernel_of<true>(c->words)
                                                            : kernel_of<false>(c->words);

    if (!blocks)
        return cudaSuccess;
    kernel<<<(unsigned)blocks, OUTER_GPU_THREADS, outer_gpu_shared(c) * sizeof(uint32_t), stream>>>(
        *args);
    return cudaGetLastError();
}

extern "C" cudaError_t outer_gpu_solve(const struct outer_gpu_args *args, cudaStream_t stream)
{
    const uint64_t blocks = (args->frames.n + OUTER_GPU_WARPS - 1) / OUTER_GPU_WARPS;

    if (!blocks)
        return cudaSuccess;
    solve<<<(unsigned)(blocks < OUTER_GPU_BLOCKS ? blocks : OUTER_GPU_BLOCKS),
            OUTER_GPU_WARPS * OUTER_LANES, 0, stream>>>(*args);
    return cudaGetLastError();
}

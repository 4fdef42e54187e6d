/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The launch of an encoder that takes and gives packed bits or one a byte: args->group of a block's
 * threads encode a frame, in args->shared words of shared memory.
 */
#ifndef PLUGINS_COMMON_GPU_ENCODE_CUH
#define PLUGINS_COMMON_GPU_ENCODE_CUH

#include <stddef.h>
#include <stdint.h>

/* `block`: what a block does, which is compiled for each form. */
template <class arguments, unsigned threads,
          void (*block)(const arguments *, bool, bool, uint32_t *), bool in_packed, bool out_packed>
static __global__ void __launch_bounds__(threads) gpu_encode(const __grid_constant__ arguments args)
{
    extern __shared__ uint32_t shared[];

    block(&args, in_packed, out_packed, shared);
}

template <class arguments, unsigned threads,
          void (*block)(const arguments *, bool, bool, uint32_t *)>
static cudaError_t gpu_encode_launch(const arguments *args, bool in_packed, bool out_packed,
                                     cudaStream_t stream)
{
    const unsigned per_block = threads / args->group;
    const uint64_t blocks = (args->frames.n + per_block - 1) / per_block;
    const size_t bytes = per_block * args->shared * sizeof(uint32_t);
    void (*const kernel)(const arguments) =
        in_packed    ? out_packed ? gpu_encode<arguments, threads, block, true, true>
                                  : gpu_encode<arguments, threads, block, true, false>
           : out_packed ? gpu_encode<arguments, threads, block, false, true>
                     : gpu_encode<arguments, threads, block, false, false>;

    if (!blocks)
        return cudaSuccess;
    kernel<<<(unsigned)blocks, threads, bytes, stream>>>(*args);
    return cudaGetLastError();
}

#endif

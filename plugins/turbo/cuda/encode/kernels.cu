/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/cuda/encode/launch.h"
#include "plugins/turbo/cuda/encode/block.h"

template <bool in_packed, bool out_packed>
static __global__ void __launch_bounds__(TURBO_ENCODE_THREADS)
    encode(const __grid_constant__ struct turbo_encode_args args)
{
    extern __shared__ uint32_t shared[];

    turbo_encode_block(&args, in_packed, out_packed, shared);
}

extern "C" cudaError_t turbo_encode_launch(const struct turbo_encode_args *args, bool in_packed,
                                           bool out_packed, cudaStream_t stream)
{
    const unsigned per_block = TURBO_ENCODE_THREADS / args->group;
    const uint64_t blocks = (args->frames.n + per_block - 1) / per_block;
    const size_t bytes = per_block * args->shared * sizeof(uint32_t);

    if (!blocks)
        return cudaSuccess;
    if (in_packed && out_packed)
        encode<true, true><<<(unsigned)blocks, TURBO_ENCODE_THREADS, bytes, stream>>>(*args);
    else if (in_packed)
        encode<true, false><<<(unsigned)blocks, TURBO_ENCODE_THREADS, bytes, stream>>>(*args);
    else if (out_packed)
        encode<false, true><<<(unsigned)blocks, TURBO_ENCODE_THREADS, bytes, stream>>>(*args);
    else
        encode<false, false><<<(unsigned)blocks, TURBO_ENCODE_THREADS, bytes, stream>>>(*args);
    return cudaGetLastError();
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/encode/launch.h"
#include "plugins/ldpc/cuda/encode/block.h"

template <int in_packed, int out_packed>
static __global__ void __launch_bounds__(LDPC_ENCODE_THREADS)
    encode(const __grid_constant__ struct ldpc_encode_args args)
{
    extern __shared__ uint32_t shared[];

    ldpc_encode_block(&args, in_packed, out_packed, shared);
}

extern "C" cudaError_t ldpc_encode_launch(const struct ldpc_encode_args *args, int in_packed,
                                          int out_packed, cudaStream_t stream)
{
    const unsigned per_block = LDPC_ENCODE_THREADS / args->group;
    const uint64_t blocks = (args->frames.n + per_block - 1) / per_block;
    const size_t bytes = per_block * args->shared * sizeof(uint32_t);

    if (!blocks)
        return cudaSuccess;
    if (in_packed && out_packed)
        encode<1, 1><<<(unsigned)blocks, LDPC_ENCODE_THREADS, bytes, stream>>>(*args);
    else if (in_packed)
        encode<1, 0><<<(unsigned)blocks, LDPC_ENCODE_THREADS, bytes, stream>>>(*args);
    else if (out_packed)
        encode<0, 1><<<(unsigned)blocks, LDPC_ENCODE_THREADS, bytes, stream>>>(*args);
    else
        encode<0, 0><<<(unsigned)blocks, LDPC_ENCODE_THREADS, bytes, stream>>>(*args);
    return cudaGetLastError();
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/encode/launch.h"
#include "plugins/ldpc/cuda/encode/block.h"

#include "plugins/common/gpu/encode.cuh"

extern "C" cudaError_t ldpc_encode_launch(const struct ldpc_encode_args *args, bool in_packed,
                                          bool out_packed, cudaStream_t stream)
{
    return gpu_encode_launch<ldpc_encode_args, LDPC_ENCODE_THREADS, ldpc_encode_block>(
        args, in_packed, out_packed, stream);
}

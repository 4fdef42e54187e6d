/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/cuda/encode/launch.h"
#include "plugins/turbo/cuda/encode/block.h"

#include "plugins/common/gpu/encode.cuh"

extern "C" cudaError_t turbo_encode_launch(const struct turbo_encode_args *args, bool in_packed,
                                           bool out_packed, cudaStream_t stream)
{
    return gpu_encode_launch<turbo_encode_args, TURBO_ENCODE_THREADS, turbo_encode_block>(
        args, in_packed, out_packed, stream);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/cuda/encode/launch.h"
#include "plugins/polar/cuda/encode/block.h"

#include "plugins/common/gpu/encode.cuh"

extern "C" const void *polar_encode_kernel(void)
{
    return (const void *)
        gpu_encode<polar_encode_args, POLAR_ENCODE_THREADS, polar_encode_block, true, true>;
}

extern "C" cudaError_t polar_encode_launch(const struct polar_encode_args *args, bool in_packed,
                                           bool out_packed, cudaStream_t stream)
{
    return gpu_encode_launch<polar_encode_args, POLAR_ENCODE_THREADS, polar_encode_block>(
        args, in_packed, out_packed, stream);
}

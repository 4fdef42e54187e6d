/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/apart.cuh"
#include "plugins/viterbi/cuda/device.h"

extern "C" cudaError_t viterbi_cuda_copy_classes(const struct apart_args *args, bool back,
                                                 void *stream)
{
    return apart_launch(args, back, stream);
}

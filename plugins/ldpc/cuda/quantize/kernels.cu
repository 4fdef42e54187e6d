/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/quantize/block.h"

static __global__ void __launch_bounds__(LDPC_QUANTIZE_THREADS, 1)
    quantize(const __grid_constant__ struct ldpc_quantize_work work)
{
    __shared__ uint32_t sums[QUANTIZE_WARPS];

    quantize_frame(&work, blockIdx.x, sums);
}

int ldpc_quantize_launch(const struct ldpc_quantize_work *work, uint64_t frames, void *stream)
{
    quantize<<<(unsigned)frames, LDPC_QUANTIZE_THREADS, 0, (cudaStream_t)stream>>>(*work);
    return cudaGetLastError();
}

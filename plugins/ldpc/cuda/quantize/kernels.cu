/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/quantize/block.h"

static __global__ void __launch_bounds__(LDPC_NARROW_THREADS, 1)
    narrow(const __grid_constant__ struct ldpc_narrow_work work)
{
    __shared__ uint32_t sums[NARROW_WARPS];

    narrow_frame(&work, blockIdx.x, sums);
}

int ldpc_narrow_launch(const struct ldpc_narrow_work *work, uint64_t frames, void *stream)
{
    narrow<<<(unsigned)frames, LDPC_NARROW_THREADS, 0, (cudaStream_t)stream>>>(*work);
    return cudaGetLastError();
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/cuda/rate/launch.h"
#include "plugins/turbo/cuda/rate/block.h"

namespace
{

template <uint32_t TYPE, bool STAGED>
__global__ void __launch_bounds__(TURBO_RATE_THREADS)
    rate_kernel(const __grid_constant__ turbo_rate_args args)
{
    extern __shared__ __align__(16) uint32_t shared[];

    turbo_rate_block(&args, TYPE, STAGED, shared);
}

template <uint32_t TYPE> cudaError_t launch(const turbo_rate_args *args, cudaStream_t stream)
{
    const uint32_t per_block = TURBO_RATE_THREADS / args->group;
    const uint64_t blocks = (args->frames.n + per_block - 1) / per_block, most = 0x7fffffff;
    const size_t bytes = sizeof(uint32_t) * args->shared * per_block;
    void (*const kernel)(const turbo_rate_args) = args->shared ? rate_kernel<TYPE, true>
                                                               : rate_kernel<TYPE, false>;

    if (!blocks)
        return cudaSuccess;
    kernel<<<(unsigned)(blocks < most ? blocks : most), TURBO_RATE_THREADS, bytes, stream>>>(*args);
    return cudaGetLastError();
}

} // namespace

extern "C" const void *turbo_rate_kernel(void)
{
    return (const void *)rate_kernel<FECRUN_U8, true>;
}

extern "C" cudaError_t turbo_rate_launch(const struct turbo_rate_args *args, uint32_t type,
                                         cudaStream_t stream)
{
    switch (type) {
    case FECRUN_PACKED:
        return launch<FECRUN_PACKED>(args, stream);
    case FECRUN_U8:
        return launch<FECRUN_U8>(args, stream);
    case FECRUN_I8:
        return launch<FECRUN_I8>(args, stream);
    case FECRUN_I16:
        return launch<FECRUN_I16>(args, stream);
    case FECRUN_F32:
        return launch<FECRUN_F32>(args, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/chunks.cuh"
#include "plugins/turbo/cuda/rate/launch.h"
#include "plugins/turbo/cuda/rate/thread.h"

namespace
{

typedef void work(const struct turbo_rate_args *, const struct turbo_rate_class *, uint64_t,
                  uint64_t);

template <work *chunk> cudaError_t launch(const struct turbo_rate_args *args, cudaStream_t stream)
{
    return gpu_launch_chunks<struct turbo_rate_args, struct turbo_rate_class, chunk>(args, stream);
}

} // namespace

extern "C" const void *turbo_rate_kernel(void)
{
    return (const void *)
        gpu_each_chunk<struct turbo_rate_args, struct turbo_rate_class, turbo_match_u8>;
}

extern "C" cudaError_t turbo_rate_launch(const struct turbo_rate_args *args, uint32_t type,
                                         cudaStream_t stream)
{
    switch (type) {
    case FECRUN_PACKED:
        return launch<turbo_match_packed>(args, stream);
    case FECRUN_U8:
        return launch<turbo_match_u8>(args, stream);
    case FECRUN_I8:
        return launch<turbo_recover_i8>(args, stream);
    case FECRUN_I16:
        return launch<turbo_recover_i16>(args, stream);
    case FECRUN_F32:
        return launch<turbo_recover_f32>(args, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

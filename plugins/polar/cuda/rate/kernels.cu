/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/chunks.cuh"
#include "plugins/polar/cuda/rate/launch.h"
#include "plugins/polar/cuda/rate/thread.h"

namespace
{

typedef void work(const struct polar_rate_args *, const struct polar_rate_class *, uint64_t,
                  uint64_t);

template <work *chunk> cudaError_t launch(const struct polar_rate_args *args, cudaStream_t stream)
{
    return gpu_launch_chunks<struct polar_rate_args, struct polar_rate_class, chunk>(args, stream);
}

} // namespace

extern "C" const void *polar_rate_kernel(void)
{
    return (const void *)
        gpu_each_chunk<struct polar_rate_args, struct polar_rate_class, polar_match_u8>;
}

extern "C" cudaError_t polar_rate_launch(const struct polar_rate_args *args, uint32_t type,
                                         cudaStream_t stream)
{
    switch (type) {
    case FECRUN_PACKED:
        return launch<polar_match_packed>(args, stream);
    case FECRUN_U8:
        return launch<polar_match_u8>(args, stream);
    case FECRUN_I8:
        return launch<polar_recover_i8>(args, stream);
    case FECRUN_I16:
        return launch<polar_recover_i16>(args, stream);
    case FECRUN_F32:
        return launch<polar_recover_f32>(args, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

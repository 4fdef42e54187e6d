/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/grid.cuh>

#include "plugins/turbo/cuda/rate/launch.h"
#include "plugins/turbo/cuda/rate/thread.h"

namespace
{

enum { THREADS = 128, WIDE = 32, BLOCKS = 8192 /* enough for any device */ };

typedef void work(const struct turbo_rate_args *, const struct turbo_rate_class *, uint64_t,
                  uint64_t);

/* What the grid cannot hold is done in further rounds. Chunks that a frame has not do nothing. */
template <work *chunk>
__global__ void __launch_bounds__(THREADS)
    each_chunk(const __grid_constant__ struct turbo_rate_args args)
{
    FECRUN_EACH_FRAME(f, args.frames.n)
    {
        const struct turbo_rate_class own = args.tables->class_of[gpu_class(&args.frames, f)];

        FECRUN_EACH_UNIT(c, args.chunks)
        chunk(&args, &own, f, c);
    }
}

template <work *chunk> cudaError_t launch(const struct turbo_rate_args *args, cudaStream_t stream)
{
    struct fecrun_grid g;
    unsigned wanted;

    if (!args->frames.n)
        return cudaSuccess;
    g = fecrun_grid_of(args->chunks, args->frames.n, THREADS,
                       fecrun_grid_width(args->chunks, 1, WIDE));
    wanted = (BLOCKS + g.down - 1) / g.down;
    g.across = g.across < wanted ? g.across : wanted;
    each_chunk<chunk><<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, stream>>>(*args);
    return cudaGetLastError();
}

} // namespace

extern "C" const void *turbo_rate_kernel(void)
{
    return (const void *)each_chunk<turbo_match_u8>;
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

/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/grid.cuh>

#include "plugins/ldpc/cuda/rate.h"
#include "plugins/ldpc/cuda/rate_device.h"

namespace
{

enum { THREADS = 128, WIDE = 32, BLOCKS = 8192 /* enough for any device */ };

/*
 * A thread has many chunks of a frame where there are frames enough, so that what it reads of the
 * frame's class serves them all.
 */
struct fecrun_grid grid_of(uint64_t chunks, uint64_t frames)
{
    struct fecrun_grid g = fecrun_grid_of(chunks, frames, THREADS,
                                          fecrun_grid_width(chunks, 1, WIDE));
    const unsigned wanted = (BLOCKS + g.down - 1) / g.down;

    g.across = g.across < wanted ? g.across : wanted;
    return g;
}

typedef void work(const struct ldpc_rate_args *, const struct ldpc_rate_class *, uint64_t,
                  uint64_t);

/* What the grid cannot hold is done in further rounds. */
template <work *chunk, uint32_t type>
__global__ void __launch_bounds__(THREADS)
    each_chunk(const __grid_constant__ struct ldpc_rate_args args)
{
    FECRUN_EACH_FRAME(f, args.frames.n)
    {
        const struct ldpc_rate_class own = args.classes[ldpc_class(&args.frames, f)];
        const uint64_t chunks = ldpc_rate_chunks_of(&own.rate, type);

        FECRUN_EACH_UNIT(c, chunks)
        chunk(&args, &own, f, c);
    }
}

template <work *chunk, uint32_t type>
cudaError_t launch(const struct ldpc_rate_args *args, cudaStream_t stream)
{
    struct fecrun_grid g;

    if (!args->frames.n)
        return cudaSuccess;
    g = grid_of(args->chunks, args->frames.n);
    each_chunk<chunk, type><<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, stream>>>(*args);
    return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t ldpc_rate_launch(const struct ldpc_rate_args *args, uint32_t type,
                                        cudaStream_t stream)
{
    switch (type) {
    case FECRUN_PACKED:
        return launch<ldpc_match_packed, FECRUN_PACKED>(args, stream);
    case FECRUN_U8:
        return launch<ldpc_match_u8, FECRUN_U8>(args, stream);
    case FECRUN_I8:
        return launch<ldpc_recover_i8, FECRUN_I8>(args, stream);
    case FECRUN_I16:
        return launch<ldpc_recover_i16, FECRUN_I16>(args, stream);
    case FECRUN_F32:
        return launch<ldpc_recover_f32, FECRUN_F32>(args, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

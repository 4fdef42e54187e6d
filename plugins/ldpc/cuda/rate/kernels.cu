/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/grid.cuh>

#include "plugins/ldpc/cuda/rate/match.h"
#include "plugins/ldpc/cuda/rate/launch.h"
#include "plugins/ldpc/cuda/rate/thread.h"
#include "plugins/ldpc/cuda/rate/recover.h"

namespace
{

enum { THREADS = 128, NARROW = 8, WIDE = 32, BLOCKS = 8192 /* enough for any device */ };

/*
 * A thread has many chunks of a frame where there are frames enough, so that what it reads of the
 * frame's class serves them all.
 */
struct fecrun_grid grid_of(uint64_t chunks, uint64_t frames, unsigned width)
{
    struct fecrun_grid g = fecrun_grid_of(chunks, frames, THREADS, width);
    const unsigned wanted = (BLOCKS + g.down - 1) / g.down;

    g.across = g.across < wanted ? g.across : wanted;
    return g;
}

/* Here and below, what the grid cannot hold is done in further rounds. */
typedef void match(const struct ldpc_rate_class *, const struct ldpc_rate_frame *, uint32_t);

template <match *chunk, uint32_t type>
__global__ void __launch_bounds__(THREADS)
    each_match(const __grid_constant__ struct ldpc_rate_args args)
{
    FECRUN_EACH_FRAME(f, args.frames.n)
    {
        const struct ldpc_rate_class own = args.classes[gpu_class(&args.frames, f)];
        const struct ldpc_rate_frame at = ldpc_rate_frame(&args, f);
        const uint32_t chunks = (uint32_t)ldpc_rate_chunks_of(&own.rate, type);

        for (uint32_t c = blockIdx.x * blockDim.x + threadIdx.x; c < chunks;
             c += gridDim.x * blockDim.x)
            chunk(&own, &at, c);
    }
}

/* Lanes of a frame: as few as leave the least of them idle, and no fewer than coalesce. */
unsigned width_of(uint64_t chunks)
{
    unsigned best = fecrun_grid_width(chunks, 1, WIDE);

    for (unsigned width = WIDE / 2; chunks > WIDE && width >= NARROW; width /= 2)
        if ((chunks + width - 1) / width * width < (chunks + best - 1) / best * best)
            best = width;
    return best;
}

template <match *chunk, uint32_t type>
cudaError_t launch_match(const struct ldpc_rate_args *args, cudaStream_t stream)
{
    struct fecrun_grid g;

    if (!args->frames.n)
        return cudaSuccess;
    g = grid_of(args->chunks, args->frames.n, width_of(args->chunks));
    each_match<chunk, type><<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, stream>>>(*args);
    return cudaGetLastError();
}

typedef void recover(const struct ldpc_rate_args *, const struct ldpc_rate_class *, uint64_t,
                     uint64_t);

template <recover *chunk, uint32_t type>
__global__ void __launch_bounds__(THREADS)
    each_chunk(const __grid_constant__ struct ldpc_rate_args args)
{
    FECRUN_EACH_FRAME(f, args.frames.n)
    {
        const struct ldpc_rate_class own = args.classes[gpu_class(&args.frames, f)];
        const uint64_t chunks = ldpc_rate_chunks_of(&own.rate, type);

        FECRUN_EACH_UNIT(c, chunks)
        chunk(&args, &own, f, c);
    }
}

template <recover *chunk, uint32_t type>
cudaError_t launch_chunks(const struct ldpc_rate_args *args, cudaStream_t stream)
{
    struct fecrun_grid g;

    if (!args->frames.n)
        return cudaSuccess;
    g = grid_of(args->chunks, args->frames.n, fecrun_grid_width(args->chunks, 1, WIDE));
    each_chunk<chunk, type><<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, stream>>>(*args);
    return cudaGetLastError();
}

typedef void window(const struct ldpc_rate_args *, const struct ldpc_rate_class *,
                    const struct ldpc_rate_class *, uint64_t, uint32_t, uint32_t, uint32_t *);

template <window *each>
__global__ void __launch_bounds__(LDPC_WINDOW_THREADS, LDPC_WINDOW_BLOCKS)
    each_window(const __grid_constant__ struct ldpc_rate_args args)
{
    __shared__ uint32_t shared[LDPC_WINDOW_WORDS];

    for (uint64_t f = blockIdx.y; f < args.frames.n; f += gridDim.y) {
        const struct ldpc_rate_class *table = &args.classes[gpu_class(&args.frames, f)];
        const struct ldpc_rate_class own = *table;

        each(&args, table, &own, f, blockIdx.x, gridDim.x, shared);
    }
}

template <window *each, recover *chunk, uint32_t type>
cudaError_t launch_recover(const struct ldpc_rate_args *args, cudaStream_t stream)
{
    const unsigned down = (unsigned)(args->frames.n < 65535 ? args->frames.n : 65535);

    if (!args->windows || args->prior.data || !down)
        return launch_chunks<chunk, type>(args, stream);
    each_window<each><<<dim3(args->windows, down), LDPC_WINDOW_THREADS, 0, stream>>>(*args);
    return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t ldpc_rate_launch(const struct ldpc_rate_args *args, uint32_t type,
                                        cudaStream_t stream)
{
    switch (type) {
    case FECRUN_PACKED:
        return launch_match<ldpc_match_packed, FECRUN_PACKED>(args, stream);
    case FECRUN_U8:
        return launch_match<ldpc_match_u8, FECRUN_U8>(args, stream);
    case FECRUN_I8:
        return launch_recover<ldpc_recover_window_i8, ldpc_recover_i8, FECRUN_I8>(args, stream);
    case FECRUN_I16:
        return launch_recover<ldpc_recover_window_i16, ldpc_recover_i16, FECRUN_I16>(args, stream);
    case FECRUN_F32:
        return launch_recover<ldpc_recover_window_f32, ldpc_recover_f32, FECRUN_F32>(args, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

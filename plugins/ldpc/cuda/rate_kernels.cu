/* SPDX-License-Identifier: BSD-2-Clause */
#include "rate_cuda.h"
#include "rate_device.h"

namespace {

enum { THREADS = 128, WIDE = 32, BLOCKS = 8192 /* enough for any device */ };

/*
 * x goes along the frame, y from frame to frame. A thread has many chunks of a frame where there
 * are frames enough, so that what it reads of the frame's class serves them all.
 */
struct grid {
    dim3 blocks, threads;
};

grid grid_of(uint64_t chunks, uint64_t frames)
{
    unsigned wide = 1;
    uint64_t rows, columns, wanted;
    grid g;

    while (wide < WIDE && wide < chunks)
        wide *= 2;
    rows = (frames + THREADS / wide - 1) / (THREADS / wide);
    rows = rows < 65535 ? rows : 65535;
    columns = (chunks + wide - 1) / wide;
    wanted = (BLOCKS + rows - 1) / rows;
    g.threads = dim3(wide, THREADS / wide);
    g.blocks = dim3((unsigned)(columns < wanted ? columns : wanted), (unsigned)rows);
    return g;
}

typedef void work(const struct ldpc_rate_args *, const struct ldpc_rate_class *, uint64_t,
                  uint64_t);

/* What the grid cannot hold is done in further rounds. */
template <work *chunk, uint32_t type>
__global__ void __launch_bounds__(THREADS)
    each_chunk(const __grid_constant__ struct ldpc_rate_args args)
{
    for (uint64_t f = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y; f < args.frames.n;
         f += (uint64_t)gridDim.y * blockDim.y) {
        const struct ldpc_rate_class own = args.classes[ldpc_class(&args.frames, f)];
        const uint64_t chunks = ldpc_rate_chunks_of(&own.rate, type);

        for (uint64_t c = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; c < chunks;
             c += (uint64_t)gridDim.x * blockDim.x)
            chunk(&args, &own, f, c);
    }
}

template <work *chunk, uint32_t type>
cudaError_t launch(const struct ldpc_rate_args *args, cudaStream_t stream)
{
    const grid g = grid_of(args->chunks, args->frames.n);

    if (!args->frames.n)
        return cudaSuccess;
    each_chunk<chunk, type><<<g.blocks, g.threads, 0, stream>>>(*args);
    return cudaGetLastError();
}

} // namespace

extern "C" const void *ldpc_rate_kernel(void)
{
    return (const void *)each_chunk<ldpc_recover_i8, FECRUN_I8>;
}

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

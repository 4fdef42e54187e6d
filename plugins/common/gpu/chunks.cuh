/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel in which each thread makes one chunk of the output of one frame, and its launch. */
#ifndef GPU_CHUNKS_CUH
#define GPU_CHUNKS_CUH

#include <fecrun/sdk/grid.cuh>

#include "plugins/common/gpu/frames.h"

enum { GPU_THREADS = 128, GPU_WIDE = 32, GPU_BLOCKS = 8192 /* enough for any device */ };

/*
 * Args has `frames`, `classes` (an array of Class in device memory) and `chunks`, the largest number of
 * chunks of a frame. Frames and chunks that the grid cannot hold are left for further rounds. `chunk` does
 * nothing for a chunk that its frame does not have.
 */
template <typename Args, typename Class,
          void (*chunk)(const Args *, const Class *, uint64_t, uint64_t)>
static __global__ void __launch_bounds__(GPU_THREADS)
    gpu_each_chunk(const __grid_constant__ Args args)
{
    FECRUN_EACH_FRAME(f, args.frames.n)
    {
        const Class own = args.classes[gpu_class(&args.frames, f)];

        FECRUN_EACH_UNIT(c, args.chunks)
        chunk(&args, &own, f, c);
    }
}

template <typename Args, typename Class,
          void (*chunk)(const Args *, const Class *, uint64_t, uint64_t)>
static cudaError_t gpu_launch_chunks(const Args *args, cudaStream_t stream)
{
    struct fecrun_grid g;
    unsigned wanted;

    if (!args->frames.n)
        return cudaSuccess;
    g = fecrun_grid_of(args->chunks, args->frames.n, GPU_THREADS,
                       fecrun_grid_width(args->chunks, 1, GPU_WIDE));
    wanted = (GPU_BLOCKS + g.down - 1) / g.down;
    g.across = g.across < wanted ? g.across : wanted;
    gpu_each_chunk<Args, Class, chunk>
        <<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, stream>>>(*args);
    return cudaGetLastError();
}

#endif

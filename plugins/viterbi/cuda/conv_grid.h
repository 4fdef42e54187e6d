/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of a thread a chunk of a frame: x goes along the frame, y from frame to frame. */
#ifndef VITERBI_CONV_GRID_H
#define VITERBI_CONV_GRID_H

#include <cuda_runtime.h>
#include <stdint.h>

enum { CONV_THREADS = 128, CONV_WIDE = 32, CONV_MANY = 64 };

struct conv_grid {
    dim3 blocks, threads;
};

/*
 * Short frames share a block; so do parts of many long ones, since a block as wide as one frame
 * would often reach beyond its end. `narrow`: threads of a block that are in one frame, at least.
 */
static inline struct conv_grid conv_grid_of(uint64_t chunks, uint64_t frames, unsigned narrow)
{
    const uint64_t most_x = 0x7fffffff, most_y = 65535;
    const unsigned wide = frames < CONV_MANY ? CONV_THREADS : CONV_WIDE;
    unsigned x = narrow;
    uint64_t columns, rows;
    struct conv_grid grid;

    while (x < wide && x < chunks)
        x *= 2;
    columns = (chunks + x - 1) / x;
    rows = (frames + CONV_THREADS / x - 1) / (CONV_THREADS / x);
    grid.threads = dim3(x, CONV_THREADS / x);
    grid.blocks = dim3((unsigned)(columns < most_x ? columns : most_x),
                       (unsigned)(rows < most_y ? rows : most_y));
    return grid;
}

/* What the grid cannot hold is done in further rounds. */
#define CONV_EACH_FRAME(f, frames) \
    for (uint64_t f = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y; f < (frames); \
         f += (uint64_t)gridDim.y * blockDim.y)
#define CONV_EACH_CHUNK(c, chunks) \
    for (uint64_t c = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; c < (chunks); \
         c += (uint64_t)gridDim.x * blockDim.x)

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels whose threads have a unit (a chunk, a group of items) of a frame each: x goes along the
 * frame, y from frame to frame, so that no index is divided. The layout is plain C; header only.
 *
 *     const struct fecrun_grid g = fecrun_grid_of(units, frames, 128, fecrun_grid_width(units, 1,
 * 32)); kernel<<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, stream>>>(...);
 *
 * and in the kernel
 *
 *     FECRUN_EACH_FRAME(f, frames)
 *         FECRUN_EACH_UNIT(u, units)
 *             ...
 */
#ifndef FECRUN_SDK_GRID_CUH
#define FECRUN_SDK_GRID_CUH

#include <stdint.h>

struct fecrun_grid {
    unsigned width, height; /* threads of a block */
    unsigned across, down;  /* blocks */
};

/* The least power of two, of those from `least` to `most`, that is not below `units`. */
static inline unsigned fecrun_grid_width(uint64_t units, unsigned least, unsigned most)
{
    unsigned width = least;

    while (width < most && width < units)
        width *= 2;
    return width;
}

/*
 * Blocks of `threads` threads, `width` of them in one frame; both are powers of two. Frames shorter
 * than that share a block. What a device's largest grid does not hold is left for further rounds.
 */
static inline struct fecrun_grid fecrun_grid_of(uint64_t units, uint64_t frames, unsigned threads,
                                                unsigned width)
{
    const uint64_t most_across = 0x7fffffff, most_down = 65535;
    const unsigned height = threads / width;
    const uint64_t across = (units + width - 1) / width, down = (frames + height - 1) / height;
    struct fecrun_grid grid;

    grid.width = width;
    grid.height = height;
    grid.across = (unsigned)(across < most_across ? across : most_across);
    grid.down = (unsigned)(down < most_down ? down : most_down);
    return grid;
}

#ifdef __CUDACC__

static inline dim3 fecrun_grid_blocks(const struct fecrun_grid &grid)
{
    return dim3(grid.across, grid.down);
}

static inline dim3 fecrun_grid_threads(const struct fecrun_grid &grid)
{
    return dim3(grid.width, grid.height);
}

#define FECRUN_EACH_FRAME(f, frames) \
    for (uint64_t f = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y; f < (frames); \
         f += (uint64_t)gridDim.y * blockDim.y)
#define FECRUN_EACH_UNIT(u, units) \
    for (uint64_t u = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; u < (units); \
         u += (uint64_t)gridDim.x * blockDim.x)

#endif
#endif

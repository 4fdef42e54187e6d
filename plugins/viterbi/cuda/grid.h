/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of a thread a chunk of a frame. */
#ifndef VITERBI_CUDA_GRID_H
#define VITERBI_CUDA_GRID_H

#include <cuda_runtime.h>
#include <fecrun/sdk/grid.cuh>

enum { CONV_THREADS = 128, CONV_WIDE = 32, CONV_MANY = 64 };

/*
 * Short frames share a block; so do parts of many long ones, since a block as wide as one frame
 * would often reach beyond its end. `narrow`: threads of a block that are in one frame, at least.
 */
static inline struct fecrun_grid conv_grid_of(uint64_t chunks, uint64_t frames, unsigned narrow)
{
    const unsigned wide = frames < CONV_MANY ? CONV_THREADS : CONV_WIDE;

    return fecrun_grid_of(chunks, frames, CONV_THREADS, fecrun_grid_width(chunks, narrow, wide));
}

#endif

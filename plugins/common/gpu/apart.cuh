/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of apart.h, for one .cu file of a plugin. */
#ifndef PLUGINS_COMMON_GPU_APART_CUH
#define PLUGINS_COMMON_GPU_APART_CUH

#include "plugins/common/gpu/apart.h"

#include <fecrun/sdk/grid.cuh>

enum { APART_THREADS = 128, APART_LANES = 16 };

/* In words where both begin with one. */
static __device__ __forceinline__ void apart_frame(uint8_t *to, const uint8_t *from, uint64_t bytes,
                                                   unsigned lane)
{
    uint64_t done = 0;

    if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
        done = bytes & ~(uint64_t)3;
        for (uint64_t i = 4 * lane; i < done; i += 4 * APART_LANES)
            *(uint32_t *)(to + i) = *(const uint32_t *)(from + i);
    }
    for (uint64_t i = done + lane; i < bytes; i += APART_LANES)
        to[i] = from[i];
}

template <bool BACK>
static __global__ void __launch_bounds__(APART_THREADS)
    apart_kernel(const __grid_constant__ apart_args args)
{
    const unsigned lane = threadIdx.x;

    FECRUN_EACH_FRAME(f, args.frames)
    {
        const uint32_t c = args.class_of[f], rank = args.rank[f];

        for (unsigned p = 0; p < args.n_ports; p++) {
            const apart_port &port = args.port[p];
            uint8_t *mixed = gpu_frame(&port.mixed, f);
            uint8_t *sorted = port.sorted + port.first[c] + rank * port.stride[c];

            apart_frame(BACK ? mixed : sorted, BACK ? sorted : mixed, port.bytes[c], lane);
        }
        if (lane == 0) {
            fecrun_frame_info *info = args.info + args.first_info[c] + rank;

            if (BACK)
                args.mixed_info[f] = *info;
            else
                *info = args.mixed_info[f];
        }
    }
}

static cudaError_t apart_launch(const struct apart_args *args, bool back, void *stream)
{
    const struct fecrun_grid g = fecrun_grid_of(APART_LANES, args->frames, APART_THREADS,
                                                APART_LANES);

    if (!args->frames)
        return cudaSuccess;
    (back ? apart_kernel<true>
          : apart_kernel<
                false>)<<<fecrun_grid_blocks(g), fecrun_grid_threads(g), 0, (cudaStream_t)stream>>>(
        *args);
    return cudaGetLastError();
}

#endif

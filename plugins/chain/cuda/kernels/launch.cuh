/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernels of the chain share: a thread does one group of items of one frame (thread/items.h).
 * Threads lie in two dimensions, groups along x and frames along y, so that no index is divided.
 */
#ifndef CHAIN_CUDA_KERNELS_LAUNCH_CUH
#define CHAIN_CUDA_KERNELS_LAUNCH_CUH

#include "plugins/chain/cuda/device.h"

namespace
{

struct shape {
    dim3 blocks, threads;
};

shape make_shape(uint64_t frames, uint64_t groups)
{
    const struct fecrun_grid g = make_grid(frames, groups);
    shape s;

    s.threads = fecrun_grid_threads(g);
    s.blocks = fecrun_grid_blocks(g);
    return s;
}

bool multiple(const rows &r, unsigned bytes)
{
    return ((uintptr_t)r.data | r.stride) % bytes == 0;
}

uint64_t groups_of(uint64_t items, unsigned group)
{
    return (items + group - 1) / group;
}

template <typename T> __device__ __forceinline__ T *row_of(const rows &r, uint64_t frame)
{
    return (T *)((char *)r.data + frame * r.stride);
}

/* The same where frames may be of several classes. */
template <bool RAGGED, typename T>
__device__ __forceinline__ T *frame_of(const rows &r, uint64_t frame)
{
    return (T *)((char *)r.data + (RAGGED ? r.offset[frame] : frame * r.stride));
}

template <bool RAGGED> __device__ __forceinline__ uint64_t items_of(const rows &r, uint64_t frame)
{
    return RAGGED ? r.class_items[r.class_of[frame]] : r.items;
}

/* Does the frame begin at a multiple of so many bytes? `rows_do`: what multiple() said of frames of one class. */
template <bool RAGGED>
__device__ __forceinline__ bool aligned(const void *frame, unsigned bytes, bool rows_do)
{
    return RAGGED ? (uintptr_t)frame % bytes == 0 : rows_do;
}

__device__ __forceinline__ uint64_t my_group()
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

template <typename... Args, typename... Given>
cudaError_t start(void (*kernel)(Args...), const shape &s, void *stream, const Given &...args)
{
    kernel<<<s.blocks, s.threads, 0, (cudaStream_t)stream>>>(args...);
    return cudaGetLastError();
}

bool empty(const rows &r)
{
    return !r.frames || !r.items;
}

} // namespace

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads in a row over the units of short frames: a grid that gives each frame whole warps would leave
 * most of their lanes idle. A thread's frame is its number divided by the units of a frame.
 */
#ifndef GPU_FLAT_H
#define GPU_FLAT_H

#include <fecrun/sdk/device.h>

/* Divides numbers below GPU_FLAT_MOST by `by` with a product and a shift. */
struct gpu_divider {
    uint32_t by, factor, shift;
};

#define GPU_FLAT_MOST (UINT32_C(1) << 31)

/* by: 1 to GPU_FLAT_MOST - 1 */
static inline struct gpu_divider gpu_divider_of(uint32_t by)
{
    struct gpu_divider d = {by, 0, 31};

    while (UINT64_C(1) << (d.shift - 31) < by)
        d.shift++;
    d.factor = (uint32_t)(((UINT64_C(1) << d.shift) + by - 1) / by);
    return d;
}

FECRUN_INLINE uint32_t gpu_divide(const struct gpu_divider *d, uint32_t n)
{
    return (uint32_t)((uint64_t)n * d->factor >> d->shift);
}

/* Frames of so many units that one launch takes, at least one. */
static inline uint64_t gpu_flat_frames(uint32_t units)
{
    return (GPU_FLAT_MOST - 1) / units;
}

#ifdef __CUDACC__

/* A launch's part of the frames: `units` threads each, from frame `first` on. */
struct gpu_flat {
    struct gpu_divider units;
    uint64_t first;
    uint32_t threads;
};

/* Sets the thread's frame and its unit; false: there is none for it. */
FECRUN_ON_DEVICE bool gpu_flat_place(const struct gpu_flat &flat, uint64_t *frame, uint32_t *unit)
{
    const uint32_t in_block = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t t = blockIdx.x * (blockDim.x * blockDim.y) + in_block;
    const uint32_t f = gpu_divide(&flat.units, t);

    *frame = flat.first + f;
    *unit = t - f * flat.units.by;
    return t < flat.threads;
}

/* Calls start(part, blocks) for one part of the frames after the other; blocks have `width` threads. */
template <typename Start>
static inline void gpu_flat_launch(uint64_t frames, uint32_t units, unsigned width,
                                   const Start &start)
{
    const uint64_t most = gpu_flat_frames(units);

    for (uint64_t first = 0; first < frames; first += most) {
        const uint64_t n = frames - first < most ? frames - first : most;
        const struct gpu_flat part = {gpu_divider_of(units), first, (uint32_t)(n * units)};

        start(part, (unsigned)((part.threads + width - 1) / width));
    }
}

#endif
#endif

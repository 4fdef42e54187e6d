/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of ragged.h. */
#ifndef POLAR_CUDA_LIST_RAGGED_CUH
#define POLAR_CUDA_LIST_RAGGED_CUH

#include "plugins/polar/cuda/list/ragged.h"
#include "plugins/polar/cuda/list/run.cuh"

FECRUN_ON_DEVICE bool list_wants(const struct polar_list_ragged &r, uint32_t frame)
{
    return !r.again || r.info[frame].flags & (uint32_t)FECRUN_FRAME_FAILED;
}

/* Within a class frames come in any order: none knows of another. */
FECRUN_ON_DEVICE void list_deal(const struct polar_list_ragged &r)
{
    for (uint32_t c = threadIdx.x; c < r.n_classes; c += blockDim.x)
        r.next[c] = 0;
    __syncthreads();
    for (uint32_t f = threadIdx.x; f < r.frames; f += blockDim.x)
        if (list_wants(r, f))
            atomicAdd(&r.next[r.class_of[f]], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t sum = 0;

        for (uint32_t c = 0; c < r.n_classes; c++) {
            const uint32_t count = r.next[c];

            r.start[c] = r.next[c] = sum;
            sum += count;
        }
        r.start[r.n_classes] = sum;
    }
    __syncthreads();
    for (uint32_t f = threadIdx.x; f < r.frames; f += blockDim.x)
        if (list_wants(r, f))
            r.order[atomicAdd(&r.next[r.class_of[f]], 1u)] = f;
}

/* Of groups of frames that a warp decodes at a time, classes one after the other. */
struct list_group {
    uint32_t class_of, before; /* groups of classes before this one */
};

/* The class that has group number `group`, from a class on that is none behind it. */
template <int L>
FECRUN_ON_DEVICE bool list_find(const struct polar_list_ragged &r, uint32_t group,
                                struct list_group &g)
{
    for (; g.class_of < r.n_classes; g.class_of++) {
        const uint32_t count = r.start[g.class_of + 1] - r.start[g.class_of];
        const uint32_t groups = (count + 32 / L - 1) / (32 / L);

        if (group - g.before < groups)
            return true;
        g.before += groups;
    }
    return false;
}

template <int L>
FECRUN_ON_DEVICE void list_run_ragged(const struct polar_list_ragged &r, uint32_t *shared)
{
    const uint32_t warp = list_uniform(threadIdx.x / 32) * gridDim.x + blockIdx.x;
    const uint32_t warps = gridDim.x * (blockDim.x / 32);
    const struct list_memory memory = {shared, r.global, r.rows, r.global_rows};
    struct list_group g = {0, 0};

    POLAR_UNROLL_BY(1)
    for (uint32_t group = warp; list_find<L>(r, group, g); group += warps) {
        const struct polar_list_job &job = r.job[g.class_of];
        const uint32_t begin = r.start[g.class_of], end = r.start[g.class_of + 1];
        const uint32_t number = begin + (group - g.before) * (32 / L) + threadIdx.x % 32 / L;
        const uint32_t n = r.order[number < end ? number : end - 1];
        list_lane<L, false> me = list_start<L, false>(job.stages, memory, warp);

        me.threads = 32; /* other warps go other ways */
        list_begin(me, job, r.in + r.in_offset[n]);
        list_decode(me, job);
        list_finish(me, job, {r.out + r.out_offset[n], r.info + n, n, number < end});
    }
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which group of blocks of bits a block of threads takes next, where all groups take the same time.
 *
 * Of two blocks of threads that share a multiprocessor one is faster, so that they take groups from a
 * queue. From one queue for all, the last groups go to who asks first, and where a multiprocessor gets 13
 * of them and the others 12, all of these wait. So each multiprocessor m of S has a queue of its own: the
 * groups m, m + S, m + 2S ... Who finds it empty helps neighbours that have two and more left (something
 * else may be running there), and takes what belongs to multiprocessors where nothing has begun.
 */
#ifndef TURBO_CUDA_WINDOWS_SHARE_CUH
#define TURBO_CUDA_WINDOWS_SHARE_CUH

#include "plugins/turbo/cuda/windows/plan.h"
#include "plugins/turbo/cuda/windows/packed.cuh"

#define WIN_BEGUN \
    0x80000000u /* of a multiprocessor's word of job.queue: a block of threads has begun there */
#define WIN_NO_GROUP (~0u)

enum { WIN_HELPED = 8 }; /* neighbours that are looked at: one look takes 0.6 us */

WIN_FN uint32_t win_processor(void)
{
#ifdef WIN_ON_HOST
    return 3 * blockIdx.x;
#else
    uint32_t id;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
#endif
}

/* One of so many groups, if multiprocessor m has `least` left. */
WIN_FN uint32_t win_share_of(const struct turbo_windows_job &job, uint32_t groups, uint32_t m,
                             uint32_t least)
{
    uint32_t taken = *(const volatile uint32_t *)&job.queue[1 + m] & ~WIN_BEGUN;

    if (m + (taken + least - 1) * job.processors >= groups)
        return WIN_NO_GROUP;
    taken = atomicAdd(&job.queue[1 + m], 1) & ~WIN_BEGUN;
    return m + taken * job.processors < groups ? m + taken * job.processors : WIN_NO_GROUP;
}

/* Of each block of threads, before it asks. */
WIN_FN void win_share_begin(const struct turbo_windows_job &job, uint32_t m)
{
    if (!(atomicOr(&job.queue[1 + m], WIN_BEGUN) & WIN_BEGUN))
        atomicAdd(job.queue, 1);
}

/* The next group of a block of threads on multiprocessor m; WIN_NO_GROUP: there are no more for it. */
WIN_FN uint32_t win_share_next(const struct turbo_windows_job &job, uint32_t groups, uint32_t m)
{
    const uint32_t processors = job.processors;
    uint32_t group = win_share_of(job, groups, m, 1);

    WIN_NO_UNROLL
    for (uint32_t i = 1; i <= WIN_HELPED && group == WIN_NO_GROUP; i++)
        group = win_share_of(job, groups, (m + i) % processors, 2);
    if (group != WIN_NO_GROUP || *(const volatile uint32_t *)job.queue == processors)
        return group;
    WIN_NO_UNROLL
    for (uint32_t i = 0; i < processors && group == WIN_NO_GROUP; i++)
        if (!(*(const volatile uint32_t *)&job.queue[1 + i] & WIN_BEGUN))
            group = win_share_of(job, groups, i, 1);
    return group;
}

#endif

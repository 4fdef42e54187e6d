/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one code of K = 9; each cuda_fast_k9*.cu file instantiates those of its code. */
#ifndef VITERBI_CUDA_FAST_TEAM_KERNEL_CUH
#define VITERBI_CUDA_FAST_TEAM_KERNEL_CUH

#include "cuda_fast_team_decode.cuh"

/* As fast_kernel(). */
template <class Team, int SOURCE, int KIND, int STEPS>
__global__ void __launch_bounds__(Team::THREADS, 1)
fast_team_kernel(const __grid_constant__ struct fast_job job)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    __shared__ struct fast_spread table[SOURCE == FAST_PUNCTURED ? FAST_MAX_COLUMNS : 1];
    const uint64_t tiles = (uint64_t)job.threads / 32 * job.lanes * job.tiles;

    if constexpr (SOURCE == FAST_PUNCTURED) {
        for (uint32_t i = threadIdx.x; i < job.columns; i += job.threads)
            table[i] = job.spread[i];
        __syncthreads();
    }

    for (uint64_t group = blockIdx.x; group * tiles < job.items; group += gridDim.x) {
        if constexpr (KIND == FAST_WHOLE)
            fast_team_whole<Team, SOURCE>(job, group, threadIdx.x,
                                          job.scratch + (size_t)blockIdx.x * job.blocks *
                                                            job.threads * Team::CHUNKS * 16,
                                          table);
        else
            fast_team_sub_frames<Team, SOURCE, KIND, STEPS>(job, group, threadIdx.x,
                                                            (uint8_t *)shared, table);
    }
#endif
}

template <class Team, int SOURCE, int KIND, int STEPS>
static void fast_fill_team(struct fast_kernel *kernel)
{
    kernel->function = (const void *)fast_team_kernel<Team, SOURCE, KIND, STEPS>;
    kernel->block_bytes = Team::THREADS * Team::CHUNKS * 16;
    kernel->tiles = Team::L::TILES;
    kernel->members = Team::MEMBERS;
}

/* Sub-frames; TRACED: with some for sub-frames of a byte, too. */
template <class Team, int SOURCE, bool TRACED>
static void fast_choose_ring(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    constexpr int steps = TRACED ? FAST_TRACED_STEPS : 0;
    const uint32_t more = wish->steps - FAST_TRACED_STEPS;

    if (wish->kind == FAST_STORED && TRACED && more == 0)
        fast_fill_team<Team, SOURCE, FAST_STORED, steps>(kernel);
    else if (wish->kind == FAST_STORED && TRACED && more == 1)
        fast_fill_team<Team, SOURCE, FAST_STORED, TRACED ? steps + 1 : 0>(kernel);
    else if (wish->kind == FAST_STORED)
        fast_fill_team<Team, SOURCE, FAST_STORED, 0>(kernel);
    else if (TRACED && more == 0)
        fast_fill_team<Team, SOURCE, FAST_ANY, steps>(kernel);
    else
        fast_fill_team<Team, SOURCE, FAST_ANY, 0>(kernel);
}

template <class Team, int SOURCE, bool TRACED>
static void fast_choose_team(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->kind == FAST_WHOLE)
        fast_fill_team<Team, SOURCE, FAST_WHOLE, 0>(kernel);
    else
        fast_choose_ring<Team, SOURCE, TRACED>(wish, kernel);
}

/* I8 input, wide or not. */
template <class Code>
static bool fast_choose_bytes(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->source != FAST_I8)
        return false;
    if (wish->wide)
        fast_choose_team<fast_team<Code, lanes32, 2, FAST_THREADS>, FAST_I8, false>(wish, kernel);
    else
        fast_choose_team<fast_team<Code, lanes16, 2, FAST_THREADS>, FAST_I8, true>(wish, kernel);
    return true;
}

#endif

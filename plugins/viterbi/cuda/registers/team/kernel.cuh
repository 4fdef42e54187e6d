/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one code of K = 9; kernels/k9*.cu instantiate those of their code. */
#ifndef VITERBI_CUDA_REGISTERS_TEAM_KERNEL_CUH
#define VITERBI_CUDA_REGISTERS_TEAM_KERNEL_CUH

#include "plugins/viterbi/cuda/registers/team/decode.cuh"

/* As registers_kernel(). */
template <class Team, int SOURCE, int KIND, int STEPS>
__global__ void __launch_bounds__(Team::THREADS, 1)
    registers_team_kernel(const __grid_constant__ struct registers_job job)
{
#ifdef REGISTERS_BUILT
    extern __shared__ uint4 shared[];
    __shared__ struct registers_spread
        table[SOURCE == REGISTERS_PUNCTURED ? REGISTERS_MAX_COLUMNS : 1];
    const uint64_t tiles = (uint64_t)job.threads / 32 * job.lanes * job.tiles;

    if constexpr (SOURCE == REGISTERS_PUNCTURED) {
        for (uint32_t i = threadIdx.x; i < job.columns; i += job.threads)
            table[i] = job.spread[i];
        __syncthreads();
    }

    for (uint64_t group = blockIdx.x; group * tiles < job.items; group += gridDim.x) {
        if constexpr (KIND == REGISTERS_WHOLE)
            registers_team_whole<Team, SOURCE>(job, group, threadIdx.x,
                                               job.scratch + (size_t)blockIdx.x * job.blocks *
                                                                 job.threads * Team::CHUNKS * 16,
                                               table);
        else
            registers_team_sub_frames<Team, SOURCE, KIND, STEPS>(job, group, threadIdx.x,
                                                                 (uint8_t *)shared, table);
    }
#endif
}

#ifndef __CUDACC_RTC__

template <class Team, int SOURCE, int KIND, int STEPS>
static void registers_fill_team(struct registers_kernel *kernel)
{
    kernel->function = (const void *)registers_team_kernel<Team, SOURCE, KIND, STEPS>;
    kernel->threads = Team::THREADS;
    kernel->block_bytes = Team::THREADS * Team::CHUNKS * 16;
    kernel->tiles = Team::L::TILES;
    kernel->members = Team::MEMBERS;
    kernel->traced = STEPS;
}

/* Sub-frames; TRACED: with some for sub-frames of a byte, too. */
template <class Team, int SOURCE, bool TRACED>
static void viterbi_choose_ring(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    constexpr int steps = TRACED ? REGISTERS_TRACED_STEPS : 0;
    const uint32_t more = wish->steps - REGISTERS_TRACED_STEPS;

    if (wish->kind == REGISTERS_STORED && TRACED && more == 0)
        registers_fill_team<Team, SOURCE, REGISTERS_STORED, steps>(kernel);
    else if (wish->kind == REGISTERS_STORED && TRACED && more == 1)
        registers_fill_team<Team, SOURCE, REGISTERS_STORED, TRACED ? steps + 1 : 0>(kernel);
    else if (wish->kind == REGISTERS_STORED)
        registers_fill_team<Team, SOURCE, REGISTERS_STORED, 0>(kernel);
    else if (TRACED && more == 0)
        registers_fill_team<Team, SOURCE, REGISTERS_ANY, steps>(kernel);
    else
        registers_fill_team<Team, SOURCE, REGISTERS_ANY, 0>(kernel);
}

template <class Team, int SOURCE, bool TRACED>
static void viterbi_choose_team(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    if (wish->kind == REGISTERS_WHOLE || wish->kind == REGISTERS_FRAMES)
        registers_fill_team<Team, SOURCE, REGISTERS_WHOLE, 0>(kernel);
    else
        viterbi_choose_ring<Team, SOURCE, TRACED>(wish, kernel);
}

/* I8 input, wide or not. */
template <class Code>
static bool viterbi_choose_bytes(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    if (wish->source != REGISTERS_I8)
        return false;
    if (wish->wide)
        viterbi_choose_team<registers_team<Code, lanes32, 2, REGISTERS_THREADS>, REGISTERS_I8,
                            false>(wish, kernel);
    else
        viterbi_choose_team<registers_team<Code, lanes16, 2, REGISTERS_THREADS>, REGISTERS_I8,
                            true>(wish, kernel);
    return true;
}

#endif
#endif

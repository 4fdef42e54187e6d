/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of codes of K = 9, which are compiled when they are used. */
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

#endif

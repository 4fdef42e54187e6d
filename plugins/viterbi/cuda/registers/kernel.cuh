/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one code; each file in kernels/ instantiates those of its codes. */
#ifndef VITERBI_CUDA_REGISTERS_KERNEL_CUH
#define VITERBI_CUDA_REGISTERS_KERNEL_CUH

#include "plugins/viterbi/cuda/registers/frames.cuh"
#include "plugins/viterbi/cuda/registers/whole.cuh"

/* STEPS: see registers_run_traced(). */
template <class Code, class L, int SOURCE, int KIND, int STEPS>
__global__ void __launch_bounds__(REGISTERS_THREADS, 1)
    registers_kernel(const __grid_constant__ struct registers_job job)
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
            registers_whole<Code, L, SOURCE>(job, group, threadIdx.x,
                                             job.scratch + (size_t)blockIdx.x * job.blocks *
                                                               registers_ring<Code, L>::BLOCK,
                                             table);
        else if constexpr (KIND == REGISTERS_FRAMES)
            registers_frames<Code, L, SOURCE>(job, group, threadIdx.x, (uint8_t *)shared,
                                              job.scratch + blockIdx.x * job.scratch_each, table);
        else
            registers_sub_frames<Code, L, SOURCE, KIND, STEPS>(job, group, threadIdx.x,
                                                               (uint8_t *)shared, table);
    }
#endif
}

#ifndef __CUDACC_RTC__

template <class Code, class L, int SOURCE, int KIND, int STEPS>
static void registers_fill_kernel(struct registers_kernel *kernel)
{
    kernel->function = (const void *)registers_kernel<Code, L, SOURCE, KIND, STEPS>;
    kernel->threads = REGISTERS_THREADS;
    kernel->block_bytes = registers_ring<Code, L>::BLOCK;
    kernel->tiles = L::TILES;
    kernel->members = 1;
    kernel->traced = STEPS;
    kernel->newest = registers_ring<Code, L>::NEWEST;
    kernel->frames = KIND == REGISTERS_FRAMES;
}

/* The kernels for one word width and source; TRACED: with one for sub-frames of a byte, too, and
 * for whole frames by them where traces do not begin in the newest block. */
template <class Code, class L, int SOURCE, bool TRACED>
static void viterbi_choose_kind(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    constexpr bool frames = TRACED && !registers_ring<Code, L>::NEWEST;

    if (wish->kind == REGISTERS_FRAMES && frames)
        registers_fill_kernel<Code, L, SOURCE, frames ? REGISTERS_FRAMES : REGISTERS_WHOLE, 0>(
            kernel);
    else if (wish->kind == REGISTERS_FRAMES || wish->kind == REGISTERS_WHOLE)
        registers_fill_kernel<Code, L, SOURCE, REGISTERS_WHOLE, 0>(kernel);
    else if (wish->kind == REGISTERS_STORED)
        registers_fill_kernel<Code, L, SOURCE, REGISTERS_STORED, 0>(kernel);
    else if (TRACED && wish->steps == REGISTERS_TRACED_STEPS)
        registers_fill_kernel<Code, L, SOURCE, REGISTERS_ANY, TRACED ? REGISTERS_TRACED_STEPS : 0>(
            kernel);
    else
        registers_fill_kernel<Code, L, SOURCE, REGISTERS_ANY, 0>(kernel);
}

#endif
#endif

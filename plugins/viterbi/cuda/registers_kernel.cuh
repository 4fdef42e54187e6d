/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one code; each cuda_fast_*.cu file instantiates those of its codes. */
#ifndef VITERBI_CUDA_FAST_KERNEL_CUH
#define VITERBI_CUDA_FAST_KERNEL_CUH

#include "cuda_fast_whole.cuh"

/* STEPS: see fast_run_traced(). Older devices have the code of cuda_document alone: the host asks. */
template <class Code, class L, int SOURCE, int KIND, int STEPS>
__global__ void __launch_bounds__(FAST_THREADS, 1)
fast_kernel(const __grid_constant__ struct fast_job job)
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
            fast_whole<Code, L, SOURCE>(job, group, threadIdx.x,
                                        job.scratch + (size_t)blockIdx.x * job.blocks *
                                                          fast_ring<Code, L>::BLOCK, table);
        else
            fast_sub_frames<Code, L, SOURCE, KIND, STEPS>(job, group, threadIdx.x,
                                                          (uint8_t *)shared, table);
    }
#endif
}

template <class Code, class L, int SOURCE, int KIND, int STEPS>
static void fast_fill_kernel(struct fast_kernel *kernel)
{
    kernel->function = (const void *)fast_kernel<Code, L, SOURCE, KIND, STEPS>;
    kernel->block_bytes = fast_ring<Code, L>::BLOCK;
    kernel->tiles = L::TILES;
    kernel->members = 1;
}

/* The kernels for one word width and source; TRACED: with one for sub-frames of a byte, too. */
template <class Code, class L, int SOURCE, bool TRACED>
static void fast_choose_kind(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->kind == FAST_WHOLE)
        fast_fill_kernel<Code, L, SOURCE, FAST_WHOLE, 0>(kernel);
    else if (wish->kind == FAST_STORED)
        fast_fill_kernel<Code, L, SOURCE, FAST_STORED, 0>(kernel);
    else if (TRACED && wish->steps == FAST_TRACED_STEPS)
        fast_fill_kernel<Code, L, SOURCE, FAST_ANY, TRACED ? FAST_TRACED_STEPS : 0>(kernel);
    else
        fast_fill_kernel<Code, L, SOURCE, FAST_ANY, 0>(kernel);
}

#endif

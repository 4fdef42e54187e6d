/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel for tail-biting frames; the files in kernels/ instantiate it for their codes. */
#ifndef VITERBI_CUDA_REGISTERS_WRAP_KERNEL_CUH
#define VITERBI_CUDA_REGISTERS_WRAP_KERNEL_CUH

#include "plugins/viterbi/cuda/registers/wrap/thread.cuh"

template <class Code, class L>
__global__ void __launch_bounds__(REGISTERS_THREADS, 1)
    wrap_kernel(const __grid_constant__ struct wrap_job job)
{
#ifdef REGISTERS_BUILT
    extern __shared__ uint4 shared[];
    const uint32_t places = 2 * (job.full + (job.rest > 0));
    const uint64_t far = (uint64_t)(places - job.near) * registers_ring<Code, L>::BLOCK;
    const wrap_survivors survivors = {(uint8_t *)shared + threadIdx.x * 16,
                                      job.registers.scratch + blockIdx.x * far + threadIdx.x * 16,
                                      job.near};
    wrap_share share = wrap_share_of(job.registers.in.frames,
                                     (uint64_t)blockIdx.x * job.warps + threadIdx.x / 32,
                                     (uint64_t)gridDim.x * job.warps);
    wrap_thread<Code, L> t;

    if (share.next == share.end)
        return;
    wrap_begin<Code, L>(&t, share);
#pragma unroll 1
    for (bool odd = false;; odd = !odd) {
        bool busy = false;
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            wrap_take<Code, L>(&t, k, __ballot_sync(~0u, !t.busy[k]), threadIdx.x % 32, &share);
            busy = busy || t.busy[k];
        }
        if (!__any_sync(~0u, busy))
            return;
        wrap_round<Code, L>(job, survivors, odd, &t);
    }
#endif
}

#ifndef __CUDACC_RTC__

template <class Code, class L> static void wrap_fill_kernel(struct registers_kernel *kernel)
{
    kernel->function = (const void *)wrap_kernel<Code, L>;
    kernel->threads = REGISTERS_THREADS;
    kernel->block_bytes = registers_ring<Code, L>::BLOCK;
    kernel->tiles = L::TILES;
    kernel->members = 1;
}

template <class Code> static bool wrap_choose(bool wide, struct registers_kernel *kernel)
{
    if (wide)
        wrap_fill_kernel<Code, lanes32>(kernel);
    else
        wrap_fill_kernel<Code, lanes16>(kernel);
    return true;
}

#endif
#endif

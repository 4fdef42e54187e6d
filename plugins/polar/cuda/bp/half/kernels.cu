/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of run.cuh. */
#include "plugins/polar/cuda/bp/half/run.cuh"

extern __shared__ uint4 bp_shared[];

/* Blocks of a multiprocessor, as registers allow: 160 each. */
template <int STAGES> constexpr int bp_blocks()
{
    return STAGES <= 10 ? 6 : STAGES == 11 ? 2 : 1;
}

template <int STAGES, bool STOPS>
static __global__ void __launch_bounds__(bp_shape<STAGES>::THREADS, bp_blocks<STAGES>())
    bp_half_kernel(const __grid_constant__ struct polar_bp_half_job job)
{
    bp_half_run<STAGES, STOPS>(job, (uint32_t *)bp_shared);
}

template <bool STOPS> static const void *kernel_of(uint32_t stages)
{
    return stages == 8    ? (const void *)bp_half_kernel<8, STOPS>
           : stages == 9  ? (const void *)bp_half_kernel<9, STOPS>
           : stages == 10 ? (const void *)bp_half_kernel<10, STOPS>
           : stages == 11 ? (const void *)bp_half_kernel<11, STOPS>
                          : (const void *)bp_half_kernel<12, STOPS>;
}

extern "C" const void *polar_bp_half_kernel_of(uint32_t stages, bool stops)
{
    return stops ? kernel_of<true>(stages) : kernel_of<false>(stages);
}

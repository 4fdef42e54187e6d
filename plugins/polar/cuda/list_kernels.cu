/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of list.h. */
#include "plugins/polar/cuda/list_run.cuh"

extern __shared__ uint32_t list_shared[];

template <int L, bool ALONE>
static __global__ void __launch_bounds__(ALONE ? 32 : 32 * LIST_MOST_WARPS, 1)
    list_kernel(const __grid_constant__ struct polar_list_job job)
{
    list_run<L, ALONE>(job, list_shared);
}

template <bool ALONE> static const void *kernel_of(uint32_t lanes)
{
    return lanes == 2   ? (const void *)list_kernel<2, ALONE>
           : lanes == 4 ? (const void *)list_kernel<4, ALONE>
           : lanes == 8 ? (const void *)list_kernel<8, ALONE>
                        : (const void *)list_kernel<16, ALONE>;
}

extern "C" const void *polar_list_kernel_of(uint32_t lanes, bool alone)
{
    return alone ? kernel_of<true>(lanes) : kernel_of<false>(lanes);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of plan.h and ragged.h. */
#include "plugins/polar/cuda/list/ragged.cuh"

extern __shared__ uint32_t list_shared[];

template <int L, bool ALONE>
static __global__ void __launch_bounds__(ALONE ? 32 : 32 * LIST_MOST_WARPS, 1)
    list_kernel(const __grid_constant__ struct polar_list_job job)
{
    list_run<L, ALONE>(job, list_shared);
}

template <bool ALONE> static const void *kernel_of(uint32_t lanes)
{
    return lanes == 2    ? (const void *)list_kernel<2, ALONE>
           : lanes == 4  ? (const void *)list_kernel<4, ALONE>
           : lanes == 8  ? (const void *)list_kernel<8, ALONE>
           : lanes == 16 ? (const void *)list_kernel<16, ALONE>
                         : (const void *)list_kernel<32, ALONE>;
}

extern "C" const void *polar_list_kernel_of(uint32_t lanes, bool alone)
{
    return alone ? kernel_of<true>(lanes) : kernel_of<false>(lanes);
}

/* ---- Frames of several classes ----------------------------------------------------------------- */

template <int L>
static __global__ void __launch_bounds__(32 * LIST_MOST_WARPS, 1)
    list_ragged_kernel(const __grid_constant__ struct polar_list_ragged ragged)
{
    list_run_ragged<L>(ragged, list_shared);
}

extern "C" const void *polar_list_ragged_kernel_of(uint32_t lanes)
{
    return lanes == 2    ? (const void *)list_ragged_kernel<2>
           : lanes == 4  ? (const void *)list_ragged_kernel<4>
           : lanes == 8  ? (const void *)list_ragged_kernel<8>
           : lanes == 16 ? (const void *)list_ragged_kernel<16>
                         : (const void *)list_ragged_kernel<32>;
}

static __global__ void __launch_bounds__(LIST_DEAL_THREADS, 1)
    list_deal_kernel(const __grid_constant__ struct polar_list_ragged ragged)
{
    list_deal(ragged);
}

extern "C" const void *polar_list_deal_kernel_of(void)
{
    return (const void *)list_deal_kernel;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of run.cuh and ragged.cuh. */
#include "plugins/polar/cuda/bp/any/ragged.cuh"

extern __shared__ uint4 bp_shared[];

template <int RULE, bool FAST>
static __global__ void __launch_bounds__(BP_MOST_THREADS, 1)
    bp_any_kernel(const __grid_constant__ struct polar_bp_any_job job)
{
    bp_any_run<RULE, FAST>(job, (uint8_t *)bp_shared);
}

template <bool FAST> static const void *kernel_of(uint32_t rule)
{
    return rule == POLAR_MIN_SUM       ? (const void *)bp_any_kernel<POLAR_MIN_SUM, FAST>
           : rule == POLAR_SUM_PRODUCT ? (const void *)bp_any_kernel<POLAR_SUM_PRODUCT, FAST>
                                       : (const void *)bp_any_kernel<POLAR_SUM_PRODUCT_LR, FAST>;
}

extern "C" const void *polar_bp_any_kernel_of(uint32_t rule, bool fast)
{
    return fast ? kernel_of<true>(rule) : kernel_of<false>(rule);
}

/* ---- Frames of several classes ----------------------------------------------------------------- */

template <int RULE>
static __global__ void __launch_bounds__(BP_MOST_THREADS, 1)
    bp_ragged_kernel(const __grid_constant__ struct polar_bp_ragged_job job)
{
    bp_run_ragged<RULE>(job, (uint8_t *)bp_shared);
}

extern "C" const void *polar_bp_ragged_kernel_of(uint32_t rule)
{
    return rule == POLAR_MIN_SUM       ? (const void *)bp_ragged_kernel<POLAR_MIN_SUM>
           : rule == POLAR_SUM_PRODUCT ? (const void *)bp_ragged_kernel<POLAR_SUM_PRODUCT>
                                       : (const void *)bp_ragged_kernel<POLAR_SUM_PRODUCT_LR>;
}

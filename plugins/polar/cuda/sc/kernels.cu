/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of plan.h. */
#include "plugins/polar/cuda/sc/stages.cuh"

extern __shared__ uint4 sc_shared[];

static __global__ void __launch_bounds__(SC_MOST_WARPS *SC_LANES, 1)
    sc_kernel(const __grid_constant__ struct polar_sc_job job)
{
    sc_run(job, sc_shared);
}

extern "C" const void *polar_sc_kernel_of(void)
{
    return (const void *)sc_kernel;
}

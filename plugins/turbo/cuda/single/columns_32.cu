/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of plan.h for up to 64 windows, which may be longer. */
#define SINGLE_COLUMNS SINGLE_NARROW
#include "plugins/turbo/cuda/single/kernel.cuh"

extern "C" const void *turbo_single_narrow(void)
{
    return (const void *)turbo_single_kernel;
}

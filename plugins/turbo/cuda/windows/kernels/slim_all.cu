/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of windows/plan.h with WIN_SLIM threads a block that does all iterations of all blocks. */
#define WIN_THREADS WIN_SLIM

#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"

extern "C" const void *turbo_windows_slim_all(void)
{
    return (const void *)turbo_windows_kernel<win_max_log, WIN_ALWAYS_ALL, false>;
}

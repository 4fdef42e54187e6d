/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows/plan.h with WIN_SLIMMEST threads a block. */
#define WIN_THREADS WIN_SLIMMEST

#include "plugins/turbo/cuda/windows/slim.cuh"

extern "C" const void *turbo_windows_slimmest(enum turbo_windows_stop stop, bool exact)
{
    return exact ? win_slim_kernel<win_log_map>(stop) : win_slim_kernel<win_max_log>(stop);
}

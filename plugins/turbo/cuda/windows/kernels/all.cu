/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows/plan.h that do all iterations of all blocks. */
#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"

extern "C" const void *turbo_windows_all(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_max_log, WIN_ALWAYS_ALL, true>
                 : (const void *)turbo_windows_kernel<win_max_log, WIN_ALWAYS_ALL, false>;
}

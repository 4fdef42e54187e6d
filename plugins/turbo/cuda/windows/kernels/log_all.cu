/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows/plan.h that do all iterations of all blocks, log-map. */
#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/logmap.cuh"

extern "C" const void *turbo_windows_log_all(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_log_map, WIN_ALWAYS_ALL, true>
                 : (const void *)turbo_windows_kernel<win_log_map, WIN_ALWAYS_ALL, false>;
}

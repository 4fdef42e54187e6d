/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows.h that do all iterations of all blocks, log-map. */
#include "plugins/turbo/cuda/windows_kernel.cuh"
#include "plugins/turbo/cuda/windows_logmap.cuh"

extern "C" const void *turbo_windows_log_all(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_log_map, WIN_ALWAYS_ALL, true>
                 : (const void *)turbo_windows_kernel<win_log_map, WIN_ALWAYS_ALL, false>;
}

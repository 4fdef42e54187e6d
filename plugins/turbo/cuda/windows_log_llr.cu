/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows.h that decode until their LLRs are large, log-map. */
#include "plugins/turbo/cuda/windows_kernel.cuh"
#include "plugins/turbo/cuda/windows_logmap.cuh"

extern "C" const void *turbo_windows_log_llr(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_log_map, WIN_STOP_LLR, true>
                 : (const void *)turbo_windows_kernel<win_log_map, WIN_STOP_LLR, false>;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows/plan.h that decode until their LLRs are large, log-map. */
#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/logmap.cuh"

extern "C" const void *turbo_windows_log_llr(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_log_map, WIN_STOP_LLR, true>
                 : (const void *)turbo_windows_kernel<win_log_map, WIN_STOP_LLR, false>;
}

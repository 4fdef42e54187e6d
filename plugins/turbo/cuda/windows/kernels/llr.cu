/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows/plan.h that decode until their LLRs are large. */
#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"

extern "C" const void *turbo_windows_llr(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_max_log, WIN_STOP_LLR, true>
                 : (const void *)turbo_windows_kernel<win_max_log, WIN_STOP_LLR, false>;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The wide kernels of windows/plan.h: more windows of fewer steps. */
#define WIN_THREADS WIN_WIDE

#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"

extern "C" const void *turbo_windows_wide(bool soft)
{
    return soft ? (const void *)turbo_windows_kernel<win_max_log, WIN_ALWAYS_ALL | WIN_SOFT, true>
                : (const void *)turbo_windows_kernel<win_max_log, WIN_ALWAYS_ALL, true>;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows/plan.h that give LLRs beside the bits. */
#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"

template <int RULE> static const void *soft(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_max_log, RULE | WIN_SOFT, true>
                 : (const void *)turbo_windows_kernel<win_max_log, RULE | WIN_SOFT, false>;
}

extern "C" const void *turbo_windows_soft(enum turbo_windows_stop stop, bool whole)
{
    return stop == WIN_STOP_CRC   ? soft<WIN_STOP_CRC>(whole)
           : stop == WIN_STOP_LLR ? soft<WIN_STOP_LLR>(whole)
                                  : soft<WIN_ALWAYS_ALL>(whole);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of windows.h that decode until their CRC holds, log-map. */
#include "plugins/turbo/cuda/windows_kernel.cuh"
#include "plugins/turbo/cuda/windows_logmap.cuh"

extern "C" const void *turbo_windows_log_crc(bool whole)
{
    return whole ? (const void *)turbo_windows_kernel<win_log_map, WIN_STOP_CRC, true>
                 : (const void *)turbo_windows_kernel<win_log_map, WIN_STOP_CRC, false>;
}

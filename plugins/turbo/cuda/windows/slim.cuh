/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels of plan.h for devices with less shared memory, of WIN_THREADS threads. They give LLRs where the
 * job wants some, and take all windows: these are the devices that kernels of each kind are not compiled for.
 */
#ifndef TURBO_CUDA_WINDOWS_SLIM_CUH
#define TURBO_CUDA_WINDOWS_SLIM_CUH

#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/logmap.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"

template <class Decoder> static const void *win_slim_kernel(enum turbo_windows_stop stop)
{
    return stop == WIN_STOP_CRC
               ? (const void *)turbo_windows_kernel<Decoder, WIN_STOP_CRC | WIN_SOFT, false>
           : stop == WIN_STOP_LLR
               ? (const void *)turbo_windows_kernel<Decoder, WIN_STOP_LLR | WIN_SOFT, false>
               : (const void *)turbo_windows_kernel<Decoder, WIN_ALWAYS_ALL | WIN_SOFT, false>;
}

#endif

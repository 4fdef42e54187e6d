/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts the kernels of plan.h. */
#include "plugins/turbo/cuda/windows/plan.h"

#ifdef FECRUN_CUDA

const void *turbo_windows_kernel_of(const struct turbo_windows_kind *kind)
{
    const bool whole = kind->whole;

    if (kind->threads == WIN_WIDE)
        return kind->stop == WIN_ALWAYS_ALL && whole && !kind->exact
                   ? turbo_windows_wide(kind->soft)
                   : NULL;
    if (kind->threads == WIN_SLIM)
        return turbo_windows_slim(kind->stop, kind->exact);
    if (kind->threads == WIN_SLIMMEST)
        return turbo_windows_slimmest(kind->stop, kind->exact);
    if (kind->soft)
        return kind->exact ? turbo_windows_log_soft(kind->stop, whole)
                           : turbo_windows_soft(kind->stop, whole);
    if (kind->stop == WIN_STOP_CRC)
        return kind->exact ? turbo_windows_log_crc(whole) : turbo_windows_crc(whole);
    if (kind->stop == WIN_STOP_LLR)
        return kind->exact ? turbo_windows_log_llr(whole) : turbo_windows_llr(whole);
    return kind->exact ? turbo_windows_log_all(whole) : turbo_windows_all(whole);
}

cudaError_t turbo_allow_shared(const void *kernel, uint32_t bytes)
{
    struct cudaFuncAttributes own;
    int device = 0, most = 0;
    cudaError_t status = cudaGetDevice(&device);

    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (status == cudaSuccess)
        status = cudaFuncGetAttributes(&own, kernel);
    if (status == cudaSuccess)
        most -= (int)own.sharedSizeBytes; /* what the kernel has anyway */
    if (status == cudaSuccess && (most < 0 || bytes > (uint32_t)most))
        status = cudaErrorInvalidValue;
    if (status == cudaSuccess)
        status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    return status;
}

/* The device keeps 1 KiB of each block of threads for itself. */
static uint32_t rounded(uint32_t bytes)
{
    return ((bytes + 127) & ~127u) + 1024;
}

cudaError_t turbo_windows_prepare(const struct turbo_windows_kind *kind, size_t shared,
                                  uint32_t *bytes, unsigned *blocks)
{
    const void *kernel = turbo_windows_kernel_of(kind);
    const uint32_t fit = (uint32_t)shared / rounded(*bytes);
    int device = 0, count = 0, each = 0, own = 0;
    cudaError_t status = kernel ? turbo_allow_shared(kernel, *bytes) : cudaErrorInvalidValue;

    if (status == cudaSuccess)
        status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&own, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    if (status == cudaSuccess && fit && shared < (size_t)own &&
        (uint32_t)own / rounded(*bytes) > fit)
        *bytes = (uint32_t)own / (fit + 1) + 128 - 1024; /* not fit + 1 of these */
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)kind->threads,
                                                               (size_t)*bytes);
    *blocks = (unsigned)(each * count);
    return status;
}

cudaError_t turbo_windows_launch(const struct turbo_windows_job *job,
                                 const struct turbo_windows_kind *kind, uint32_t bytes,
                                 unsigned blocks, cudaStream_t stream)
{
    struct turbo_windows_job copy = *job;
    void *args[] = {&copy};

    return cudaLaunchKernel(turbo_windows_kernel_of(kind), (dim3){blocks, 1, 1},
                            (dim3){kind->threads, 1, 1}, args, bytes, stream);
}

#endif

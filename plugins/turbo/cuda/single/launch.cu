/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts the kernels of plan.h. */
#include "plugins/turbo/cuda/single/kernel.cuh"

static const void *kernel_of(const struct turbo_windows_class *c)
{
    return turbo_single_columns(c) == SINGLE_NARROW ? turbo_single_narrow()
                                                    : (const void *)turbo_single_kernel;
}

static uint32_t bytes_of(const struct turbo_windows_class *c)
{
    return turbo_single_lay_out(turbo_single_columns(c), c->steps).bytes;
}

extern "C" cudaError_t turbo_single_prepare(const struct turbo_windows_class *c, unsigned *blocks)
{
    int device = 0, processors = 0;
    cudaError_t status = turbo_allow_shared(kernel_of(c), bytes_of(c));

    if (status == cudaSuccess)
        status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    *blocks = (unsigned)processors;
    return status;
}

extern "C" cudaError_t turbo_single_launch(const struct turbo_windows_job *job, unsigned blocks,
                                           cudaStream_t stream)
{
    const struct turbo_windows_class *c = &job->only;
    void *args[] = {(void *)job};

    return cudaLaunchKernel(kernel_of(c), dim3(blocks), dim3(c->windows), args, bytes_of(c),
                            stream);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts the kernel of single.h. */
#include "plugins/turbo/cuda/single.cuh"

extern "C" cudaError_t turbo_single_prepare(const struct turbo_windows_class *c, unsigned *blocks)
{
    int device = 0, processors = 0;
    cudaError_t status = cudaFuncSetAttribute(
        turbo_single_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)turbo_single_lay_out(c->windows, c->steps).bytes);

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

    turbo_single_kernel<<<blocks, c->windows, turbo_single_lay_out(c->windows, c->steps).bytes,
                          stream>>>(*job);
    return cudaGetLastError();
}

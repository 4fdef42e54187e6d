/* SPDX-License-Identifier: BSD-2-Clause */
/* A CUDA runtime for tests of what calls it, without a device: memory is the host's. */
#ifndef T_SDK_RUNTIME_RUNTIME_H
#define T_SDK_RUNTIME_RUNTIME_H

static struct {
    unsigned alive, mallocs, broken; /* the broken-th cudaMalloc() fails; 0: none */
    unsigned copies;                 /* on a stream */
    void *stream;                    /* of the last one */
    int device;
} runtime;

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (++runtime.mallocs == runtime.broken)
        return cudaErrorMemoryAllocation;
    *memory = malloc(bytes);
    if (!*memory)
        bail("out of memory");
    runtime.alive++;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    runtime.alive -= memory != NULL;
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)kind;
    memcpy(to, from, bytes);
    runtime.copies++;
    runtime.stream = stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    runtime.device = device;
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaErrorMemoryAllocation ? "out of memory" : "broken";
}

const char *cudaGetErrorName(cudaError_t status)
{
    (void)status;
    return "cudaError";
}

/* What sdk/cuda.h's functions call that are not called here. */
cudaError_t cudaGetDevice(int *device)
{
    (void)device;
    return cudaErrorInvalidValue;
}

cudaError_t cudaGetDeviceCount(int *n)
{
    (void)n;
    return cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)value, (void)attribute, (void)device;
    return cudaErrorInvalidValue;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    (void)attributes, (void)function;
    return cudaErrorInvalidValue;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

#endif

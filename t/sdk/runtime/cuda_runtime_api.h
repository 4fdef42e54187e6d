/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of CUDA's header as sdk/cuda.h needs, for tests that are the runtime. */
#ifndef T_SDK_RUNTIME_CUDA_RUNTIME_API_H
#define T_SDK_RUNTIME_CUDA_RUNTIME_API_H

#include <stddef.h>

typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorLaunchFailure = 719
} cudaError_t;

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

struct cudaFuncAttributes {
    int ptxVersion, binaryVersion;
};

typedef struct CUstream_st *cudaStream_t;

cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t status);
const char *cudaGetErrorName(cudaError_t status);

#endif

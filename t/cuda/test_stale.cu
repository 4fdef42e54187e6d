/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels see what was uploaded before them, on a device: fecrun_cuda_copy_in() from pageable
 * memory, and at once a kernel on a stream that waits for no other, again and again. How often
 * cudaMemcpy() alone is not enough is said, but is no failure: that is up to the driver.
 */
#include "t/lib/tap.h"

#include <fecrun/sdk/cuda.h>

#include <stdint.h>
#include <stdlib.h>

enum { ROUNDS = 300, THREADS = 256, BLOCKS = 64 };

/* From the last word to the first: a transfer goes the other way. */
static __global__ void count_stale(const uint32_t *table, size_t n, uint32_t round,
                                   unsigned long long *stale)
{
    unsigned long long own = 0;

    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += table[n - 1 - i] != round;
    if (own)
        atomicAdd(stale, own);
}

static void need(cudaError_t status)
{
    if (status != cudaSuccess)
        bail("%s (%s)", cudaGetErrorString(status), cudaGetErrorName(status));
}

static cudaError_t copy_alone(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}

/* Rounds in which a kernel saw another round's table. */
static unsigned try_copies(cudaError_t (*copy)(void *, const void *, size_t), size_t bytes)
{
    const size_t n = bytes / sizeof(uint32_t);
    uint32_t *host = (uint32_t *)malloc(bytes), *device = NULL;
    unsigned long long *stale = NULL, seen;
    cudaStream_t stream = NULL;
    unsigned wrong = 0;

    if (!host)
        bail("out of memory");
    need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    need(cudaMalloc((void **)&device, bytes));
    need(cudaMalloc((void **)&stale, sizeof *stale));
    need(cudaMemset(device, 0, bytes));
    need(cudaDeviceSynchronize());
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        for (size_t i = 0; i < n; i++)
            host[i] = round;
        need(cudaMemsetAsync(stale, 0, sizeof *stale, stream));
        need(cudaStreamSynchronize(stream));
        need(copy(device, host, bytes));
        count_stale<<<BLOCKS, THREADS, 0, stream>>>(device, n, round, stale);
        need(cudaGetLastError());
        need(cudaStreamSynchronize(stream));
        need(cudaMemcpy(&seen, stale, sizeof seen, cudaMemcpyDeviceToHost));
        wrong += seen > 0;
        need(cudaDeviceSynchronize());
    }
    cudaFree(device);
    cudaFree(stale);
    cudaStreamDestroy(stream);
    free(host);
    return wrong;
}

int main(void)
{
    static const size_t sizes[] = {4096, 65536, 131072, 1048576, 16777216};
    int n = 0;

    if (cudaGetDeviceCount(&n) != cudaSuccess || n == 0)
        skip_all("cuda: no CUDA device");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        is_int(try_copies(fecrun_cuda_copy_in, sizes[i]), 0,
               "%zu bytes, %d times: no kernel reads "
               "old ones",
               sizes[i], ROUNDS);
        diag("cudaMemcpy() alone, %zu bytes: %u of %d", sizes[i], try_copies(copy_alone, sizes[i]),
             ROUNDS);
    }
    return done_testing();
}

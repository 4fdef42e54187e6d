/* SPDX-License-Identifier: BSD-2-Clause */
/* Before the kernels of plan.h, where a batch has classes: which frames are in each. */
#include "plugins/turbo/cuda/windows/plan.h"

enum { DEAL_THREADS = 1024 };

/* One block of threads. `first` is used for counting. */
static __global__ void __launch_bounds__(DEAL_THREADS)
    deal(struct turbo_windows_class *classes, uint32_t n_classes, const uint32_t *class_of,
         uint32_t frames, uint32_t *order, uint32_t *queue)
{
    for (uint32_t i = threadIdx.x; i < n_classes; i += DEAL_THREADS) {
        classes[i].frames = 0;
        queue[i] = 0;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < frames; i += DEAL_THREADS)
        atomicAdd(&classes[class_of[i]].frames, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        for (uint32_t i = 0, first = 0; i < n_classes; i++) {
            classes[i].first = first;
            first += classes[i].frames;
            classes[i].frames = 0;
        }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < frames; i += DEAL_THREADS) {
        struct turbo_windows_class *const c = &classes[class_of[i]];

        order[c->first + atomicAdd(&c->frames, 1)] = i;
    }
}

extern "C" cudaError_t turbo_windows_deal(struct turbo_windows_class *classes, uint32_t n_classes,
                                          const uint32_t *class_of, uint32_t frames,
                                          uint32_t *order, uint32_t *queue, cudaStream_t stream)
{
    deal<<<1, DEAL_THREADS, 0, stream>>>(classes, n_classes, class_of, frames, order, queue);
    return cudaGetLastError();
}

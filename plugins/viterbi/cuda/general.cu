/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of cuda_document.h, and their launch. */
#include "cuda_document_kernel.h"

enum { MOST_THREADS_STATE = 1024, MOST_THREADS_WARP = 512 };

#define KERNEL(name, most_threads, registers, is_float, in_shared)                        \
    __global__ void __launch_bounds__(most_threads)                                       \
        name(const __grid_constant__ struct viterbi_document_work work)                   \
    {                                                                                     \
        extern __shared__ uint4 shared[];                                                 \
        decode_block(&work, registers, is_float, in_shared, (uint32_t *)shared);          \
    }

#define KERNELS(form, most_threads, registers)                                  \
    KERNEL(form##_i_global, most_threads, registers, false, false)              \
    KERNEL(form##_i_shared, most_threads, registers, false, true)               \
    KERNEL(form##_f_global, most_threads, registers, true, false)               \
    KERNEL(form##_f_shared, most_threads, registers, true, true)

namespace {
KERNELS(document_state, MOST_THREADS_STATE, 0)
KERNELS(document_warp2, MOST_THREADS_WARP, 2)
KERNELS(document_warp4, MOST_THREADS_WARP, 4)
KERNELS(document_warp8, MOST_THREADS_WARP, 8)
}

typedef void kernel_function(struct viterbi_document_work);

#define ROW(form) {form##_i_global, form##_i_shared, form##_f_global, form##_f_shared}

static kernel_function *kernel_of(const struct viterbi_document *d)
{
    static kernel_function *const kernels[4][4] = {
        ROW(document_state), ROW(document_warp2), ROW(document_warp4), ROW(document_warp8)};
    const unsigned row = d->registers == 8 ? 3 : d->registers / 2;

    return kernels[row][2 * d->spec.is_float + d->in_shared];
}

const void *viterbi_document_kernel(void)
{
    return (const void *)document_state_i_shared;
}

cudaError_t viterbi_document_device(struct viterbi_document_config *config)
{
    int device = 0, processors = 0, shared = 0, shared_block = 0;
    cudaError_t status = cudaGetDevice(&device);

    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(
            &shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&shared_block, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                        device);
    config->processors = (unsigned)processors;
    config->shared = (size_t)shared;
    config->shared_block = (size_t)shared_block;
    return status;
}

/* The limit is a property of the kernel, which other objects share: so it is the device's own. */
cudaError_t viterbi_document_prepare(struct viterbi_document *document)
{
    struct viterbi_document_config config = {};
    cudaError_t status = viterbi_document_device(&config);

    if (status != cudaSuccess)
        return status;
    return cudaFuncSetAttribute((const void *)kernel_of(document),
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)config.shared_block);
}

static cudaError_t launch_some(const struct viterbi_document *document,
                               struct viterbi_document_work *work,
                               const struct viterbi_group *groups, size_t n, cudaStream_t stream)
{
    const unsigned threads = work->tiles * work->threads;

    viterbi_document_set_groups(work, groups, n);
    if (work->blocks == 0)
        return cudaSuccess;
    kernel_of(document)<<<(unsigned)viterbi_min(work->blocks, document->limit), threads,
                          document->shared_bytes, stream>>>(*work);
    return cudaGetLastError();
}

cudaError_t viterbi_document_launch(const struct viterbi_document *document,
                                    const struct viterbi_gpu_input *input,
                                    const struct viterbi_gpu_output *output,
                                    const struct viterbi_group *groups, size_t n, void *scratch,
                                    cudaStream_t stream)
{
    struct viterbi_document_work work = document->work;
    cudaError_t status = cudaSuccess;

    work.input = *input;
    work.output = *output;
    work.scratch = (uint32_t *)scratch;
    for (size_t at = 0; at < n && status == cudaSuccess; at += VITERBI_DOCUMENT_GROUPS)
        status = launch_some(document, &work, groups + at,
                             viterbi_min(VITERBI_DOCUMENT_GROUPS, n - at), stream);
    return status;
}

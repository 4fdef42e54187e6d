/* SPDX-License-Identifier: BSD-2-Clause */
/* The general kernels (plan.h), and their launch. */
#include "plugins/viterbi/cuda/general/block.h"
#include "plugins/viterbi/cuda/device.h"

enum { MOST_THREADS_STATE = 1024, MOST_THREADS_WARP = 512 };

#define KERNEL(name, most_threads, registers, is_float, in_shared) \
    __global__ void __launch_bounds__(most_threads) \
        name(const __grid_constant__ struct viterbi_general_work work) \
    { \
        extern __shared__ uint4 shared[]; \
        decode_block(&work, registers, is_float, in_shared, (uint32_t *)shared); \
    }

#define KERNELS(form, most_threads, registers) \
    KERNEL(form##_i_global, most_threads, registers, false, false) \
    KERNEL(form##_i_shared, most_threads, registers, false, true) \
    KERNEL(form##_f_global, most_threads, registers, true, false) \
    KERNEL(form##_f_shared, most_threads, registers, true, true)

namespace
{
KERNELS(general_state, MOST_THREADS_STATE, 0)
KERNELS(general_warp2, MOST_THREADS_WARP, 2)
KERNELS(general_warp4, MOST_THREADS_WARP, 4)
KERNELS(general_warp8, MOST_THREADS_WARP, 8)
}

typedef void kernel_function(struct viterbi_general_work);

#define ROW(form) \
    { \
        form##_i_global, form##_i_shared, form##_f_global, form##_f_shared \
    }

static kernel_function *kernel_of(const struct viterbi_general *d)
{
    static kernel_function *const kernels[4][4] = {ROW(general_state), ROW(general_warp2),
                                                   ROW(general_warp4), ROW(general_warp8)};
    const unsigned row = d->registers == 8 ? 3 : d->registers / 2;

    return kernels[row][2 * d->spec.is_float + d->in_shared];
}

const void *viterbi_cuda_kernel(void)
{
    return (const void *)general_state_i_shared;
}

cudaError_t viterbi_general_prepare(struct viterbi_general *general, size_t shared_block)
{
    return cudaFuncSetAttribute((const void *)kernel_of(general),
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_block);
}

static cudaError_t launch_some(const struct viterbi_general *general,
                               struct viterbi_general_work *work,
                               const struct viterbi_group *groups, size_t n, cudaStream_t stream)
{
    const unsigned threads = work->tiles * work->threads;

    viterbi_general_set_groups(work, groups, n);
    if (work->blocks == 0)
        return cudaSuccess;
    kernel_of(general)<<<(unsigned)viterbi_min(work->blocks, general->limit), threads,
                         general->shared_bytes, stream>>>(*work);
    return cudaGetLastError();
}

cudaError_t viterbi_general_launch(const struct viterbi_general *general,
                                   const struct viterbi_gpu_input *input,
                                   const struct viterbi_gpu_output *output,
                                   const struct viterbi_group *groups, size_t n, void *scratch,
                                   cudaStream_t stream)
{
    struct viterbi_general_work work = general->work;
    cudaError_t status = cudaSuccess;

    work.input = *input;
    work.output = *output;
    work.scratch = (uint32_t *)scratch;
    for (size_t at = 0; at < n && status == cudaSuccess; at += VITERBI_GENERAL_GROUPS)
        status = launch_some(general, &work, groups + at,
                             viterbi_min(VITERBI_GENERAL_GROUPS, n - at), stream);
    return status;
}

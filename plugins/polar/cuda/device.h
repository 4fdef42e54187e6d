/* SPDX-License-Identifier: BSD-2-Clause */
/* What the C files share: kernels of sc and scl as they are started, and copies to the device. */
#ifndef POLAR_CUDA_DEVICE_H
#define POLAR_CUDA_DEVICE_H

#include <fecrun/sdk/cuda.h>

#include "plugins/polar/cuda/list/plan.h"

#ifdef FECRUN_CUDA

struct polar_launch {
    const void *kernel;       /* NULL: none is wanted */
    unsigned threads, blocks; /* of a block; blocks that the device has at a time */
    size_t shared;            /* bytes of a block */
    unsigned processors;
};

/* Fills in blocks and processors. */
static inline int polar_launch_prepare(struct polar_launch *l,
                                       const struct fecrun_cuda_limits *limits,
                                       struct fecrun_error *err)
{
    int each = 0;
    cudaError_t status;

    if (l->shared > limits->shared_block)
        return fecrun_fail(err, NULL, "needs %zu bytes of shared memory, the device has %zu",
                           l->shared, limits->shared_block);
    /* the most that there is: the kernel has one such number for all instances */
    status = cudaFuncSetAttribute(l->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)limits->shared_block);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, l->kernel, (int)l->threads,
                                                               l->shared);
    l->blocks = (unsigned)each * limits->processors;
    l->processors = limits->processors;
    return fecrun_cuda_check(err, "preparing the kernel", status);
}

/* As many warps of so many rows as a block has room for, at least one. */
static inline int polar_launch_prepare_rows(struct polar_launch *l, const void *kernel,
                                            uint32_t rows, const struct fecrun_cuda_limits *limits,
                                            struct fecrun_error *err)
{
    const uint32_t fit = polar_list_fit(rows, limits->shared_block), warps = fit ? fit : 1;

    *l = (struct polar_launch){.kernel = kernel,
                               .threads = 32 * warps,
                               .shared = warps * (rows * LIST_ROW * sizeof(uint32_t))};
    return polar_launch_prepare(l, limits, err);
}

/* Blocks for so many units of work, `each` a block. */
static inline unsigned polar_launch_grid(const struct polar_launch *l, uint64_t units,
                                         uint64_t each)
{
    const uint64_t blocks = (units + each - 1) / each;

    return blocks < l->blocks ? (unsigned)blocks : l->blocks;
}

/* The host's tables of a call are pinned and outlive the work. */
static inline cudaError_t polar_launch_copy(const void *to, const void *from, size_t bytes,
                                            void *stream)
{
    return cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, (cudaStream_t)stream);
}

/* The tables of a batch of several classes: where frames begin and of which class each is. */
static inline cudaError_t polar_launch_copy_tables(const uint64_t *in_offset,
                                                   const uint64_t *out_offset,
                                                   const uint32_t *class_of,
                                                   const struct fecrun_view *in,
                                                   const struct fecrun_view *out, void *stream)
{
    cudaError_t status = polar_launch_copy(in_offset, in->offset, in->frames * sizeof *in->offset,
                                           stream);

    if (status == cudaSuccess)
        status = polar_launch_copy(out_offset, out->offset, in->frames * sizeof *out->offset,
                                   stream);
    if (status == cudaSuccess)
        status = polar_launch_copy(class_of, in->frame_class, in->frames * sizeof *in->frame_class,
                                   stream);
    return status;
}

static inline cudaError_t polar_launch_start(const struct polar_launch *l, unsigned blocks,
                                             void *job, void *stream)
{
    return cudaLaunchKernel(l->kernel, (dim3){blocks, 1, 1}, (dim3){l->threads, 1, 1}, &job,
                            l->shared, (cudaStream_t)stream);
}

#endif
#endif

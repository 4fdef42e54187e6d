/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/device.h"

#include <stdbool.h>
#include <stdlib.h>

#include "plugins/ldpc/cuda/general/plan.h"

#ifdef FECRUN_CUDA

int ldpc_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(ldpc_cuda_kernel(), device, reason, reason_size);
}

static int make_ragged(struct ldpc_gpu *gpu, uint64_t frames, struct fecrun_error *err)
{
    const size_t offsets = (frames + 1) * sizeof(uint64_t);
    char *memory;

    if (fecrun_cuda_check(
            err, "device memory for the frames' places",
            cudaMalloc((void **)&memory, LDPC_GPU_PORTS * offsets + frames * sizeof(uint32_t))))
        return -1;
    for (unsigned p = 0; p < LDPC_GPU_PORTS; p++)
        gpu->offset[p] = (uint64_t *)(memory + p * offsets);
    gpu->class_of = (uint32_t *)(memory + LDPC_GPU_PORTS * offsets);
    return 0;
}

struct ldpc_gpu *ldpc_gpu_make(const struct fecrun_create *args, const void *table, size_t bytes,
                               struct fecrun_error *err)
{
    struct ldpc_gpu *gpu = calloc(1, sizeof *gpu);

    if (!gpu) {
        fecrun_no_memory(err);
        return NULL;
    }
    gpu->device = args->device;
    if (fecrun_cuda_use(gpu->device, err) ||
        fecrun_cuda_upload(&gpu->table, table, bytes, "the code's tables", err) ||
        (args->n_codes > 1 && make_ragged(gpu, args->max_frames, err))) {
        ldpc_gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

void ldpc_gpu_destroy(struct ldpc_gpu *gpu)
{
    if (!gpu)
        return;
    if (cudaSetDevice(gpu->device) == cudaSuccess) {
        cudaFree(gpu->table);
        cudaFree(gpu->offset[0]);
    }
    free(gpu);
}

static int copy_ragged(struct ldpc_gpu *gpu, void *stream, uint64_t frames,
                       const struct fecrun_view *const view[LDPC_GPU_PORTS],
                       struct fecrun_error *err)
{
    cudaError_t status = cudaSuccess;

    if (frames <= gpu->copied && stream == gpu->stream)
        return 0;
    for (unsigned p = 0; p < LDPC_GPU_PORTS && status == cudaSuccess; p++)
        if (view[p])
            status = cudaMemcpyAsync(gpu->offset[p], view[p]->offset, frames * sizeof(uint64_t),
                                     cudaMemcpyHostToDevice, (cudaStream_t)stream);
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(gpu->class_of, view[0]->frame_class, frames * sizeof(uint32_t),
                                 cudaMemcpyHostToDevice, (cudaStream_t)stream);
    if (fecrun_cuda_check(err, "copying the frames' places", status))
        return -1;
    gpu->copied = frames;
    gpu->stream = stream;
    return 0;
}

int ldpc_gpu_begin(struct ldpc_gpu *gpu, const struct fecrun_call *call,
                   const struct fecrun_view *const view[LDPC_GPU_PORTS], struct ldpc_gpu_call *made,
                   struct fecrun_error *err)
{
    const bool ragged = view[0]->offset && gpu->class_of;

    *made = (struct ldpc_gpu_call){
        .frames = {.n = view[0]->frames, .class_of = ragged ? gpu->class_of : NULL}};
    if (fecrun_cuda_use(gpu->device, err) ||
        (ragged && copy_ragged(gpu, call->stream, view[0]->frames, view, err)))
        return -1;
    for (unsigned p = 0; p < LDPC_GPU_PORTS; p++)
        if (view[p])
            made->port[p] = (struct ldpc_port){.data = view[p]->data,
                                               .offset = ragged ? gpu->offset[p] : NULL,
                                               .stride = view[p]->stride};
    return 0;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/cuda/device.h"

#include <fecrun/sdk/carve.h>
#include <stdlib.h>

#include "plugins/turbo/cuda/rate/launch.h"

#ifdef FECRUN_CUDA

int turbo_gpu_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(turbo_rate_kernel(), device, reason, reason_size);
}

struct turbo_gpu *turbo_gpu_new(const struct fecrun_create *args, const void *table, size_t bytes,
                                struct fecrun_error *err)
{
    struct turbo_gpu *gpu = calloc(1, sizeof *gpu);

    if (!gpu) {
        fecrun_no_memory(err);
        return NULL;
    }
    gpu->device = args->device;
    gpu->n_codes = args->n_codes;
    gpu->in_type = args->form->in[0].type;
    gpu->out_type = args->form->out[0].type;
    if (fecrun_cuda_use(gpu->device, err) ||
        fecrun_cuda_upload(&gpu->table, table, bytes, "the code's tables", err)) {
        turbo_gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

void turbo_gpu_destroy(void *instance)
{
    struct turbo_gpu *gpu = instance;

    if (!gpu)
        return;
    if (cudaSetDevice(gpu->device) == cudaSuccess)
        cudaFree(gpu->table);
    free(gpu);
}

/* Of classes: where the frames lie at each port, and their classes. */
struct tables {
    uint64_t *offset[TURBO_GPU_PORTS];
    uint32_t *class_of;
};

static size_t lay_out(struct tables *tables, uint64_t frames, void *base)
{
    size_t used = 0;

    for (unsigned p = 0; p < TURBO_GPU_PORTS; p++)
        tables->offset[p] = fecrun_carve(base, &used, frames * sizeof(uint64_t));
    tables->class_of = fecrun_carve(base, &used, frames * sizeof(uint32_t));
    return used;
}

size_t turbo_gpu_scratch(const void *instance, uint64_t frames)
{
    const struct turbo_gpu *gpu = instance;
    struct tables tables;

    return gpu->n_codes > 1 ? lay_out(&tables, frames, NULL) : 0;
}

static cudaError_t copy_tables(const struct tables *tables, const struct fecrun_call *call,
                               const struct fecrun_view *const view[TURBO_GPU_PORTS])
{
    const uint64_t frames = view[0]->frames;
    cudaError_t status = cudaMemcpyAsync(tables->class_of, view[0]->frame_class,
                                         frames * sizeof(uint32_t), cudaMemcpyHostToDevice,
                                         (cudaStream_t)call->stream);

    for (unsigned p = 0; p < TURBO_GPU_PORTS && status == cudaSuccess; p++)
        if (view[p])
            status = cudaMemcpyAsync(tables->offset[p], view[p]->offset, frames * sizeof(uint64_t),
                                     cudaMemcpyHostToDevice, (cudaStream_t)call->stream);
    return status;
}

int turbo_gpu_begin(const struct turbo_gpu *gpu, const struct fecrun_call *call,
                    const struct fecrun_view *in, const struct fecrun_view *prior,
                    const struct fecrun_view *out, struct turbo_frames *frames,
                    struct fecrun_error *err)
{
    const struct fecrun_view *const view[TURBO_GPU_PORTS] = {in, prior, out};
    struct turbo_port *const port[TURBO_GPU_PORTS] = {&frames->in, &frames->prior, &frames->out};
    const bool ragged = gpu->n_codes > 1 && in->offset;
    struct tables tables = {{NULL}, NULL};

    if (fecrun_cuda_use(gpu->device, err))
        return -1;
    if (ragged) {
        lay_out(&tables, in->frames, call->scratch);
        if (fecrun_cuda_check(err, "copying the frames' places", copy_tables(&tables, call, view)))
            return -1;
    }
    *frames = (struct turbo_frames){.n = in->frames, .class_of = tables.class_of};
    for (unsigned p = 0; p < TURBO_GPU_PORTS; p++)
        if (view[p])
            *port[p] = (struct turbo_port){view[p]->data, tables.offset[p], view[p]->stride};
    return 0;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/gpu.h"

#ifdef FECRUN_CUDA

static int make_ragged(struct gpu *gpu, uint64_t frames, struct fecrun_error *err)
{
    const size_t offsets = (frames + 1 + gpu->n_classes) * sizeof(uint64_t);
    char *memory = NULL;

    if (fecrun_cuda_check(
            err, "device memory for the frames' places",
            cudaMalloc((void **)&memory, GPU_PORTS * offsets + frames * sizeof(uint32_t))))
        return -1;
    for (unsigned p = 0; p < GPU_PORTS; p++) {
        gpu->class_items[p] = (uint64_t *)(memory + p * offsets);
        gpu->offset[p] = gpu->class_items[p] + gpu->n_classes;
    }
    gpu->class_of = (uint32_t *)(memory + GPU_PORTS * offsets);
    return 0;
}

void *gpu_make(size_t size, const struct fecrun_create *args, const void *table, size_t bytes,
               struct fecrun_error *err)
{
    struct gpu *gpu = calloc(1, size);

    if (!gpu) {
        fecrun_no_memory(err);
        return NULL;
    }
    gpu->device = args->device;
    gpu->in_type = args->form->n_in ? args->form->in[0].type : FECRUN_NONE;
    gpu->out_type = args->form->n_out ? args->form->out[0].type : FECRUN_NONE;
    gpu->n_classes = args->n_codes;
    if (fecrun_cuda_use(gpu->device, err) ||
        (table && fecrun_cuda_upload(&gpu->table, table, bytes, "the code's tables", err)) ||
        (args->n_codes > 1 && make_ragged(gpu, args->max_frames, err))) {
        gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

int gpu_create(const struct fecrun_create *args, const void *table, size_t bytes, void **instance,
               struct fecrun_error *err)
{
    *instance = gpu_make(sizeof(struct gpu), args, table, bytes, err);
    return *instance ? 0 : -1;
}

void gpu_destroy(void *instance)
{
    struct gpu *gpu = instance;

    if (!gpu)
        return;
    if (cudaSetDevice(gpu->device) == cudaSuccess) {
        cudaFree(gpu->table);
        cudaFree(gpu->class_items[0]);
    }
    free(gpu);
}

static int copy_ragged(struct gpu *gpu, void *stream, uint64_t frames,
                       const struct fecrun_view *const view[GPU_PORTS], struct fecrun_error *err)
{
    cudaError_t status = cudaSuccess;

    if (frames <= gpu->copied && stream == gpu->stream)
        return 0;
    for (unsigned p = 0; p < GPU_PORTS && status == cudaSuccess; p++)
        if (view[p]) {
            status = cudaMemcpyAsync(gpu->offset[p], view[p]->offset, frames * sizeof(uint64_t),
                                     cudaMemcpyHostToDevice, (cudaStream_t)stream);
            if (status == cudaSuccess)
                status = cudaMemcpyAsync(gpu->class_items[p], view[p]->class_items,
                                         gpu->n_classes * sizeof(uint64_t), cudaMemcpyHostToDevice,
                                         (cudaStream_t)stream);
        }
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(gpu->class_of, view[0]->frame_class, frames * sizeof(uint32_t),
                                 cudaMemcpyHostToDevice, (cudaStream_t)stream);
    if (fecrun_cuda_check(err, "copying the frames' places", status))
        return -1;
    gpu->copied = frames;
    gpu->stream = stream;
    return 0;
}

int gpu_begin(void *instance, const struct fecrun_call *call,
              const struct fecrun_view *const view[GPU_PORTS], struct gpu_call *made,
              struct fecrun_error *err)
{
    struct gpu *gpu = instance;
    const int ragged = view[0]->offset && gpu->class_of;

    *made = (struct gpu_call){
        .frames = {.n = view[0]->frames, .class_of = ragged ? gpu->class_of : NULL}};
    if (fecrun_cuda_use(gpu->device, err) ||
        (ragged && copy_ragged(gpu, call->stream, view[0]->frames, view, err)))
        return -1;
    for (unsigned p = 0; p < GPU_PORTS; p++)
        if (view[p])
            made->port[p] = (struct gpu_port){.data = view[p]->data,
                                              .offset = ragged ? gpu->offset[p] : NULL,
                                              .stride = view[p]->stride,
                                              .class_items = ragged ? gpu->class_items[p] : NULL};
    return 0;
}

int gpu_jobs_make(struct gpu_jobs *jobs, size_t bytes, struct fecrun_error *err)
{
    jobs->bytes = bytes;
    jobs->seen = calloc(1, bytes);
    if (!jobs->seen)
        return fecrun_no_memory(err);
    return fecrun_cuda_check(err, "device memory for the classes",
                             cudaMalloc(&jobs->device, bytes));
}

/* From memory that is not pinned, a copy has read all when it returns. */
const void *gpu_jobs_put(struct gpu_jobs *jobs, const void *all, void *stream,
                         struct fecrun_error *err)
{
    if (jobs->put && !memcmp(jobs->seen, all, jobs->bytes))
        return jobs->device;
    if (fecrun_cuda_check(err, "copying the classes",
                          cudaMemcpyAsync(jobs->device, all, jobs->bytes, cudaMemcpyHostToDevice,
                                          (cudaStream_t)stream)))
        return NULL;
    memcpy(jobs->seen, all, jobs->bytes);
    jobs->put = true;
    return jobs->device;
}

void gpu_jobs_free(struct gpu_jobs *jobs)
{
    cudaFree(jobs->device);
    free(jobs->seen);
    *jobs = (struct gpu_jobs){0};
}

#endif

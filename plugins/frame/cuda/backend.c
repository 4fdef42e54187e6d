/* SPDX-License-Identifier: BSD-2-Clause */
/* The backends cuda of frame.interleave, frame.scramble and bits.hard. */
#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/frame/cuda/create.h"
#include "plugins/frame/cuda/launch.h"
#include "plugins/frame/cuda/plan.h"
#include "plugins/frame/plugin.h"

#ifdef FECRUN_CUDA

int frame_gpu_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(frame_gpu_kernel(), device, reason, reason_size);
}

int frame_gpu_create(const struct fecrun_create *args, void *table, size_t bytes, void **instance,
                     struct fecrun_error *err)
{
    int status;

    *instance = NULL;
    status = table ? gpu_create(args, table, bytes, instance, err) : -1;
    free(table);
    return status;
}

static int interleave_create(const struct fecrun_create *args, void **instance,
                             struct fecrun_error *err)
{
    size_t bytes = 0;
    void *table = frame_gpu_order_table(args->codes[0], &bytes, err);

    return frame_gpu_create(args, table, bytes, instance, err);
}

static int scramble_create(const struct fecrun_create *args, void **instance,
                           struct fecrun_error *err)
{
    const bool packed = args->form->in[0].type == FECRUN_PACKED;
    size_t bytes = 0;
    void *table = frame_gpu_scramble_table(args->codes[0], packed, &bytes, err);

    return frame_gpu_create(args, table, bytes, instance, err);
}

static int hard_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    static const struct frame_gpu_class none = {0};

    return gpu_create(args, &none, sizeof none, instance, err);
}

/* Ends a run(). */
static int started(cudaError_t status, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "starting the kernel", status);
}

static int interleave_run(void *instance, const struct fecrun_call *call,
                          const struct fecrun_view *const in[], struct fecrun_view *const out[],
                          struct fecrun_error *err)
{
    const struct gpu *gpu = instance;
    const struct frame_gpu_args args = frame_gpu_order_args(call->codes[0], gpu->table, call, in[0],
                                                            out[0]);

    return fecrun_cuda_use(gpu->device, err)
               ? -1
               : started(frame_gpu_interleave(&args, gpu->in_type, (cudaStream_t)call->stream),
                         err);
}

static int scramble_run(void *instance, const struct fecrun_call *call,
                        const struct fecrun_view *const in[], struct fecrun_view *const out[],
                        struct fecrun_error *err)
{
    const struct gpu *gpu = instance;
    const struct frame_gpu_args args = frame_gpu_scramble_args(call->codes[0], gpu->table, call,
                                                               in[0], out[0]);

    return fecrun_cuda_use(gpu->device, err)
               ? -1
               : started(frame_gpu_scramble(&args, gpu->in_type, (cudaStream_t)call->stream), err);
}

static int hard_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct gpu *gpu = instance;
    const struct frame_gpu_args args = frame_gpu_hard_args(gpu->table, in[0], out[0]);

    return fecrun_cuda_use(gpu->device, err)
               ? -1
               : started(frame_gpu_hard(&args, gpu->in_type, gpu->out_type == FECRUN_PACKED,
                                        (cudaStream_t)call->stream),
                         err);
}

#endif

#define SAME(t) FECRUN_ONE_FORM(t, t)

static const struct fecrun_form *const order_forms[] = {SAME(FECRUN_U8),
                                                        SAME(FECRUN_I8),
                                                        SAME(FECRUN_I16),
                                                        SAME(FECRUN_F16),
                                                        SAME(FECRUN_F32),
                                                        SAME(FECRUN_C8),
                                                        NULL};

static const struct fecrun_form *const scramble_forms[] = {SAME(FECRUN_PACKED),
                                                           SAME(FECRUN_U8),
                                                           SAME(FECRUN_I8),
                                                           SAME(FECRUN_I16),
                                                           SAME(FECRUN_F16),
                                                           SAME(FECRUN_F32),
                                                           NULL};

static const struct fecrun_form *const hard_forms[] = {FECRUN_ONE_FORM(FECRUN_I8, FECRUN_PACKED),
                                                       FECRUN_ONE_FORM(FECRUN_I8, FECRUN_U8),
                                                       FECRUN_ONE_FORM(FECRUN_I16, FECRUN_PACKED),
                                                       FECRUN_ONE_FORM(FECRUN_I16, FECRUN_U8),
                                                       FECRUN_ONE_FORM(FECRUN_F16, FECRUN_PACKED),
                                                       FECRUN_ONE_FORM(FECRUN_F16, FECRUN_U8),
                                                       FECRUN_ONE_FORM(FECRUN_F32, FECRUN_PACKED),
                                                       FECRUN_ONE_FORM(FECRUN_F32, FECRUN_U8),
                                                       NULL};

const struct fecrun_backend frame_order_cuda = {
    FECRUN_CUDA_BACKEND(frame_gpu_probe, interleave_create, interleave_run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread four items, by a table of where they come from",
    .forms = order_forms,
};

const struct fecrun_backend frame_scramble_cuda = {
    FECRUN_CUDA_BACKEND(frame_gpu_probe, scramble_create, scramble_run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread four items or 32 packed bits",
    .forms = scramble_forms,
    .takes = scramble_takes_cuda,
};

const struct fecrun_backend frame_hard_cuda = {
    FECRUN_CUDA_BACKEND(frame_gpu_probe, hard_create, hard_run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread 32 packed bits or four bytes",
    .forms = hard_forms,
};

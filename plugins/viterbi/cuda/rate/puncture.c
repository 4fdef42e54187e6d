/* SPDX-License-Identifier: BSD-2-Clause */
/* conv.puncture and conv.depuncture on CUDA devices. */
#include "plugins/common/gpu/gpu.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/rate/thread.h"
#include "plugins/viterbi/cuda/device.h"
#include "plugins/viterbi/plugin.h"

/* The end of a stream comes in a shorter frame, so run() goes by the views. */
static int prepare(struct conv_gather_args *args, const struct puncture_code *c,
                   const struct fecrun_view *in, const struct fecrun_view *out, int restore,
                   struct fecrun_error *err)
{
    const struct fecrun_view *mother = restore ? out : in, *sent = restore ? in : out;

    *args = (struct conv_gather_args){
        .in = in->data,
        .out = out->data,
        .in_stride = in->stride,
        .out_stride = out->stride,
        .frames = in->frames,
        .items = out->items,
        .period = (uint32_t)(restore ? c->period : c->sent),
        .advance = (uint32_t)(restore ? c->sent : c->period),
        .item_bytes = in->type == FECRUN_PACKED ? 0 : (uint32_t)fecrun_bytes(in->type, 1)};
    if (puncture_sent_of(c, mother->items) == sent->items)
        return 0;
    return fecrun_fail(err, NULL, "%llu sent items do not belong to %llu items",
                       (unsigned long long)sent->items, (unsigned long long)mother->items);
}

int conv_puncture_prepare(struct conv_gather_args *args, const struct puncture_code *c,
                          const struct fecrun_view *in, const struct fecrun_view *out,
                          struct fecrun_error *err)
{
    return prepare(args, c, in, out, 0, err);
}

int conv_depuncture_prepare(struct conv_gather_args *args, const struct puncture_code *c,
                            const struct fecrun_view *in, const struct fecrun_view *out,
                            struct fecrun_error *err)
{
    return prepare(args, c, in, out, 1, err);
}

void conv_depuncture_table(const struct puncture_code *c, uint32_t *rank)
{
    for (uint64_t p = 0; p < c->period; p++)
        rank[p] = CONV_NOWHERE;
    for (uint64_t i = 0; i < c->sent; i++)
        rank[c->place[i]] = (uint32_t)i;
}

#ifdef FECRUN_CUDA

static int puncture_create(const struct fecrun_create *args, void **instance,
                           struct fecrun_error *err)
{
    const struct puncture_code *c = args->codes[0];

    return gpu_create(args, c->place, c->sent * sizeof *c->place, instance, err);
}

static int depuncture_create(const struct fecrun_create *args, void **instance,
                             struct fecrun_error *err)
{
    const struct puncture_code *c = args->codes[0];
    uint32_t *rank = malloc(c->period * sizeof *rank);
    int status;

    *instance = NULL;
    if (!rank)
        return fecrun_no_memory(err);
    conv_depuncture_table(c, rank);
    status = gpu_create(args, rank, c->period * sizeof *rank, instance, err);
    free(rank);
    return status;
}

int conv_gather_start(void *instance, const struct fecrun_call *call, struct conv_gather_args *args,
                      struct fecrun_error *err)
{
    const struct gpu *self = instance;

    args->place = self->table;
    if (fecrun_cuda_use(self->device, err))
        return -1;
    return fecrun_cuda_check(err, "starting the kernel",
                             conv_gather_launch(args, (cudaStream_t)call->stream));
}

static int puncture_run(void *instance, const struct fecrun_call *call,
                        const struct fecrun_view *const in[], struct fecrun_view *const out[],
                        struct fecrun_error *err)
{
    struct conv_gather_args args;

    return conv_puncture_prepare(&args, call->codes[0], in[0], out[0], err)
               ? -1
               : conv_gather_start(instance, call, &args, err);
}

static int depuncture_run(void *instance, const struct fecrun_call *call,
                          const struct fecrun_view *const in[], struct fecrun_view *const out[],
                          struct fecrun_error *err)
{
    struct conv_gather_args args;

    return conv_depuncture_prepare(&args, call->codes[0], in[0], out[0], err)
               ? -1
               : conv_gather_start(instance, call, &args, err);
}

#endif

static const struct fecrun_form *const bits_forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED), FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_form *const llr_forms[] = {
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8), FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F16, FECRUN_F16), FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32), NULL};

const struct fecrun_backend conv_puncture_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, puncture_create, puncture_run, gpu_destroy),
    .name = "cuda",
    .summary = "packed bits: a lane a bit, a warp a word",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

const struct fecrun_backend conv_depuncture_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, depuncture_create, depuncture_run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread four LLRs, zeros included",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

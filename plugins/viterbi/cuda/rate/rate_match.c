/* SPDX-License-Identifier: BSD-2-Clause */
/* conv.rate_match and conv.rate_recover on CUDA devices. */
#include "plugins/common/gpu/gpu.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/rate/thread.h"
#include "plugins/viterbi/cuda/device.h"
#include "plugins/viterbi/plugin.h"

void conv_match_prepare(struct conv_gather_args *args, const struct rate_code *c,
                        const struct fecrun_view *in, const struct fecrun_view *out)
{
    *args = (struct conv_gather_args){.in = in->data,
                                      .out = out->data,
                                      .in_stride = in->stride,
                                      .out_stride = out->stride,
                                      .frames = in->frames,
                                      .items = out->items,
                                      .period = (uint32_t)c->mother,
                                      .item_bytes = in->type == FECRUN_PACKED ? 0 : 1};
}

static uint32_t dummies_of(const struct rate_code *c)
{
    return (uint32_t)(RATE_COLUMNS - 1 -
                      (c->mother / RATE_STREAMS + RATE_COLUMNS - 1) % RATE_COLUMNS);
}

void conv_recover_prepare(struct conv_recover_args *args, const struct rate_code *c,
                          const struct fecrun_view *in, const struct fecrun_view *out)
{
    *args = (struct conv_recover_args){.in = in->data,
                                       .out = out->data,
                                       .in_stride = in->stride,
                                       .out_stride = out->stride,
                                       .frames = in->frames,
                                       .e = in->items,
                                       .steps = (uint32_t)(c->mother / RATE_STREAMS),
                                       .dummies = dummies_of(c),
                                       .type = in->type,
                                       .limit = c->limit};
}

/* Columns in their new order; one with a dummy on top begins with its second item. */
void conv_recover_table(const struct rate_code *c, uint32_t *start)
{
    const uint32_t dummies = dummies_of(c);
    const uint32_t rows = (uint32_t)(c->mother / RATE_STREAMS + dummies) / RATE_COLUMNS;
    uint32_t used = 0;

    for (unsigned i = 0; i < RATE_COLUMNS; i++) {
        uint32_t column = rate_permutation[i], dummy = column < dummies;

        start[column] = used - dummy;
        used += rows - dummy;
    }
}

#ifdef FECRUN_CUDA

static int match_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct rate_code *c = args->codes[0];

    return gpu_create(args, c->place, c->mother * sizeof *c->place, instance, err);
}

static int recover_create(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    uint32_t start[CONV_COLUMNS];

    conv_recover_table(args->codes[0], start);
    return gpu_create(args, start, sizeof start, instance, err);
}

static int match_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    struct conv_gather_args args;

    conv_match_prepare(&args, call->codes[0], in[0], out[0]);
    return conv_gather_start(instance, call, &args, err);
}

static int recover_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct gpu *self = instance;
    struct conv_recover_args args;

    conv_recover_prepare(&args, call->codes[0], in[0], out[0]);
    args.start = self->table;
    if (fecrun_cuda_use(self->device, err))
        return -1;
    return fecrun_cuda_check(err, "starting the kernel",
                             conv_recover_launch(&args, (cudaStream_t)call->stream));
}

#endif

static const struct fecrun_form *const bits_forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED), FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_form *const llr_forms[] = {
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8), FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32), NULL};

const struct fecrun_backend conv_rate_match_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, match_create, match_run, gpu_destroy),
    .name = "cuda",
    .summary = "packed bits: a lane a bit, a warp a word",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

const struct fecrun_backend conv_rate_recover_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, recover_create, recover_run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread four LLRs, each summed in the order of sending",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

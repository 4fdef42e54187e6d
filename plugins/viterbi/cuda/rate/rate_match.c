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

void conv_recover_prepare(struct conv_recover_args *args, const struct rate_code *c,
                          const struct fecrun_view *in, const struct fecrun_view *out)
{
    *args = (struct conv_recover_args){.in = in->data,
                                       .out = out->data,
                                       .in_stride = in->stride,
                                       .out_stride = out->stride,
                                       .frames = in->frames,
                                       .e = in->items,
                                       .mother = (uint32_t)c->mother,
                                       .type = in->type,
                                       .limit = c->limit};
}

void conv_recover_table(const struct rate_code *c, uint32_t *rank)
{
    for (unsigned i = 0; i < CONV_PAD; i++)
        rank[i] = rank[CONV_PAD + c->mother + i] = CONV_NOWHERE;
    for (uint32_t i = 0; i < c->mother; i++)
        rank[CONV_PAD + c->place[i]] = i;
}

#ifdef FECRUN_CUDA

/* What the kernels read: where each class begins, if there are several, and then the places, or the ranks, of all. */
static int create(const struct fecrun_create *args, bool ranks, void **instance,
                  struct fecrun_error *err)
{
    const uint32_t front = args->n_codes > 1 ? args->n_codes : 0, pad = ranks ? CONV_PAD : 0;
    uint32_t n = 0, *table;
    int status;

    *instance = NULL;
    for (uint32_t i = 0; i < args->n_codes; i++)
        n += (uint32_t)((const struct rate_code *)args->codes[i])->mother + 2 * pad;
    table = malloc((front + n) * sizeof *table);
    if (!table)
        return fecrun_no_memory(err);
    n = 0;
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct rate_code *c = args->codes[i];

        if (front)
            table[i] = n;
        if (ranks)
            conv_recover_table(c, table + front + n);
        else
            memcpy(table + front + n, c->place, c->mother * sizeof *table);
        n += (uint32_t)c->mother + 2 * pad;
    }
    status = gpu_create(args, table, (front + n) * sizeof *table, instance, err);
    free(table);
    return status;
}

static int match_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return create(args, false, instance, err);
}

static int recover_create(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    return create(args, true, instance, err);
}

static int match_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct gpu *self = instance;
    const uint32_t *table = self->table;
    struct conv_gather_args args;

    conv_match_prepare(&args, call->codes[0], in[0], out[0]);
    if (conv_classes(instance, call, in[0], out[0], &args.classes, err))
        return -1;
    args.items = conv_most(instance, out[0]);
    args.first = table;
    args.place = self->n_classes > 1 ? table + self->n_classes : table;
    if (!args.classes.of && self->n_classes > 1)
        return fecrun_fail(err, NULL, "internal error: frames of one size for several classes");
    return fecrun_cuda_check(err, "starting the kernel",
                             conv_gather_launch(&args, (cudaStream_t)call->stream));
}

static int recover_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct gpu *self = instance;
    const uint32_t *table = self->table;
    struct conv_recover_args args;

    conv_recover_prepare(&args, call->codes[0], in[0], out[0]);
    if (conv_classes(instance, call, in[0], out[0], &args.classes, err))
        return -1;
    args.mother = (uint32_t)conv_most(instance, out[0]);
    args.first = table;
    args.rank = table + CONV_PAD + (self->n_classes > 1 ? self->n_classes : 0);
    args.e = conv_most(instance, in[0]);
    if (!args.classes.of && self->n_classes > 1)
        return fecrun_fail(err, NULL, "internal error: frames of one size for several classes");
    return fecrun_cuda_check(err, "starting the kernel",
                             conv_recover_launch(&args, (cudaStream_t)call->stream));
}

#endif

/* Frames of several sizes in one launch: LLRs have one limit. */
static int recover_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    for (uint32_t i = 1; i < args->n_codes; i++)
        if (((const struct rate_code *)args->codes[i])->limit !=
            ((const struct rate_code *)args->codes[0])->limit)
            return fecrun_fail(err, NULL, "frames of several sizes in one call have one llr_max");
    return 0;
}

#define FORM(type_) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = type_}), \
                FECRUN_OUT({.type = type_}))

static const struct fecrun_form *const bits_forms[] = {FORM(FECRUN_PACKED), FORM(FECRUN_U8), NULL};

static const struct fecrun_form *const llr_forms[] = {FORM(FECRUN_I8),
                                                      FORM(FECRUN_I16),
                                                      FORM(FECRUN_F32),
                                                      FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
                                                      FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
                                                      FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
                                                      NULL};

const struct fecrun_backend conv_rate_match_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, match_create, match_run, gpu_destroy),
    .name = "cuda",
    .summary = "packed bits: a lane a bit, a warp a word, or a thread a short frame; frames of all "
               "sizes in one launch",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

const struct fecrun_backend conv_rate_recover_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, recover_create, recover_run, gpu_destroy),
    .name = "cuda",
    .summary =
        "a thread four LLRs, each summed in the order of sending; frames of all sizes in one "
        "launch",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .takes = recover_takes,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* seg.split, seg.join, seg.concatenate and seg.divide on CUDA devices. */
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/seg.h"
#include "plugins/chain/plugin.h"
#include "plugins/chain/seg/seg.h"

#ifdef FECRUN_CUDA

struct seg_cuda {
    int device;
    struct seg_job job;
};

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct seg_cuda *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_no_memory(err);
    own->device = args->device;
    seg_make_job(&own->job, args->codes[0]);
    return 0;
}

static int create_blocks(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    const struct seg_blocks *code = args->codes[0];
    struct seg_cuda *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_no_memory(err);
    own->device = args->device;
    own->job = (struct seg_job){.own = (uint32_t)code->items, .blocks = code->n};
    return 0;
}

/* One word for each transport block; no port has fewer frames than there are transport blocks. */
static size_t split_scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    return frames * sizeof(uint32_t);
}

static int split_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct seg_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_split(chain_rows(in[0]), chain_rows(out[0]), &own->job,
                                           call->scratch, call->stream),
                          err);
}

static int join_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct seg_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_join(chain_rows(in[0]), chain_rows(out[0]), &own->job,
                                          call->info, call->out_info, call->stream),
                          err);
}

static int concatenate_run(void *instance, const struct fecrun_call *call,
                           const struct fecrun_view *const in[], struct fecrun_view *const out[],
                           struct fecrun_error *err)
{
    const struct seg_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(
        chain_cuda_concatenate(chain_rows(in[0]), chain_rows(out[0]), &own->job, call->stream),
        err);
}

static int divide_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct seg_cuda *own = instance;
    const uint64_t bytes = fecrun_bytes(in[0]->type, own->job.own);

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_divide(chain_rows(in[0]), chain_rows(out[0]), own->job.blocks,
                                            bytes, call->stream),
                          err);
}

#endif

#define FORM(from, to) FECRUN_FORM(FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

static const struct fecrun_form *const bits[] = {
    FORM(FECRUN_PACKED, FECRUN_PACKED), FORM(FECRUN_U8, FECRUN_PACKED),
    FORM(FECRUN_PACKED, FECRUN_U8), FORM(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_form *const llrs[] = {
    FORM(FECRUN_I8, FECRUN_I8), FORM(FECRUN_I16, FECRUN_I16), FORM(FECRUN_F32, FECRUN_F32), NULL};

#define SEG_BACKEND(variable, made, work, given, ...) \
    const struct fecrun_backend variable = { \
        FECRUN_CUDA_BACKEND(chain_cuda_probe, made, work, free), \
        .name = "cuda", \
        .forms = given, \
        .agreement = FECRUN_AGREEMENT_EXACT, \
        __VA_ARGS__, \
    }

SEG_BACKEND(chain_seg_split_cuda, create, split_run, bits,
            .summary = "a warp a block, once for each parity",
            .scratch = FECRUN_CUDA_SCRATCH(split_scratch));
SEG_BACKEND(chain_seg_join_cuda, create, join_run, bits,
            .summary = "a warp a block, once for each parity");
SEG_BACKEND(chain_seg_concatenate_cuda, create_blocks, concatenate_run, bits,
            .summary = "a thread eight bits");
SEG_BACKEND(chain_seg_divide_cuda, create_blocks, divide_run, llrs,
            .summary = "a thread four bytes");

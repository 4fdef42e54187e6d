/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend cuda-paper of turbo.decode, with the decoders of two papers (plan.h). */
#include "plugins/turbo/cuda/document/plan.h"

#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

enum { T_VARIANT };
enum { VARIANT_SUB_BLOCKS, VARIANT_STATE_PARALLEL };

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct turbo_decode *code = args->codes[0];

    if (turbo_is_lte(code, "cuda-paper", err))
        return -1;
    return code->extra_half ? fecrun_fail(err, "extra_half",
                                          "backend cuda-paper has whole "
                                          "iterations only")
                            : 0;
}

#ifdef FECRUN_CUDA

struct instance {
    int device;
    struct turbo_document d; /* what is the same for all calls */
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(turbo_document_kernel(), device, reason, reason_size);
}

/* auto: the largest number of sub-blocks up to the papers' 96 that have whole eights of steps and as
   many as theirs at least; one in short blocks, where borders count for more. */
static uint32_t windows_of(const struct turbo_decode *code)
{
    if (code->sub_blocks)
        return code->sub_blocks;
    for (uint32_t p = 96; p > 1 && code->k >= 512; p--)
        if (code->k % (8 * p) == 0 && code->k / p >= 64)
            return p;
    return 1;
}

/* Of the present device. */
static int check_shared(const struct turbo_document *d, struct fecrun_error *err)
{
    const size_t needed = turbo_document_shared(d);
    struct fecrun_cuda_limits limits;

    if (fecrun_cuda_read_limits(&limits, err))
        return -1;
    if (needed <= limits.shared_block)
        return 0;
    return fecrun_fail(err, "variant",
                       "state-parallel: %u sub-blocks need %zu bytes of shared memory, the device "
                       "has %zu; more sub_blocks need less",
                       d->windows, needed, limits.shared_block);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct turbo_decode *code = args->codes[0];
    const struct fecrun_value *variant = fecrun_value(args->tune, T_VARIANT);
    const bool exact = code->algorithm == TURBO_LOG_MAP;
    struct instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    i->device = args->device;
    i->d = (struct turbo_document){
        .qpp = *code->qpp,
        .fillers = code->fillers,
        .windows = windows_of(code),
        .iterations = code->iterations,
        .stop = code->stop,
        .exact = exact,
        .state_parallel = variant->given && variant->i == VARIANT_STATE_PARALLEL,
        .apriori_unit = (float)(code->apriori / (exact ? code->llr_scale : 1)),
        .unit = exact ? (float)(1 / code->llr_scale) : 1,
        .scale = (float)code->scale,
        .threshold = (float)(code->threshold * (exact ? 1 : code->llr_scale)),
    };
    i->d.steps = code->k / i->d.windows;
    if (fecrun_cuda_use(i->device, err) || check_shared(&i->d, err) ||
        fecrun_cuda_check(err, "preparing the kernel", turbo_document_prepare(&i->d))) {
        free(i);
        return -1;
    }
    *instance = i;
    return 0;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct instance *i = instance;

    return frames * (turbo_document_floats(&i->d) * sizeof(float) + sizeof(uint32_t));
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;
    struct turbo_document d = i->d;

    if (in[0]->frames == 0)
        return 0;
    d.in = in[0]->data;
    d.out = out[0]->data;
    d.in_stride = in[0]->stride;
    d.out_stride = out[0]->stride;
    if (in[TURBO_IN_APRIORI]) {
        d.apriori = in[TURBO_IN_APRIORI]->data;
        d.apriori_stride = in[TURBO_IN_APRIORI]->stride;
    }
    for (unsigned p = 0; p < 2; p++)
        if (out[TURBO_OUT_LLR + p]) {
            d.soft[p] = out[TURBO_OUT_LLR + p]->data;
            d.soft_stride[p] = out[TURBO_OUT_LLR + p]->stride;
        }
    d.frames = in[0]->frames;
    d.type = in[0]->type;
    d.packed = out[0]->type == FECRUN_PACKED;
    d.info = call->info;
    d.memory = call->scratch;
    d.left = (uint32_t *)(d.memory + d.frames * turbo_document_floats(&d));
    if (fecrun_cuda_check(err, "choosing the device", cudaSetDevice(i->device)))
        return -1;
    return fecrun_cuda_check(err, "starting the decoder", turbo_document_launch(&d, call->stream));
}

static void destroy(void *instance)
{
    free(instance);
}

#endif

#define FORM(llr, bit) FECRUN_FORM(TURBO_DECODE_IN(llr), TURBO_DECODE_OUT(bit))

static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_I16, FECRUN_PACKED),
                                                  FORM(FECRUN_I16, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  NULL};

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(.name = "variant", .type = FECRUN_VALUE_CHOICE,
                 .choices = (const char *const[]){"sub-blocks", "state-parallel", NULL},
                 .default_text = "sub-blocks",
                 .help = "sub-blocks: blocks of 128 threads do the same sub-block of 16 codewords "
                         "(2011); state-parallel: blocks of eight threads, forward metrics in "
                         "shared memory (2010)"),
    NULL};

const struct fecrun_backend turbo_decode_cuda_document = {
    FECRUN_CUDA_BACKEND(probe, create, run, destroy),
    .name = "cuda-paper",
    .old_names = (const char *const[]){"cuda-document", NULL},
    .summary = "decoders of two papers: eight threads a sub-block, a launch a half "
               "iteration, floats",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 1,
    .tune = tune,
    .takes = takes,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
};

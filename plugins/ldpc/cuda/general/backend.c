/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend cuda-general of ldpc.decode: the decoder of launch.c with the settings of `tune`. */
#include <fecrun/sdk/cuda.h>

#include "plugins/ldpc/cuda/device.h"
#include "plugins/ldpc/cuda/general/plan.h"

#ifdef FECRUN_CUDA

enum { T_THREADS, T_THRESHOLD, T_ARITHMETIC, T_BLOCKS, T_MESSAGES, T_LAUNCH };

/* 0: auto */
static unsigned number(const struct fecrun_create *args, size_t t)
{
    const struct fecrun_value *value = fecrun_value(args->tune, t);

    return value->given && !value->is_auto ? (unsigned)value->i : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct fecrun_value *messages = fecrun_value(args->tune, T_MESSAGES);
    const struct ldpc_general_config config = {
        .threads = number(args, T_THREADS),
        .threshold = number(args, T_THRESHOLD),
        .arithmetic = (enum ldpc_general_arithmetic)number(args, T_ARITHMETIC),
        .blocks = number(args, T_BLOCKS),
        .home = messages->given && !messages->is_auto ? LDPC_GENERAL_SHARED + messages->i
                                                      : LDPC_GENERAL_AUTO,
        .per_class = number(args, T_LAUNCH),
    };

    return ldpc_general_create(args, &config, (struct ldpc_general **)instance, err);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    return ldpc_general_scratch(instance, frames);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    return ldpc_general_run(instance, call, in[0], out, err);
}

static void destroy(void *instance)
{
    ldpc_general_destroy(instance);
}

#endif

#define FORM(llr, bit) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = llr}), LDPC_DECODE_OUT(bit))

/* The narrowest first: less has to come over the bus. */
static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_F16, FECRUN_PACKED),
                                                  FORM(FECRUN_F16, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  NULL};

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(.name = "threads", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "threads", .imin = 32, .imax = LDPC_GENERAL_MOST_THREADS,
                 .default_text = "auto",
                 .help = "most threads of a thread block, a multiple of 32; auto: 384, more for "
                         "layers of more rows, or where code blocks of several classes fill a "
                         "multiprocessor's memory"),
    FECRUN_PARAM(.name = "threshold", .type = FECRUN_VALUE_INT, .unit = "messages", .imin = 0,
                 .imax = LDPC_GENERAL_MOST_PLAIN, .default_text = "4",
                 .help = "rows of more messages keep them compressed"),
    FECRUN_PARAM(.name = "arithmetic", .type = FECRUN_VALUE_CHOICE,
                 .choices = (const char *const[]){"half", "i16", NULL}, .default_text = "half",
                 .help = "half: 16-bit floating point, two LLRs of a row an operation; i16: 16-bit "
                         "integers in eighths of an i8 LLR"),
    FECRUN_PARAM(.name = "blocks", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "code blocks", .imin = 1, .imax = LDPC_GENERAL_MOST_THREADS / 32,
                 .default_text = "auto",
                 .help = "most code blocks of a thread block; auto: as many as fit, but fewer "
                         "where some multiprocessors would have none"),
    FECRUN_PARAM(.name = "messages", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"shared", "global", NULL}, .default_text = "auto",
                 .help = "memory for check messages; auto: shared where they fit. LLRs are in "
                         "shared memory where they fit"),
    FECRUN_PARAM(.name = "launch", .type = FECRUN_VALUE_CHOICE,
                 .choices = (const char *const[]){"one", "per-class", NULL}, .default_text = "one",
                 .help = "one: a batch of several classes in one launch; per-class: a launch for "
                         "each run of frames of one class"),
    NULL};

const struct fecrun_backend ldpc_decode_cuda_general = {
    FECRUN_CUDA_BACKEND(ldpc_cuda_probe, create, run, destroy),
    .name = "cuda-general",
    .old_names = (const char *const[]){"cuda-document", NULL},
    .summary = "all classes of a batch in one launch, a thread a check row, layers in half",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 0.25,
    .tune = tune,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .takes = ldpc_general_takes,
};

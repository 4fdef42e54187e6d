/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The backend cuda-paper of polar.decode: the slides' belief propagation. N / 2 threads a
 * codeword, a pair of nodes each; several codewords a block; messages in shared or in global memory;
 * a barrier a stage. rule: sum-product-lr is what they did, sum-product what they wanted to compare.
 */
#include "plugins/polar/cuda/bp/launch.h"

enum { T_MESSAGES, T_ARITHMETIC };
enum { ARITHMETIC_EXACT, ARITHMETIC_FAST };

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    const struct polar_decode *d = args->codes[0];

    if (d->algorithm != POLAR_BP)
        return fecrun_fail(err, "algorithm", "backend cuda-paper has bp only");
    if (polar_bp_any_fit(d->code->stages, 1, limits.shared_block) == BP_FITS_NOT)
        return fecrun_fail(err, NULL,
                           "needs %u bytes of shared memory a thread block, the device has %zu",
                           polar_bp_any_bytes(d->code->stages), limits.shared_block);
    return 0;
}

#ifdef FECRUN_CUDA

struct instance {
    int device;
    struct polar_bp *bp;
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(polar_bp_any_kernel_of(POLAR_MIN_SUM, false), device, reason,
                                    reason_size);
}

static void destroy(void *instance)
{
    struct instance *i = instance;

    if (!i)
        return;
    if (cudaSetDevice(i->device) == cudaSuccess)
        polar_bp_destroy(i->bp);
    free(i);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct fecrun_value *messages = fecrun_value(args->tune, T_MESSAGES);
    const struct fecrun_value *arithmetic = fecrun_value(args->tune, T_ARITHMETIC);
    const struct polar_bp_choice choice = {
        .messages = messages->given && !messages->is_auto ? BP_MESSAGES_SHARED + messages->i
                                                          : BP_MESSAGES_AUTO,
        .fast = arithmetic->given && arithmetic->i == ARITHMETIC_FAST,
    };
    struct instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    i->device = args->device;
    if (takes(args, err) || fecrun_cuda_use(i->device, err) ||
        polar_bp_create(&i->bp, args->codes[0], &choice, args->form->in[0].type, err)) {
        destroy(i);
        return -1;
    }
    *instance = i;
    return 0;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    return polar_bp_scratch(((const struct instance *)instance)->bp, frames);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;

    if (in[0]->frames == 0)
        return 0;
    if (fecrun_cuda_use(i->device, err))
        return -1;
    return polar_bp_run(i->bp, call->codes[0], call, in[0], out[0], err);
}

#endif

#define FORM(llr, bit) \
    FECRUN_FORM(FECRUN_IN({.type = llr}, {.type = FECRUN_NONE}), \
                FECRUN_OUT({.type = bit}, {.type = FECRUN_NONE}))

static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_I16, FECRUN_PACKED),
                                                  FORM(FECRUN_I16, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  NULL};

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(.name = "messages", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"shared", "global", NULL}, .default_text = "auto",
                 .help = "memory for messages; auto: shared where they fit"),
    FECRUN_PARAM(.name = "arithmetic", .type = FECRUN_VALUE_CHOICE,
                 .choices = (const char *const[]){"exact", "fast", NULL}, .default_text = "exact",
                 .help =
                     "fast: the device's approximations of exp, log and division, for the rules "
                     "of sum-product"),
    NULL};

const struct fecrun_backend polar_decode_cuda_document = {
    FECRUN_CUDA_BACKEND(probe, create, run, destroy),
    .name = "cuda-paper",
    .old_names = (const char *const[]){"cuda-document", NULL},
    .summary = "bp as in the slides: N / 2 threads a codeword, a barrier a stage, floats",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 0.01,
    .tune = tune,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .takes = takes,
};

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/takes.h"

#include <stdbool.h>

#include "plugins/common/absorbed/absorbed.h"
#include "plugins/ldpc/cuda/compiled.h"
#include "plugins/ldpc/cuda/general/plan.h"
#include "plugins/ldpc/cuda/quantize/launch.h"
#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/build.h"
#include "plugins/ldpc/cuda/shared/plan.h"
#include "plugins/ldpc/plugin.h"

/* 0, or -1 and why such a decoder has no kernels in registers. */
int ldpc_which_decoder(const struct ldpc_decode *code, const struct fecrun_form *form,
                       struct fecrun_error *why)
{
    if (code->rule == LDPC_FLOODING && code->code->family != LDPC_NR)
        return fecrun_fail(why, NULL, "flooding only of NR");
    if (form->out[0].type != FECRUN_PACKED)
        return fecrun_fail(why, NULL, "only packed bits");
    if (form->in[0].type == FECRUN_I8)
        return 0;
    if (code->code->n > LDPC_QUANTIZE_MOST)
        return fecrun_fail(why, NULL, "more than 32768 LLRs only of type i8");
    return 0;
}

/* NULL, or why another code than NR's has no kernel in registers within such limits. */
static const char *form_problem(const struct ldpc_decode *d,
                                const struct fecrun_cuda_limits *limits)
{
    const char *problem = ldpc_registers_unfit(d->code);
    struct ldpc_registers_form form;

    return problem ? problem
                   : ldpc_registers_choose_form(d->code, d->reverse, limits->shared,
                                                limits->shared_block, &form);
}

/* Has such a code a kernel in registers on devices of such limits? */
static bool in_registers(const struct ldpc_decode *d, const struct fecrun_form *form,
                         const struct fecrun_cuda_limits *limits)
{
    struct fecrun_error why = {.size = sizeof why};

    if (ldpc_which_decoder(d, form, &why))
        return false;
    return d->code->family == LDPC_NR || !form_problem(d, limits);
}

/* What ldpc_shared_new() will find. */
static const char *shared_problem(const struct ldpc_decode *code, const struct fecrun_create *args,
                                  const struct fecrun_cuda_limits *limits)
{
    struct ldpc_shared_form form;

    return ldpc_shared_choose_form(&form, code, args->form->in[0].type, args->form->out[0].type,
                                   limits, args->max_frames ? args->max_frames : 1);
}

int ldpc_which_shared(const struct ldpc_decode *code, const struct fecrun_create *args,
                      struct fecrun_error *why)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    const char *problem = shared_problem(code, args, &limits);

#ifdef FECRUN_CUDA
    struct fecrun_error none = {.size = sizeof none};
    struct fecrun_cuda_limits own;

    /* where no device answers, the answer is for the largest one */
    if (!problem && !fecrun_cuda_limits_of(args->device, &own, &none) &&
        ldpc_shared_possible(code, args->device, why))
        return -1;
#endif
    return problem ? fecrun_fail(why, NULL, "%s", problem) : 0;
}

/* Or in shared memory? Else it has the general kernel, as all but NR have without NVRTC. */
static bool has_kernel(const struct ldpc_decode *d, const struct fecrun_create *args,
                       const struct fecrun_cuda_limits *limits)
{
    return in_registers(d, args->form, limits) || !shared_problem(d, args, limits);
}

/* Sum-product is in registers, and compiled, or nowhere; of other flooding a kernel in registers comes with one in
   shared memory. */
static int takes_sum_product(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    struct fecrun_error why = {.size = sizeof why};

    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct ldpc_decode *d = args->codes[i];
        const char *problem = NULL;

        if (ldpc_erasures_left(d, "this backend", err) || ldpc_list_left(d, err))
            return -1;
        if (ldpc_which_decoder(d, args->form, &why))
            return fecrun_fail(err, "check_rule", "%s", why.text);
        if (d->code->family != LDPC_NR)
            problem = form_problem(d, &limits);
        if (problem)
            return fecrun_fail(err, "check_rule", "no kernel for sum-product: %s", problem);
    }
#ifdef FECRUN_CUDA
    struct fecrun_error none = {.size = sizeof none};
    struct fecrun_cuda_limits own;

    if (!fecrun_cuda_limits_of(args->device, &own, &none) && rtc_possible(args->device, &why))
        return fecrun_fail(err, "check_rule", "no kernel for sum-product: %s", why.text);
#endif
    return 0;
}

static int takes_flooding(const struct fecrun_create *args, struct fecrun_error *err)
{
    struct fecrun_error why = {.size = sizeof why};

    for (uint32_t i = 0; i < args->n_codes; i++)
        if (ldpc_erasures_left(args->codes[i], "this backend", err))
            return -1;
    for (uint32_t i = 0; i < args->n_codes; i++)
        if (ldpc_which_shared(args->codes[i], args, &why))
            return fecrun_fail(err, "schedule", "no kernel for flooding: %s", why.text);
    return 0;
}

/* A frame's bits do not depend on what else is in its batch, which has one kind of kernel. */
int ldpc_which_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    const struct ldpc_decode *first = args->codes[0];

    if (absorbed_takes("ldpc.rate_recover", &ldpc_rate_recover_cuda, args, err))
        return -1;
    if (first->algorithm == LDPC_SPA)
        return takes_sum_product(args, err);
    if (first->rule == LDPC_FLOODING)
        return takes_flooding(args, err);
    if (ldpc_general_takes(args, err))
        return -1;
    for (uint32_t i = 1; i < args->n_codes; i++)
        if (has_kernel(args->codes[i], args, &limits) != has_kernel(first, args, &limits))
            return fecrun_fail(err, NULL,
                               "codes with and without kernels of their own in one batch");
    return 0;
}

#ifdef FECRUN_CUDA

/* What kernels in registers there are for a code: one of this build, or one that has to be compiled, or both. */
struct kernels {
    bool built_in, also_compiled; /* also_compiled: for large batches */
};

/* Has this build its kernel in registers, of NR, for such a device? Is that slower than one for the code alone? */
static bool is_built_in(const struct ldpc_decode *d, const struct fecrun_create *args, int chosen,
                        const struct fecrun_cuda_limits *limits, bool *slower)
{
    const struct ldpc_registers_kernel *kernel = NULL;
    struct ldpc_registers_work work;

    if (chosen != LDPC_WHICH_COMPILED && d->code->family == LDPC_NR && ldpc_registers_prebuilt(d) &&
        !ldpc_form_is_soft(args->form) && fecrun_cuda_will_have_code(args->device, 90))
        kernel = ldpc_registers_choose(d->code, d->rows, limits->shared_block, &work);
    *slower = kernel && ldpc_registers_twin_is_faster(kernel, d->code, d->rows);
    return kernel;
}

/* NULL, or why no kernel for this code of NR can be compiled. */
static const char *twin_problem(const struct ldpc_decode *d,
                                const struct fecrun_cuda_limits *limits)
{
    struct ldpc_registers_work work;
    const struct ldpc_registers_kernel *kernel = ldpc_registers_choose_for_twin(d->code, d->rows,
                                                                                &work);
    struct ldpc_registers_kernel twin;

    const size_t most_shared[2] = {limits->shared, limits->shared_block};

    return kernel ? ldpc_registers_best_twin(d, kernel, true, work.lanes, most_shared, &twin)
                  : "there is none for so many rows";
}

/* 0, or -1 and why create() will find no kernel in registers. Quick: makes no context. */
static int check_registers(const struct fecrun_create *args, int chosen, struct kernels *found,
                           struct fecrun_error *why)
{
    struct fecrun_error ignored = {.size = sizeof ignored};
    bool slower;

    const struct ldpc_decode *code = args->codes[0];
    struct fecrun_cuda_limits limits;
    const char *problem;

    if (ldpc_which_decoder(code, args->form, why) ||
        fecrun_cuda_limits_of(args->device, &limits, why))
        return -1;
    found->built_in = is_built_in(code, args, chosen, &limits, &slower);
    found->also_compiled = slower && chosen < 0 && !rtc_possible(args->device, &ignored);
    if (found->built_in)
        return 0;
    problem = code->code->family == LDPC_NR ? twin_problem(code, &limits)
                                            : form_problem(code, &limits);
    return problem ? fecrun_fail(why, NULL, "%s", problem) : rtc_possible(args->device, why);
}

void ldpc_which_note(const struct fecrun_create *args, char *text, size_t text_size)
{
    const struct ldpc_decode *code = args->codes[0];
    const struct fecrun_value *kernel = fecrun_value(args->tune, LDPC_WHICH_KERNEL);
    const int chosen = kernel->given && !kernel->is_auto ? (int)kernel->i : -1;
    struct fecrun_error why = {.size = sizeof why}, too = {.size = sizeof too};
    struct kernels found = {false, false};

    if (chosen == LDPC_WHICH_GENERAL)
        snprintf(text, text_size, "the general kernel, as `tune` says");
    else if (chosen == LDPC_WHICH_SHARED)
        snprintf(text, text_size, "a kernel in shared memory, as `tune` says");
    else if (!check_registers(args, chosen, &found, &why))
        snprintf(text, text_size, "a kernel in registers%s",
                 found.also_compiled ? ", for large batches compiled for this code"
                 : found.built_in    ? ""
                                     : ", compiled for this code");
    else if (!ldpc_which_shared(code, args, &too))
        snprintf(
            text, text_size,
            "a kernel in shared memory, compiled for this code; those in registers are faster: "
            "%s",
            why.text);
    else
        snprintf(text, text_size, "the general kernel, which is slower: %s; %s", why.text,
                 too.text);
}

#endif

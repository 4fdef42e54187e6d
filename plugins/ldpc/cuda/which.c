/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/which.h"

#include <stdbool.h>

#include "plugins/ldpc/cuda/general.h"
#include "plugins/ldpc/cuda/narrow.h"
#include "plugins/ldpc/cuda/received.h"
#include "plugins/ldpc/cuda/registers.h"
#include "plugins/ldpc/cuda/registers_code.h"
#include "plugins/ldpc/cuda/shared.h"

/* Bytes of shared memory of a multiprocessor and of a thread block, compute capability 9.0. */
enum { SHARED = 228 << 10, SHARED_BLOCK = 227 << 10 };

/* 0, or -1 and why such a decoder has no kernels in registers. */
int ldpc_which_decoder(const struct ldpc_decode *code, const struct fecrun_form *form,
                       struct fecrun_error *why)
{
    if (ldpc_form_is_soft(form))
        return fecrun_fail(why, NULL, "only bits come out, no LLRs");
    if (code->algorithm == LDPC_SPA)
        return fecrun_fail(why, NULL, "only nms and oms");
    if (code->rule == LDPC_FLOODING && code->code->family != LDPC_NR)
        return fecrun_fail(why, NULL, "flooding only of NR");
    if (code->rule == LDPC_LAYERED && code->code->family == LDPC_NR && !code->reverse)
        return fecrun_fail(why, NULL, "only base rows in reverse order");
    if (form->out[0].type != FECRUN_PACKED)
        return fecrun_fail(why, NULL, "only packed bits");
    if (form->in[0].type == FECRUN_I8)
        return 0;
    if (code->algorithm != LDPC_NMS) /* beta has a unit */
        return fecrun_fail(why, NULL, "oms only with LLRs of type i8");
    if (code->code->n > LDPC_NARROW_MOST)
        return fecrun_fail(why, NULL, "more than 32768 LLRs only of type i8");
    return 0;
}

/* Has such a code a kernel in registers on the devices that they are made for? */
static bool in_registers(const struct ldpc_decode *d, const struct fecrun_form *form)
{
    struct fecrun_error why = {.size = sizeof why};
    struct ldpc_registers_form chosen;

    if (ldpc_which_decoder(d, form, &why))
        return false;
    return d->code->family == LDPC_NR ||
           (!ldpc_registers_unfit(d->code) &&
            !ldpc_registers_choose_form(d->code, d->reverse, SHARED, SHARED_BLOCK, &chosen));
}

int ldpc_which_shared(const struct ldpc_decode *code, const struct fecrun_create *args,
                      struct fecrun_error *why)
{
    const char *problem = ldpc_shared_unfit(code);

    if (ldpc_form_is_soft(args->form))
        problem = "only bits come out, no LLRs";
#ifdef FECRUN_CUDA
    if (!problem && ldpc_shared_possible(code, args->device, why))
        return -1;
#endif
    return problem ? fecrun_fail(why, NULL, "%s", problem) : 0;
}

/* Or in shared memory? Else it has the general kernel, as all but NR have without NVRTC. */
static bool has_kernel(const struct ldpc_decode *d, const struct fecrun_form *form)
{
    return in_registers(d, form) || (!ldpc_form_is_soft(form) && !ldpc_shared_unfit(d));
}

/* Whatever flooding has a kernel in registers has one in shared memory, too. */
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
    const struct ldpc_decode *first = args->codes[0];

    if (ldpc_received_takes(args, err))
        return -1;
    if (first->rule == LDPC_FLOODING)
        return takes_flooding(args, err);
    if (ldpc_general_takes(args, err))
        return -1;
    for (uint32_t i = 1; i < args->n_codes; i++)
        if (has_kernel(args->codes[i], args->form) != has_kernel(first, args->form))
            return fecrun_fail(err, NULL,
                               "codes with and without kernels of their own in one batch");
    return 0;
}

#ifdef FECRUN_CUDA

/* Is its kernel in registers, if it has one, in this build? */
static bool is_built_in(const struct ldpc_decode *d, int chosen)
{
    return chosen != LDPC_WHICH_COMPILED && d->code->family == LDPC_NR &&
           d->algorithm == LDPC_NMS && d->rule == LDPC_LAYERED;
}

/* 0, or -1 and why there is no kernel in registers. Quick. */
static int check_registers(const struct fecrun_create *args, int chosen, struct fecrun_error *why)
{
    const struct ldpc_decode *code = args->codes[0];

    if (ldpc_which_decoder(code, args->form, why))
        return -1;
    if (code->code->family != LDPC_NR)
        return ldpc_registers_possible(code->code, args->device, why);
    return is_built_in(code, chosen) ? 0 : ldpc_compiled_possible(args->device, why);
}

void ldpc_which_note(const struct fecrun_create *args, char *text, size_t text_size)
{
    const struct ldpc_decode *code = args->codes[0];
    const struct fecrun_value *kernel = fecrun_value(args->tune, LDPC_WHICH_KERNEL);
    const int chosen = kernel->given && !kernel->is_auto ? (int)kernel->i : LDPC_WHICH_REGISTERS;
    struct fecrun_error why = {.size = sizeof why}, too = {.size = sizeof too};

    if (chosen == LDPC_WHICH_GENERAL)
        snprintf(text, text_size, "the general kernel, as `tune` says");
    else if (chosen == LDPC_WHICH_SHARED)
        snprintf(text, text_size, "a kernel in shared memory, as `tune` says");
    else if (ldpc_form_is_soft(args->form))
        snprintf(text, text_size,
                 "the general kernel, which is slower: of the others only bits come out");
    else if (!check_registers(args, chosen, &why))
        snprintf(text, text_size, "a kernel in registers%s",
                 is_built_in(code, chosen) ? "" : ", compiled for this code");
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

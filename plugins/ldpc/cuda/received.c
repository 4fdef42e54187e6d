/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/received.h"

#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/rate/rate.h"

const char *const ldpc_received_absorbs[] = {"ldpc.rate_recover", NULL};

int ldpc_received_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const uint32_t type = args->form->in[0].type;

    if (!args->n_absorbed)
        return 0;
    if (args->n_codes > 1)
        return fecrun_fail(err, NULL,
                           "ldpc.rate_recover of frames of different sizes is not absorbed");
    if (type != FECRUN_I8 && type != FECRUN_F32)
        return fecrun_fail(err, NULL, "ldpc.rate_recover is absorbed with LLRs of i8 and f32");
    return 0;
}

#ifdef FECRUN_CUDA

/* The form of ldpc.rate_recover with such LLRs, and no soft buffer. */
static const struct fecrun_form *form_of(uint32_t type)
{
    const struct fecrun_form *const *form = ldpc_rate_recover_cuda.forms;

    while (*form && (*form)->in[0].type != type)
        form++;
    return *form;
}

int ldpc_received_make(struct ldpc_received *received, const struct fecrun_create *args,
                       struct fecrun_error *err)
{
    struct fecrun_create own = *args;

    *received = (struct ldpc_received){NULL, args->form->in[0].type, 0};
    if (!args->n_absorbed)
        return 0;
    if (ldpc_received_takes(args, err))
        return -1;
    own.codes = args->absorbed_codes[0];
    own.form = form_of(received->type);
    own.n_absorbed = 0;
    received->items = ((const struct ldpc_recover *)own.codes[0])->rate.n;
    return ldpc_rate_recover_cuda.create(&own, &received->recover, err);
}

void ldpc_received_destroy(struct ldpc_received *received)
{
    if (received->recover)
        ldpc_rate_recover_cuda.destroy(received->recover);
}

size_t ldpc_received_scratch(const struct ldpc_received *received, uint64_t frames)
{
    const size_t all = (size_t)fecrun_bytes(received->type, received->items) * frames;

    return received->recover ? (all + 63) & ~(size_t)63 : 0;
}

int ldpc_received_run(const struct ldpc_received *received, const struct fecrun_call *call,
                      const struct fecrun_view *in, struct fecrun_view *words,
                      struct fecrun_error *err)
{
    const struct fecrun_view *const from[FECRUN_MAX_PORTS] = {in};
    struct fecrun_view *const to[FECRUN_MAX_PORTS] = {words};

    *words = (struct fecrun_view){.size = sizeof *words,
                                  .data = call->scratch,
                                  .type = received->type,
                                  .frames = in->frames,
                                  .items = received->items,
                                  .stride = fecrun_bytes(received->type, received->items)};
    return ldpc_rate_recover_cuda.run(received->recover, call, from, to, err);
}

#endif

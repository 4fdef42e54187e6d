/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.rate_match: TS 38.212 5.4.2. */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "ldpc.h"
#include "rate.h"
#include "rate_params.h"
#include "rate_runs.h"

static int match_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct ldpc_rate_params params;
    struct ldpc_match match;

    (void)host;
    ldpc_rate_read(&params, values);
    if (ldpc_rate_make(&match.rate, &params, err))
        return -1;
    if (in[0]->stream)
        return fecrun_fail(err, NULL, "the input is one stream; rate matching works on frames");
    if (in[0]->items != match.rate.n)
        return fecrun_fail(err, NULL, "the input has %llu bits a frame; a code word of base graph "
                           "%u with z = %u has %u", (unsigned long long)in[0]->items, params.bg,
                           params.z, match.rate.n);
    plan->code = malloc(sizeof match);
    if (!plan->code)
        return fecrun_fail(err, NULL, "out of memory");
    memcpy(plan->code, &match, sizeof match);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = match.rate.e;
    return 0;
}

static void match_frame(const struct ldpc_rate *r, const uint8_t *in, uint8_t *out)
{
    struct rate_run run = rate_run_first(r);

    for (; rate_run_next(r, &run);)
        for (uint32_t i = 0; i < run.length; i++)
            out[run.place + i * r->qm] = in[run.item + i];
}

static int match_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct ldpc_match *match = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        match_frame(&match->rate, fecrun_row(in[0], f), fecrun_row(out[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_U8}}), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .agreement = FECRUN_EXACT,
                   .create = ldpc_no_instance, .run = match_run, .destroy = ldpc_no_destroy),
    &ldpc_rate_match_cuda, NULL};

static const struct fecrun_param *const params[] = {
    LDPC_RATE_PARAMS(FECRUN_REQUIRED, "bits sent a frame, a multiple of qm"), NULL};

const struct fecrun_stage ldpc_rate_match_stage = {
    .size = sizeof(struct fecrun_stage),
    .name = "ldpc.rate_match",
    .role = FECRUN_TRANSFORM,
    .summary = "NR: sends e bits of the code word from a redundancy version's start on",
    .params = params,
    .inputs = ldpc_bits_in,
    .outputs = ldpc_bits_out,
    .backends = backends,
    .plan = match_plan,
    .plan_free = free,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * polar.rate_recover: undoes TS 38.212 5.4.1. LLRs of a bit that was sent more than once are added
 * up; of punctured bits nothing is known; shortened ones are 0 for certain.
 */
#include <fecrun/sdk/stage.h>

#include "plugins/polar/plugin.h"
#include "plugins/polar/rate/params.h"
#include "plugins/polar/rate_recover.h"

/* ---- Planning ------------------------------------------------------------------------------ */

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct polar_recover *r;

    (void)host;
    if (recover_check_input(in[0], POLAR_NR_MOST_E, fecrun_value(values, POLAR_RATE_P_E), err))
        return -1;
    r = calloc(1, sizeof *r);
    if (!r)
        return fecrun_no_memory(err);
    if (polar_rate_read(&r->rate, values, (uint32_t)in[0]->items, err)) {
        free(r);
        return -1;
    }
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = r->rate.n;
    recover_describe(&r->common, (r->rate.e - 1) / r->rate.n + 1, r->rate.shortened, NULL, out[0]);
    if (out[0]->type == FECRUN_I4)
        r->common.limit = 7;
    result->code = r;
    return 0;
}

/* ---- Working -------------------------------------------------------------------------------- */

/* sum: room for N values. */
#define RECOVER(name, type, wide, CLEAN) \
    static void name(const struct polar_recover *r, const void *from, void *scratch, void *to) \
    { \
        const wide limit = (wide)r->common.limit; \
        const type *in = from; \
        wide *sum = scratch; \
        type *out = to; \
        for (uint32_t i = 0; i < r->rate.n; i++) \
            sum[i] = r->rate.shortened ? limit : 0; \
        for (uint32_t j = 0; j < r->rate.e && r->rate.shortened; j++) \
            sum[r->rate.order[j]] = 0; \
        for (uint32_t j = 0; j < r->rate.e; j++) \
            sum[r->rate.order[j]] += CLEAN(in[j], limit); \
        for (uint32_t i = 0; i < r->rate.n; i++) \
            out[i] = (type)CLEAN(sum[i], limit); \
    }

RECOVER(recover_i8, int8_t, int64_t, recover_clean_int)
RECOVER(recover_i16, int16_t, int64_t, recover_clean_int)
RECOVER(recover_f32, float, double, recover_clean)

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    (void)frames;
    return POLAR_NR_MOST_N * sizeof(double);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        RECOVER_BY_TYPE(in[0]->type, recover, call->codes[0], fecrun_row(in[0], f), call->scratch,
                        fecrun_row(out[0], f));
    return 0;
}

/* ---- Tables --------------------------------------------------------------------------------- */

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .forms = recover_plain_forms,
                   .agreement = FECRUN_AGREEMENT_EXACT, .scratch = scratch),
    &polar_rate_recover_cuda, NULL};

static const struct fecrun_param *const params[] = {
    POLAR_RATE_PARAMS(0, "LLRs received in a frame; optional, has to equal the input size"), NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 20, channel_interleave: true}", .items = 40),
    FECRUN_EXAMPLE(.params = "{k: 36, n_max: 9}", .items = 108),
    FECRUN_EXAMPLE(.params = "{k: 56, n_max: 9}", .items = 864),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 2, qm: 6}", .items = 50), NULL};

const struct fecrun_stage polar_rate_recover_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "polar.rate_recover",
    .summary = "inverts polar.rate_match: LLRs of repeated bits are added, punctured ones "
               "become 0, shortened ones are known",
    .params = params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = FECRUN_LLRS_OUT,
    .backends = backends,
    .examples = examples,
    .undoes = "polar.rate_match",
};

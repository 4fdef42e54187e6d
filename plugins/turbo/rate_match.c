/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.rate_match: TS 36.212 5.1.4.1. */
#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/turbo/plugin.h"
#include "plugins/turbo/rate/params.h"

static int fill(struct turbo_match *match, const struct fecrun_values *values,
                const struct fecrun_frame *in, struct fecrun_error *err)
{
    const uint64_t found = in->items % TURBO_STREAMS || in->items < turbo_word(1)
                               ? 0
                               : in->items / TURBO_STREAMS - 4;
    struct turbo_rate_params params;
    struct turbo_code code;
    char items[48];

    if (checks_frames(in, "rate matching works", err) ||
        turbo_only_lte(values, "turbo.rate_match", err))
        return -1;
    snprintf(items, sizeof items, "%llu bits a frame", (unsigned long long)in->items);
    if (turbo_read_code(&code, values, found, items, err))
        return -1;
    turbo_rate_read(&params, &code, values);
    if (turbo_rate_make(&match->rate, match->order, &params, err))
        return -1;
    if (in->items != match->rate.n)
        return fecrun_fail(err, NULL,
                           "the input has %llu bits a frame; the word of a block of %u "
                           "bits has 3 (K + 4) = %u",
                           (unsigned long long)in->items, code.k, match->rate.n);
    return 0;
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct turbo_match *match = malloc(sizeof *match);

    (void)host;
    if (!match)
        return fecrun_no_memory(err);
    if (fill(match, values, in[0], err)) {
        free(match);
        return -1;
    }
    fecrun_frame_bits(out[0], in[0], match->rate.e);
    if (fecrun_fact_set(out[0], TURBO_FACT_K, match->rate.k, err)) {
        free(match);
        return -1;
    }
    turbo_rate_identity(result, &match->rate, fecrun_value(values, TURBO_RATE_P_RV));
    result->code = match;
    return 0;
}

static void match_frame(const struct turbo_match *match, const uint8_t *in, uint8_t *out,
                        void *scratch)
{
    const struct turbo_rate *r = &match->rate;
    uint32_t rank = r->first;

    (void)scratch;
    for (uint32_t j = 0; j < r->e; j++) {
        out[j] = in[match->order[rank]];
        rank = rank + 1 == r->sent ? 0 : rank + 1;
    }
}

FECRUN_RUN_ROWS(run, match_frame)

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &turbo_rate_match_cuda, NULL};

static const struct fecrun_param *const params[] = {
    TURBO_CODE_PARAMS, TURBO_RATE_PARAMS(FECRUN_PARAM_REQUIRED, "bits sent a frame"), NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 40, e: 100}", .items = 132),
    FECRUN_EXAMPLE(.params = "{k: 512, fillers: 20, e: 2400, rv: 2}", .items = 1548),
    FECRUN_EXAMPLE(.params = "{k: 6144, e: 12000, rv: 1, ncb: 9240}", .items = 18444), NULL};

const struct fecrun_stage turbo_rate_match_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "turbo.rate_match",
    .summary = "LTE: interleaves d0, d1, d2 and sends e bits from a redundancy version's start on",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
    .follows = "turbo.encode",
};

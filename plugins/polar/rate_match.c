/* SPDX-License-Identifier: BSD-2-Clause */
/* polar.rate_match: TS 38.212 5.4.1. */
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/polar/plugin.h"
#include "plugins/polar/rate/params.h"

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct polar_rate *rate;

    (void)host;
    if (checks_frames(in[0], "rate matching works", err))
        return -1;
    rate = malloc(sizeof *rate);
    if (!rate)
        return fecrun_no_memory(err);
    if (polar_rate_read(rate, values, 0, err)) {
        free(rate);
        return -1;
    }
    if (in[0]->items != rate->n) {
        fecrun_fail(err, NULL, "the input has %llu bits a frame; with these parameters N is %u",
                    (unsigned long long)in[0]->items, rate->n);
        free(rate);
        return -1;
    }
    result->code = rate;
    fecrun_frame_bits(out[0], in[0], rate->e);
    snprintf(result->note, sizeof result->note, "N = %u, E = %u: %s", rate->n, rate->e,
             rate->e >= rate->n ? "repetition"
             : rate->shortened  ? "shortening"
                                : "puncturing");
    return 0;
}

static void match_row(const struct polar_rate *rate, const uint8_t *word, uint8_t *sent,
                      void *scratch)
{
    (void)scratch;
    for (uint32_t j = 0; j < rate->e; j++)
        sent[j] = word[rate->order[j]];
}

FECRUN_RUN_ROWS(run, match_row)

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &polar_rate_match_cuda, NULL};

static const struct fecrun_param *const params[] = {
    POLAR_RATE_PARAMS(FECRUN_PARAM_REQUIRED, "bits sent a frame"), NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 20, e: 40, channel_interleave: true}", .items = 64),
    FECRUN_EXAMPLE(.params = "{k: 36, e: 108, n_max: 9}", .items = 128),
    FECRUN_EXAMPLE(.params = "{k: 56, e: 864, n_max: 9}", .items = 512),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 11, e: 54}", .items = 32), NULL};

const struct fecrun_stage polar_rate_match_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "polar.rate_match",
    .summary = "NR: interleaves the word in sub-blocks and sends e bits of it",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
    .follows = "polar.encode",
};

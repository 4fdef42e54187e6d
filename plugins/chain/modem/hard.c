/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modem.hard: the bits of the nearest point of the constellation; where two are as near, 0. A stage
 * of its own and no way of modem.demap, for it puts out bits, and needs to know of no noise.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/modem/hard.h"
#include "plugins/chain/modem/modem.h"

static const struct fecrun_param *const params[] = {
    CHAIN_SCHEME_PARAMS(0, "default: that of the mapper upstream"),
    NULL,
};

static int hard_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct chain_scheme scheme;
    struct hard_code *code;

    (void)host;
    if (chain_scheme_read(&scheme, values, in[0], plan, err))
        return -1;
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    if (fecrun_fact_get(in[0], CHAIN_FADED, 0) > 0)
        fecrun_warn(plan,
                    "channel.fading changed the symbols, and this stage takes no state: write "
                    "modem.demap with `state: channel.fading.state`, and bits.hard");
    code->shape = scheme.shape;
    code->bits = chain_dimension_bits(&scheme);
    code->inverse_unit = (float)(1 / scheme.unit);
    if (scheme.shape == CHAIN_POINTS || scheme.shape == CHAIN_TURNED)
        chain_points_fill(&code->points, &scheme, in[0]);
    chain_demapped_frame(out[0], in[0], &scheme);
    fecrun_fact_drop(out[0], CHAIN_FADED);
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_PACKED;
    return 0;
}

static int hard_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        chain_hard_row(call->codes[0], fecrun_row(in[0], f), out[0]->items, fecrun_row(out[0], f),
                       out[0]->type, chain_hard_first(call, in[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_U8),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(hard_run), .forms = forms),
    &chain_modem_hard_cuda,
    &chain_modem_hard_simd,
    NULL,
};

static const struct fecrun_example *const examples[] = {CHAIN_SCHEME_EXAMPLES(""), NULL};

const struct fecrun_stage chain_modem_hard = {
    FECRUN_TRANSFORM(hard_plan, free),
    .name = "modem.hard",
    .summary = "symbols to bits, decided one by one",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_SYMBOLS, "received symbols"),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_BITS, "bits of the nearest point"),
    .backends = backends,
    .examples = examples,
    .undoes = "modem.map",
};

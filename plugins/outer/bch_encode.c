/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage bch.encode. */
#include "plugins/outer/plan.h"

#include "plugins/outer/plugin.h"

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    const struct bch_code *code = bch_plan(values, in[0], false, result, err);

    (void)host;
    if (!code)
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->n;
    return 0;
}

static const struct fecrun_backend *const backends[] = {
    &outer_bch_encode_ref,
    &outer_bch_encode_cuda,
    &outer_bch_encode_simd,
    NULL,
};

static const struct fecrun_param *const params[] = {BCH_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: short, rate: 1/4}", .items = 3072, .batch = 16),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: normal, rate: 8/9}", .items = 57472),
    FECRUN_EXAMPLE(.params = "{m: 4, t: 3}", .items = 5),
    FECRUN_EXAMPLE(.params = "{m: 3, t: 1, shortened: 3}", .items = 1),
    FECRUN_EXAMPLE(.params = "{code: custom, m: 8, t: 5, polynomial: 0x187, shortened: 10}",
                   .items = 205),
    FECRUN_EXAMPLE(.params = "{m: 10, t: 40}", .items = 648),
    NULL};

const struct fecrun_stage outer_bch_encode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "bch.encode",
    .summary = "binary BCH encoder: n - k parity bits behind k information bits",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};

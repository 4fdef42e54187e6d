/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage bch.decode. */
#include "plugins/outer/plan.h"

#include "plugins/outer/plugin.h"

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    const struct bch_code *code = bch_plan(values, in[0], true, result, err);

    (void)host;
    if (code)
        outer_plan_decoded(in[0], out, code->k, 1);
    return code ? 0 : -1;
}

static const struct fecrun_backend *const backends[] = {
    &outer_bch_decode_ref,
    &outer_bch_decode_cuda,
    &outer_bch_decode_simd,
    NULL,
};

static const struct fecrun_param *const params[] = {BCH_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: short, rate: 1/4}", .items = 3240,
                   .corrects = 12, .batch = 16),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: normal, rate: 8/9}", .items = 57600,
                   .corrects = 8),
    FECRUN_EXAMPLE(.params = "{m: 4, t: 3}", .items = 15, .corrects = 3),
    FECRUN_EXAMPLE(.params = "{m: 3, t: 1, shortened: 3}", .items = 4, .corrects = 1),
    FECRUN_EXAMPLE(.params = "{code: custom, m: 8, t: 5, polynomial: 0x187, shortened: 10}",
                   .items = 245, .corrects = 5),
    FECRUN_EXAMPLE(.params = "{m: 10, t: 40}", .items = 1023, .corrects = 40),
    NULL};

const struct fecrun_stage outer_bch_decode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "bch.decode",
    .flags = FECRUN_STAGE_CHECKS,
    .summary =
        "binary BCH decoder; a frame that cannot be corrected is marked as failed and passed "
        "on as it is",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_BITS, "words as bch.encode makes them"),
    .outputs = FECRUN_PORTS(
        FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "information bits"),
        FECRUN_PORT(.name = "corrected", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "corrected bits of each frame, parity included; "
                            "-1: it has failed"),
        NULL),
    .backends = backends,
    .examples = examples,
    .undoes = "bch.encode",
};

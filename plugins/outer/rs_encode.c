/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage rs.encode. */
#include "plugins/outer/plan.h"

#include "plugins/outer/plugin.h"

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    const struct rs_code *code = rs_plan(values, in[0], false, result, err);

    (void)host;
    if (!code)
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = (uint64_t)code->n * code->depth * code->m;
    return 0;
}

static const struct fecrun_backend *const backends[] = {
    &outer_rs_encode_ref,
    &outer_rs_encode_cuda,
    &outer_rs_encode_simd,
    NULL,
};

static const struct fecrun_param *const params[] = {RS_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: ccsds-255-223}", .items = 223 * 8, .batch = 64),
    FECRUN_EXAMPLE(.params = "{code: ccsds-255-239, depth: 5, shortened: 3}", .items = 236 * 40),
    FECRUN_EXAMPLE(.params = "{code: dvb-204-188}", .items = 188 * 8),
    FECRUN_EXAMPLE(.params = "{code: ccsds-255-223, basis: conventional}", .items = 223 * 8),
    FECRUN_EXAMPLE(.params = "{n: 40, k: 30, polynomial: 0x187, basis: dual}", .items = 240),
    FECRUN_EXAMPLE(.params = "{code: dvb-h-255-191}", .items = 191 * 8),
    FECRUN_EXAMPLE(.params = "{code: atsc-207-187}", .items = 187 * 8),
    FECRUN_EXAMPLE(.params = "{code: dab-120-110}", .items = 110 * 8),
    FECRUN_EXAMPLE(.params = "{code: g709-255-239, depth: 8}", .items = 239 * 64),
    FECRUN_EXAMPLE(.params = "{code: p25-24-12}", .items = 12 * 6),
    FECRUN_EXAMPLE(.params = "{code: p25-24-16}", .items = 16 * 6),
    FECRUN_EXAMPLE(.params = "{code: p25-36-20}", .items = 20 * 6),
    FECRUN_EXAMPLE(.params = "{symbol_bits: 3, n: 7, k: 4, fcr: 1}", .items = 12),
    FECRUN_EXAMPLE(.params = "{code: custom, symbol_bits: 5, n: 31, k: 20, polynomial: 0x2f, "
                             "prim: 3, fcr: 30, depth: 3}",
                   .items = 300),
    FECRUN_EXAMPLE(.params = "{symbol_bits: 10, n: 528, k: 514}", .items = 5140),
    FECRUN_EXAMPLE(.params = "{symbol_bits: 8, n: 20, k: 1, prim: 7}", .items = 8),
    NULL};

const struct fecrun_stage outer_rs_encode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "rs.encode",
    .summary = "Reed-Solomon encoder: n - k parity symbols behind k information symbols",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage rs.decode. */
#include "plugins/outer/plan.h"

#include "plugins/outer/plugin.h"

enum { P_ERASURES = RS_N_CODE_PARAMS };

/* The flags of erased symbols, if they are linked, are one for each symbol of the frame. */
static int check_erasures(const struct rs_code *code, const struct fecrun_frame *flags,
                          const struct fecrun_value *value, struct fecrun_error *err)
{
    const uint64_t symbols = (uint64_t)code->n * code->depth;

    if (value->given && !flags)
        return fecrun_fail(err, "erasures",
                           "%s is no stage of this file: a source.file of `kind: values` is",
                           value->s);
    if (flags && flags->items != symbols)
        return fecrun_fail(err, "erasures",
                           "gives %llu values a frame, and the frame has %llu symbols",
                           (unsigned long long)flags->items, (unsigned long long)symbols);
    return 0;
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct rs_code *code = rs_plan(values, in[0], true, result, err);

    (void)host;
    if (!code)
        return -1;
    if (check_erasures(code, in[1], fecrun_value(values, P_ERASURES), err)) {
        result->code = NULL;
        free(code);
        return -1;
    }
    outer_plan_decoded(in[0], out, (uint64_t)code->k * code->depth * code->m, code->depth);
    return 0;
}

static const struct fecrun_backend *const backends[] = {
    &outer_rs_decode_ref,
    &outer_rs_decode_cuda,
    &outer_rs_decode_simd,
    NULL,
};

static const struct fecrun_param *const params[] = {
    RS_CODE_PARAMS,
    FECRUN_PARAM(.name = "erasures", .type = FECRUN_VALUE_PORT,
                 .help = "a source of values, one for each symbol of the frame in its order: what "
                         "is not 0 marks a symbol as erased"),
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: ccsds-255-223}", .items = 255 * 8, .corrects = 16,
                   .symbol_items = 8, .batch = 64),
    FECRUN_EXAMPLE(.params = "{code: ccsds-255-239, depth: 5, shortened: 3}", .items = 252 * 40,
                   .corrects = 8, .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{code: dvb-204-188}", .items = 204 * 8, .corrects = 8,
                   .symbol_items = 8, .batch = 64),
    FECRUN_EXAMPLE(.params = "{code: ccsds-255-223, basis: conventional}", .items = 255 * 8,
                   .corrects = 16, .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{n: 40, k: 30, polynomial: 0x187, basis: dual}", .items = 320,
                   .corrects = 5, .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{code: dvb-h-255-191}", .items = 255 * 8, .corrects = 32,
                   .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{code: atsc-207-187}", .items = 207 * 8, .corrects = 10,
                   .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{code: dab-120-110}", .items = 120 * 8, .corrects = 5,
                   .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{code: g709-255-239, depth: 8}", .items = 255 * 64, .corrects = 8,
                   .symbol_items = 8),
    FECRUN_EXAMPLE(.params = "{code: p25-24-12}", .items = 24 * 6, .corrects = 6,
                   .symbol_items = 6),
    FECRUN_EXAMPLE(.params = "{code: p25-24-16}", .items = 24 * 6, .corrects = 4,
                   .symbol_items = 6),
    FECRUN_EXAMPLE(.params = "{code: p25-36-20}", .items = 36 * 6, .corrects = 8,
                   .symbol_items = 6),
    FECRUN_EXAMPLE(.params = "{symbol_bits: 3, n: 7, k: 4, fcr: 1}", .items = 21, .corrects = 1,
                   .symbol_items = 3),
    FECRUN_EXAMPLE(.params = "{code: custom, symbol_bits: 5, n: 31, k: 20, polynomial: 0x2f, "
                             "prim: 3, fcr: 30, depth: 3}",
                   .items = 465, .corrects = 5, .symbol_items = 5),
    FECRUN_EXAMPLE(.params = "{symbol_bits: 10, n: 528, k: 514}", .items = 5280, .corrects = 7,
                   .symbol_items = 10),
    FECRUN_EXAMPLE(.params = "{symbol_bits: 8, n: 20, k: 1, prim: 7}", .items = 160, .corrects = 9,
                   .symbol_items = 8),
    NULL};

const struct fecrun_stage outer_rs_decode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "rs.decode",
    .flags = FECRUN_STAGE_CHECKS,
    .summary = "Reed-Solomon decoder of errors and erasures; a frame with a word that cannot be "
               "corrected is marked as failed, and that word is passed on as it is",
    .params = params,
    .inputs = FECRUN_PORTS(FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_BITS,
                                       .help = "words as rs.encode makes them"),
                           FECRUN_PORT(.name = "erasures", .kinds = FECRUN_KIND_VALUES,
                                       .flags = FECRUN_PORT_OPTIONAL,
                                       .help = "one for each symbol: not 0 where it is erased"),
                           NULL),
    .outputs = FECRUN_PORTS(
        FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "information bits"),
        FECRUN_PORT(.name = "corrected", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "corrected symbols of each word, parity included; "
                            "-1: the word has failed"),
        NULL),
    .backends = backends,
    .examples = examples,
    .undoes = "rs.encode",
};

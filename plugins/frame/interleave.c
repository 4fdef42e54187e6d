/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.interleave and frame.deinterleave: items in another order. Both gather: an order says for each place of the
 * output which item of the input goes there. Delays of a convolutional interleaver reach into items
 * before the batch, and what takes them back into items after it, so neither keeps anything between
 * batches, and the deinterleaver gives the stream without delay.
 */
#include "plugins/frame/code/codes.h"
#include "plugins/frame/plugin.h"

#include <inttypes.h>

enum {
    P_SCHEME,
    P_BITS,
    P_MODE,
    P_LOGICAL,
    P_ROWS,
    P_COLUMNS,
    P_BRANCHES,
    P_DEPTH,
    P_CELL,
    P_TABLE,
    P_FIRST
};

enum scheme {
    WIFI,
    DVB_T,
    DVB,
    DAB,
    GSM_XCCH,
    GSM_TCH,
    GALILEO,
    GALILEO_FNAV,
    GALILEO_CNAV,
    M17,
    NR_PBCH
};

static const char *const schemes[] = {"wifi",         "dvb-t",   "dvb",     "dab",
                                      "gsm-xcch",     "gsm-tch", "galileo", "galileo-fnav",
                                      "galileo-cnav", "m17",     "nr-pbch", NULL};

static const char *const schemes_help[] = {
    "IEEE 802.11-2020 17.3.5.7: blocks of 48 x `bits`",
    "EN 300 744 4.3.4, not hierarchical: blocks of two OFDM symbols, an even and an odd one, by "
    "`bits` and `mode`",
    "EN 300 421 4.4.3, EN 300 744 4.3.2, bits: 12 branches, 17 cells of 8 bits; a stream",
    "EN 300 401 12, in time: by `logical_frame`; a stream",
    "3GPP TS 45.003 4.1.4: 456 bits to four bursts of 114",
    "3GPP TS 45.003 3.1.3: blocks of 456 bits over eight bursts of 114; a stream",
    "Galileo OS SIS ICD 4.1.4, I/NAV: 240 symbols",
    "the same, F/NAV: 488 symbols",
    "E6-B C/NAV: 984 symbols",
    "M17: 368 bits",
    "TS 38.212 7.1.1: the master information block (24 bits), four bits of the frame number, the "
    "half frame, three of the "
    "block's number",
    NULL};

static const char *const modes[] = {"2k", "8k", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("scheme", schemes, .flags = FECRUN_PARAM_SHARED,
                  .unless = "rows columns branches depth table", .choices_help = schemes_help,
                  .help = "a standard's order; or give rows and columns, branches and depth, or "
                          "table"),
    FECRUN_INT("bits", 1, 6, .flags = FECRUN_PARAM_SHARED, .unit = "bits",
               .help = "wifi, dvb-t: bits of a subcarrier, 1 (wifi), 2, 4 or 6"),
    FECRUN_CHOICE("mode", modes, .flags = FECRUN_PARAM_SHARED,
                  .help = "dvb-t: 1512 or 6048 carriers"),
    FECRUN_INT("logical_frame", 64, 864 * 64, .flags = FECRUN_PARAM_SHARED, .unit = "bits",
               .help = "dab: bits of 24 ms of the subchannel, 64 for each capacity unit"),
    FECRUN_INT("rows", 1, ORDER_MOST, .flags = FECRUN_PARAM_SHARED,
               .unless = "scheme branches depth table",
               .help = "of a block that is written row by row and read column by column"),
    FECRUN_INT("columns", 1, ORDER_MOST, .flags = FECRUN_PARAM_SHARED,
               .unless = "scheme branches depth table",
               .help = "of that block; default: as many as a frame fills"),
    FECRUN_INT("branches", 2, 4096, .flags = FECRUN_PARAM_SHARED,
               .unless = "scheme rows columns table",
               .help = "convolutional (Forney): branch j of them delays by j x depth cells of its "
                       "own; a stream"),
    FECRUN_INT("depth", 1, 1 << 20, .flags = FECRUN_PARAM_SHARED,
               .unless = "scheme rows columns table", .unit = "cells",
               .help = "cells of the second branch's delay"),
    FECRUN_INT("cell", 1, 4096, .flags = FECRUN_PARAM_SHARED, .default_text = "1", .unit = "items",
               .unless = "scheme rows columns table",
               .help = "convolutional: items that go to a branch together, 8 for bytes of bits"),
    FECRUN_PARAM(.name = "table", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_SHARED,
                 .unless = "scheme rows columns branches depth",
                 .help = "a text file of N numbers, each of 0 to N - 1 once: the i-th is the item "
                         "of a block of N that frame.interleave puts to place i"),
    FECRUN_INT(
        "first", 0, ORDER_MOST, .flags = FECRUN_PARAM_SHARED, .default_text = "0", .unit = "items",
        .help = "streams: place of the stream's first item in its block or round of branches"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

static const struct fecrun_value *value_of(const struct fecrun_values *values, int i)
{
    return fecrun_value(values, (size_t)i);
}

static int need(const struct fecrun_values *values, int param, const char *what,
                struct fecrun_error *err)
{
    return value_of(values, param)->given
               ? 0
               : fecrun_fail(err, params[param]->name, "missing: %s", what);
}

static int plan_bits(const struct fecrun_values *values, bool may_be_one, struct fecrun_error *err)
{
    const int64_t bits = value_of(values, P_BITS)->i;

    if (need(values, P_BITS, "bits of a subcarrier", err))
        return -1;
    if (bits == 3 || bits == 5 || (bits == 1 && !may_be_one))
        return fecrun_fail(err, "bits", "%" PRId64 ": %s2, 4 or 6 are allowed", bits,
                           may_be_one ? "1, " : "");
    return 0;
}

static int plan_dab(struct order *order, const struct fecrun_values *values,
                    struct fecrun_error *err)
{
    const int64_t frame = value_of(values, P_LOGICAL)->i;

    if (need(values, P_LOGICAL, "bits of 24 ms of the subchannel", err))
        return -1;
    if (frame % 64)
        return fecrun_fail(err, "logical_frame", "%" PRId64 " is no multiple of 64", frame);
    return order_dab(order, (uint64_t)frame, err);
}

static int plan_scheme(struct order *order, const struct fecrun_values *values,
                       struct fecrun_error *err)
{
    const unsigned bits = (unsigned)value_of(values, P_BITS)->i;
    const enum scheme scheme = (enum scheme)value_of(values, P_SCHEME)->i;

    switch (scheme) {
    case WIFI:
        return plan_bits(values, true, err) ? -1 : order_wifi(order, bits, err);
    case DVB_T:
        if (plan_bits(values, false, err) || need(values, P_MODE, "2k or 8k", err))
            return -1;
        return order_dvbt(order, bits, value_of(values, P_MODE)->i == 1, err);
    case DVB:
        return order_forney(order, 12, 17, 8, err);
    case DAB:
        return plan_dab(order, values, err);
    case GSM_XCCH:
    case GSM_TCH:
        return order_gsm(order, scheme == GSM_TCH, err);
    case GALILEO:
        return order_block(order, 30, 8, err);
    case GALILEO_FNAV:
        return order_block(order, 61, 8, err);
    case GALILEO_CNAV:
        return order_block(order, 123, 8, err);
    case NR_PBCH:
        return order_pbch(order, err);
    default:
        return order_m17(order, err);
    }
}

static int plan_block(struct order *order, const struct fecrun_values *values,
                      const struct fecrun_frame *in, struct fecrun_error *err)
{
    const uint64_t rows = (uint64_t)value_of(values, P_ROWS)->i;
    uint64_t columns = (uint64_t)value_of(values, P_COLUMNS)->i;

    if (need(values, P_ROWS, "rows and columns belong together", err))
        return -1;
    if (!value_of(values, P_COLUMNS)->given) {
        if (in->stream)
            return fecrun_fail(err, "columns", "missing: a stream has no size");
        if (in->items % rows)
            return fecrun_fail(err, "rows",
                               "frames of %" PRIu64 " items do not fill %" PRIu64
                               " rows: no whole number of columns",
                               in->items, rows);
        columns = in->items / rows;
    }
    if (columns > ORDER_MOST / rows)
        return fecrun_fail(err, "rows", "%" PRIu64 " x %" PRIu64 " is more than %d items", rows,
                           columns, ORDER_MOST);
    return order_block(order, rows, columns, err);
}

static int plan_forney(struct order *order, const struct fecrun_values *values,
                       struct fecrun_error *err)
{
    const uint64_t branches = (uint64_t)value_of(values, P_BRANCHES)->i;
    const uint64_t depth = (uint64_t)value_of(values, P_DEPTH)->i;
    const uint64_t cell = (uint64_t)value_of(values, P_CELL)->i;

    if (need(values, P_BRANCHES, "branches and depth belong together", err) ||
        need(values, P_DEPTH, "branches and depth belong together", err))
        return -1;
    if (branches * cell * (branches - 1) > ORDER_REACH / depth)
        return fecrun_fail(err, "depth", "the last branch delays by more than %d items",
                           ORDER_REACH);
    return order_forney(order, branches, depth, cell, err);
}

/* Which of the four ways was chosen? */
static int plan_order(struct order *order, const struct fecrun_values *values,
                      const struct fecrun_frame *in, struct fecrun_error *err)
{
    const bool scheme = value_of(values, P_SCHEME)->given, table = value_of(values, P_TABLE)->given;
    const bool block = value_of(values, P_ROWS)->given || value_of(values, P_COLUMNS)->given;
    const bool forney = value_of(values, P_BRANCHES)->given || value_of(values, P_DEPTH)->given;

    if (scheme + table + block + forney != 1)
        return fecrun_fail(err, scheme ? "scheme" : NULL,
                           "give one of scheme, rows and columns, branches and depth, or table");
    return scheme  ? plan_scheme(order, values, err)
           : table ? order_read(order, value_of(values, P_TABLE)->s, err)
           : block ? plan_block(order, values, in, err)
                   : plan_forney(order, values, err);
}

/* Do frames of this size go round? */
static int check_frames(const struct order *order, const struct fecrun_values *values,
                        const struct fecrun_frame *in, struct fecrun_error *err)
{
    const uint64_t rest = in->items % order->block;

    if (in->stream)
        return 0;
    if (order->block_least < 0 || order->block_most >= (int64_t)order->block)
        return fecrun_fail(err, NULL,
                           "delays go over the ends of frames: the source has to be a stream");
    if (value_of(values, P_FIRST)->i)
        return fecrun_fail(err, "first", "is of streams: a frame begins with a block");
    if (rest)
        return fecrun_fail(err, NULL,
                           "frames of %" PRIu64 " items are no whole blocks of %" PRIu64
                           ": the nearest sizes are %" PRIu64 " and %" PRIu64,
                           in->items, order->block, in->items - rest,
                           in->items - rest + order->block);
    return 0;
}

static void code_free(void *code)
{
    if (code)
        order_free(&((struct order_code *)code)->order);
    free(code);
}

static void say(const struct order_code *code, bool undo, const struct fecrun_frame *in,
                struct fecrun_plan *plan)
{
    const struct order *order = &code->order;

    if (!in->stream || order->before + order->after < 2 * order->block)
        snprintf(plan->note, sizeof plan->note, "blocks of %" PRIu64 " items", order->block);
    else if (undo)
        snprintf(plan->note, sizeof plan->note,
                 "no delay: reads %" PRIu64 " items ahead; at the end of the stream those are 0",
                 order->after);
    else
        snprintf(plan->note, sizeof plan->note,
                 "delays by up to %" PRIu64 " items; what would come before the stream is 0",
                 order->before);
}

/* What interleave and deinterleave have to agree on: the former's table. */
static void identify(const struct order_code *code, struct fecrun_plan *plan)
{
    fecrun_identity(
        plan, "blocks of %" PRIu64 " items from place %" PRIu64 ", digest %016" PRIx64,
        code->order.period, code->first,
        fecrun_digest(0, code->order.from, code->order.period * sizeof *code->order.from));
}

static int plan_code(struct order_code *code, bool undo, const struct fecrun_values *values,
                     const struct fecrun_frame *in, struct fecrun_plan *plan,
                     struct fecrun_error *err)
{
    struct order *order = &code->order;

    if (plan_order(order, values, in, err))
        return -1;
    code->first = (uint64_t)value_of(values, P_FIRST)->i;
    if (code->first >= order->period)
        return fecrun_fail(err, "first", "is %" PRIu64 ": 0 to %" PRIu64 " are places of a block",
                           code->first, order->period - 1);
    identify(code, plan);
    return (undo && order_invert(order, err)) || order_finish(order, err) ||
                   check_frames(order, values, in, err)
               ? -1
               : 0;
}

static int plan_both(bool undo, const struct fecrun_values *values, const struct fecrun_frame *in,
                     struct fecrun_frame *out, struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct order_code *code = fecrun_code(plan, sizeof *code, err);

    if (!code || plan_code(code, undo, values, in, plan, err)) {
        code_free(code);
        plan->code = NULL;
        return -1;
    }
    fecrun_frame_copy(out, in);
    code->stream = in->stream != 0;
    if (in->stream) {
        plan->before = code->order.before;
        plan->after = code->order.after;
    }
    say(code, undo, in, plan);
    return 0;
}

static int interleave_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                           const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                           struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host;
    return plan_both(false, values, in[0], out[0], plan, err);
}

static int deinterleave_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                             const struct fecrun_frame *const in[],
                             struct fecrun_frame *const out[], struct fecrun_plan *plan,
                             struct fecrun_error *err)
{
    (void)host;
    return plan_both(true, values, in[0], out[0], plan, err);
}

/* ---- Running ------------------------------------------------------------------------------- */

/* Frames of a stream lie without gap, so a batch of them is one row. */
static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct order_code *code = call->codes[0];
    const unsigned bytes = (unsigned)fecrun_bytes(in[0]->type, 1);
    const bool stream = in[0]->stride == in[0]->items * bytes &&
                        out[0]->stride == out[0]->items * bytes;
    const uint64_t rows = stream ? 1 : in[0]->frames;
    const uint64_t n = stream ? in[0]->items * in[0]->frames : in[0]->items;
    const uint64_t phase = (call->first_item + code->first) % code->order.block;

    (void)instance, (void)err;
    for (uint64_t f = 0; f < rows; f++)
        order_run(&code->order, fecrun_row(in[0], f), fecrun_row(out[0], f), n, bytes, phase,
                  in[0]->before, in[0]->after);
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F16, FECRUN_F16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_C8),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .forms = forms),
    &frame_order_cuda,
    NULL,
};

#define EXAMPLES \
    FECRUN_EXAMPLE(.params = "{scheme: wifi, bits: 4}", .items = 192), \
        FECRUN_EXAMPLE(.params = "{scheme: dvb-t, bits: 2, mode: 2k}", .items = 6048), \
        FECRUN_EXAMPLE(.params = "{scheme: dvb}", .stream = 1), \
        FECRUN_EXAMPLE(.params = "{scheme: dab, logical_frame: 64}", .stream = 1), \
        FECRUN_EXAMPLE(.params = "{scheme: gsm-xcch}", .items = 456), \
        FECRUN_EXAMPLE(.params = "{scheme: gsm-tch}", .stream = 1), \
        FECRUN_EXAMPLE(.params = "{scheme: galileo}", .items = 240, .batch = 512), \
        FECRUN_EXAMPLE(.params = "{scheme: m17}", .items = 368), \
        FECRUN_EXAMPLE(.params = "{scheme: nr-pbch}", .items = 32), \
        FECRUN_EXAMPLE(.params = "{rows: 5, columns: 7}", .items = 70), \
        FECRUN_EXAMPLE(.params = "{branches: 5, depth: 3, cell: 2}", .stream = 1)

static const struct fecrun_example *const examples[] = {
    EXAMPLES, FECRUN_EXAMPLE(.params = "{rows: 3, columns: 4, first: 5}", .stream = 1), NULL};

/* Of a block whose begin is missing some items have no place in the stream: they do not come back, and fecrun-check
   wants that all do. */
static const struct fecrun_example *const examples_back[] = {
    EXAMPLES, FECRUN_EXAMPLE(.params = "{branches: 5, depth: 3, cell: 2, first: 4}", .stream = 1),
    NULL};

enum { KINDS = FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS };

const struct fecrun_stage frame_interleave = {
    FECRUN_TRANSFORM(interleave_plan, code_free),
    .name = "frame.interleave",
    .summary = "puts items into another order",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "bits, LLRs or symbols"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "the same in another order"),
    .backends = backends,
    .examples = examples,
};

const struct fecrun_stage frame_deinterleave = {
    FECRUN_TRANSFORM(deinterleave_plan, code_free),
    .name = "frame.deinterleave",
    .summary = "puts items back into the order before frame.interleave",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "bits, LLRs or symbols"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "the same in their first order"),
    .backends = backends,
    .examples = examples_back,
    .undoes = "frame.interleave",
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage ldpc.decode: parameters, plan() and the table of its backends. */
#include "plugins/ldpc/decode.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/common/checks/checks.h"
#include "plugins/ldpc/code/library.h"
#include "plugins/ldpc/code/split.h"
#include "plugins/ldpc/plugin.h"

#define MAX_ITERATIONS 1000

#define NR_LEAST_ROWS 4

enum {
    P_ITERATIONS = LDPC_N_CODE_PARAMS,
    P_ROWS,
    P_CHECK_RULE,
    P_SCHEDULE,
    P_ALPHA,
    P_ALPHA_LAST,
    P_BETA,
    P_ORDER,
    P_EARLY_STOP,
    P_ERASURES,
    P_ROW_ORDER,
};

enum { FORWARD, REVERSE };

enum { ON_SYNDROME, NEVER };

enum { LEAVE, SOLVE };

static const char *const check_rules[] = {
    [LDPC_NMS] = "min-sum", [LDPC_OMS] = "offset-min-sum", [LDPC_SPA] = "sum-product", NULL};

static void free_code(void *code)
{
    struct ldpc_decode *d = code;

    if (!d)
        return;
    if (d->listed)
        ldpc_schedule_free(d->schedule);
    ldpc_library_give(d->code);
    free(d);
}

static int check_input(const struct ldpc_decode *d, const struct fecrun_frame *in,
                       struct fecrun_error *err)
{
    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items != d->code->n)
        return fecrun_fail(err, NULL,
                           "the input has %llu LLRs a frame and the code's word has N = %u%s",
                           (unsigned long long)in->items, d->code->n,
                           d->code->family == LDPC_NR ? " (ldpc.rate_recover with "
                                                        "the same bg and z gives as many)"
                                                      : "");
    return 0;
}

/* What the user wrote, or what rate matching left, or all. */
static int read_rows(struct ldpc_decode *d, const struct fecrun_value *value,
                     const struct fecrun_frame *in, struct fecrun_error *err)
{
    const bool automatic = checks_auto(value);
    uint32_t most = d->code->rows;
    double rows = automatic ? fecrun_fact_get(in, LDPC_FACT_ROWS, most) : (double)value->i;

    d->rows = most;
    if (d->code->family != LDPC_NR) {
        if (!automatic)
            return fecrun_fail(err, "rows", "only code: nr can do without some of its rows");
        return 0;
    }
    if (!(rows >= NR_LEAST_ROWS && rows <= most))
        return fecrun_fail(err, "rows", "%s%g: base graph %u is used with %u to %u rows",
                           automatic ? "the input says " : "", rows, d->code->bg, NR_LEAST_ROWS,
                           most);
    d->rows = (uint32_t)rows;
    return 0;
}

/* A value that would change nothing is a mistake of its writer. */
static int check_effects(const struct ldpc_decode *d, const struct fecrun_values *values,
                         struct fecrun_error *err)
{
    const char *rule = fecrun_value(values, P_CHECK_RULE)->s;

    if (d->algorithm != LDPC_NMS && checks_written(fecrun_value(values, P_ALPHA)))
        return fecrun_fail(err, "alpha", "is the factor of check_rule: min-sum; %s has none", rule);
    if (d->algorithm != LDPC_NMS && checks_written(fecrun_value(values, P_ALPHA_LAST)))
        return fecrun_fail(err, "alpha_last", "is a factor of check_rule: min-sum; %s has none",
                           rule);
    if (d->algorithm != LDPC_OMS && checks_written(fecrun_value(values, P_BETA)))
        return fecrun_fail(err, "beta", "is the offset of check_rule: offset-min-sum; %s has none",
                           rule);
    if (d->rule == LDPC_FLOODING && checks_written(fecrun_value(values, P_ORDER)))
        return fecrun_fail(err, "order",
                           "is that of schedule: layered; flooding takes all rows at "
                           "once");
    if (fecrun_value(values, P_ROW_ORDER)->given &&
        (d->rule == LDPC_FLOODING || checks_written(fecrun_value(values, P_ORDER))))
        return fecrun_fail(err, "row_order", "is of schedule: layered, and instead of order");
    return 0;
}

/* Offsets and sums of exponentials want natural LLRs; min-sum with a factor takes any. */
static int read_scale(struct ldpc_decode *d, const struct fecrun_frame *in,
                      struct fecrun_error *err)
{
    d->llr_max = in->llr_max;
    d->llr_scale = in->llr_scale > 0 ? in->llr_scale : 1;
    if (d->algorithm == LDPC_NMS)
        return 0;
    return checks_scale(in, "check_rule", check_rules[d->algorithm], "min-sum", err);
}

static struct ldpc_alphas alpha_auto(const struct ldpc_decode *d, const struct fecrun_frame *in)
{
    static const char *const key[] = {LDPC_FACT_COLUMNS_LOW, LDPC_FACT_COLUMNS_HIGH};
    bool received[2 * LDPC_FACT_COLUMNS], said = true;

    for (unsigned i = 0; i < 2; i++) {
        const double known = fecrun_fact_get(in, key[i], -1);

        said = said && known >= 0;
        for (unsigned j = 0; said && j < LDPC_FACT_COLUMNS; j++)
            received[i * LDPC_FACT_COLUMNS + j] = (uint64_t)known >> j & 1;
    }
    return ldpc_alpha_auto(d->code, d->rows, said ? received : NULL);
}

/* With a number for the first iteration, `auto` of the last one is the same number. */
static void read_alpha(struct ldpc_decode *d, const struct fecrun_values *values,
                       const struct fecrun_frame *in)
{
    const struct fecrun_value *first = fecrun_value(values, P_ALPHA);
    const struct fecrun_value *last = fecrun_value(values, P_ALPHA_LAST);
    struct ldpc_alphas alpha = alpha_auto(d, in);

    d->quick = checks_auto(first) && checks_auto(last);
    if (!checks_auto(first))
        alpha = (struct ldpc_alphas){.first = first->f, .last = first->f};
    if (!checks_auto(last))
        alpha.last = alpha.row_last = last->f;
    d->alpha = alpha.first;
    d->rise = alpha.last - alpha.first;
    d->by_row = alpha.by_row && d->algorithm == LDPC_NMS;
    d->row_first = alpha.row_first;
    d->row_last = alpha.row_last;
    memcpy(d->row_kind, alpha.kind, sizeof d->row_kind);
}

static int read_method(struct ldpc_decode *d, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *beta = fecrun_value(values, P_BETA);
    const struct fecrun_value *order = fecrun_value(values, P_ORDER);

    d->iterations = (uint32_t)fecrun_value(values, P_ITERATIONS)->i;
    d->algorithm = (enum ldpc_algorithm)fecrun_value(values, P_CHECK_RULE)->i;
    d->rule = (enum ldpc_rule)fecrun_value(values, P_SCHEDULE)->i;
    d->early_stop = fecrun_value(values, P_EARLY_STOP)->i == ON_SYNDROME;
    d->solve = fecrun_value(values, P_ERASURES)->i == SOLVE;
    if (check_effects(d, values, err))
        return -1;
    read_alpha(d, values, in);
    d->beta = checks_auto(beta) ? 0.5 : beta->f;
    if (checks_auto(order))
        d->reverse = d->code->family == LDPC_NR && d->rule == LDPC_LAYERED;
    else
        d->reverse = order->i == REVERSE;
    return read_scale(d, in, err);
}

static int fill(struct ldpc_decode *d, const struct fecrun_values *values,
                const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *list = fecrun_value(values, P_ROW_ORDER);
    const struct fecrun_values *code;
    struct ldpc_split split;

    code = ldpc_split_values(&split, values, LDPC_N_CODE_PARAMS, LDPC_P_BG, in, err);
    d->code = code ? ldpc_library_take(code, err) : NULL;
    if (!d->code)
        return -1;
    d->bits = d->code->k - d->code->fillers;
    if (check_input(d, in, err) || read_rows(d, fecrun_value(values, P_ROWS), in, err) ||
        read_method(d, values, in, err))
        return -1;
    d->listed = list->given;
    d->schedule = d->listed ? ldpc_schedule_listed(d->code, d->rows, list->ints, list->count, err)
                            : ldpc_library_schedule(d->code, d->rows, d->reverse, err);
    return d->schedule ? 0 : -1;
}

static void say(const struct ldpc_decode *d, char *note, size_t size)
{
    size_t used = 0;

    if (d->code->family == LDPC_NR)
        used = (size_t)snprintf(note, size, "%u rows; ", d->rows);
    if (d->by_row)
        used += (size_t)snprintf(note + used, size - used, "alpha = %.3g and less to %.3g by row",
                                 d->row_first, d->row_last);
    else if (d->algorithm == LDPC_NMS && d->rise == 0)
        used += (size_t)snprintf(note + used, size - used, "alpha = %.3g", d->alpha);
    else if (d->algorithm == LDPC_NMS)
        used += (size_t)snprintf(note + used, size - used, "alpha = %.3g to %.3g", d->alpha,
                                 d->alpha + d->rise);
    else if (d->algorithm == LDPC_OMS)
        used += (size_t)snprintf(note + used, size - used, "beta = %.3g", d->beta);
    else
        used += (size_t)snprintf(note + used, size - used, "sum-product");
    if (d->rule == LDPC_LAYERED)
        used += (size_t)snprintf(note + used, size - used, "; %s",
                                 d->listed    ? "rows in the order of row_order"
                                 : d->reverse ? "last row first"
                                              : "first row first");
    if (d->solve)
        snprintf(note + used, size - used, "; erasures solved");
}

/* What was true of the LLRs that arrived; but rows that reach none of them tell nothing of the word afterwards. */
static void drop_facts(struct fecrun_frame *out, bool word)
{
    static const char *const of_word[] = {LDPC_FACT_ROWS, LDPC_FACT_K, LDPC_FACT_N, LDPC_FACT_Z};

    for (unsigned i = 0; !word && i < sizeof of_word / sizeof *of_word; i++)
        fecrun_fact_drop(out, of_word[i]);
    fecrun_fact_drop(out, LDPC_FACT_RECEIVED);
    fecrun_fact_drop(out, LDPC_FACT_COLUMNS_LOW);
    fecrun_fact_drop(out, LDPC_FACT_COLUMNS_HIGH);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct ldpc_decode *d = calloc(1, sizeof *d);

    (void)host;
    if (!d)
        return fecrun_no_memory(err);
    if (fill(d, values, in[0], err)) {
        free_code(d);
        return -1;
    }
    result->code = d;
    ldpc_identity(result, d->code);
    checks_warn_rate(result, fecrun_fact_get(in[0], LDPC_FACT_RECEIVED, INFINITY), (double)d->bits);
    fecrun_frame_bits(out[LDPC_OUT], in[0], d->bits);
    checks_soft_output(out[LDPC_OUT_LLR], in[0], d->bits);
    checks_soft_output(out[LDPC_OUT_CODE_LLR], in[0], d->code->n);
    for (unsigned p = 0; p < LDPC_OUTPUTS; p++)
        drop_facts(out[p], p == LDPC_OUT_CODE_LLR);
    say(d, result->note, sizeof result->note);
    return 0;
}

static const struct fecrun_old_choice *const old_check_rules[] = {
    FECRUN_OLD_CHOICE(.old = "nms", .now = "min-sum"),
    FECRUN_OLD_CHOICE(.old = "oms", .now = "offset-min-sum"),
    FECRUN_OLD_CHOICE(.old = "spa", .now = "sum-product"), NULL};

static const char *const rules[] = {[LDPC_LAYERED] = "layered", [LDPC_FLOODING] = "flooding", NULL};

static const char *const orders[] = {[FORWARD] = "forward", [REVERSE] = "reverse", NULL};

static const char *const stops[] = {[ON_SYNDROME] = "syndrome", [NEVER] = "none", NULL};

static const char *const erasures[] = {[LEAVE] = "leave", [SOLVE] = "solve", NULL};

static const struct fecrun_param *const params[] = {
    LDPC_CODE_PARAMS,
    FECRUN_PARAM(.name = "iterations", .type = FECRUN_VALUE_INT, .imin = 1, .imax = MAX_ITERATIONS,
                 .default_text = "10",
                 .help = "largest number of iterations; each processes every row once"),
    FECRUN_PARAM(.name = "rows", .type = FECRUN_VALUE_INT,
                 .flags = FECRUN_PARAM_MAY_AUTO | FECRUN_PARAM_SIZE, .imin = NR_LEAST_ROWS,
                 .imax = 46, .default_text = "auto",
                 .help =
                     "nr: number of rows of the base graph in use, if the bits of the others were "
                     "not sent; auto: from ldpc.rate_recover, else all"),
    FECRUN_PARAM(.name = "check_rule", .type = FECRUN_VALUE_CHOICE, .choices = check_rules,
                 .default_text = "min-sum",
                 .help = "rule of a check node: minimum of LLRs times alpha (normalised min-sum), "
                         "minimum less beta, or exact sum",
                 .old_names = (const char *const[]){"algorithm", NULL},
                 .old_choices = old_check_rules),
    FECRUN_PARAM(.name = "schedule", .type = FECRUN_VALUE_CHOICE, .choices = rules,
                 .default_text = "layered",
                 .help = "layered: a row sees what those before it found in the same iteration; "
                         "flooding: all rows at once"),
    FECRUN_PARAM(.name = "alpha", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .fmin = 0.05, .fmax = 1, .default_text = "auto",
                 .help =
                     "min-sum: factor of the minimum; auto: rises from iteration to iteration, by "
                     "code and, NR, by what was received"),
    FECRUN_PARAM(.name = "alpha_last", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .fmin = 0.05, .fmax = 1, .default_text = "auto",
                 .help =
                     "min-sum: factor of the last iteration, reached in equal steps; auto: alpha, "
                     "if that is a number, else by code"),
    FECRUN_PARAM(.name = "beta", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "natural LLR", .fmin = 0, .fmax = 10, .default_text = "auto",
                 .help = "offset-min-sum: offset that is subtracted from the minimum; auto: 0.5"),
    FECRUN_PARAM(.name = "order", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = orders, .default_text = "auto",
                 .help =
                     "layered: first or last row of the base graph first; auto: reverse for nr, "
                     "which gains 0.1 to 0.2 dB, else forward"),
    FECRUN_PARAM(.name = "early_stop", .type = FECRUN_VALUE_CHOICE, .choices = stops,
                 .default_text = "syndrome",
                 .help = "syndrome: a frame is done when all checks hold; none: all iterations"),
    FECRUN_PARAM(.name = "erasures", .type = FECRUN_VALUE_CHOICE, .choices = erasures,
                 .default_text = "leave",
                 .help = "solve: if checks do not hold, bits with LLR 0 after the iterations are "
                         "computed from the others, if these determine them; backend ref only"),
    FECRUN_PARAM(.name = "row_order", .type = FECRUN_VALUE_INTS, .imin = 0, .imax = 1 << 17,
                 .help =
                     "instead of order: the base rows, each once, in the order in which they are "
                     "decoded; those that are not in use are passed over; backends ref and simd"),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    &ldpc_decode_ref, &ldpc_decode_cuda, &ldpc_decode_simd, &ldpc_decode_cuda_general, NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 2}", .items = 132),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 3, rows: 4}", .items = 150),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 7, rows: 9, order: forward}", .items = 462),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 52, fillers: 40}", .items = 2600),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 32, fillers: 128}", .items = 1600), /* Kb = 6 */
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 36, rows: 13, fillers: 5, early_stop: none}",
                   .items = 2376),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 13, check_rule: sum-product}", .items = 650),
    FECRUN_EXAMPLE(.params =
                       "{code: nr, bg: 1, z: 20, check_rule: offset-min-sum, beta: 0.3, rows: 20}",
                   .items = 1320),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 16, schedule: flooding, iterations: 20}",
                   .items = 800),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 384, rows: 5}", .items = 25344),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 384, fillers: 100, iterations: 4}",
                   .items = 25344),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 384, rows: 42, iterations: 1, early_stop: none}",
                   .items = 19200),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 240, rows: 46, check_rule: offset-min-sum}",
                   .items = 15840),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 11, fillers: 30, erasures: solve}",
                   .items = 550),
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 648, rate: 5/6}", .items = 648),
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 648, rate: 5/6, row_order: [2, 0, 3, 1]}",
                   .items = 648),
    FECRUN_EXAMPLE(.params =
                       "{code: wifi, n: 648, rate: 3/4, check_rule: sum-product, erasures: solve}",
                   .items = 648),
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 1944, rate: 1/2, early_stop: none}", .items = 1944),
    FECRUN_EXAMPLE(.params =
                       "{code: wifi, n: 1296, rate: 3/4, check_rule: sum-product, order: reverse}",
                   .items = 1296),
    FECRUN_EXAMPLE(.params = "{code: wimax, n: 576, rate: 1/2, check_rule: sum-product, "
                             "schedule: flooding, iterations: 100}",
                   .items = 576),
    FECRUN_EXAMPLE(.params = "{code: wimax, n: 2304, rate: 2/3B, alpha: 0.8}", .items = 2304),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: short, rate: 8/9}", .items = 16200),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: short, rate: 1/4, schedule: flooding, "
                             "check_rule: offset-min-sum, iterations: 5}",
                   .items = 16200),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: normal, rate: 1/2, iterations: 2}",
                   .items = 64800),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 512}", .items = 512),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 8176, iterations: 5}", .items = 8176),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 1280}", .items = 1280),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 8192, iterations: 5}", .items = 8192),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 384, early_stop: none}", .items = 25344,
                   .type = FECRUN_I8, .llr_max = 127, .batch = 64),
    NULL};

static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits"),
    FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "LLRs of these bits after the last iteration, in units of the input"),
    FECRUN_PORT(.name = "code_llr", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "the same for all N bits of the word, in its order; fillers: 2^20"),
    NULL};

const struct fecrun_stage ldpc_decode_stage = {
    FECRUN_TRANSFORM(plan, free_code),
    .name = "ldpc.decode",
    .flags = FECRUN_STAGE_CHECKS,
    .summary = "LDPC decoder for soft input; marks frames whose checks do not hold",
    .params = params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = outputs,
    .backends = backends,
    .examples = examples,
    .undoes = "ldpc.encode",
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage ldpc.syndrome: parameters, plan() and the table of its backends. */
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/ldpc/code/library.h"
#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/syndrome/syndrome.h"

#define MAX_ITERATIONS 10000

#define MAX_LEGS 10000

#define MAX_ORDER_E 16
#define MAX_ORDER_CS 200

enum {
    P_P = LDPC_N_CODE_PARAMS,
    P_PRIORS,
    P_ITERATIONS,
    P_CHECK_RULE,
    P_ALPHA,
    P_OSD,
    P_OSD_ORDER,
    P_GAMMA0,
    P_LEGS,
    P_LEG_ITERATIONS,
    P_GAMMA_MIN,
    P_GAMMA_MAX,
    P_GAMMA_SEED,
    P_SOLUTIONS,
};

enum { CODE_DEM = LDPC_CCSDS + 1 };

static void free_code(void *code)
{
    struct ldpc_syndrome *d = code;

    if (!d)
        return;
    ldpc_library_give(d->code);
    free(d->row_first);
    free(d->col);
    free(d->col_first);
    free(d->edge_of_col);
    free(d->row_of_col);
    free(d->prior);
    free(d->weight);
    free(d);
}

static int check_input(const struct ldpc_syndrome *d, const struct fecrun_frame *in,
                       struct fecrun_error *err)
{
    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items == d->rows)
        return 0;
    return fecrun_fail(err, NULL, "the input has %llu bits a frame and the matrix has %u rows",
                       (unsigned long long)in->items, d->rows);
}

static int read_priors(struct ldpc_syndrome *d, const struct fecrun_values *values,
                       struct fecrun_error *err)
{
    const struct fecrun_value *p = fecrun_value(values, P_P);
    const struct fecrun_value *file = fecrun_value(values, P_PRIORS);

    if (!d->code && (p->given || file->given))
        return fecrun_fail(err, p->given ? "p" : "priors",
                           "code: dem has the probabilities already; leave this out");
    if (!d->code)
        return 0;
    if (!p->given && !file->given)
        return fecrun_fail(err, "p", "missing: give p, or priors with a probability a column");
    if (p->given && file->given)
        return fecrun_fail(err, "priors", "has the probabilities already; leave out p or priors");
    if (p->given && !(p->f > 0 && p->f < 1))
        return fecrun_fail(err, "p", "must be above 0 and below 1, is %g", p->f);
    return ldpc_syndrome_priors(d, file->given ? file->s : NULL, p->f, err);
}

static int read_order(struct ldpc_syndrome *d, const struct fecrun_value *order,
                      struct fecrun_error *err)
{
    const uint32_t most = d->osd == LDPC_OSD_E ? MAX_ORDER_E : MAX_ORDER_CS;

    if (d->osd < LDPC_OSD_E)
        return order->given ? fecrun_fail(err, "osd_order", "is that of osd: e and cs") : 0;
    if (!order->given)
        return fecrun_fail(err, "osd_order", "missing: osd: e and cs need it");
    if (order->i > most)
        return fecrun_fail(err, "osd_order",
                           "must be an integer from 1 to %u with this osd, is %lld", most,
                           (long long)order->i);
    d->order = (uint32_t)order->i;
    return 0;
}

/* Those of later legs have no meaning where there is none. */
static int check_legs(const struct fecrun_values *values, struct fecrun_error *err)
{
    static const struct {
        unsigned place;
        const char *name;
    } of_legs[] = {{P_LEG_ITERATIONS, "leg_iterations"},
                   {P_GAMMA_MIN, "gamma_min"},
                   {P_GAMMA_MAX, "gamma_max"},
                   {P_GAMMA_SEED, "gamma_seed"},
                   {P_SOLUTIONS, "solutions"}};

    for (unsigned i = 0; i < sizeof of_legs / sizeof *of_legs; i++)
        if (checks_written(fecrun_value(values, of_legs[i].place)))
            return fecrun_fail(err, of_legs[i].name, "is of legs after the first one; legs is 0");
    return 0;
}

static int read_relay(struct ldpc_syndrome *d, const struct fecrun_values *values,
                      struct fecrun_error *err)
{
    const struct fecrun_value *upper = fecrun_value(values, P_GAMMA_MAX);
    const double min = fecrun_value(values, P_GAMMA_MIN)->f, max = upper->f;

    d->gamma0 = (float)fecrun_value(values, P_GAMMA0)->f;
    d->legs = (uint32_t)fecrun_value(values, P_LEGS)->i;
    d->memory = d->legs || d->gamma0 != 0;
    d->solutions = 1;
    if (!d->legs)
        return check_legs(values, err);
    if (!(min <= max))
        return fecrun_fail(err, checks_written(upper) ? "gamma_max" : "gamma_min",
                           "gamma_min, %g, must not be above gamma_max, %g", min, max);
    d->gamma_min = (float)min;
    d->gamma_width = (float)(max - min);
    d->gamma_seed = (uint64_t)fecrun_value(values, P_GAMMA_SEED)->i;
    d->leg_iterations = (uint32_t)fecrun_value(values, P_LEG_ITERATIONS)->i;
    d->solutions = (uint32_t)fecrun_value(values, P_SOLUTIONS)->i;
    if (d->solutions > d->legs + 1)
        return fecrun_fail(err, "solutions", "must be 1 to %u, as many as there are legs, is %u",
                           d->legs + 1, d->solutions);
    return 0;
}

static int read_method(struct ldpc_syndrome *d, const struct fecrun_values *values,
                       struct fecrun_error *err)
{
    const struct fecrun_value *alpha = fecrun_value(values, P_ALPHA);

    d->iterations = (uint32_t)fecrun_value(values, P_ITERATIONS)->i;
    d->rule = (enum ldpc_syndrome_rule)fecrun_value(values, P_CHECK_RULE)->i;
    d->alpha = (float)alpha->f;
    d->osd = (enum ldpc_osd)fecrun_value(values, P_OSD)->i;
    if (d->rule != LDPC_SYNDROME_MIN_SUM && checks_written(alpha))
        return fecrun_fail(err, "alpha",
                           "is the factor of check_rule: min-sum; sum-product has none");
    if (read_order(d, fecrun_value(values, P_OSD_ORDER), err))
        return -1;
    return read_relay(d, values, err);
}

/* code: dem has the parameter path of the codes' files only. */
static int read_model(struct ldpc_syndrome *d, const struct fecrun_values *values,
                      struct fecrun_error *err)
{
    for (unsigned i = LDPC_P_CODE + 1; i < LDPC_N_CODE_PARAMS; i++)
        if (i != LDPC_P_PATH && checks_written(fecrun_value(values, i)))
            return fecrun_fail(err, ldpc_code_param[i].name, "code: dem has no such parameter");
    if (!fecrun_value(values, LDPC_P_PATH)->given)
        return fecrun_fail(err, "path", "missing: the file of code: dem");
    return ldpc_syndrome_model(d, fecrun_value(values, LDPC_P_PATH)->s, err);
}

static int read_matrix(struct ldpc_syndrome *d, const struct fecrun_values *values,
                       struct fecrun_error *err)
{
    if (fecrun_value(values, LDPC_P_CODE)->i == CODE_DEM)
        return read_model(d, values, err);
    d->code = ldpc_library_take(values, err);
    return d->code ? ldpc_syndrome_matrix(d, err) : -1;
}

static int fill(struct ldpc_syndrome *d, const struct fecrun_values *values,
                const struct fecrun_frame *in, struct fecrun_error *err)
{
    if (read_matrix(d, values, err))
        return -1;
    return check_input(d, in, err) || read_priors(d, values, err) || read_method(d, values, err)
               ? -1
               : 0;
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct ldpc_syndrome *d = calloc(1, sizeof *d);

    (void)host;
    if (!d)
        return fecrun_no_memory(err);
    if (fill(d, values, in[0], err)) {
        free_code(d);
        return -1;
    }
    result->code = d;
    fecrun_frame_bits(out[LDPC_SYNDROME_ERROR], in[0], d->cols);
    checks_soft_output(out[LDPC_SYNDROME_LLR], in[0], d->cols);
    out[LDPC_SYNDROME_LLR]->kind = FECRUN_KIND_LLR;
    out[LDPC_SYNDROME_LLR]->llr_scale = 1;
    snprintf(result->note, sizeof result->note, "%u rows, %u columns, %u ones", d->rows, d->cols,
             d->edges);
    return 0;
}

static const char *const check_rules[] = {
    [LDPC_SYNDROME_MIN_SUM] = "min-sum", [LDPC_SYNDROME_SUM_PRODUCT] = "sum-product", NULL};

static const char *const osds[] = {
    [LDPC_OSD_NONE] = "none", [LDPC_OSD_0] = "0", [LDPC_OSD_E] = "e", [LDPC_OSD_CS] = "cs", NULL};

static const char *const codes[] = {
    [LDPC_NR] = "nr",       [LDPC_WIFI] = "wifi",   [LDPC_WIMAX] = "wimax",
    [LDPC_DVBS2] = "dvbs2", [LDPC_ALIST] = "alist", [LDPC_QC] = "qc",
    [LDPC_CCSDS] = "ccsds", [CODE_DEM] = "dem",     NULL,
};

/* LDPC_CODE_PARAMS with one more code. */
static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("code", codes, .flags = FECRUN_PARAM_REQUIRED,
                  .help = "where the matrix comes from: a code of ldpc.encode, MacKay's alist, qc, "
                          "or dem, a detector error model of stim"),
    &ldpc_code_param[LDPC_P_BG],
    &ldpc_code_param[LDPC_P_Z],
    &ldpc_code_param[LDPC_P_FILLERS],
    &ldpc_code_param[LDPC_P_N],
    &ldpc_code_param[LDPC_P_FRAME],
    &ldpc_code_param[LDPC_P_RATE],
    &ldpc_code_param[LDPC_P_PATH],
    FECRUN_FLOAT("p", 0, 1, .help = "probability of each column's error; or see priors"),
    FECRUN_PARAM(.name = "priors", .type = FECRUN_VALUE_PATH,
                 .help = "text file: a probability for each column, above 0 and below 1"),
    FECRUN_INT("iterations", 1, MAX_ITERATIONS, .default_text = "30",
               .help = "largest number of iterations of belief propagation"),
    FECRUN_CHOICE("check_rule", check_rules, .default_text = "min-sum",
                  .help = "rule of a check node: minimum of LLRs times alpha, or exact sum"),
    FECRUN_FLOAT("alpha", 0.05, 1, .default_text = "0.625",
                 .help = "min-sum: factor of the minimum"),
    FECRUN_CHOICE("osd", osds, .default_text = "0",
                  .help = "ordered statistics for frames that belief propagation leaves: order 0, "
                          "exhaustive, combination sweep"),
    FECRUN_INT(
        "osd_order", 1, MAX_ORDER_CS,
        .help = "e (1 to 16): columns of which all choices are tried; cs: of which all pairs "
                "are tried"),
    FECRUN_FLOAT("gamma0", -1, 1, .default_text = "0",
                 .help = "memory strength in the first leg; 0: LLRs are not remembered"),
    FECRUN_INT("legs", 0, MAX_LEGS, .default_text = "0",
               .help = "relay: largest number of legs after the first one"),
    FECRUN_INT("leg_iterations", 1, MAX_ITERATIONS, .default_text = "60",
               .help = "relay: largest number of iterations of each leg after the first one"),
    FECRUN_FLOAT("gamma_min", -1, 1, .default_text = "-0.24",
                 .help = "relay: least memory strength of legs after the first one"),
    FECRUN_FLOAT("gamma_max", -1, 1, .default_text = "0.66",
                 .help = "relay: largest one; each column's is drawn between them"),
    FECRUN_INT("gamma_seed", 0, INT64_MAX, .default_text = "0",
               .help = "relay: of the draws of memory strengths"),
    FECRUN_INT("solutions", 1, MAX_LEGS + 1, .default_text = "1",
               .help = "relay: legs that met the syndrome after which the lightest error is taken"),
    NULL,
};

static const struct fecrun_backend *const backends[] = {&ldpc_syndrome_ref, &ldpc_syndrome_simd,
                                                        NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 648, rate: 5/6, p: 0.01}", .items = 108),
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 648, rate: 3/4, p: 0.02, osd: none, alpha: 0.8}",
                   .items = 162),
    FECRUN_EXAMPLE(.params = "{code: wimax, n: 576, rate: 5/6, p: 0.01, check_rule: sum-product, "
                             "osd: cs, osd_order: 7}",
                   .items = 96),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 3, p: 0.1, osd: e, osd_order: 5, iterations: 5}",
                   .items = 126),
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 648, rate: 5/6, p: 0.01, alpha: 1, gamma0: 0.125}",
                   .items = 108),
    FECRUN_EXAMPLE(.params = "{code: wimax, n: 576, rate: 5/6, p: 0.015, alpha: 1, iterations: 10, "
                             "gamma0: 0.1, legs: 6, leg_iterations: 8, solutions: 3, osd: none}",
                   .items = 96),
    NULL};

static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "error", .kinds = FECRUN_KIND_BITS,
                .help = "bits: a likely error of each column with that syndrome"),
    FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "natural LLRs of the columns after the last iteration"),
    NULL};

const struct fecrun_stage ldpc_syndrome_stage = {
    FECRUN_TRANSFORM(plan, free_code),
    .name = "ldpc.syndrome",
    .flags = FECRUN_STAGE_CHECKS,
    .summary = "decoder of syndromes, as of quantum codes; marks frames whose syndrome is not met",
    .params = params,
    .inputs = FECRUN_ONE_PORT("syndrome", FECRUN_KIND_BITS, "bits, one for each row of the matrix"),
    .outputs = outputs,
    .backends = backends,
    .examples = examples,
};

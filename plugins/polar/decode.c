/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage polar.decode: parameters, plan() and the table of its backends. */
#include "plugins/polar/decode.h"

#include <fecrun/sdk/mask.h>
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/polar/code/ensemble.h"
#include "plugins/polar/code/params.h"
#include "plugins/polar/plugin.h"

#define MAX_ITERATIONS 1000

#define ALPHA 0.9375 /* of the slides; also as a text: alpha's default */

enum {
    P_ALGORITHM = POLAR_N_CODE_PARAMS,
    P_LIST,
    P_ENSEMBLE,
    P_ADAPTIVE,
    P_PRUNING,
    P_CRC,
    P_ONES,
    P_MASK,
    P_MASKS,
    P_ITERATIONS,
    P_CHECK_RULE,
    P_ALPHA,
    P_EARLY_STOP,
    N_PARAMS
};

static const char *const algorithms[] = {
    [POLAR_BP] = "bp", [POLAR_SC] = "sc", [POLAR_SCL] = "scl", [POLAR_AE] = "ae", NULL};

static const struct fecrun_param *const params[N_PARAMS + 1];

enum { FAST, UNPRUNED };

static const char *const prunings[] = {[FAST] = "fast", [UNPRUNED] = "none", NULL};

static const char *const rules[] = {[POLAR_MIN_SUM] = "min-sum",
                                    [POLAR_SUM_PRODUCT] = "sum-product",
                                    [POLAR_SUM_PRODUCT_LR] = "sum-product-lr",
                                    NULL};

static const char *const stops[] = {
    [POLAR_NEVER] = "none", [POLAR_GMATRIX] = "gmatrix", [POLAR_CRC] = "crc", NULL};

/* ---- What belongs together --------------------------------------------------------------------- */

/* Which algorithms have a parameter: bits 1 << enum polar_algorithm. */
static const struct {
    unsigned param, algorithms;
    const char *name, *whose;
} owners[] = {
    {P_LIST, 1 << POLAR_SCL, "list", "scl"},
    {P_ADAPTIVE, 1 << POLAR_SCL, "adaptive", "scl"},
    {P_ENSEMBLE, 1 << POLAR_AE, "ensemble", "ae"},
    {P_PRUNING, 1 << POLAR_SC | 1 << POLAR_SCL | 1 << POLAR_AE, "pruning", "sc, scl and ae"},
    {P_ITERATIONS, 1 << POLAR_BP, "iterations", "bp"},
    {P_CHECK_RULE, 1 << POLAR_BP, "check_rule", "bp"},
    {P_ALPHA, 1 << POLAR_BP, "alpha", "bp"},
    {P_EARLY_STOP, 1 << POLAR_BP, "early_stop", "bp"},
};

static int check_owners(const struct fecrun_values *values, enum polar_algorithm algorithm,
                        struct fecrun_error *err)
{
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (fecrun_value(values, owners[i].param)->given == 2 &&
            !(owners[i].algorithms >> algorithm & 1))
            return fecrun_fail(err, owners[i].name, "is that of algorithm: %s; %s has none",
                               owners[i].whose, algorithms[algorithm]);
    return 0;
}

static int read_crc(struct polar_decode *d, const struct fecrun_values *values,
                    const struct fecrun_frame *masks, struct fecrun_error *err)
{
    const uint32_t ones = (uint32_t)fecrun_value(values, P_ONES)->i;
    const uint32_t mask = (uint32_t)fecrun_value(values, P_MASK)->i;
    const struct fecrun_value *crc = fecrun_value(values, P_CRC);

    if (polar_crc_make(&d->crc, (enum crc_name)crc->i, ones, mask, err))
        return -1;
    if (fecrun_mask_port("masks", masks, fecrun_value(values, P_MASK)->given == 2,
                         fecrun_value(values, P_MASKS), err))
        return -1;
    if (!d->crc.width && (ones || mask || masks))
        return fecrun_fail(err,
                           ones   ? "ones"
                           : mask ? "mask"
                                  : "masks",
                           "is that of a CRC, and `crc` is none");
    if (d->crc.width && crc_check_room(d->code->k, d->crc.width, err))
        return -1;
    if (!d->crc.width && d->adaptive)
        return fecrun_fail(err, "adaptive", "needs `crc`, which says where the list has to run");
    if (!d->crc.width && d->stop == POLAR_CRC)
        return fecrun_fail(err, "early_stop", "crc needs `crc`, which names it");
    return 0;
}

static int read_bp(struct polar_decode *d, const struct fecrun_values *values,
                   const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *alpha = fecrun_value(values, P_ALPHA);

    d->iterations = (uint32_t)fecrun_value(values, P_ITERATIONS)->i;
    d->rule = (enum polar_rule)fecrun_value(values, P_CHECK_RULE)->i;
    d->stop = (enum polar_stop)fecrun_value(values, P_EARLY_STOP)->i;
    d->scale = alpha->is_auto ? ALPHA : alpha->f;
    d->llr_scale = in->llr_scale > 0 ? in->llr_scale : 1;
    if (d->rule != POLAR_MIN_SUM && checks_written(alpha))
        return fecrun_fail(err, "alpha", "is the factor of check_rule: min-sum; %s has none",
                           rules[d->rule]);
    return d->rule == POLAR_MIN_SUM
               ? 0
               : checks_scale(in, "check_rule", rules[d->rule], "min-sum", err);
}

static int read_programs(struct polar_decode *d, const struct fecrun_values *values,
                         struct fecrun_error *err)
{
    const bool pruned = fecrun_value(values, P_PRUNING)->i == FAST;

    if (d->algorithm == POLAR_SC || d->algorithm == POLAR_AE || d->adaptive)
        d->sc = polar_program_new(d->code, pruned, false);
    if (d->algorithm == POLAR_SCL)
        d->list = polar_program_new(d->code, pruned, true);
    if (d->algorithm == POLAR_SC || d->algorithm == POLAR_SCL) {
        d->words = polar_words_new(d->code, &d->crc);
        if (!d->words)
            return fecrun_no_memory(err);
    }
    if (d->algorithm != POLAR_BP && ((d->algorithm == POLAR_SCL && !d->list) ||
                                     ((d->algorithm != POLAR_SCL || d->adaptive) && !d->sc)))
        return fecrun_no_memory(err);
    return 0;
}

static int read_ensemble(struct polar_decode *d, const struct fecrun_values *values,
                         struct fecrun_error *err)
{
    const uint32_t members = (uint32_t)fecrun_value(values, P_ENSEMBLE)->i;
    const uint32_t most = polar_ensemble_most(d->code);

    if (members > most)
        return fecrun_fail(err, "ensemble",
                           "is %u, and this code has %u %s successive cancellation decodes "
                           "differently (Reed-Muller codes, construction: rm, have most)",
                           members, most,
                           most > 1 ? "orders of the word that" : "order of the word only that");
    d->members = members;
    d->permutation = malloc((size_t)members * d->code->n * sizeof *d->permutation);
    if (!d->permutation)
        return fecrun_no_memory(err);
    polar_ensemble_make(d->code, members, d->permutation);
    return 0;
}

/* ---- Planning -------------------------------------------------------------------------------- */

static int read_frame(struct polar_decode *d, const struct fecrun_frame *in,
                      struct fecrun_error *err)
{
    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items != d->code->n)
        return fecrun_fail(err, NULL,
                           "the input has %llu LLRs a frame and the word has N = %u "
                           "(polar.rate_recover gives as many)",
                           (unsigned long long)in->items, d->code->n);
    d->limit = in->type == FECRUN_I8 || in->type == FECRUN_I4 ? 127
               : in->type == FECRUN_I16                       ? 32767
                                                              : (double)FECRUN_LLR_MAX_F32;
    return 0;
}

/* nr-small: all that begins with the algorithm is of polar codes. */
static int check_small(const struct fecrun_values *values, struct fecrun_error *err)
{
    for (unsigned p = P_ALGORITHM; p < N_PARAMS; p++)
        if (fecrun_value(values, p)->given == 2)
            return fecrun_fail(err, params[p]->name,
                               "code: nr-small has no %s: it is decoded exactly, and has no CRC",
                               params[p]->name);
    return 0;
}

static int fill(struct polar_decode *d, const struct fecrun_values *values,
                const struct fecrun_frame *const ports[], struct fecrun_error *err)
{
    const struct fecrun_frame *in = ports[0];

    d->code = polar_read_code(values, err);
    if (!d->code || read_frame(d, in, err))
        return -1;
    if (d->code->small) {
        d->algorithm = POLAR_ML;
        return check_small(values, err);
    }
    d->algorithm = (enum polar_algorithm)fecrun_value(values, P_ALGORITHM)->i;
    if (check_owners(values, d->algorithm, err))
        return -1;
    if (d->algorithm == POLAR_SCL) {
        d->most_paths = (uint32_t)fecrun_value(values, P_LIST)->i;
        d->adaptive = fecrun_value(values, P_ADAPTIVE)->i;
    }
    if (d->algorithm == POLAR_BP && read_bp(d, values, in, err))
        return -1;
    if (d->algorithm == POLAR_AE && read_ensemble(d, values, err))
        return -1;
    return read_crc(d, values, ports[1], err) || read_programs(d, values, err) ? -1 : 0;
}

static void free_decode(void *code)
{
    struct polar_decode *d = code;

    if (!d)
        return;
    free(d->code);
    free(d->sc);
    free(d->list);
    free(d->words);
    free(d->permutation);
    free(d);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct polar_decode *d = calloc(1, sizeof *d);

    (void)host;
    if (!d)
        return fecrun_no_memory(err);
    if (fill(d, values, in, err)) {
        free_decode(d);
        return -1;
    }
    result->code = d;
    fecrun_frame_bits(out[0], in[0], d->code->k);
    fecrun_frame_bits(out[1], in[0], 1);
    out[1]->kind = FECRUN_KIND_VALUES;
    out[1]->type = FECRUN_F32;
    snprintf(result->note, sizeof result->note, "N = %u, K = %u", d->code->n, d->code->k);
    return 0;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const struct fecrun_param *const params[N_PARAMS + 1] = {
    POLAR_CODE_PARAMS,
    FECRUN_PARAM(.name = "algorithm", .type = FECRUN_VALUE_CHOICE, .choices = algorithms,
                 .default_text = "scl",
                 .help = "belief propagation, successive cancellation, that with a list, or an "
                         "ensemble of it"),
    FECRUN_PARAM(.name = "list", .type = FECRUN_VALUE_INT, .unit = "paths", .imin = 1,
                 .imax = POLAR_MOST_LIST, .default_text = "8", .help = "scl: L"),
    FECRUN_PARAM(.name = "ensemble", .type = FECRUN_VALUE_INT, .unit = "decoders", .imin = 1,
                 .imax = POLAR_MOST_ENSEMBLE, .default_text = "8",
                 .help =
                     "ae: M, each with the word in another order; except Reed-Muller codes, codes "
                     "have few such orders"),
    FECRUN_PARAM(.name = "adaptive", .type = FECRUN_VALUE_BOOL, .default_text = "false",
                 .help = "scl: sc first, and the list for frames whose CRC fails; iterations of a "
                         "frame are then 1 or 2"),
    FECRUN_PARAM(.name = "pruning", .type = FECRUN_VALUE_CHOICE, .choices = prunings,
                 .default_text = "fast",
                 .help = "sc, scl, ae: subtrees that are frozen, free, repeat a bit or have one "
                         "parity are decoded at once"),
    FECRUN_PARAM(.name = "crc", .type = FECRUN_VALUE_CHOICE, .choices = crc_names,
                 .default_text = "none",
                 .help =
                     "CRC of the K bits, which stays in the output; selects the path of scl and "
                     "marks frames where it fails"),
    FECRUN_PARAM(.name = "ones", .type = FECRUN_VALUE_INT, .unit = "bits", .imin = 0, .imax = 64,
                 .default_text = "0", .help = "as of crc.attach (downlink control: 24)"),
    FECRUN_PARAM(.name = "mask", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, .imin = 0,
                 .imax = 0xffffff, .default_text = "0",
                 .help = "as of crc.attach (downlink control: the RNTI)"),
    FECRUN_PARAM(.name = "masks", .type = FECRUN_VALUE_PORT,
                 .help = "a source of values: the mask of each frame, as of crc.attach"),
    FECRUN_PARAM(.name = "iterations", .type = FECRUN_VALUE_INT, .imin = 1, .imax = MAX_ITERATIONS,
                 .default_text = "35",
                 .help =
                     "bp: largest number of iterations, each to the left and to the right through "
                     "all stages"),
    FECRUN_PARAM(.name = "check_rule", .type = FECRUN_VALUE_CHOICE, .choices = rules,
                 .default_text = "min-sum",
                 .help =
                     "bp: rule of a check node: minimum of LLRs times alpha (normalised min-sum), "
                     "or exact sum, of LLRs or of likelihood ratios",
                 .old_names = (const char *const[]){"rule", NULL}),
    FECRUN_PARAM(.name = "alpha", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .fmin = 0.1, .fmax = 1, .default_text = "0.9375",
                 .help = "bp, min-sum: factor of the minimum; auto: 0.9375",
                 .old_names = (const char *const[]){"scale", NULL}),
    FECRUN_PARAM(.name = "early_stop", .type = FECRUN_VALUE_CHOICE, .choices = stops,
                 .default_text = "none",
                 .help = "bp: a frame is done when the decided u G is the decided x, or when its "
                         "CRC holds"),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    &polar_decode_ref, &polar_decode_cuda, &polar_decode_simd, &polar_decode_cuda_document, NULL};

static const struct fecrun_port *const inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR, .help = "LLRs of any scale"),
    FECRUN_PORT(.name = "masks", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                .help = "a number for each frame; a frame fails if it is no mask"),
    NULL};
static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits"),
    FECRUN_PORT(.name = "metric", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                .help = "sum of |LLR| of a frame where its word differs from the LLR's sign, in "
                        "units of the input: the path metric"),
    NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: plain, n: 1024, k: 512, algorithm: sc}", .items = 1024,
                   .type = FECRUN_I8, .llr_max = 127, .batch = 512),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 256, k: 140, algorithm: sc, pruning: none}",
                   .items = 256),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 128, k: 64, list: 4, crc: 11, adaptive: true}",
                   .items = 128),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 512, k: 256, crc: 16, construction: bec}",
                   .items = 512, .type = FECRUN_I8, .llr_max = 127, .batch = 64),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 128, k: 64, construction: rm, algorithm: ae, "
                             "ensemble: 5}",
                   .items = 128, .type = FECRUN_I8, .llr_max = 127, .batch = 70),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 64, k: 42, construction: rm, algorithm: ae, crc: 6}",
                   .items = 64),
    FECRUN_EXAMPLE(.params = "{code: nr, k: 20, e: 40, list: 2, crc: 6}", .items = 64),
    FECRUN_EXAMPLE(.params = "{code: nr, k: 22, e: 300, crc: 6}", .items = 256, .type = FECRUN_I8,
                   .llr_max = 127, .batch = 40),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 2048, k: 1024, construction: ga, list: 4}",
                   .items = 2048, .type = FECRUN_I8, .llr_max = 127, .batch = 4),
    FECRUN_EXAMPLE(.params = "{code: nr, k: 64, e: 216, n_max: 9, input_interleave: true, "
                             "crc: 24c, ones: 24, mask: 0x1234, list: 32}",
                   .items = 256),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 11}", .items = 32),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 5}", .items = 32, .type = FECRUN_I8,
                   .llr_max = 127, .batch = 1024),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 2, qm: 4}", .items = 12),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 256, k: 128, algorithm: bp, iterations: 10}",
                   .items = 256),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 128, k: 64, algorithm: bp, early_stop: gmatrix, "
                             "check_rule: sum-product}",
                   .items = 128),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 64, k: 32, algorithm: bp, early_stop: crc, "
                             "crc: 8, check_rule: sum-product-lr, iterations: 20}",
                   .items = 64),
    NULL};

const struct fecrun_stage polar_decode_stage = {
    FECRUN_TRANSFORM(plan, free_decode),
    .name = "polar.decode",
    .summary = "polar decoder for soft input; marks frames whose CRC fails",
    .params = params,
    .inputs = inputs,
    .outputs = outputs,
    .backends = backends,
    .examples = examples,
    .undoes = "polar.encode",
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage turbo.decode: parameters, plan() and the table of its backends. */
#include "plugins/turbo/decode.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/turbo/code/params.h"
#include "plugins/turbo/plugin.h"

#define MAX_ITERATIONS 100

/* With the fewest wrong frames, as measured: of eight and of 16 states. */
#define MAX_LOG_SCALE 0.75
#define MAX_LOG_SCALE_MANY 0.65

enum {
    P_ITERATIONS = TURBO_N_CODE_PARAMS,
    P_ALGORITHM,
    P_ALPHA,
    P_SUB_BLOCKS,
    P_EARLY_STOP,
    P_CRC,
    P_THRESHOLD,
    P_APRIORI,
    P_EXTRA_HALF,
};

enum { STOP_NEVER, STOP_MEAN_LLR, STOP_MIN_LLR, STOP_CRC };

enum { WITHOUT_CRC, WITH_24A, WITH_24B };

/* ---- Sizes ----------------------------------------------------------------------------------- */

static int read_code(struct turbo_decode *d, const struct fecrun_values *values,
                     const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct turbo_family *family = turbo_read_family(values, err);
    struct turbo_code code;
    char items[48];

    if (!family || checks_frames(in, "block codes work", err))
        return -1;
    snprintf(items, sizeof items, "%llu LLRs a frame", (unsigned long long)in->items);
    /* a block that no table has, if the frames are no whole words */
    if (turbo_read_code(&code, values, turbo_block_of(family, in->items), items, err))
        return -1;
    d->family = family;
    d->qpp = code.qpp;
    d->k = code.k;
    d->fillers = code.fillers;
    d->bits = d->k - d->fillers;
    d->word = turbo_family_word(family, d->k);
    d->received = fecrun_fact_get(in, TURBO_FACT_RECEIVED, d->word);
    if (in->items != d->word)
        return fecrun_fail(err, NULL,
                           "the input has %llu LLRs a frame and the word of a block of "
                           "%u bits has %s%u%s",
                           (unsigned long long)in->items, d->k,
                           family == &turbo_lte ? "3 (K + 4) = " : "", d->word,
                           family == &turbo_lte ? " (turbo.rate_recover gives as many)" : "");
    return 0;
}

/* The largest and the smallest divisor of k on both sides of p that make a sub-block long enough. */
static void near_divisors(uint32_t k, uint32_t p, uint32_t *below, uint32_t *above)
{
    const uint32_t most = k / TURBO_LEAST_STEPS;

    *below = p < most ? p : most;
    while (k % *below)
        --*below;
    *above = p < most ? p : most;
    while (k % *above)
        ++*above;
}

static int read_sub_blocks(struct turbo_decode *d, const struct fecrun_value *value,
                           struct fecrun_error *err)
{
    const uint32_t p = checks_auto(value) ? 0 : (uint32_t)value->i;
    uint32_t below, above;

    d->sub_blocks = p;
    if (!p || (d->k % p == 0 && d->k / p >= TURBO_LEAST_STEPS))
        return 0;
    near_divisors(d->k, p, &below, &above);
    if (below == above)
        return fecrun_fail(err, "sub_blocks",
                           "is %u; a sub-block has at least %d of the K = %u "
                           "bits, so that there are at most %u",
                           p, TURBO_LEAST_STEPS, d->k, below);
    return fecrun_fail(err, "sub_blocks",
                       "%u sub-blocks do not divide the K = %u bits evenly; the "
                       "next numbers that do are %u and %u",
                       p, d->k, below, above);
}

/* ---- Method ---------------------------------------------------------------------------------- */

/* log-map and thresholds are about natural LLRs; max-log alone works at any scale. */
static int read_scale(struct turbo_decode *d, const struct fecrun_frame *in,
                      struct fecrun_error *err)
{
    const bool threshold = d->stop == TURBO_MEAN_LLR || d->stop == TURBO_MIN_LLR;

    d->llr_max = in->llr_max;
    d->llr_scale = in->llr_scale > 0 ? in->llr_scale : 1;
    if (threshold)
        return checks_scale(in, "early_stop", "the threshold", "none or a CRC", err);
    return d->algorithm == TURBO_MAX_LOG ? 0
                                         : checks_scale(in, "algorithm", "log-map", "max-log", err);
}

static int read_stop(struct turbo_decode *d, const struct fecrun_values *values,
                     struct fecrun_error *err)
{
    static const enum turbo_stop rules[] = {[STOP_NEVER] = TURBO_NEVER,
                                            [STOP_MEAN_LLR] = TURBO_MEAN_LLR,
                                            [STOP_MIN_LLR] = TURBO_MIN_LLR};
    const int64_t stop = fecrun_value(values, P_EARLY_STOP)->i;
    const int64_t crc = fecrun_value(values, P_CRC)->i;

    if (stop == STOP_CRC && crc == WITHOUT_CRC)
        return fecrun_fail(err, "early_stop", "crc needs `crc`, which names it");
    d->stop = stop != STOP_CRC ? rules[stop] : crc == WITH_24A ? TURBO_CRC24A : TURBO_CRC24B;
    return 0;
}

static int read_method(struct turbo_decode *d, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *scale = fecrun_value(values, P_ALPHA);
    const struct fecrun_value *threshold = fecrun_value(values, P_THRESHOLD);

    d->iterations = (uint32_t)fecrun_value(values, P_ITERATIONS)->i;
    d->algorithm = (enum turbo_algorithm)fecrun_value(values, P_ALGORITHM)->i;
    d->threshold = threshold->f;
    d->scale = scale->f;
    d->extra_half = fecrun_value(values, P_EXTRA_HALF)->i != 0;
    if (read_stop(d, values, err))
        return -1;
    if (checks_auto(scale))
        d->scale = d->algorithm != TURBO_MAX_LOG ? 1
                   : d->family->memory > 3       ? MAX_LOG_SCALE_MANY
                                                 : MAX_LOG_SCALE;
    if (checks_written(threshold) && d->stop != TURBO_MEAN_LLR && d->stop != TURBO_MIN_LLR)
        return fecrun_fail(err, "threshold",
                           "is that of early_stop: mean-llr and min-llr; %s has "
                           "none",
                           fecrun_value(values, P_EARLY_STOP)->s);
    if ((d->stop == TURBO_CRC24A || d->stop == TURBO_CRC24B) && crc_check_room(d->bits, 24, err))
        return -1;
    return read_scale(d, in, err);
}

/* Where both scales are known, LLRs of one are made those of the other. */
static int read_apriori(struct turbo_decode *d, const struct fecrun_value *value,
                        const struct fecrun_frame *in, const struct fecrun_frame *apriori,
                        struct fecrun_error *err)
{
    d->apriori = 1;
    if (!apriori) {
        if (value->given)
            return fecrun_fail(err, "apriori",
                               "`%s` is no stage before this one; a file comes in through a "
                               "source.file with an id",
                               value->s);
        return 0;
    }
    if (apriori->stream || apriori->items != d->bits)
        return fecrun_fail(err, "apriori", "has to be frames of %u LLRs, one a bit; has %llu%s",
                           d->bits, (unsigned long long)apriori->items,
                           apriori->stream ? " of one stream" : "");
    if (in->llr_scale > 0 && apriori->llr_scale > 0)
        d->apriori = in->llr_scale / apriori->llr_scale;
    return 0;
}

static int fill(struct turbo_decode *d, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_error *err)
{
    *d = (struct turbo_decode){0};
    if (read_code(d, values, in[TURBO_IN], err) ||
        read_sub_blocks(d, fecrun_value(values, P_SUB_BLOCKS), err) ||
        read_apriori(d, fecrun_value(values, P_APRIORI), in[TURBO_IN], in[TURBO_IN_APRIORI], err))
        return -1;
    return read_method(d, values, in[TURBO_IN], err);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct turbo_decode d;

    if (fill(&d, values, in, err))
        return -1;
    d.low_latency = host && host->latency == FECRUN_LATENCY_LOW;
    if (!fecrun_code(result, sizeof d, err))
        return -1;
    memcpy(result->code, &d, sizeof d);
    turbo_identity(result, d.family, d.k, d.fillers);
    checks_warn_rate(result, fecrun_fact_get(in[0], TURBO_FACT_RECEIVED, d.bits), d.bits);
    fecrun_frame_bits(out[TURBO_OUT], in[0], d.bits);
    checks_soft_output(out[TURBO_OUT_LLR], in[0], d.bits);
    checks_soft_output(out[TURBO_OUT_EXTRINSIC], in[0], d.bits);
    checks_soft_output(out[TURBO_OUT_CODE_LLR], in[0], d.word);
    for (unsigned p = 0; p < TURBO_OUTPUTS; p++)
        fecrun_fact_drop(out[p], TURBO_FACT_RECEIVED);
    snprintf(result->note, sizeof result->note, "%s%sK = %u, extrinsic LLRs times %.3g",
             d.family == &turbo_lte ? "" : d.family->name, d.family == &turbo_lte ? "" : ", ", d.k,
             d.scale);
    return 0;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *const algorithms[] = {
    [TURBO_MAX_LOG] = "max-log", [TURBO_LOG_MAP] = "log-map", NULL};

static const char *const stops[] = {[STOP_NEVER] = "none",
                                    [STOP_MEAN_LLR] = "mean-llr",
                                    [STOP_MIN_LLR] = "min-llr",
                                    [STOP_CRC] = "crc",
                                    NULL};

static const struct fecrun_old_choice *const old_stops[] = {
    FECRUN_OLD_CHOICE(.old = "crc24a", .now = "crc", .param = "crc", .value = "24a"),
    FECRUN_OLD_CHOICE(.old = "crc24b", .now = "crc", .param = "crc", .value = "24b"), NULL};

static const char *const crcs[] = {
    [WITHOUT_CRC] = "none", [WITH_24A] = "24a", [WITH_24B] = "24b", NULL};

static const struct fecrun_param *const params[] = {
    TURBO_CODE_PARAMS,
    FECRUN_PARAM(.name = "iterations", .type = FECRUN_VALUE_INT, .imin = 1, .imax = MAX_ITERATIONS,
                 .default_text = "6",
                 .help = "largest number of iterations; each decodes both trellises once"),
    FECRUN_PARAM(.name = "algorithm", .type = FECRUN_VALUE_CHOICE, .choices = algorithms,
                 .default_text = "max-log",
                 .help = "sums of probabilities: the largest term only, or exact"),
    FECRUN_PARAM(
            .name = "alpha", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_MAY_AUTO,
            .fmin = 0.1, .fmax = 1, .default_text = "auto",
            .help =
                "factor of extrinsic LLRs between half iterations; auto: 0.75 for max-log (ccsds "
                "0.65), 1 for log-map",
            .old_names = (const char *const[]){"extrinsic_scale", NULL}),
    FECRUN_PARAM(.name = "sub_blocks", .type = FECRUN_VALUE_INT,
                 .flags = FECRUN_PARAM_MAY_AUTO | FECRUN_PARAM_SIZE, .imin = 1,
                 .imax = TURBO_MOST_K / TURBO_LEAST_STEPS, .default_text = "auto",
                 .help = "pieces of a block that are decoded side by side and pass their border "
                         "states to the next iteration; auto: chosen by the backend, ref 1"),
    FECRUN_PARAM(.name = "early_stop", .type = FECRUN_VALUE_CHOICE, .choices = stops,
                 .default_text = "none",
                 .help =
                     "a frame is done after an iteration in which the mean or the smallest |LLR| "
                     "of its bits reaches the threshold, or their CRC holds; none: all "
                     "iterations",
                 .old_choices = old_stops),
    FECRUN_PARAM(.name = "crc", .type = FECRUN_VALUE_CHOICE, .choices = crcs,
                 .default_text = "none",
                 .help = "CRC at the end of the bits, as of crc.attach; early_stop: crc needs it"),
    FECRUN_PARAM(.name = "threshold", .type = FECRUN_VALUE_FLOAT, .unit = "natural LLR", .fmin = 0,
                 .fmax = 1000000, .default_text = "40", .help = "of mean-llr and min-llr"),
    FECRUN_PARAM(.name = "apriori", .type = FECRUN_VALUE_PORT,
                 .help = "a priori LLRs of the bits: an earlier stage (ID or ID.PORT) with one for "
                         "each"),
    /* Without a default: journals of runs before there was one stay those of the same pipeline. */
    FECRUN_PARAM(.name = "extra_half", .type = FECRUN_VALUE_BOOL,
                 .help = "a half iteration of the second encoder before the first iteration; "
                         "default: false"),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    &turbo_decode_ref, &turbo_decode_cuda, &turbo_decode_simd, &turbo_decode_cuda_document, NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 40}", .items = 132),
    FECRUN_EXAMPLE(.params = "{k: 512, fillers: 20, iterations: 8}", .items = 1548),
    FECRUN_EXAMPLE(.params = "{k: 528, early_stop: crc, crc: 24a}", .items = 1596),
    FECRUN_EXAMPLE(.params = "{k: 1056, sub_blocks: 32}", .items = 3180),
    FECRUN_EXAMPLE(.params = "{k: 1008, sub_blocks: 7, early_stop: mean-llr}", .items = 3036),
    FECRUN_EXAMPLE(.params = "{k: 256, algorithm: log-map, early_stop: min-llr, threshold: 10}",
                   .items = 780),
    FECRUN_EXAMPLE(.params = "{k: 6144, early_stop: crc, crc: 24b}", .items = 18444),
    FECRUN_EXAMPLE(.params = "{k: 416, extra_half: true, iterations: 4}", .items = 1260),
    FECRUN_EXAMPLE(.params = "{code: umts, k: 41}", .items = 135),
    FECRUN_EXAMPLE(.params = "{code: umts, early_stop: crc, crc: 24a}", .items = 15354),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/2}", .items = 3576),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/3}", .items = 5364),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/4}", .items = 7152),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/6}", .items = 10728),
    FECRUN_EXAMPLE(.params = "{code: lte, k: 6144}", .items = 18444, .type = FECRUN_I8,
                   .llr_max = 127, .batch = 64),
    NULL};

static const struct fecrun_port *const inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR, .help = "LLRs of any scale"),
    FECRUN_PORT(.name = "apriori", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "a priori LLRs of the bits; in units of the input if one of the scales is "
                        "unknown"),
    NULL};

static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits"),
    FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "LLRs of the bits after the last iteration, in units of the input"),
    FECRUN_PORT(.name = "extrinsic", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "llr less the channel's LLR of the bit"),
    FECRUN_PORT(.name = "code_llr", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "LLRs of the word's bits after the last iteration"),
    NULL};

const struct fecrun_stage turbo_decode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "turbo.decode",
    .summary = "turbo decoder of LTE, UMTS or CCSDS for soft input; marks frames that do not meet "
               "early_stop's rule",
    .params = params,
    .inputs = inputs,
    .outputs = outputs,
    .backends = backends,
    .examples = examples,
    .undoes = "turbo.encode",
};

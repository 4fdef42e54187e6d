/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viterbi.decode: the stage round the decoding core (decode.h).
 *
 * I8 LLRs are decoded in exact integer arithmetic. The host widens I4 to I8 without loss; F16 and
 * I16 come as F32.
 */
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/common/checks/checks.h"
#include "plugins/viterbi/code/levels.h"
#include "plugins/viterbi/code/params.h"
#include "plugins/viterbi/decode.h"
#include "plugins/viterbi/plugin.h"

/*
 * Overlap of tiles, steps per bit of memory. For K = 7 and tiles of 512 steps the error rate of
 * rate 1/2 at 3 dB is that of whole frames; punctured to 7/8 at 5 dB it is 2 % above it.
 */
#define AUTO_OVERLAP 16

#define MAX_TILE 1000000000   /* longer than a frame is as long as a frame ... */
#define MAX_OVERLAP (1 << 14) /* ... but an overlap takes memory */
#define MAX_WRAPS 64

enum {
    P_F = VITERBI_N_CODE_PARAMS,
    P_V1,
    P_V2,
    P_F0,
    P_START,
    P_WRAP_LIMIT,
    P_SOFT,
};

enum { SOFT_MAX_LOG, SOFT_LOG_MAP };

/* ---- plan ---------------------------------------------------------------------------------- */

static int read_size(struct viterbi_spec *spec, const struct fecrun_frame *in,
                     struct fecrun_error *err)
{
    unsigned n = spec->code.n, memory = spec->code.K - 1;
    uint64_t tail = spec->termination == VITERBI_ZERO ? memory : 0;
    uint64_t least = spec->termination == VITERBI_TAIL_BITING ? memory : tail + 1;

    if (in->items % n || in->items / n < least)
        return fecrun_fail(err, NULL,
                           "the input has %llu LLRs a frame; %s termination of this code takes a "
                           "multiple of %u, one an output, and at least %llu",
                           (unsigned long long)in->items,
                           viterbi_termination_name(spec->termination), n,
                           (unsigned long long)(least * n));
    spec->info_bits = in->items / n - tail;
    return 0;
}

static size_t overlap(const struct fecrun_value *value, bool needed, size_t automatic)
{
    if (!checks_auto(value))
        return (size_t)value->i;
    return needed ? automatic : 0;
}

/* Overlaps are needed where something known lies beyond a tile's border. */
static int read_tile(const struct fecrun_values *values, struct viterbi_spec *spec,
                     struct fecrun_plan *result, struct fecrun_error *err)
{
    size_t automatic = (size_t)AUTO_OVERLAP * (spec->code.K - 1);
    size_t f = (size_t)fecrun_value(values, P_F)->i;
    bool circular = spec->termination == VITERBI_TAIL_BITING;
    bool cut = spec->termination == VITERBI_CONTINUOUS ||
               (f > 0 && (circular || f < viterbi_frame_steps(spec)));

    spec->f = f;
    spec->f0 = (size_t)fecrun_value(values, P_F0)->i;
    spec->v1 = overlap(fecrun_value(values, P_V1), cut, automatic);
    spec->v2 = overlap(fecrun_value(values, P_V2), cut || spec->f0, automatic);
    if (spec->f0 && viterbi_wraps_around(spec))
        return fecrun_fail(err, "tile.f0",
                           "needs tile.f: tail-biting frames without tiles are decoded by going "
                           "round them, which has no sub-frames");
    if (cut || spec->f0)
        snprintf(result->note, sizeof result->note, "overlaps of v1 = %zu and v2 = %zu steps",
                 spec->v1, spec->v2);
    return 0;
}

static int read_start(const struct fecrun_values *values, struct viterbi_spec *spec,
                      struct fecrun_error *err)
{
    const struct fecrun_value *start = fecrun_value(values, P_START);

    if (checks_auto(start))
        spec->start = spec->f0 ? VITERBI_STORED : VITERBI_BEST;
    else
        spec->start = (enum viterbi_start)start->i;
    if (spec->f0 && spec->start == VITERBI_BEST)
        return fecrun_fail(err, "traceback_start",
                           "best looks at the metrics of a tile's end, and tile.f0 = %zu traces "
                           "back from inside it, where they are gone: use stored or any",
                           spec->f0);
    return 0;
}

static int read_spec(const struct fecrun_values *values, const struct fecrun_frame *in,
                     struct viterbi_decode_code *code, struct fecrun_plan *result,
                     struct fecrun_error *err)
{
    struct viterbi_spec *spec = &code->spec;
    const char *problem;

    if (viterbi_read_code(values, &spec->code, &code->feedback, &spec->termination, err) ||
        viterbi_check_stream(in, spec->termination, err) || read_size(spec, in, err) ||
        read_tile(values, spec, result, err) || read_start(values, spec, err))
        return -1;
    code->exact = fecrun_value(values, P_SOFT)->given &&
                  fecrun_value(values, P_SOFT)->i == SOFT_LOG_MAP;
    code->unit = code->exact ? in->llr_scale : 1;
    if (code->exact && checks_scale(in, "soft", "log-map", "max-log", err))
        return -1;
    spec->wrap_limit = (unsigned)fecrun_value(values, P_WRAP_LIMIT)->i;
    /* A form cannot say it, but smaller LLRs let the vector code use narrower metrics. */
    spec->llr_max = in->llr_max > 0 && in->llr_max < 127 ? (int)ceil(in->llr_max) : 127;
    problem = viterbi_spec_problem(spec);
    return problem ? fecrun_fail(err, NULL, "%s", problem) : 0;
}

/* Items for an overlap, and some to spare for backends that read punctured items. */
static uint64_t margin(uint64_t steps, unsigned n)
{
    return steps ? steps * n + VITERBI_SPARE_ITEMS : 0;
}

/* One a frame. Those of a stream's pieces are no stream. */
static void describe_value(struct fecrun_frame *out, const struct fecrun_frame *in)
{
    fecrun_frame_bits(out, in, 1);
    out->kind = FECRUN_KIND_VALUES;
    out->type = FECRUN_F32;
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct viterbi_decode_code *code = calloc(1, sizeof *code);
    const struct viterbi_spec *spec;

    (void)host;
    if (!code)
        return fecrun_no_memory(err);
    spec = &code->spec;
    if (read_spec(values, in[0], code, result, err)) {
        free(code);
        return -1;
    }
    if (spec->termination == VITERBI_CONTINUOUS) {
        result->before = margin(spec->v1, spec->code.n);
        result->after = margin(spec->v2, spec->code.n);
    }
    result->code = code;
    viterbi_identity(result, &spec->code, code->feedback, spec->termination);
    fecrun_frame_bits(out[VITERBI_OUT_BITS], in[0], spec->info_bits);
    conv_levels_pop(&conv_encoded, out[VITERBI_OUT_BITS]);
    describe_value(out[VITERBI_OUT_METRIC], in[0]);
    describe_value(out[VITERBI_OUT_REENCODED], in[0]);
    checks_soft_output(out[VITERBI_OUT_LLR], in[0], spec->info_bits);
    conv_levels_pop(&conv_encoded, out[VITERBI_OUT_LLR]);
    return 0;
}

/* ---- tables -------------------------------------------------------------------------------- */

static const struct fecrun_backend *const backends[] = {
    &viterbi_decode_ref,
    &viterbi_decode_cuda,
    &viterbi_decode_simd,
    &viterbi_decode_cuda_general,
    NULL,
};

static const struct fecrun_param *const params[] = {
    VITERBI_CODE_PARAMS,
    FECRUN_PARAM(.name = "tile.f", .type = FECRUN_VALUE_INT, .unit = "steps", .imin = 0,
                 .imax = MAX_TILE, .default_text = "0",
                 .help = "trellis steps of a tile, which is decoded on its own; 0: whole frames"),
    FECRUN_PARAM(.name = "tile.v1", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "steps", .imin = 0, .imax = MAX_OVERLAP, .default_text = "auto",
                 .help = "steps before a tile in which its path metrics settle; auto: 16 (K-1) if "
                         "frames are cut or continuous, else 0"),
    FECRUN_PARAM(.name = "tile.v2", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "steps", .imin = 0, .imax = MAX_OVERLAP, .default_text = "auto",
                 .help = "steps after a tile or sub-frame in which paths merge; auto: as v1"),
    FECRUN_PARAM(.name = "tile.f0", .type = FECRUN_VALUE_INT, .unit = "steps", .imin = 0,
                 .imax = MAX_TILE, .default_text = "0",
                 .help = "steps of a sub-frame, which is traced back on its own; 0: none"),
    FECRUN_PARAM(.name = "traceback_start", .type = FECRUN_VALUE_CHOICE,
                 .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"best", "stored", "any", NULL},
                 .default_text = "auto",
                 .help = "best: the best state of a tile's end; stored: the best state of the "
                         "step, noted on the way; any: state 0; auto: best, stored with tile.f0"),
    FECRUN_PARAM(.name = "wrap_limit", .type = FECRUN_VALUE_INT, .unit = "passes", .imin = 1,
                 .imax = MAX_WRAPS, .default_text = "4",
                 .help =
                     "tail-biting frames without tiles: largest number of rounds until the path "
                     "closes"),
    /* Without a default: journals of runs before there was one stay those of the same pipeline. */
    FECRUN_PARAM(.name = "soft", .type = FECRUN_VALUE_CHOICE,
                 .choices =
                     (const char *const[]){
                         [SOFT_MAX_LOG] = "max-log", [SOFT_LOG_MAP] = "log-map", NULL},
                 .help = "of the output llr: sums of probabilities have their largest term only, "
                         "or are exact; default: max-log"),
    NULL,
};

static const struct fecrun_example *const examples[] = {
    VITERBI_CODE_EXAMPLES,
    VITERBI_RECURSIVE_EXAMPLES,
    FECRUN_EXAMPLE(.params = "{code: ieee80211}", .items = 8204, .type = FECRUN_I8, .llr_max = 10,
                   .batch = 256),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 64}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 1, v1: 5, v2: 9}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 17, v1: 0, v2: 0}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 100, v1: 33, "
                             "v2: 42}, traceback_start: any}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 128, v1: 20, v2: 45, f0: 32}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 128, v1: 20, v2: 45, "
                             "f0: 32}, traceback_start: any}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f: 100, f0: 7}, traceback_start: stored}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, tile: {f0: 16}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: truncated, tile: {f: 50}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: truncated, traceback_start: any}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: tail-biting, tile: {f: 40}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: tail-biting, tile: {f: 40, f0: 8}}"),
    FECRUN_EXAMPLE(.params = "{code: lte_tbcc, wrap_limit: 1}"),
    FECRUN_EXAMPLE(.params = "{code: lte_tbcc, wrap_limit: 2}"),
    FECRUN_EXAMPLE(.params = "{code: dvb, tile: {f: 96, v1: 42, v2: 42}}"),
    FECRUN_EXAMPLE(.params = "{code: dvb, tile: {f: 96, v1: 42, v2: 42, f0: 24}}"),
    FECRUN_EXAMPLE(.params = "{code: ccsds, tile: {f: 33, v1: 10, "
                             "v2: 20}, traceback_start: stored}"),
    FECRUN_EXAMPLE(.params = "{code: dvb, tile: {v1: 0, v2: 0}}"),
    FECRUN_EXAMPLE(.params = "{code: umts_r3, tile: {f: 64}}"),
    FECRUN_EXAMPLE(.params = "{code: dab, tile: {f: 64, f0: 16}}"),
    FECRUN_EXAMPLE(.params = "{code: ieee80211, soft: log-map}"),
    NULL};

const struct fecrun_stage viterbi_decode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "viterbi.decode",
    .summary = "Viterbi decoder for soft input; a tie keeps the predecessor whose dropped bit is 1",
    .params = params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = FECRUN_PORTS(
        FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits"),
        FECRUN_PORT(.name = "metric", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "sum of a frame's LLRs, each with the sign that the decoded word, "
                            "encoded again, gives it"),
        FECRUN_PORT(.name = "reencoded", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "share of a frame's symbols whose sign is another one there, 0 to 1; "
                            "LLRs of 0 do not count"),
        FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "LLRs of the bits, in units of the input (BCJR; see soft)"),
        NULL),
    .backends = backends,
    .examples = examples,
    .undoes = "conv.encode",
};

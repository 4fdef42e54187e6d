/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viterbi.decode: the stage round the decoding core (decode.h).
 *
 * I8 LLRs are decoded in exact integer arithmetic. The host widens I4 to I8 without loss; F16 and
 * I16 come as F32.
 */
#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

#include "code_params.h"
#include "viterbi.h"
#include "viterbi_cuda.h"

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
};

enum { T_ISA, T_METRIC_BITS };

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
    if (value->given && !value->is_auto)
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

    if (!start->given || start->is_auto)
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
                     struct viterbi_spec *spec, struct fecrun_plan *result,
                     struct fecrun_error *err)
{
    const char *problem;

    if (viterbi_read_code(values, &spec->code, &spec->termination, err) ||
        viterbi_check_stream(in, spec->termination, err) || read_size(spec, in, err) ||
        read_tile(values, spec, result, err) || read_start(values, spec, err))
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

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct viterbi_spec *spec = calloc(1, sizeof *spec);

    (void)host;
    if (!spec)
        return fecrun_fail(err, NULL, "out of memory");
    if (read_spec(values, in[0], spec, result, err)) {
        free(spec);
        return -1;
    }
    if (spec->termination == VITERBI_CONTINUOUS) {
        result->before = margin(spec->v1, spec->code.n);
        result->after = margin(spec->v2, spec->code.n);
    }
    result->code = spec;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = spec->info_bits;
    out[0]->llr_scale = 0;
    out[0]->llr_max = 0;
    return 0;
}

/* ---- what both backends do ----------------------------------------------------------------- */

/* An instance is made for one size of frames; other views are the host's fault. */
static int check_views(const struct viterbi_spec *spec, const struct fecrun_view *in,
                       const struct fecrun_view *out, struct fecrun_error *err)
{
    if (in->items == viterbi_frame_steps(spec) * spec->code.n && out->items == spec->info_bits)
        return 0;
    return fecrun_fail(err, NULL, "made for frames of %zu bits, called with %llu LLRs for %llu",
                       spec->info_bits, (unsigned long long)in->items,
                       (unsigned long long)out->items);
}

/* `frames` frames of a batch, from number `first` on. */
static struct viterbi_input input_of_call(const struct viterbi_spec *spec,
                                          const struct fecrun_call *call,
                                          const struct fecrun_view *in, uint64_t first,
                                          uint64_t frames)
{
    uint64_t behind = in->frames - first - frames;
    struct viterbi_input input = {
        .llr = fecrun_row(in, first),
        .stride = in->stride / fecrun_bytes(in->type, 1),
        .frames = frames,
    };

    if (spec->termination == VITERBI_CONTINUOUS) {
        input.before = (in->before + first * in->items) / spec->code.n;
        input.after = (in->after + behind * in->items) / spec->code.n;
        input.at_start = call->first_item == in->before;
    }
    return input;
}

/* Only the wrap-around algorithm knows whether it has come to an end. */
static void report(const struct viterbi_spec *spec, const struct viterbi_verdict *verdict,
                   struct fecrun_frame_info *info)
{
    if (!viterbi_wraps_around(spec))
        return;
    info->iterations = verdict->iterations;
    info->flags &= ~(uint32_t)FECRUN_FAILED;
    info->flags |= FECRUN_CHECKED | (verdict->converged ? 0 : FECRUN_FAILED);
}

/* ---- ref ----------------------------------------------------------------------------------- */

static int ref_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct viterbi_spec *spec = malloc(sizeof *spec);

    *instance = spec;
    if (!spec)
        return fecrun_fail(err, NULL, "out of memory");
    *spec = *(const struct viterbi_spec *)args->codes[0];
    spec->is_float = args->form->in[0].type == FECRUN_F32;
    return 0;
}

static size_t ref_scratch(const void *instance, uint64_t frames)
{
    (void)frames;
    return viterbi_ref_scratch(instance);
}

static int ref_run(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    const struct viterbi_spec *spec = instance;

    if (check_views(spec, in[0], out[0], err))
        return -1;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        struct viterbi_input input = input_of_call(spec, call, in[0], f, 1);
        struct viterbi_verdict verdict;

        viterbi_ref_decode(spec, &input, fecrun_row(out[0], f), &verdict, call->scratch);
        report(spec, &verdict, &call->info[f]);
    }
    return 0;
}

/* ---- simd ---------------------------------------------------------------------------------- */

struct simd {
    struct viterbi_spec spec;
    struct viterbi_simd *simd;
};

static const char *const isa_names[] = {"generic", "avx2", "avx512", NULL};

/* `wanted`: auto, or an instruction set within what the host allows. */
static int choose_isa(const struct fecrun_value *wanted, const struct fecrun_host *host,
                      enum viterbi_isa *isa, struct fecrun_error *err)
{
    static const enum viterbi_isa isas[] = {
        [FECRUN_ISA_GENERIC] = VITERBI_ISA_GENERIC,
        [FECRUN_ISA_AVX2] = VITERBI_ISA_AVX2,
        [FECRUN_ISA_AVX512] = VITERBI_ISA_AVX512,
    };
    uint32_t allowed = host->isa < FECRUN_ISA_AVX512 ? host->isa : FECRUN_ISA_AVX512;
    enum viterbi_isa best = viterbi_isa_best();

    if (!wanted->given || wanted->is_auto) {
        *isa = isas[allowed] < best ? isas[allowed] : best;
        return 0;
    }
    if ((uint64_t)wanted->i > allowed)
        return fecrun_fail(err, "isa", "%s is more than %s, the best that this CPU has and "
                           "FECRUN_ISA allows", wanted->s, isa_names[allowed]);
    *isa = isas[wanted->i];
    return 0;
}

static int fail_create(int error, const struct viterbi_spec *spec, enum viterbi_isa isa,
                       unsigned bits, struct fecrun_error *err)
{
    const char *problem = viterbi_spec_problem(spec);

    switch (error) {
    case VITERBI_SIMD_NO_ISA:
        return fecrun_fail(err, "isa", "this build or this machine has no %s code",
                           viterbi_isa_name(isa));
    case VITERBI_SIMD_NO_WIDTH:
        if (spec->is_float)
            return fecrun_fail(err, "metric_bits", "F32 LLRs have float metrics, not %u-bit ones",
                               bits);
        return fecrun_fail(err, "metric_bits",
                           "%u-bit metrics cannot hold LLRs up to %d of this code exactly", bits,
                           spec->llr_max);
    case VITERBI_SIMD_BAD_SPEC:
        return fecrun_fail(err, NULL, "%s", problem ? problem : "bad parameters");
    default:
        return fecrun_fail(err, NULL, "out of memory");
    }
}

static void simd_destroy(void *instance)
{
    struct simd *s = instance;

    if (!s)
        return;
    viterbi_simd_destroy(s->simd);
    free(s);
}

static int simd_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct fecrun_value *width = fecrun_value(args->tune, T_METRIC_BITS);
    unsigned bits = width->given && !width->is_auto ? (unsigned)atoi(width->s) : 0;
    struct simd *s = calloc(1, sizeof *s);
    enum viterbi_isa isa = VITERBI_ISA_GENERIC;
    int error;

    *instance = NULL;
    if (!s)
        return fecrun_fail(err, NULL, "out of memory");
    s->spec = *(const struct viterbi_spec *)args->codes[0];
    s->spec.is_float = args->form->in[0].type == FECRUN_F32;
    if (choose_isa(fecrun_value(args->tune, T_ISA), args->host, &isa, err))
        goto fail;
    error = viterbi_simd_create(&s->simd, &s->spec, isa, bits);
    if (error) {
        s->simd = NULL;
        fail_create(error, &s->spec, isa, bits, err);
        goto fail;
    }
    *instance = s;
    return 0;
fail:
    simd_destroy(s);
    return -1;
}

/* The verdicts lie behind the core's memory. */
static size_t simd_core_scratch(const struct simd *s)
{
    return (viterbi_simd_scratch(s->simd) + 63) & ~(size_t)63;
}

static size_t simd_scratch(const void *instance, uint64_t frames)
{
    return simd_core_scratch(instance) + frames * sizeof(struct viterbi_verdict);
}

static int simd_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct simd *s = instance;
    void *verdicts = (char *)call->scratch + simd_core_scratch(s);
    struct viterbi_verdict *verdict = verdicts;
    struct viterbi_input input;

    if (check_views(&s->spec, in[0], out[0], err))
        return -1;
    input = input_of_call(&s->spec, call, in[0], 0, in[0]->frames);
    viterbi_simd_decode(s->simd, &input, out[0]->data, out[0]->stride, verdict, call->scratch);
    for (uint64_t f = 0; f < in[0]->frames; f++)
        report(&s->spec, &verdict[f], &call->info[f]);
    return 0;
}

/* ---- tables -------------------------------------------------------------------------------- */

static const struct fecrun_form *const ref_forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_I8}}, .out = {{.type = FECRUN_U8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_U8}}), NULL};

static const struct fecrun_form *const simd_forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_I8}}, .out = {{.type = FECRUN_PACKED}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_PACKED}}), NULL};

static const struct fecrun_param *const simd_tune[] = {
    FECRUN_PARAM(.name = "isa", .type = FECRUN_P_CHOICE, .flags = FECRUN_MAY_AUTO,
                 .choices = isa_names, .default_text = "auto",
                 .help = "instruction set; auto: the best of this CPU"),
    FECRUN_PARAM(.name = "metric_bits", .type = FECRUN_P_CHOICE, .flags = FECRUN_MAY_AUTO,
                 .unit = "bits", .choices = (const char *const[]){"8", "16", NULL},
                 .default_text = "auto",
                 .help = "width of path metrics for I8 LLRs; auto: the narrowest that is exact"),
    NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .summary = "the definition of the result, in plain C",
                   .forms = ref_forms, .agreement = FECRUN_EXACT, .create = ref_create,
                   .scratch = ref_scratch, .run = ref_run, .destroy = free),
    &viterbi_cuda_fast,
    FECRUN_BACKEND(.name = "simd", .summary = "64 tiles side by side, or the states of one",
                   .forms = simd_forms, .agreement = FECRUN_EXACT, .bound = VITERBI_F32_BOUND,
                   .tune = simd_tune, .create = simd_create, .scratch = simd_scratch,
                   .run = simd_run, .destroy = simd_destroy),
    &viterbi_cuda_document,
    NULL,
};

static const struct fecrun_param *const params[] = {
    VITERBI_CODE_PARAMS,
    FECRUN_PARAM(.name = "tile.f", .type = FECRUN_P_INT, .unit = "steps", .min = 0,
                 .max = MAX_TILE, .default_text = "0",
                 .help = "frames are cut into tiles of so many trellis steps, decoded on their "
                         "own; 0: whole frames"),
    FECRUN_PARAM(.name = "tile.v1", .type = FECRUN_P_INT, .flags = FECRUN_MAY_AUTO,
                 .unit = "steps", .min = 0, .max = MAX_OVERLAP, .default_text = "auto",
                 .help = "steps before a tile in which its path metrics settle; auto: 16 (K-1) "
                         "where frames are cut or continuous, else 0"),
    FECRUN_PARAM(.name = "tile.v2", .type = FECRUN_P_INT, .flags = FECRUN_MAY_AUTO,
                 .unit = "steps", .min = 0, .max = MAX_OVERLAP, .default_text = "auto",
                 .help = "steps behind a tile or sub-frame in which paths merge; auto: as v1"),
    FECRUN_PARAM(.name = "tile.f0", .type = FECRUN_P_INT, .unit = "steps", .min = 0,
                 .max = MAX_TILE, .default_text = "0",
                 .help = "sub-frames of so many steps are traced back on their own; 0: none"),
    FECRUN_PARAM(.name = "traceback_start", .type = FECRUN_P_CHOICE, .flags = FECRUN_MAY_AUTO,
                 .choices = (const char *const[]){"best", "stored", "any", NULL},
                 .default_text = "auto",
                 .help = "best: the best state of a tile's end; stored: the best state of the "
                         "step, noted on the way; any: state 0; auto: best, stored with tile.f0"),
    FECRUN_PARAM(.name = "wrap_limit", .type = FECRUN_P_INT, .unit = "passes", .min = 1,
                 .max = MAX_WRAPS, .default_text = "4",
                 .help = "tail-biting frames without tiles are gone round until the path closes, "
                         "at most so often"),
    NULL,
};

const struct fecrun_stage viterbi_decode_stage = {
    .size = sizeof(struct fecrun_stage),
    .name = "viterbi.decode",
    .role = FECRUN_TRANSFORM,
    .summary = "Viterbi decoder for soft input; a tie keeps the predecessor whose dropped bit is 1",
    .params = params,
    .inputs = viterbi_llr_in,
    .outputs = viterbi_bits_out,
    .backends = backends,
    .plan = plan,
    .plan_free = free,
};

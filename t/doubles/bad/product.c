/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The product of two single parity checks, 49 bits in 8 x 8, and a decoder that passes messages between
 * rows and columns. Beside ref: one that is as good and no more (columns first), and three with a
 * slip of the kind that is hard to see: `fecrun compare` has to.
 */
#include <fecrun/plugin.h>
#include <fecrun/sdk/params.h>
#include <math.h>

enum { SIDE = 8, INFO = SIDE - 1, ITERATIONS = 4 };

/* ---- Encoder ---- */

static int encode_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan;
    if (in[0]->items != INFO * INFO)
        return fecrun_fail(err, NULL, "a frame must have 49 bits");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = SIDE * SIDE;
    return 0;
}

static int encode_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        for (int i = 0; i < SIDE * SIDE; i++)
            to[i] = 0;
        for (int r = 0; r < INFO; r++)
            for (int c = 0; c < INFO; c++) {
                const uint8_t bit = from[r * INFO + c];
                to[r * SIDE + c] = bit;
                to[r * SIDE + INFO] ^= bit;
                to[INFO * SIDE + c] ^= bit;
                to[INFO * SIDE + INFO] ^= bit;
            }
    }
    return 0;
}

/* ---- Decoder ---- */

struct slip {
    int first;      /* 0: rows first; 1: columns */
    int iterations; /* of rows and columns */
    float scale;    /* of what comes in */
    int edge;       /* the last row of the first half and its neighbour are not joined */
};

/* log(1 + exp(-x)), near enough. */
static float correction(float x)
{
    return x < 2.507f ? 0.249f * (2.507f - x) : 0;
}

static float box(float a, float b)
{
    const float least = fminf(fabsf(a), fabsf(b));

    return copysignf(least, a) * copysignf(1, b) + correction(fabsf(a + b)) -
           correction(fabsf(a - b));
}

/* What one check says of each of its bits, which are `step` apart. */
static void check(const float *in, float *out, int step)
{
    float before[SIDE], behind = INFINITY;

    before[0] = INFINITY;
    for (int i = 1; i < SIDE; i++)
        before[i] = i == 1 ? in[0] : box(before[i - 1], in[(i - 1) * step]);
    for (int i = SIDE; i-- > 0;) {
        out[i * step] = i == SIDE - 1 ? before[i] : i == 0 ? behind : box(before[i], behind);
        behind = i == SIDE - 1 ? in[i * step] : box(behind, in[i * step]);
    }
}

static void half(const float *llr, const float *other, float *said, int columns, int edge)
{
    float sum[SIDE * SIDE];

    for (int i = 0; i < SIDE * SIDE; i++)
        sum[i] = llr[i] + other[i];
    for (int k = 0; k < SIDE; k++)
        if (columns)
            check(sum + k, said + k, SIDE);
        else if (!edge || k != SIDE / 2 - 1)
            check(sum + k * SIDE, said + k * SIDE, 1);
}

static void decode(const struct slip *slip, const float *from, uint8_t *to)
{
    float llr[SIDE * SIDE], said[2][SIDE * SIDE] = {{0}};

    for (int i = 0; i < SIDE * SIDE; i++)
        llr[i] = slip->scale * from[i];
    for (int n = 0; n < 2 * slip->iterations; n++) {
        const int which = (n + slip->first) % 2;
        half(llr, said[!which], said[which], which, slip->edge);
    }
    for (int r = 0; r < INFO; r++)
        for (int c = 0; c < INFO; c++) {
            const int i = r * SIDE + c;
            to[r * INFO + c] = llr[i] + said[0][i] + said[1][i] < 0;
        }
}

static int decode_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan;
    if (in[0]->items != SIDE * SIDE)
        return fecrun_fail(err, NULL, "a frame must have 64 LLRs");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = INFO * INFO;
    out[0]->llr_scale = out[0]->llr_max = 0;
    return 0;
}

#define RUN(name, ...) \
    static int name(void *instance, const struct fecrun_call *call, \
                    const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                    struct fecrun_error *err) \
    { \
        static const struct slip slip = {__VA_ARGS__}; \
\
        (void)instance, (void)call, (void)err; \
        for (uint64_t f = 0; f < in[0]->frames; f++) \
            decode(&slip, fecrun_row(in[0], f), fecrun_row(out[0], f)); \
        return 0; \
    }
RUN(run_ref, 0, ITERATIONS, 1, 0)
RUN(run_turned, 1, ITERATIONS, 1, 0)
RUN(run_fewer, 0, ITERATIONS - 1, 1, 0)
RUN(run_scale, 0, ITERATIONS, 0.5f, 0)
RUN(run_edge, 0, ITERATIONS, 1, 1)

/* ---- Tables ---- */

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static void destroy(void *instance)
{
    (void)instance;
}

static const struct fecrun_param *const params[] = {NULL};
static const struct fecrun_port *const bits[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS, .help = "bits"), NULL};
static const struct fecrun_port *const llrs[] = {
    FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .help = "LLRs"), NULL};
static const struct fecrun_form *const encode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const decode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), FECRUN_OUT({.type = FECRUN_U8})), NULL};

#define NEAR(text, runner) \
    FECRUN_BACKEND(.name = text, .forms = decode_forms, .agreement = FECRUN_AGREEMENT_NEAR, \
                   .bound = 0.1, .create = create, .run = runner, .destroy = destroy)

static const struct fecrun_backend *const encoders[] = {
    FECRUN_BACKEND(.name = "ref", .forms = encode_forms, .create = create, .run = encode_run,
                   .destroy = destroy),
    NULL};
static const struct fecrun_backend *const decoders[] = {
    FECRUN_BACKEND(.name = "ref", .forms = decode_forms, .create = create, .run = run_ref,
                   .destroy = destroy),
    NEAR("turned", run_turned),
    NEAR("fewer", run_fewer),
    NEAR("scale", run_scale),
    NEAR("edge", run_edge),
    NULL};

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "product.encode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "adds parities", .params = params, .inputs = bits, .outputs = bits,
                 .backends = encoders, .plan = encode_plan),
    FECRUN_STAGE(.name = "product.decode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "passes messages between rows and columns", .params = params,
                 .inputs = llrs, .outputs = bits, .backends = decoders, .plan = decode_plan,
                 .undoes = "product.encode"),
    NULL};

FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof fecrun_plugin,
    .abi = FECRUN_ABI,
    .name = "product",
    .version = "1",
    .license = "BSD-2-Clause",
    .stages = stages,
};

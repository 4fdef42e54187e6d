/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encoders and decoders that are wrong, each in one way: fecrun-check has to find every one but
 * those called ref and good of five.encode and five.decode. The code: each bit five times.
 */
#include <fecrun/sdk/device.h>
#include <fecrun/sdk/stage.h>

enum { TIMES = 5, BITS = 409 /* by default: no usual number, nor are five times as many */ };

struct code {
    uint64_t bits;
};

static int make_code(const struct fecrun_values *values, struct fecrun_plan *result,
                     struct fecrun_error *err)
{
    struct code *code = fecrun_code(result, sizeof *code, err);

    if (code)
        code->bits = (uint64_t)fecrun_value(values, 0)->i;
    return code ? 0 : -1;
}

static int plan_encode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    uint64_t bits = (uint64_t)fecrun_value(values, 0)->i;

    (void)host;
    if (in[0]->items != bits)
        return fecrun_fail(err, "bits", "other frames arrive");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = TIMES * bits;
    return make_code(values, result, err);
}

/* Port 1 marks groups of five bits that are not to be looked at. */
static int plan_decode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    uint64_t bits = (uint64_t)fecrun_value(values, 0)->i;

    (void)host;
    if (in[0]->items != TIMES * bits || (in[1] && in[1]->items != bits))
        return fecrun_fail(err, "bits", "other frames arrive");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = bits;
    return make_code(values, result, err);
}

static int plan_never(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *result, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)out, (void)result;
    return fecrun_fail(err, NULL, "the moon is not full");
}

/* One of its kinds, the default, has no frames at all. */
static int plan_choosy(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    if (fecrun_value(values, 1)->i)
        return plan_never(host, values, in, out, result, err);
    return plan_decode(host, values, in, out, result, err);
}

/* ---- Encoders ---- */

static void encode(const struct fecrun_view *in, const struct fecrun_view *out, uint8_t parity)
{
    for (uint64_t f = 0; f < in->frames; f++) {
        const uint8_t *from = fecrun_row(in, f);
        uint8_t *to = fecrun_row(out, f);

        for (uint64_t i = 0; i < out->items; i++)
            to[i] = from[i / TIMES] ^ (i % TIMES ? parity : 0);
    }
}

static int run_encode(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    encode(in[0], out[0], 0);
    return 0;
}

static int run_wrong_parity(void *instance, const struct fecrun_call *call,
                            const struct fecrun_view *const in[], struct fecrun_view *const out[],
                            struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    encode(in[0], out[0], 1);
    return 0;
}

/* One bit of a long word, which every decoder corrects. */
static int run_one_wrong(void *instance, const struct fecrun_call *call,
                         const struct fecrun_view *const in[], struct fecrun_view *const out[],
                         struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    encode(in[0], out[0], 0);
    for (uint64_t f = 0; f < in[0]->frames; f++)
        ((uint8_t *)fecrun_row(out[0], f))[out[0]->items / 3] ^= 1;
    return 0;
}

/* ---- Decoders ---- */

enum fault {
    NONE,
    AT_DEFAULT, /* wrong with the default of `bits` only */
    TWO_WRONG,  /* wrong where a few bits of a frame were, but not one */
    LINKED,     /* wrong where port 1 is linked */
    ERASED,     /* wrong where a group is marked at port 1 */
    NEVER,      /* takes the first of five bits */
    MARKS_ALL,  /* every frame has failed */
    INVERTS,
};

/* Bits that were corrected. */
static uint64_t decode_row(const uint8_t *from, const uint8_t *erased, uint8_t *to, uint64_t bits,
                           enum fault fault)
{
    uint64_t corrected = 0;

    for (uint64_t i = 0; i < bits; i++) {
        const uint8_t *group = from + TIMES * i;
        unsigned ones = 0;

        for (unsigned k = 0; k < TIMES; k++)
            ones += group[k];
        to[i] = fault == NEVER ? group[0] : ones > TIMES / 2;
        if (erased && erased[i])
            to[i] = fault == ERASED;
        corrected += to[i] ? TIMES - ones : ones;
    }
    return corrected;
}

static int run_decode(enum fault fault, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[])
{
    const struct code *code = call->codes[0];

    for (uint64_t f = 0; f < in[0]->frames; f++) {
        uint8_t *to = fecrun_row(out[0], f);
        uint64_t corrected = decode_row(fecrun_row(in[0], f), in[1] ? fecrun_row(in[1], f) : NULL,
                                        to, code->bits, fault);

        if ((fault == TWO_WRONG && code->bits == BITS && corrected > 1 && corrected < 20) ||
            (fault == LINKED && in[1]) || (fault == AT_DEFAULT && code->bits == BITS))
            to[0] ^= 1;
        for (uint64_t i = 0; fault == INVERTS && i < code->bits; i++)
            to[i] ^= 1;
        fecrun_frame_checked(&call->info[f], fault != MARKS_ALL);
    }
    return 0;
}

#define DECODE(name, fault) \
    static int run_##name(void *instance, const struct fecrun_call *call, \
                          const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                          struct fecrun_error *err) \
    { \
        (void)instance, (void)err; \
        return run_decode(fault, call, in, out); \
    }

DECODE(good, NONE)
DECODE(at_default, AT_DEFAULT)
DECODE(two_wrong, TWO_WRONG)
DECODE(linked, LINKED)
DECODE(erased, ERASED)
DECODE(never, NEVER)
DECODE(marks_all, MARKS_ALL)
DECODE(inverts, INVERTS)

/* ---- A decoder of LLRs ---- */

static int plan_soft(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *result, struct fecrun_error *err)
{
    uint64_t bits = (uint64_t)fecrun_value(values, 0)->i;

    (void)host;
    if (in[0]->items != TIMES * bits)
        return fecrun_fail(err, "bits", "other frames arrive");
    fecrun_frame_bits(out[0], in[0], bits);
    return make_code(values, result, err);
}

static int run_soft(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct code *code = call->codes[0];

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const float *llr = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);

        for (uint64_t i = 0; i < code->bits; i++) {
            double sum = 0;

            for (unsigned k = 0; k < TIMES; k++)
                sum += fecrun_clean_llr(llr[TIMES * i + k]);
            to[i] = sum < 0;
        }
    }
    return 0;
}

/* ---- Tables ---- */

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "bits", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 600,
                 .default_text = "409", .help = "information bits of a frame"),
    NULL,
};
static const char *const kinds[] = {"good", "odd", NULL};
static const struct fecrun_param *const choosy_params[] = {
    FECRUN_PARAM(.name = "bits", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 600,
                 .default_text = "72", .help = "information bits of a frame"),
    FECRUN_PARAM(.name = "kind", .type = FECRUN_VALUE_CHOICE, .choices = kinds,
                 .default_text = "odd", .help = "odd: no frames will do"),
    NULL,
};
/* Many pairs to try, where none will do. */
static const char *const moons[] = {"io", "europa", "ganymede", "callisto", "titan", "rhea", NULL};
#define MOON(which) \
    FECRUN_PARAM(.name = which, .type = FECRUN_VALUE_CHOICE, .choices = moons, \
                 .default_text = "io", .help = "no moon is full")
static const struct fecrun_param *const moon_params[] = {MOON("first"), MOON("second"),
                                                         MOON("third"), NULL};
static const struct fecrun_port *const decode_ports[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_BITS, .help = "bits"),
    FECRUN_PORT(.name = "erased", .kinds = FECRUN_KIND_BITS, .flags = FECRUN_PORT_OPTIONAL,
                .help = "1: five bits that are not known"),
    NULL,
};

static const struct fecrun_form *const encode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const decode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL};
static const struct fecrun_form *const soft_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), FECRUN_OUT({.type = FECRUN_U8})), NULL};

#define BACKEND(text, function, kind) \
    FECRUN_BACKEND(.name = text, .forms = kind##_forms, .create = fecrun_no_instance, \
                   .run = run_##function, .destroy = fecrun_no_destroy)
#define ONLY(function, kind) \
    ((const struct fecrun_backend *const[]){BACKEND("ref", function, kind), NULL})

static const struct fecrun_backend *const encoders[] = {BACKEND("ref", encode, encode), NULL};
static const struct fecrun_backend *const decoders[] = {
    BACKEND("ref", good, decode),
    BACKEND("good", good, decode),
    BACKEND("at-default", at_default, decode),
    BACKEND("two-wrong", two_wrong, decode),
    BACKEND("linked", linked, decode),
    BACKEND("erased", erased, decode),
    NULL,
};

#define ENCODER(text, table) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, \
                 .summary = "sends each bit five times", .params = params, \
                 .inputs = FECRUN_BITS_IN, .outputs = FECRUN_BITS_OUT, .backends = table, \
                 .plan = plan_encode, .plan_free = free)
#define DECODER(text, planner, encoder, table, schema) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, \
                 .summary = "the majority of five bits", .params = schema, .inputs = decode_ports, \
                 .outputs = FECRUN_BITS_OUT, .backends = table, .plan = planner, \
                 .plan_free = free, .undoes = encoder)

#define SOFT(text, encoder) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, .summary = "the sum of five LLRs", \
                 .params = params, .inputs = FECRUN_LLRS_IN, .outputs = FECRUN_BITS_OUT, \
                 .backends = ONLY(soft, soft), .plan = plan_soft, .plan_free = free, \
                 .undoes = encoder)

static const struct fecrun_stage *const stages[] = {
    ENCODER("five.encode", encoders),
    DECODER("five.decode", plan_decode, "five.encode", decoders, params),
    ENCODER("five.wrong-parity", ONLY(wrong_parity, encode)),
    DECODER("five.of-wrong-parity", plan_decode, "five.wrong-parity", ONLY(good, decode), params),
    ENCODER("five.one-wrong", ONLY(one_wrong, encode)),
    SOFT("five.of-one-wrong", "five.one-wrong"),
    SOFT("five.soft", "five.encode"),
    DECODER("five.never", plan_decode, "five.encode", ONLY(never, decode), params),
    DECODER("five.marks-all", plan_decode, "five.encode", ONLY(marks_all, decode), params),
    DECODER("five.inverts", plan_decode, "five.encode", ONLY(inverts, decode), params),
    DECODER("five.refuses", plan_never, "five.encode", ONLY(good, decode), moon_params),
    DECODER("five.choosy", plan_choosy, "five.encode", ONLY(good, decode), choosy_params),
    NULL,
};

FECRUN_PLUGIN(.name = "check-code", .version = "1", .license = "BSD-2-Clause", .stages = stages);

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoders whose verdict is how sure they are, of a code that sends each bit five times: sure.decode's is right, and
 * sure.trusts finds every frame good. Both look at three of five LLRs, so wrong words are not the nearest ones.
 */
#include <fecrun/sdk/device.h>
#include <fecrun/sdk/stage.h>

#include <math.h>

enum { TIMES = 5, SEEN = 3, THRESHOLD = 5 /* natural LLRs */ };

struct code {
    uint64_t bits;
    double scale;
};

static int plan(const struct fecrun_values *values, const struct fecrun_frame *in, uint64_t items,
                struct fecrun_plan *result, struct fecrun_error *err)
{
    const uint64_t bits = (uint64_t)fecrun_value(values, 0)->i;
    struct code *code;

    if (in->items != items * bits || in->stream)
        return fecrun_fail(err, "bits", "other frames arrive");
    code = fecrun_code(result, sizeof *code, err);
    if (!code)
        return -1;
    *code = (struct code){bits, in->llr_scale > 0 ? in->llr_scale : 1};
    return 0;
}

static int plan_encode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    (void)host;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = TIMES * in[0]->items;
    return plan(values, in[0], 1, result, err);
}

static int plan_decode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    (void)host;
    fecrun_frame_bits(out[0], in[0], (uint64_t)fecrun_value(values, 0)->i);
    return plan(values, in[0], TIMES, result, err);
}

static int run_encode(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);

        for (uint64_t i = 0; i < out[0]->items; i++)
            to[i] = from[i / TIMES];
    }
    return 0;
}

/* The mean of natural |LLR|. */
static double decode(const struct code *code, const float *llr, uint8_t *to)
{
    double mean = 0;

    for (uint64_t i = 0; i < code->bits; i++) {
        double sum = 0;

        for (unsigned k = 0; k < SEEN; k++)
            sum += fecrun_clean_llr(llr[TIMES * i + k]);
        to[i] = sum < 0;
        mean += fabs(sum) / code->scale / (double)code->bits;
    }
    return mean;
}

static void run_with(double threshold, const struct fecrun_call *call, const struct fecrun_view *in,
                     const struct fecrun_view *out)
{
    for (uint64_t f = 0; f < in->frames; f++) {
        const double mean = decode(call->codes[0], fecrun_row(in, f), fecrun_row(out, f));

        call->info[f].flags &= ~(uint32_t)FECRUN_FRAME_FAILED;
        call->info[f].flags |= FECRUN_FRAME_CHECKED | (mean < threshold ? FECRUN_FRAME_FAILED : 0);
    }
}

static int run_decode(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)err;
    run_with(THRESHOLD, call, in[0], out[0]);
    return 0;
}

static int run_trusts(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)err;
    run_with(0, call, in[0], out[0]);
    return 0;
}

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "bits", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 600,
                 .default_text = "60", .help = "information bits of a frame"),
    NULL,
};
static const struct fecrun_form *const encode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const decode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), FECRUN_OUT({.type = FECRUN_U8})), NULL};

#define ONLY(function, kind) \
    ((const struct fecrun_backend *const[]){ \
        FECRUN_BACKEND(.name = "ref", .forms = kind##_forms, .create = fecrun_no_instance, \
                       .run = run_##function, .destroy = fecrun_no_destroy), \
        NULL})
#define DECODER(text, function) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, .flags = FECRUN_STAGE_CHECKS, \
                 .summary = "the sum of three LLRs", .params = params, .inputs = FECRUN_LLRS_IN, \
                 .outputs = FECRUN_BITS_OUT, .backends = ONLY(function, decode), \
                 .plan = plan_decode, .plan_free = free, .undoes = "sure.encode")

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "sure.encode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "sends each bit five times", .params = params, .inputs = FECRUN_BITS_IN,
                 .outputs = FECRUN_BITS_OUT, .backends = ONLY(encode, encode), .plan = plan_encode,
                 .plan_free = free),
    DECODER("sure.decode", decode),
    DECODER("sure.trusts", trusts),
    NULL,
};

FECRUN_PLUGIN(.name = "check-sure", .version = "1", .license = "BSD-2-Clause", .stages = stages);

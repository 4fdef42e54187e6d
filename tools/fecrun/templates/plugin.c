/* SPDX-License-Identifier: BSD-2-Clause */
/* NAME.encode and NAME.decode: a repetition code, to be made into another one. */
#include "NAME.h"

#include <fecrun/sdk/device.h>

/* What users write; `fecrun describe` and all checks are made from this. */
static const struct fecrun_param *const params[] = {
    FECRUN_INT("times", 1, 1000, .flags = FECRUN_PARAM_SHARED, .default_text = "3",
               .help = "how often each bit is sent"),
    NULL,
};

static uint64_t times_of(const struct fecrun_values *values)
{
    return (uint64_t)fecrun_named(params, values, "times")->i;
}

static int make_code(const struct fecrun_values *values, uint64_t bits, struct fecrun_plan *plan,
                     struct fecrun_error *err)
{
    struct NAME_code *code = (struct NAME_code *)fecrun_code(plan, sizeof *code, err);

    if (!code)
        return -1;
    code->bits = bits;
    code->times = times_of(values);
    return 0;
}

/* ---- NAME.encode ---- */

static int encode_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host;
    if (in[0]->items > ((uint64_t)1 << 40) / times_of(values))
        return fecrun_fail(err, "times", "makes frames too large");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = in[0]->items * times_of(values);
    return make_code(values, in[0]->items, plan, err);
}

static int encode_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const struct NAME_code *code = (const struct NAME_code *)fecrun_code_of(call, in[0], f);
        const uint8_t *from = (const uint8_t *)fecrun_row(in[0], f);
        uint8_t *to = (uint8_t *)fecrun_row(out[0], f);

        for (uint64_t i = 0; i < code->bits * code->times; i++)
            to[i] = from[i / code->times];
    }
    return 0;
}

/* ---- NAME.decode ---- */

static int decode_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    const uint64_t times = times_of(values);

    (void)host;
    if (in[0]->items % times)
        return fecrun_fail(err, "times", "%llu LLRs arrive, no multiple of %llu",
                           (unsigned long long)in[0]->items, (unsigned long long)times);
    fecrun_frame_bits(out[0], in[0], in[0]->items / times);
    return make_code(values, in[0]->items / times, plan, err);
}

static int decode_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const struct NAME_code *code = (const struct NAME_code *)fecrun_code_of(call, in[0], f);
        const float *llr = (const float *)fecrun_row(in[0], f);
        uint8_t *bits = (uint8_t *)fecrun_row(out[0], f);

        for (uint64_t i = 0; i < code->bits; i++) {
            double sum = 0;

            for (uint64_t k = 0; k < code->times; k++)
                sum += fecrun_clean_llr(llr[i * code->times + k]);
            bits[i] = sum < 0;
        }
    }
    return 0;
}

/* ---- Tables ---- */

static const struct fecrun_form *const encode_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL};
static const struct fecrun_form *const decode_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL};

static const struct fecrun_backend *const encode_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = encode_forms, .create = fecrun_no_instance,
                   .run = encode_run, .destroy = fecrun_no_destroy),
    NULL};
static const struct fecrun_backend *const decode_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = decode_forms, .create = fecrun_no_instance,
                   .run = decode_run, .destroy = fecrun_no_destroy),
    &NAME_decode_cuda, /*--cuda*/
    NULL};

static const struct fecrun_example *const encode_examples[] = {
    FECRUN_EXAMPLE(.params = "{times: 5}", .items = 20), NULL};
/* Two LLRs of the wrong sign, wherever they are. */
static const struct fecrun_example *const decode_examples[] = {
    FECRUN_EXAMPLE(.params = "{times: 5}", .items = 100, .corrects = 2), NULL};

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "NAME.encode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "sends each bit several times", .params = params,
                 .inputs = FECRUN_BITS_IN, .outputs = FECRUN_BITS_OUT, .backends = encode_backends,
                 .plan = encode_plan, .plan_free = free, .examples = encode_examples),
    FECRUN_STAGE(.name = "NAME.decode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "decides each bit by the sum of its LLRs", .undoes = "NAME.encode",
                 .params = params, .inputs = FECRUN_LLRS_IN, .outputs = FECRUN_BITS_OUT,
                 .backends = decode_backends, .plan = decode_plan, .plan_free = free,
                 .examples = decode_examples),
    NULL};

FECRUN_PLUGIN(.name = "NAME", .version = "0.1", .license = "BSD-2-Clause", .stages = stages);

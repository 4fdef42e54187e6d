/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The smallest code there is, as an example of a plugin: each bit is sent `times` times, and the
 * decoder adds up its LLRs. The second backend of the decoder does the same in another order, so
 * that fecrun-check has something to compare.
 */
#include <fecrun/plugin.h>
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#define MOST_ITEMS ((uint64_t)1 << 32) /* in a frame; the host takes up to 2^40 */

struct repeat_code {
    uint64_t times;
};

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "times", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SHARED, .imin = 1,
                 .imax = 100, .default_text = "3", .help = "how often each bit is sent"),
    NULL,
};

static struct repeat_code *make_code(const struct fecrun_values *values, struct fecrun_plan *plan,
                                     struct fecrun_error *err)
{
    struct repeat_code *code = calloc(1, sizeof *code);

    if (!code) {
        fecrun_no_memory(err);
        return NULL;
    }
    code->times = (uint64_t)fecrun_value(values, 0)->i;
    plan->code = code;
    return code;
}

/* ---- repeat.encode ---- */

static int encode_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct repeat_code *code = make_code(values, plan, err);

    (void)host;
    if (!code)
        return -1;
    if (in[0]->items > MOST_ITEMS / code->times) {
        fecrun_fail(err, "times", "%llu times %llu bits are too many",
                    (unsigned long long)code->times, (unsigned long long)in[0]->items);
        free(code);
        plan->code = NULL;
        return -1;
    }
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = in[0]->items * code->times;
    return 0;
}

static int no_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args;
    (void)err;
    *instance = NULL;
    return 0;
}

static void no_destroy(void *instance)
{
    (void)instance;
}

static int encode_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct repeat_code *code = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        for (uint64_t i = 0; i < out[0]->items; i++)
            to[i] = from[i / code->times];
    }
    return 0;
}

/* ---- repeat.decode ---- */

static int decode_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    uint64_t times = (uint64_t)fecrun_value(values, 0)->i;

    (void)host;
    if (in[0]->items % times)
        return fecrun_fail(err, "times", "%llu LLRs arrive, which is no multiple of %llu",
                           (unsigned long long)in[0]->items, (unsigned long long)times);
    if (!make_code(values, plan, err))
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = in[0]->items / times;
    out[0]->llr_scale = out[0]->llr_max = 0;
    return 0;
}

static int llr(int8_t x)
{
    return x == -128 ? -127 : x;
}

static int decode_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct repeat_code *code = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const int8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        for (uint64_t i = 0; i < out[0]->items; i++) {
            int sum = 0;
            for (uint64_t k = 0; k < code->times; k++)
                sum += llr(from[i * code->times + k]);
            to[i] = sum < 0;
        }
    }
    return 0;
}

static int backwards_run(void *instance, const struct fecrun_call *call,
                         const struct fecrun_view *const in[], struct fecrun_view *const out[],
                         struct fecrun_error *err)
{
    const struct repeat_code *code = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = in[0]->frames; f-- > 0;) {
        const int8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        for (uint64_t i = out[0]->items; i-- > 0;) {
            int sum = 0;
            for (uint64_t k = code->times; k-- > 0;)
                sum += llr(from[i * code->times + k]);
            to[i] = sum < 0;
        }
    }
    return 0;
}

/* ---- Tables ---- */

static const struct fecrun_port *const bits[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS, .help = "bits"), NULL};
static const struct fecrun_port *const llrs[] = {
    FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .help = "LLRs of sent bits"), NULL};

static const struct fecrun_form *const encode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const decode_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};

static const struct fecrun_backend *const encode_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = encode_forms, .create = no_create, .run = encode_run,
                   .destroy = no_destroy),
    NULL,
};
static const struct fecrun_backend *const decode_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = decode_forms, .create = no_create, .run = decode_run,
                   .destroy = no_destroy),
    FECRUN_BACKEND(.name = "backwards", .summary = "the last frame first", .forms = decode_forms,
                   .create = no_create, .run = backwards_run, .destroy = no_destroy),
    NULL,
};

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "repeat.encode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "sends each bit several times", .params = params, .inputs = bits,
                 .outputs = bits, .backends = encode_backends, .plan = encode_plan,
                 .plan_free = free),
    FECRUN_STAGE(.name = "repeat.decode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "adds up the LLRs of each bit", .params = params, .inputs = llrs,
                 .outputs = bits, .backends = decode_backends, .plan = decode_plan,
                 .plan_free = free, .undoes = "repeat.encode"),
    NULL,
};

FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof fecrun_plugin,
    .abi = FECRUN_ABI,
    .name = "repeat",
    .version = "1.0",
    .license = "BSD-2-Clause",
    .stages = stages,
};

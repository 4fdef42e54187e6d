/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits through several ports, ragged batches, ordered stages, streams; all check what they get. */
#include "t/doubles/fake/fake.h"

#include <inttypes.h>

typedef int run_fn(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err);

static void copy(const struct fecrun_view *in, struct fecrun_view *out, uint8_t flip)
{
    for (uint64_t f = 0; f < in->frames; f++) {
        const uint8_t *from = fecrun_row(in, f);
        uint8_t *to = fecrun_row(out, f);
        for (uint64_t i = 0; i < in->items; i++)
            to[i] = from[i] ^ flip;
    }
}

/* ---- ports.twin: bits -> the same, and the opposite ---- */

static int twin_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    fecrun_frame_copy(out[0], in[0]);
    fecrun_frame_copy(out[1], in[0]);
    return 0;
}

static run_fn twin_run;
static int twin_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    copy(in[0], out[0], 0);
    copy(in[0], out[1], 1);
    return 0;
}

static const struct fecrun_port *const twin_outputs[] = {
    FECRUN_PORT(.name = "same", .kinds = FECRUN_KIND_BITS),
    FECRUN_PORT(.name = "opposite", .kinds = FECRUN_KIND_BITS),
    NULL,
};
static const struct fecrun_form *const twin_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_U8})),
    NULL,
};

/* ---- ports.swap: two in, two out ---- */

static run_fn swap_run;
static int swap_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    copy(in[0], out[1], 0);
    copy(in[1], out[0], 0);
    return 0;
}

static const struct fecrun_port *const swap_ports[] = {
    FECRUN_PORT(.name = "a", .kinds = FECRUN_KIND_BITS),
    FECRUN_PORT(.name = "b", .kinds = FECRUN_KIND_BITS),
    NULL,
};
static const struct fecrun_param *const swap_params[] = {
    FECRUN_PARAM(.name = "b", .type = FECRUN_VALUE_PORT, .flags = FECRUN_PARAM_REQUIRED,
                 .help = "input b"),
    NULL,
};
static const struct fecrun_form *const swap_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_U8})),
    NULL,
};

/* ---- ports.pick: the second input if it is linked, else the first ---- */

static int pick_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)err;
    fecrun_frame_copy(out[0], in[in[1] ? 1 : 0]);
    snprintf(plan->note, sizeof plan->note, "takes its %s input", in[1] ? "second" : "first");
    return 0;
}

static run_fn pick_run;
static int pick_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    if (!in[1])
        copy(in[0], out[0], 0);
    for (uint64_t f = 0; in[1] && f < in[1]->frames; f++)
        for (uint64_t i = 0; i < in[1]->items; i++)
            ((uint8_t *)fecrun_row(out[0], f))[i] = ((uint8_t *)fecrun_row(in[1], f))[i / 8] >>
                                                        (7 - i % 8) &
                                                    1;
    return 0;
}

static const struct fecrun_port *const pick_inputs[] = {
    FECRUN_PORT(.name = "first", .kinds = FECRUN_KIND_BITS),
    FECRUN_PORT(.name = "second", .kinds = FECRUN_KIND_BITS, .flags = FECRUN_PORT_OPTIONAL),
    NULL,
};
static const struct fecrun_param *const pick_params[] = {
    FECRUN_PARAM(.name = "second", .type = FECRUN_VALUE_PORT, .help = "the second input"), NULL};
static const struct fecrun_form *const pick_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_PACKED}),
                FECRUN_OUT({.type = FECRUN_U8})), /* two types, so that one input is converted */
    NULL,
};

/* ---- ragged.flip: frames of different sizes in one call ---- */

struct flip_code {
    uint64_t bits;
};

static int flip_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct flip_code *code;

    (void)host;
    if ((uint64_t)fecrun_value(values, 0)->i != in[0]->items)
        return fecrun_fail(err, "bits", "is %" PRId64 ", but %" PRIu64 " bits arrive here",
                           fecrun_value(values, 0)->i, in[0]->items);
    fecrun_frame_copy(out[0], in[0]);
    code = plan->code = calloc(1, sizeof *code);
    if (!code)
        return fecrun_no_memory(err);
    code->bits = in[0]->items;
    return 0;
}

static int flip_frame(const struct fecrun_call *call, const struct fecrun_view *in,
                      const struct fecrun_view *out, uint64_t f, struct fecrun_error *err)
{
    const struct flip_code *code = call->codes[in->offset ? in->frame_class[f] : 0];
    const uint8_t *from = (uint8_t *)in->data + (in->offset ? in->offset[f] : f * in->stride);
    uint8_t *to = (uint8_t *)out->data + (out->offset ? out->offset[f] : f * out->stride);

    if (in->offset && in->offset[f] + code->bits != in->offset[f + 1])
        return fecrun_fail(err, "bits", "frame %" PRIu64 " is not of its class's size", f);
    for (uint64_t i = 0; i < code->bits; i++)
        to[i] = from[i] ^ 1;
    return 0;
}

static run_fn flip_run;
static int flip_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance;
    if (in[0]->offset && (in[0]->items || out[0]->items))
        return fecrun_fail(err, NULL, "a ragged view has items");
    for (uint64_t f = 0; f < in[0]->frames; f++)
        if (flip_frame(call, in[0], out[0], f, err))
            return -1;
    return 0;
}

static const struct fecrun_param *const flip_params[] = {
    FECRUN_PARAM(.name = "bits", .type = FECRUN_VALUE_INT,
                 .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_REQUIRED, .imin = 1, .imax = 1 << 24,
                 .help = "bits in one frame"),
    NULL,
};
static const struct fecrun_form *const flip_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

/* ---- ordered.check: all frames, one after the other, one call at a time ---- */

struct order {
    uint64_t next;
    int inside;
};

static int order_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args;
    *instance = calloc(1, sizeof(struct order));
    return *instance ? 0 : fecrun_no_memory(err);
}

static run_fn order_run;
static int order_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    struct order *order = instance;

    if (__atomic_fetch_add(&order->inside, 1, __ATOMIC_SEQ_CST))
        return fecrun_fail(err, NULL, "two threads call one instance");
    if (call->first_frame != order->next)
        return fecrun_fail(err, NULL, "frame %" PRIu64 " comes where %" PRIu64 " is next",
                           call->first_frame, order->next);
    order->next += in[0]->frames;
    copy(in[0], out[0], 0);
    __atomic_fetch_sub(&order->inside, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* ---- stream.window: out[i] = parity of in[i - before .. i + after], zeros beyond the ends ---- */

struct window_code {
    uint64_t before, after;
};

static int window_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct window_code *code;

    (void)host;
    if (!in[0]->stream)
        return fecrun_fail(err, NULL, "takes streams only");
    fecrun_frame_copy(out[0], in[0]);
    code = plan->code = calloc(1, sizeof *code);
    if (!code)
        return fecrun_no_memory(err);
    plan->before = code->before = (uint64_t)fecrun_value(values, 0)->i;
    plan->after = code->after = (uint64_t)fecrun_value(values, 1)->i;
    return 0;
}

static run_fn window_run;
static int window_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct window_code *code = call->codes[0];
    const uint8_t *from = in[0]->data;
    uint8_t *to = out[0]->data;
    int64_t n = (int64_t)(in[0]->frames * in[0]->items), before = (int64_t)in[0]->before;
    int64_t after = (int64_t)in[0]->after;

    (void)instance;
    if (in[0]->before < code->before && call->first_item != in[0]->before)
        return fecrun_fail(err, NULL, "%" PRIu64 " items before item %" PRIu64, in[0]->before,
                           call->first_item);
    for (int64_t i = 0; i < n; i++) {
        to[i] = 0;
        for (int64_t k = i - (int64_t)code->before; k <= i + (int64_t)code->after; k++)
            if (k >= -before && k < n + after)
                to[i] ^= from[k];
    }
    return 0;
}

static const struct fecrun_param *const window_params[] = {
    FECRUN_PARAM(.name = "before", .type = FECRUN_VALUE_INT, .imax = 10000, .default_text = "3",
                 .help = "items"),
    FECRUN_PARAM(.name = "after", .type = FECRUN_VALUE_INT, .imax = 10000, .default_text = "5",
                 .help = "items"),
    NULL,
};

/* ---- Tables ---- */

static const struct fecrun_form *const copy_forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};

#define BACKENDS(form_table, create_fn, run_fn, destroy_fn) \
    ((const struct fecrun_backend *const[]){FECRUN_BACKEND(.name = "ref", .forms = form_table, \
                                                           .create = create_fn, .run = run_fn, \
                                                           .destroy = destroy_fn), \
                                            NULL})

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "ports.twin", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "bits, and flipped", .params = no_params, .inputs = bit_ports,
                 .outputs = twin_outputs,
                 .backends = BACKENDS(twin_forms, no_create, twin_run, no_destroy),
                 .plan = twin_plan),
    FECRUN_STAGE(.name = "ports.swap", .role = FECRUN_ROLE_TRANSFORM, .summary = "swaps two ports",
                 .params = swap_params, .inputs = swap_ports, .outputs = swap_ports,
                 .backends = BACKENDS(swap_forms, no_create, swap_run, no_destroy),
                 .plan = same_plan),
    FECRUN_STAGE(.name = "ports.pick", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "one of two inputs", .params = pick_params, .inputs = pick_inputs,
                 .outputs = bit_ports,
                 .backends = BACKENDS(pick_forms, no_create, pick_run, no_destroy),
                 .plan = pick_plan),
    FECRUN_STAGE(.name = "ragged.flip", .role = FECRUN_ROLE_TRANSFORM, .summary = "flips all bits",
                 .params = flip_params, .inputs = bit_ports, .outputs = bit_ports,
                 .backends = BACKENDS(flip_forms, no_create, flip_run, no_destroy),
                 .plan = flip_plan, .plan_free = free),
    FECRUN_STAGE(.name = "ordered.check", .role = FECRUN_ROLE_TRANSFORM,
                 .flags = FECRUN_STAGE_ORDERED, .summary = "copies bits, and wants them in order",
                 .params = no_params, .inputs = bit_ports, .outputs = bit_ports,
                 .backends = BACKENDS(copy_forms, order_create, order_run, free),
                 .plan = same_plan),
    FECRUN_STAGE(.name = "stream.window", .role = FECRUN_ROLE_TRANSFORM, .summary = "moving parity",
                 .params = window_params, .inputs = bit_ports, .outputs = bit_ports,
                 .backends = BACKENDS(copy_forms, no_create, window_run, no_destroy),
                 .plan = window_plan, .plan_free = free),
    NULL,
};

PLUGIN("ports", .stages = stages);

/* SPDX-License-Identifier: BSD-2-Clause */
/* fake.window and fake.windowllr: each item of a stream becomes a sum of those round it. */
#include "t/doubles/fake/device/device.h"

struct code {
    uint64_t before, after;
};

static int symmetric(int value, int lowest)
{
    return value == lowest ? lowest + 1 : value;
}

/* Item i of a stream's view, which may lie in its margins. */
static int window_item(const struct fecrun_view *view, int64_t i)
{
    const uint8_t *first = (const uint8_t *)view->data - fecrun_bytes(view->type, view->before);
    uint64_t at = (uint64_t)(i + (int64_t)view->before);

    switch (view->type) {
    case FECRUN_PACKED:
        return first[at / 8] >> (7 - at % 8) & 1;
    case FECRUN_I4:
        return symmetric((int8_t)(at % 2 ? first[at / 2] << 4 : first[at / 2] & 0xf0) >> 4, -8);
    case FECRUN_I8:
        return symmetric((int8_t)first[at], -128);
    default:
        return first[at];
    }
}

static void put_window_item(const struct fecrun_view *view, uint64_t i, int value)
{
    uint8_t *data = view->data;

    if (view->type == FECRUN_PACKED)
        data[i / 8] |= (uint8_t)((value & 1) << (7 - i % 8));
    else if (view->type == FECRUN_I4)
        data[i / 2] |= (uint8_t)((value & 15) << (i % 2 ? 0 : 4));
    else
        data[i] = (uint8_t)(view->type == FECRUN_U8 ? value & 1 : value);
}

static void do_window(const struct work *w)
{
    int64_t n = (int64_t)(w->in.frames * w->in.items);

    memset(w->out.data, 0, fecrun_bytes(w->out.type, (uint64_t)n));
    for (int64_t i = 0; i < n; i++) {
        int sum = 0;
        for (int64_t k = i - (int64_t)w->before; k <= i + (int64_t)w->after; k++)
            if (k >= -(int64_t)w->in.before && k < n + (int64_t)w->in.after)
                sum += window_item(&w->in, k);
        put_window_item(
            &w->out, (uint64_t)i,
            w->in.type == FECRUN_I4 || w->in.type == FECRUN_I8 ? (sum % 15 + 15) % 15 - 7 : sum);
    }
}

static int window_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct code *code;

    (void)host;
    if (!in[0]->stream || (in[0]->stream == 1 && in[0]->items % 8)) /* the last piece may be odd */
        return fecrun_fail(err, NULL, "takes streams of whole bytes of bits");
    code = plan->code = calloc(1, sizeof *code);
    if (!code)
        return fecrun_no_memory(err);
    fecrun_frame_copy(out[0], in[0]);
    plan->before = code->before = (uint64_t)fecrun_value(values, 0)->i;
    plan->after = code->after = (uint64_t)fecrun_value(values, 1)->i;
    return 0;
}

static int window_create(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err, bool device)
{
    const struct code *code = args->codes[0];

    return fake_make(args, instance, err,
                     &(struct instance){do_window, .device = device, .before = code->before,
                                        .after = code->after});
}

static int window_host(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return window_create(args, instance, err, false);
}

static int window_device(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    return window_create(args, instance, err, true);
}

static const struct fecrun_param *const window_params[] = {
    FECRUN_PARAM(.name = "before", .type = FECRUN_VALUE_INT, .imin = 0, .imax = 100000,
                 .default_text = "0", .help = "items in front"),
    FECRUN_PARAM(.name = "after", .type = FECRUN_VALUE_INT, .imin = 0, .imax = 100000,
                 .default_text = "0", .help = "items behind"),
    NULL,
};
static const struct fecrun_form *const bit_forms[] = {TYPES(FECRUN_PACKED, FECRUN_PACKED), NULL};
static const struct fecrun_form *const llr_forms[] = {TYPES(FECRUN_I4, FECRUN_I4),
                                                      TYPES(FECRUN_I8, FECRUN_I8), NULL};

STAGE(fake_window, .name = "fake.window", .role = FECRUN_ROLE_TRANSFORM, .params = window_params,
      .inputs = bit_ports, .outputs = bit_ports, .plan = window_plan, .plan_free = free,
      .backends = BACKENDS(bit_forms, window_host, window_device));
STAGE(fake_window_llr, .name = "fake.windowllr", .role = FECRUN_ROLE_TRANSFORM,
      .params = window_params, .inputs = llr_ports, .outputs = llr_ports, .plan = window_plan,
      .plan_free = free, .backends = BACKENDS(llr_forms, window_host, window_device));

/* SPDX-License-Identifier: BSD-2-Clause */
/* LLRs: fake.negate, fake.scale (on the device it does the former, too) and fake.widen. */
#include "t/doubles/fake/device/device.h"

struct code {
    double factor;
    uint64_t items;
};

static void do_widen(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++)
        memcpy(fecrun_row(&w->out, f), fecrun_row(&w->in, f), w->in.items * sizeof(float));
}

/* fake.negate and fake.scale: i8 -> i8; the former leaves a mark in the frame infos. */
static void do_scale(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const int8_t *in = fecrun_row(&w->in, f);
        int8_t *out = fecrun_row(&w->out, f), *row = w->scratch ? w->scratch : out;
        for (uint64_t i = 0; i < w->in.items; i++)
            row[i] = (int8_t)((in[i] == -128 ? -127 : in[i]) * w->factor);
        if (row != out)
            memcpy(out, row, w->in.items);
        if (w->info)
            w->info[f].iterations = 3;
    }
}

CREATE(widen_host, do_widen, .factor = 1)
CREATE(widen_device, do_widen, .factor = 1, .device = true)
CREATE(negate_host, do_scale, .factor = -1, .marks = true)
CREATE(negate_device, do_scale, .factor = -1, .marks = true, .device = true)

/* The factor is in the code object; an absorbed fake.negate turns it round. */
static int scale_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err,
                        bool device)
{
    const struct code *code = args->codes[0];
    struct instance like = {do_scale, .factor = code->factor, .device = device,
                            .items = code->items};

    if (args->n_absorbed > 1 || (args->n_absorbed && strcmp(args->absorbed[0], "fake.negate")))
        return fecrun_fail(err, NULL, "asked to do a stage that it does not know");
    if (args->n_absorbed) {
        if (!fake_told_to_fail("absorb"))
            like.factor = -like.factor;
        like.marks = true;
    }
    return fake_make(args, instance, err, &like);
}

static int scale_host(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return scale_create(args, instance, err, false);
}

static int scale_device(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return scale_create(args, instance, err, true);
}

static size_t scale_scratch(const void *instance, uint64_t frames)
{
    return ((const struct instance *)instance)->items * frames;
}

static double scale_bound(const void *instance)
{
    (void)instance;
    return 1000;
}

static int scale_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct code *code = plan->code = calloc(1, sizeof *code);

    (void)host;
    if (!code)
        return fecrun_no_memory(err);
    fecrun_frame_copy(out[0], in[0]);
    code->factor = fecrun_value(values, 0)->f;
    code->items = in[0]->items;
    out[0]->llr_scale *= code->factor < 0 ? -code->factor : code->factor;
    return 0;
}

static int widen_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->type = FECRUN_F32;
    return 0;
}

static const struct fecrun_param *const scale_params[] = {
    FECRUN_PARAM(.name = "factor", .type = FECRUN_VALUE_FLOAT, .fmin = -1, .fmax = 1,
                 .default_text = "1", .help = "what LLRs are multiplied with"),
    NULL,
};
static const struct fecrun_form *const i8_forms[] = {TYPES(FECRUN_I8, FECRUN_I8), NULL};
static const struct fecrun_form *const f32_forms[] = {TYPES(FECRUN_F32, FECRUN_F32), NULL};
static const char *const absorbs_negate[] = {"fake.negate", NULL};

STAGE(fake_negate, .name = "fake.negate", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = llr_ports, .outputs = llr_ports, .plan = same_plan,
      .backends = BACKENDS(i8_forms, negate_host, negate_device));
STAGE(fake_scale, .name = "fake.scale", .role = FECRUN_ROLE_TRANSFORM, .params = scale_params,
      .inputs = llr_ports, .outputs = llr_ports, .plan = scale_plan, .plan_free = free,
      .backends = BACKENDS_RUN(fake_run, i8_forms, scale_host, i8_forms, scale_device,
                               .absorbs = absorbs_negate, .scratch = scale_scratch,
                               .bound_gbps = scale_bound));
STAGE(fake_widen, .name = "fake.widen", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = llr_ports, .outputs = llr_ports, .plan = widen_plan,
      .backends = BACKENDS(f32_forms, widen_host, widen_device));

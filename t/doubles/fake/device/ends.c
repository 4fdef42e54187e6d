/* SPDX-License-Identifier: BSD-2-Clause */
/* A source and a sink that the device has, too, so that whole pipelines run on it. fake.ramp makes
   bits that differ from frame to frame, fake.count counts ones as bit errors. */
#include "t/doubles/fake/device/device.h"

/* Ones become rarer towards the end of a frame; a few frames have none. */
static unsigned ramp_bit(uint64_t frame, uint64_t i)
{
    uint64_t z = (frame * 1000003 + i + 1) * 0x9e3779b97f4a7c15u;

    return frame % 5 && (z >> 40) % (8 + i / 16) == 0;
}

static void do_ramp(const struct work *w)
{
    for (uint64_t f = 0; f < w->out.frames; f++)
        for (uint64_t i = 0; i < w->out.items; i++)
            ((uint8_t *)fecrun_row(&w->out, f))[i] = (uint8_t)ramp_bit(w->first_frame + f, i);
}

static void do_count(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const uint8_t *row = fecrun_row(&w->in, f);
        uint64_t ones = 0;
        for (uint64_t i = 0; i < w->in.items; i++)
            ones += row[i];
        w->info[f].bit_errors = ones;
        w->info[f].flags |= FECRUN_FRAME_COUNTED;
    }
}

CREATE(ramp_host, do_ramp, .factor = 0)
CREATE(ramp_device, do_ramp, .device = true)
CREATE(count_host, do_count, .factor = 0)
CREATE(count_device, do_count, .device = true)

static int run_end(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    const struct instance *self = instance;
    const struct fecrun_view *view = self->work == do_ramp ? out[0] : in[0];
    struct work work = {.run = self->work,
                        .in = *view,
                        .out = *view,
                        .info = call->info,
                        .first_frame = call->first_frame};
    bool good = is_device(call->info);

    if (!self->device) {
        if (good || is_device(view->data))
            return fecrun_fail(err, NULL, "device memory for a host backend");
        work.run(&work);
        return 0;
    }
    work.in = work.out = on_device(view, &good);
    work.info = real(call->info);
    if (!good)
        return fecrun_fail(err, NULL, "host memory for a device backend");
    return fake_push(call->stream, &work, err);
}

static int ramp_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    uint64_t bits = (uint64_t)fecrun_value(values, 0)->i;

    (void)host, (void)in, (void)plan, (void)err;
    *out[0] = (struct fecrun_frame){.size = out[0]->size,
                                    .kind = FECRUN_KIND_BITS,
                                    .type = FECRUN_U8,
                                    .items = bits,
                                    .info_bits = bits};
    return 0;
}

static const struct fecrun_param *const ramp_params[] = {
    FECRUN_PARAM(.name = "bits", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 100000,
                 .default_text = "500", .help = "bits of a frame"),
    NULL,
};

static const struct fecrun_form *const ramp_forms[] = {FECRUN_FORM(FECRUN_OUT({.type = FECRUN_U8})),
                                                       NULL};
static const struct fecrun_form *const count_forms[] = {FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8})),
                                                        NULL};

STAGE(fake_ramp, .name = "fake.ramp", .role = FECRUN_ROLE_SOURCE, .params = ramp_params,
      .inputs = no_ports, .outputs = bit_ports, .plan = ramp_plan,
      .backends = BACKENDS_RUN(run_end, ramp_forms, ramp_host, ramp_forms, ramp_device,
                               .agreement = 0));
STAGE(fake_count, .name = "fake.count", .role = FECRUN_ROLE_SINK, .flags = FECRUN_STAGE_COUNTS,
      .params = no_params, .inputs = bit_ports, .outputs = no_ports, .plan = same_plan,
      .backends = BACKENDS_RUN(run_end, count_forms, count_host, count_forms, count_device,
                               .agreement = 0));

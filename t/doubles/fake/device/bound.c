/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of the test program in the device's memory: fake.input and fake.output, of bits. */
#include "t/doubles/fake/device/device.h"

static const struct fecrun_param *const input_params[] = {
    FECRUN_PARAM(.name = "frame", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 100000,
                 .flags = FECRUN_PARAM_REQUIRED, .help = "bits of a frame"),
    NULL,
};

static int input_plan(const struct fecrun_host *host, const struct fecrun_values *values,
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

static int never_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    (void)instance, (void)call, (void)in, (void)out;
    return fecrun_fail(err, NULL, "run() of a stage that is bound");
}

static const struct fecrun_form *const input_forms[] = {
    FECRUN_FORM(FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const output_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8})), NULL};

STAGE(fake_input, .name = "fake.input", .role = FECRUN_ROLE_SOURCE, .flags = FECRUN_STAGE_BOUND,
      .params = input_params, .inputs = no_ports, .outputs = bit_ports, .plan = input_plan,
      .backends = BACKENDS_RUN(never_run, input_forms, no_create, input_forms, no_create,
                               .agreement = 0));
STAGE(fake_output, .name = "fake.output", .role = FECRUN_ROLE_SINK, .flags = FECRUN_STAGE_BOUND,
      .params = no_params, .inputs = bit_ports, .outputs = no_ports, .plan = same_plan,
      .backends = BACKENDS_RUN(never_run, output_forms, no_create, output_forms, no_create,
                               .agreement = 0));

/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages that do nothing, to see what the framework itself costs (bench/overhead.sh). */
#include "t/doubles/fake/fake.h"

static int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)in, (void)plan, (void)err;
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = out[0]->info_bits = (uint64_t)fecrun_value(values, 0)->i;
    return 0;
}

static int null_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)in, (void)out, (void)err;
    return 0;
}

static const struct fecrun_form *const source_forms[] = {
    FECRUN_FORM(FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const pass_forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};
static const struct fecrun_form *const sink_forms[] = {FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8})),
                                                       NULL};

#define BACKENDS(form_table) \
    ((const struct fecrun_backend *const[]){FECRUN_BACKEND(.name = "ref", .forms = form_table, \
                                                           .create = no_create, .run = null_run, \
                                                           .destroy = no_destroy), \
                                            NULL})

/* Backends that do the same, and those of null.float: one that is preferred, and has other forms. */
#define NULL_BACKEND(backend_name, form_table) \
    FECRUN_BACKEND(.name = backend_name, .forms = form_table, .create = no_create, \
                   .run = null_run, .destroy = no_destroy)
static const struct fecrun_backend *const three_backends[] = {
    NULL_BACKEND("ref", pass_forms), NULL_BACKEND("first", pass_forms),
    NULL_BACKEND("second", pass_forms), NULL};
static const struct fecrun_form *const i8_forms[] = {TYPES(FECRUN_I8, FECRUN_I8), NULL};
static const struct fecrun_form *const f32_forms[] = {TYPES(FECRUN_F32, FECRUN_F32), NULL};
static const struct fecrun_form *const i8_sink_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8})), NULL};
static const struct fecrun_backend *const float_backends[] = {
    NULL_BACKEND("ref", i8_forms), NULL_BACKEND("floats", f32_forms), NULL};

static const struct fecrun_param *const source_params[] = {
    FECRUN_PARAM(.name = "bits", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 1 << 24,
                 .default_text = "64", .help = "bits in one frame"),
    NULL,
};

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "null.source", .role = FECRUN_ROLE_SOURCE,
                 .summary = "leaves what is there", .params = source_params, .inputs = no_ports,
                 .outputs = bit_ports, .backends = BACKENDS(source_forms), .plan = source_plan),
    FECRUN_STAGE(.name = "null.pass", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "leaves what is there", .params = no_params, .inputs = bit_ports,
                 .outputs = bit_ports, .backends = BACKENDS(pass_forms), .plan = same_plan),
    FECRUN_STAGE(.name = "null.sink", .role = FECRUN_ROLE_SINK, .summary = "looks at nothing",
                 .params = no_params, .inputs = bit_ports, .outputs = no_ports,
                 .backends = BACKENDS(sink_forms), .plan = same_plan),
    FECRUN_STAGE(.name = "null.three", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "has three backends", .params = no_params, .inputs = bit_ports,
                 .outputs = bit_ports, .backends = three_backends, .plan = same_plan),
    FECRUN_STAGE(.name = "null.float", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "would rather have floats", .params = no_params, .inputs = llr_ports,
                 .outputs = llr_ports, .backends = float_backends, .plan = same_plan),
    FECRUN_STAGE(.name = "null.i8", .role = FECRUN_ROLE_SINK, .summary = "takes i8 only",
                 .params = no_params, .inputs = llr_ports, .outputs = no_ports,
                 .backends = BACKENDS(i8_sink_forms), .plan = same_plan),
    NULL,
};

PLUGIN("null", .stages = stages);

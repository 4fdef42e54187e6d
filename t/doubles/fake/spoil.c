/* SPDX-License-Identifier: BSD-2-Clause */
/* spoil.llrs: mistakes that receivers make. */
#include "t/doubles/fake/fake.h"

enum fault { INVERTED, CONJUGATE, SWAPPED, BYTES, SCALED, SHIFTED, CLIPPED, ERASED };

static const char *const faults[] = {"inverted", "conjugate", "swapped", "bytes", "scaled",
                                     "shifted",  "clipped",   "erased",  NULL};

static const struct fecrun_param *const spoil_params[] = {
    FECRUN_PARAM(.name = "fault", .type = FECRUN_VALUE_CHOICE, .choices = faults,
                 .flags = FECRUN_PARAM_REQUIRED, .help = "which"),
    NULL,
};

static int spoil_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)err;
    fecrun_frame_copy(out[0], in[0]);
    plan->code = malloc(sizeof(enum fault));
    *(enum fault *)plan->code = (enum fault)fecrun_value(values, 0)->i;
    return 0;
}

static float spoilt(enum fault fault, const float *x, uint64_t n, uint64_t i)
{
    switch (fault) {
    case INVERTED:
        return -x[i];
    case CONJUGATE:
        return i % 2 ? -x[i] : x[i];
    case SWAPPED:
        return x[i ^ 1];
    case BYTES:
        return x[i ^ 7];
    case SCALED:
        return 4 * x[i];
    case SHIFTED:
        return x[(i + 1) % n];
    case CLIPPED:
        return x[i] > 0 ? 1 : x[i] < 0 ? -1 : 0;
    default:
        return 0;
    }
}

static int spoil_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const enum fault *fault = call->codes[0];

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const float *from = fecrun_row(in[0], f);
        float *to = fecrun_row(out[0], f);

        for (uint64_t i = 0; i < in[0]->items; i++)
            to[i] = spoilt(*fault, from, in[0]->items, i);
    }
    return 0;
}

static const struct fecrun_form *const spoil_forms[] = {TYPES(FECRUN_F32, FECRUN_F32), NULL};

static const struct fecrun_backend *const spoil_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = spoil_forms, .create = no_create, .run = spoil_run,
                   .destroy = no_destroy),
    NULL,
};

static const struct fecrun_stage spoil_llrs = {
    .size = sizeof spoil_llrs,
    .name = "spoil.llrs",
    .role = FECRUN_ROLE_TRANSFORM,
    .summary = "one mistake",
    .params = spoil_params,
    .inputs = llr_ports,
    .outputs = llr_ports,
    .backends = spoil_backends,
    .plan = spoil_plan,
    .plan_free = free,
};

static const struct fecrun_stage *const stages[] = {&spoil_llrs, NULL};

PLUGIN("spoil", .stages = stages);

/* SPDX-License-Identifier: BSD-2-Clause */
/* A stage that works, whose required parameters alone are a map of some 500 bytes. */
#include "t/doubles/fake/fake.h"

static int pass_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        memcpy(fecrun_row(out[0], f), fecrun_row(in[0], f),
               fecrun_bytes(in[0]->type, in[0]->items));
    return 0;
}

#define NAME(n) "a_name_that_is_as_long_as_names_of_parameters_may_well_be_" #n
#define REQUIRED(n) \
    FECRUN_PARAM(.name = NAME(n), .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_REQUIRED, \
                 .imin = 0, .imax = 99, .help = "without effect")

static const struct fecrun_param *const params[] = {REQUIRED(1), REQUIRED(2), REQUIRED(3),
                                                    REQUIRED(4), REQUIRED(5), REQUIRED(6),
                                                    REQUIRED(7), REQUIRED(8), NULL};

static const struct fecrun_form *const forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = no_create, .run = pass_run,
                   .destroy = no_destroy),
    NULL};

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "long.pass", .role = FECRUN_ROLE_TRANSFORM, .summary = "passes bits on",
                 .params = params, .inputs = bit_ports, .outputs = bit_ports, .backends = backends,
                 .plan = same_plan),
    NULL};

PLUGIN("long", .stages = stages);

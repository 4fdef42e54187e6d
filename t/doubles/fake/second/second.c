/* SPDX-License-Identifier: BSD-2-Clause */
/* A plugin that has a stage of the same name as null.so, and one for devices of nobody's. */
#include "t/doubles/fake/fake.h"

static int copy_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    memcpy(out[0]->data, in[0]->data, in[0]->frames * in[0]->stride);
    return 0;
}

static const struct fecrun_form *const forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};
static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = no_create, .run = copy_run,
                   .destroy = no_destroy),
    FECRUN_BACKEND(.name = "lost", .provider = "nowhere", .forms = forms, .create = no_create,
                   .run = copy_run, .destroy = no_destroy),
    NULL,
};

#define PASS(stage_name) \
    FECRUN_STAGE(.name = stage_name, .role = FECRUN_ROLE_TRANSFORM, .summary = "the second one", \
                 .params = no_params, .inputs = bit_ports, .outputs = bit_ports, \
                 .backends = backends, .plan = same_plan)

static const struct fecrun_stage *const stages[] = {PASS("null.pass"), PASS("second.pass"), NULL};

PLUGIN("second", .stages = stages);

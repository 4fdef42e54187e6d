/* SPDX-License-Identifier: BSD-2-Clause */
/* A stage with a row for CUDA devices, which works as far as the host asks whether it could. */
#include "t/doubles/fake/fake.h"

static int row_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args;
    *instance = NULL;
    return fecrun_fail(err, NULL, "this row is only there to be listed");
}

static int row_run(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    memcpy(out[0]->data, in[0]->data, in[0]->frames * in[0]->stride);
    return 0;
}

static const struct fecrun_form *const forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};
static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = no_create, .run = row_run,
                   .destroy = no_destroy),
    FECRUN_BACKEND(.name = "cuda", .provider = "cuda", .forms = forms, .create = row_create,
                   .run = row_run, .destroy = no_destroy),
    NULL,
};

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "row.pass", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "for tests of devices", .params = no_params, .inputs = bit_ports,
                 .outputs = bit_ports, .backends = backends, .plan = same_plan),
    NULL,
};

PLUGIN("row", .stages = stages);

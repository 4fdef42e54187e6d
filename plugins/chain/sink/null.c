/* SPDX-License-Identifier: BSD-2-Clause */
/* sink.null: takes anything and drops it. */
#include "plugins/chain/plugin.h"

static const struct fecrun_param *const params[] = {NULL};

static int null_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host;
    (void)values;
    (void)in;
    (void)out;
    (void)plan;
    (void)err;
    return 0;
}

static int null_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance;
    (void)call;
    (void)in;
    (void)out;
    (void)err;
    return 0;
}

static const struct fecrun_form *const forms[] = {CHAIN_EACH_TYPE(FECRUN_IN, PACKED, U8), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = fecrun_no_instance, .run = null_run,
                   .destroy = fecrun_no_destroy),
    NULL,
};

const struct fecrun_stage chain_sink_null = {
    .size = sizeof chain_sink_null,
    .name = "sink.null",
    .role = FECRUN_ROLE_SINK,
    .summary = "drops everything",
    .params = params,
    .inputs = FECRUN_ONE_PORT(
        "in", FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS | FECRUN_KIND_VALUES,
        "anything"),
    .outputs = FECRUN_NO_PORTS,
    .backends = backends,
    .plan = null_plan,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* A plugin of one stage NAME.pass that works; each bad plugin spoils one thing of it by a macro. */
#include <fecrun/plugin.h>
#include <stdlib.h>
#include <string.h>

#ifndef BAD_ABI
#define BAD_ABI FECRUN_ABI
#endif
#ifndef BAD_PLUGIN_SIZE
#define BAD_PLUGIN_SIZE sizeof(struct fecrun_plugin)
#endif
#ifndef BAD_STAGE_SIZE
#define BAD_STAGE_SIZE sizeof(struct fecrun_stage)
#endif
#ifndef BAD_BACKEND_SIZE
#define BAD_BACKEND_SIZE sizeof(struct fecrun_backend)
#endif
#ifndef BAD_PORT_SIZE
#define BAD_PORT_SIZE sizeof(struct fecrun_port)
#endif
#ifndef BAD_FORM_SIZE
#define BAD_FORM_SIZE sizeof(struct fecrun_form)
#endif
#ifndef BAD_PLAN
#define BAD_PLAN pass_plan
#endif
#ifndef BAD_CREATE
#define BAD_CREATE pass_create
#endif
#ifndef BAD_RUN
#define BAD_RUN pass_run
#endif
#ifndef BAD_TYPE
#define BAD_TYPE FECRUN_U8
#endif
#ifndef BAD_RESERVED
#define BAD_RESERVED 0
#endif
#ifndef BAD_BACKENDS
#define BAD_BACKENDS pass_backends
#endif
#ifndef BAD_PROVIDER
#define BAD_PROVIDER NULL
#endif
#ifndef BAD_STAGE_NAME
#define BAD_STAGE_NAME BAD_NAME ".pass"
#endif

#define UNUSED __attribute__((unused))

static UNUSED int pass_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                            const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                            struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    *out[0] = *in[0];
    return 0;
}

static UNUSED int pass_create(const struct fecrun_create *args, void **instance,
                              struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static UNUSED int pass_run(void *instance, const struct fecrun_call *call,
                           const struct fecrun_view *const in[], struct fecrun_view *const out[],
                           struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    memcpy(out[0]->data, in[0]->data, in[0]->frames * in[0]->stride);
    return 0;
}

static UNUSED void pass_destroy(void *instance)
{
    (void)instance;
}

static UNUSED const struct fecrun_form *const pass_forms[] = {
    &(const struct fecrun_form){
        .size = BAD_FORM_SIZE,
        .n_in = 1,
        .in = (const struct fecrun_sample[]){{.type = BAD_TYPE, .reserved = {BAD_RESERVED}}},
        .n_out = 1,
        .out = (const struct fecrun_sample[]){{.type = FECRUN_U8}}},
    NULL,
};

static UNUSED const struct fecrun_backend *const pass_backends[] = {
    &(const struct fecrun_backend){.size = BAD_BACKEND_SIZE,
                                   .name = "ref",
                                   .forms = pass_forms,
                                   .create = BAD_CREATE,
                                   .run = BAD_RUN,
                                   .destroy = pass_destroy},
#ifdef BAD_PROBE
    &(const struct fecrun_backend){.size = BAD_BACKEND_SIZE,
                                   .name = "fast",
                                   .provider = BAD_PROVIDER,
                                   .interface = 6,
                                   .forms = pass_forms,
                                   .probe = BAD_PROBE,
                                   .create = pass_create,
                                   .run = pass_run,
                                   .destroy = pass_destroy},
#endif
    NULL,
};

static const struct fecrun_param *const pass_params[] = {
#ifdef BAD_PARAM_SIZE
    &(const struct fecrun_param){
        .size = BAD_PARAM_SIZE, .name = "p", .type = FECRUN_VALUE_BOOL, .help = "of no use"},
#endif
    NULL,
};

static const struct fecrun_port *const pass_ports[] = {
    &(const struct fecrun_port){.size = BAD_PORT_SIZE, .name = "bits", .kinds = FECRUN_KIND_BITS},
    NULL,
};

static const struct fecrun_stage pass = {
    .size = BAD_STAGE_SIZE,
    .name = BAD_STAGE_NAME,
    .role = FECRUN_ROLE_TRANSFORM,
    .summary = "copies bits",
    .params = pass_params,
    .inputs = pass_ports,
    .outputs = pass_ports,
    .backends = BAD_BACKENDS,
    .plan = BAD_PLAN,
#ifdef BAD_EXAMPLES
    .examples = BAD_EXAMPLES,
#endif
};

static const struct fecrun_stage *const stages[] = {&pass, NULL};

FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin = {
    .size = BAD_PLUGIN_SIZE,
    .abi = BAD_ABI,
    .name = BAD_NAME,
    .version = "1",
    .license = "BSD-2-Clause",
    .stages = stages,
};

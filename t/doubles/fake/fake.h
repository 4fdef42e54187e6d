/* SPDX-License-Identifier: BSD-2-Clause */
/* What the plugins of this directory share: short tables, a code object, plain callbacks. */
#ifndef T_DOUBLES_FAKE_FAKE_H
#define T_DOUBLES_FAKE_FAKE_H

#include <fecrun/sim.h>
#include <fecrun/sdk/params.h>
#include <stdbool.h>
#include <stdlib.h>

#define UNUSED __attribute__((unused))

static UNUSED const struct fecrun_param *const no_params[] = {NULL};
static UNUSED const struct fecrun_port *const no_ports[] = {NULL};
static UNUSED const struct fecrun_port *const bit_ports[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS), NULL};
static UNUSED const struct fecrun_port *const llr_ports[] = {
    FECRUN_PORT(.name = "llrs", .kinds = FECRUN_KIND_LLR), NULL};

#define TYPES(from, to) FECRUN_FORM(FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

/* The frames stay as they are. */
static UNUSED int same_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                            const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                            struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    for (unsigned p = 0; p < FECRUN_MAX_PORTS && in[p] && out[p]; p++)
        fecrun_frame_copy(out[p], in[p]);
    return 0;
}

static UNUSED int no_create(const struct fecrun_create *args, void **instance,
                            struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static UNUSED void no_destroy(void *instance)
{
    (void)instance;
}

#define PLUGIN(plugin_name, ...) \
    FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin = { \
        .size = sizeof fecrun_plugin, \
        .abi = FECRUN_ABI, \
        .name = plugin_name, \
        .version = "1", \
        .license = "BSD-2-Clause", \
        __VA_ARGS__, \
    }

#endif

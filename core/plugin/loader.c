/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, dlinfo */
#endif
#include "core/plugin/loader.h"

#include "core/plugin/object.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static bool bad(struct loaded *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(out->reason, sizeof out->reason, format, args);
    va_end(args);
    return false;
}

/* Does the struct reach its FECRUN_..._LAST? */
#define IS_WHOLE(out, owner, type, p, last) \
    is_whole(out, owner, #type, (p)->size, offsetof(struct type, last) + sizeof((p)->last))
static bool is_whole(struct loaded *out, const char *owner, const char *type, size_t size,
                     size_t least)
{
    return size >= least || bad(out, "%s: a struct %s has %zu bytes; at least %zu are needed",
                                owner, type, size, least);
}

/* What users write and terminals show. */
static bool check_name(struct loaded *out, const char *what, const char *name)
{
    for (const char *p = name ? name : ""; *p; p++)
        if (*p <= ' ' || *p >= 0x7f)
            return bad(out, "%s has a name with byte 0x%02x in it; names are printable ASCII", what,
                       (unsigned)(unsigned char)*p);
    return (name && *name) || bad(out, "%s has no name", what);
}

/* Of a line for people. */
static bool check_line(struct loaded *out, const char *what, const char *text)
{
    if (!text)
        return bad(out, "%s is missing", what);
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return bad(out, "%s has byte 0x%02x in it; it must be one line", what,
                       (unsigned)(unsigned char)*p);
    return true;
}

static bool check_param(struct loaded *out, const char *owner, const struct fecrun_param *p)
{
    if (!IS_WHOLE(out, owner, fecrun_param, p, FECRUN_PARAM_LAST))
        return false;
    if (!p->name || !p->help)
        return bad(out, "%s: a parameter has no name or help", owner);
    if (!check_line(out, "a parameter's name", p->name))
        return false;
    if (p->type < FECRUN_VALUE_INT || p->type > FECRUN_VALUE_PORT)
        return bad(out, "%s: parameter %s has unknown type %u", owner, p->name, p->type);
    if (p->type == FECRUN_VALUE_CHOICE && (!p->choices || !p->choices[0]))
        return bad(out, "%s: parameter %s is a choice without choices", owner, p->name);
    for (size_t i = 0; p->old_choices && p->old_choices[i]; i++)
        if (!IS_WHOLE(out, owner, fecrun_old_choice, p->old_choices[i], FECRUN_OLD_CHOICE_LAST))
            return false;
    return true;
}

static bool check_params(struct loaded *out, const char *owner,
                         const struct fecrun_param *const *params)
{
    for (size_t i = 0; params && params[i]; i++)
        if (!check_param(out, owner, params[i]))
            return false;
    return true;
}

static bool check_sample(const struct fecrun_sample *sample)
{
    for (size_t i = 0; i < sizeof sample->reserved / sizeof *sample->reserved; i++)
        if (sample->reserved[i])
            return false;
    return sample->type <= FECRUN_C8;
}

static bool check_form(struct loaded *out, const struct fecrun_stage *stage,
                       const struct fecrun_backend *backend, const struct fecrun_form *form)
{
    if (!IS_WHOLE(out, stage->name, fecrun_form, form, FECRUN_FORM_LAST))
        return false;
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        if (!check_sample(&form->in[p]) || !check_sample(&form->out[p]))
            return bad(out,
                       "%s: backend %s: a form has an unknown sample type, or asks for "
                       "something unknown",
                       stage->name, backend->name);
    return true;
}

static bool check_backend(struct loaded *out, const struct fecrun_stage *stage,
                          const struct fecrun_backend *backend)
{
    if (!IS_WHOLE(out, stage->name, fecrun_backend, backend, FECRUN_BACKEND_LAST) ||
        !check_name(out, "a backend", backend->name))
        return false;
    if (!backend->create || !backend->run || !backend->destroy)
        return bad(out, "%s: backend %s lacks create, run or destroy", stage->name, backend->name);
    if (!backend->forms || !backend->forms[0])
        return bad(out, "%s: backend %s has no forms", stage->name, backend->name);
    for (size_t i = 0; backend->forms[i]; i++)
        if (!check_form(out, stage, backend, backend->forms[i]))
            return false;
    return check_params(out, stage->name, backend->tune);
}

static bool check_ports(struct loaded *out, const struct fecrun_stage *stage,
                        const struct fecrun_port *const *ports)
{
    size_t n = 0;

    if (!ports)
        return bad(out, "%s: a table of ports is NULL", stage->name);
    for (; ports[n]; n++)
        if (!IS_WHOLE(out, stage->name, fecrun_port, ports[n], FECRUN_PORT_LAST) ||
            !check_name(out, "a port", ports[n]->name))
            return false;
    if (n > FECRUN_MAX_PORTS)
        return bad(out, "%s: %zu ports, at most %d", stage->name, n, FECRUN_MAX_PORTS);
    return true;
}

static bool check_role(struct loaded *out, const struct fecrun_stage *stage)
{
    bool in = stage->inputs[0] != NULL, output = stage->outputs[0] != NULL;

    switch (stage->role) {
    case FECRUN_ROLE_SOURCE:
        return (!in && output) || bad(out, "%s: a source has outputs only", stage->name);
    case FECRUN_ROLE_TRANSFORM:
        return (in && output) || bad(out, "%s: a transform has inputs and outputs", stage->name);
    case FECRUN_ROLE_SINK:
        return (in && !output) || bad(out, "%s: a sink has inputs only", stage->name);
    default:
        return bad(out, "%s: unknown role %u", stage->name, stage->role);
    }
}

static bool check_examples(struct loaded *out, const struct fecrun_stage *stage)
{
    for (size_t i = 0; stage->examples && stage->examples[i]; i++)
        if (!IS_WHOLE(out, stage->name, fecrun_example, stage->examples[i], FECRUN_EXAMPLE_LAST) ||
            !check_line(out, "an example's text", stage->examples[i]->params))
            return false;
    return true;
}

static bool check_stage(struct loaded *out, const struct fecrun_stage *stage)
{
    if (!IS_WHOLE(out, "a stage", fecrun_stage, stage, FECRUN_STAGE_LAST) ||
        !check_name(out, "a stage", stage->name) || !check_line(out, "a summary", stage->summary))
        return false;
    if (!strchr(stage->name, '.'))
        return bad(out, "stage name `%s` is not of the form family.verb", stage->name);
    if (!stage->plan || !stage->params)
        return bad(out, "%s: lacks plan or params", stage->name);
    if (!check_ports(out, stage, stage->inputs) || !check_ports(out, stage, stage->outputs) ||
        !check_role(out, stage) || !check_params(out, stage->name, stage->params) ||
        !check_examples(out, stage))
        return false;
    if (!stage->backends || !stage->backends[0])
        return bad(out, "%s: has no backends", stage->name);
    for (size_t i = 0; stage->backends[i]; i++)
        if (!check_backend(out, stage, stage->backends[i]))
            return false;
    return true;
}

static bool check_provider(struct loaded *out, const struct fecrun_provider *p)
{
    if (!IS_WHOLE(out, "a device provider", fecrun_provider, p, FECRUN_PROVIDER_LAST) ||
        !check_name(out, "a device provider", p->name))
        return false;
    if (!p->probe || !p->devices || !p->alloc || !p->free || !p->stream_create ||
        !p->stream_destroy || !p->copy || !p->fill || !p->sync)
        return bad(out, "device provider %s lacks a function", p->name);
    return true;
}

static bool check_plugin(struct loaded *out, const struct fecrun_plugin *plugin)
{
    /* abi first: with another one nothing else in the struct can be trusted */
    if (!IS_WHOLE(out, "fecrun_plugin", fecrun_plugin, plugin, abi))
        return false;
    if (plugin->abi != FECRUN_ABI)
        return bad(out, "was built for ABI %u, this program has ABI %d", plugin->abi, FECRUN_ABI);
    if (!IS_WHOLE(out, "fecrun_plugin", fecrun_plugin, plugin, FECRUN_PLUGIN_LAST) ||
        !check_name(out, "fecrun_plugin", plugin->name) ||
        !check_line(out, "its version", plugin->version) ||
        !check_line(out, "its license", plugin->license))
        return false;
    for (size_t i = 0; plugin->stages && plugin->stages[i]; i++)
        if (!check_stage(out, plugin->stages[i]))
            return false;
    for (size_t i = 0; plugin->providers && plugin->providers[i]; i++)
        if (!check_provider(out, plugin->providers[i]))
            return false;
    return true;
}

/* dlsym() also finds the symbol in the file's dependencies; only its own counts. */
static bool own_symbol(void *handle, const void *symbol)
{
    struct link_map *map = NULL;
    Dl_info info;

    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) || !map || !dladdr(symbol, &info))
        return false;
    return (ElfW(Addr))info.dli_fbase == map->l_addr;
}

/*
 * A file that was opened stays open: a CUDA runtime inside it keeps threads and exit handlers that
 * must not lose their code, and strings of the plugin are used until the program ends.
 */
int loader_open(const char *path, int fd, struct loaded *out)
{
    const struct fecrun_plugin *plugin;
    int status;

    memset(out, 0, sizeof *out);
    out->path = strdup(path);
    if (!out->path)
        return -1;
    status = object_load(path, fd, &out->handle, out->reason, sizeof out->reason);
    if (status)
        return status < 0 ? -1 : 0;
    plugin = dlsym(out->handle, "fecrun_plugin");
    if (!plugin)
        bad(out, "has no symbol `fecrun_plugin`");
    else if (!own_symbol(out->handle, plugin))
        bad(out, "the symbol `fecrun_plugin` lies in a library that it depends on, not in itself");
    else if (check_plugin(out, plugin))
        out->plugin = plugin;
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, dlinfo */
#endif
#include "core/plugin/loader.h"

#include "core/base/diag.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static bool bad(struct loaded *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(out->reason, sizeof out->reason, format, args);
    va_end(args);
    return false;
}

/* ---- The shared object ---- */

/* Debuggers, dladdr() and messages of sanitizers know the object by this name. The loader never frees it,
   since objects stay loaded. */
static void rename_object(void *handle, const char *path)
{
    struct link_map *map = NULL;
    char *name = strdup(path);

    if (name && !dlinfo(handle, RTLD_DI_LINKMAP, &map) && map)
        map->l_name = name;
    else
        free(name);
}

/* May code of this file system be executed? Only where that is certain it may not. */
static bool is_noexec(const char *name)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = fd < 0 ? NULL : mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    const bool never = page == MAP_FAILED && errno == EPERM;

    if (page && page != MAP_FAILED)
        munmap(page, bytes);
    if (fd >= 0)
        close(fd);
    return never;
}

/* That a file could not be loaded for this reason says nothing of the file. dlerror() has no numbers,
   errno is malloc()'s alone: the text says "memory", or "map" where mmap() or mprotect() was refused. A lack
   of static TLS is another matter. */
static bool lacks_memory(int number, const char *why)
{
    return number == ENOMEM ||
           ((strstr(why, "memory") || strstr(why, "failed to map") || strstr(why, "cannot map")) &&
            !strstr(why, "TLS"));
}

/* As loader_open(). */
static int fail_to_load(struct loaded *out, const char *name, struct diag *diag)
{
    const int number = errno;
    const char *why = dlerror();
    const size_t n = strlen(name);

    if (why && !strncmp(why, name, n) && !strncmp(why + n, ": ", 2))
        why += n + 2;
    bad(out, "%s", why ? why : "dlopen failed");
    if (is_noexec(name))
        return bad(out, "cannot be executed: its file system is mounted with noexec"), 0;
    if (lacks_memory(number, out->reason))
        return diag_no_memory(diag);
    return diag_says_refused(out->reason)
               ? diag_fail(diag, DIAG_RUN, "%s: %s", out->path, out->reason)
               : 0;
}

/* ---- What is in it ---- */

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
    if (!IS_WHOLE(out, owner, fecrun_param, p, FECRUN_PARAM_LAST) ||
        !check_line(out, "a parameter's name", p->name))
        return false;
    if (!p->help)
        return bad(out, "%s: parameter %s has no help", owner, p->name);
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

static bool check_samples(struct loaded *out, const struct fecrun_stage *stage, uint32_t n,
                          const struct fecrun_sample *sample, const struct fecrun_port *const *port)
{
    uint32_t i = 0;

    for (; i < n && port[i] && sample[i].type <= FECRUN_C8; i++)
        for (size_t k = 0; k < sizeof sample->reserved / sizeof *sample->reserved; k++)
            if (sample[i].reserved[k])
                return bad(out, "%s: a form asks for something unknown", stage->name);
    return (i == n && !port[i]) ||
           bad(out, "%s: a form has an unknown sample type, or not one for each port", stage->name);
}

static bool check_form(struct loaded *out, const struct fecrun_stage *stage,
                       const struct fecrun_form *form)
{
    return IS_WHOLE(out, stage->name, fecrun_form, form, FECRUN_FORM_LAST) &&
           check_samples(out, stage, form->n_in, form->in, stage->inputs) &&
           check_samples(out, stage, form->n_out, form->out, stage->outputs);
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
        if (!check_form(out, stage, backend->forms[i]))
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
    const bool in = stage->inputs[0] != NULL, output = stage->outputs[0] != NULL;
    const uint32_t role = in && output ? FECRUN_ROLE_TRANSFORM
                          : output     ? FECRUN_ROLE_SOURCE
                                       : FECRUN_ROLE_SINK;

    return (stage->role == role && (in || output)) ||
           bad(out,
               "%s: role %u is not that of its ports: a source has outputs only, a sink inputs "
               "only, a transform both",
               stage->name, stage->role);
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
int loader_open(struct loaded *file, const char *name, struct diag *diag)
{
    const struct fecrun_plugin *plugin;
    struct stat st;

    if (!name)
        name = file->path;
    if (!stat(name, &st) && !S_ISREG(st.st_mode)) /* opening a pipe would wait for ever */
        return bad(file, "is no regular file"), 0;
    errno = 0;
    file->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!file->handle)
        return fail_to_load(file, name, diag);
    if (name != file->path)
        rename_object(file->handle, file->path);
    plugin = dlsym(file->handle, "fecrun_plugin");
    if (!plugin)
        bad(file, "has no symbol `fecrun_plugin`");
    else if (!own_symbol(file->handle, plugin))
        bad(file, "the symbol `fecrun_plugin` lies in a library that it depends on, not in itself");
    else if (check_plugin(file, plugin))
        file->plugin = plugin;
    return 0;
}

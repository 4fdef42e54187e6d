/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/registry.h"

#include "core/base/cpu.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FECRUN_PLUGINDIR
#define FECRUN_PLUGINDIR "/usr/local/lib/fecrun/2"
#endif

static void *host_alloc(const struct fecrun_host *host, size_t bytes)
{
    (void)host;
    return aligned_alloc(64, bytes ? (bytes + 63) / 64 * 64 : 64);
}

static void host_free(const struct fecrun_host *host, void *ptr)
{
    (void)host;
    free(ptr);
}

/* ---- Files ---- */

static bool loaded_before(const struct registry *registry, const struct loaded *file)
{
    for (size_t i = 0; i < registry->n_files; i++) {
        const struct loaded *other = &registry->files[i];
        if (!strcmp(other->path, file->path))
            return true;
        if (file->plugin && other->plugin && !strcmp(other->plugin->name, file->plugin->name))
            return true; /* an earlier directory wins, silently, as with PATH */
    }
    return false;
}

static int add_file(struct registry *registry, const char *path, struct diag *diag)
{
    struct loaded *files, file;
    char full[PATH_MAX];

    if (!realpath(path, full))
        snprintf(full, sizeof full, "%s", path);
    if (loader_open(full, &file))
        return diag_no_memory(diag);
    if (loaded_before(registry, &file)) {
        free(file.path);
        return 0;
    }
    files = realloc(registry->files, (registry->n_files + 1) * sizeof *files);
    if (!files) {
        free(file.path);
        return diag_no_memory(diag);
    }
    registry->files = files;
    files[registry->n_files++] = file;
    return 0;
}

static int is_plugin_file(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 3 && entry->d_name[0] != '.' && !strcmp(entry->d_name + n - 3, ".so");
}

/* A directory that is not there is no error: the search path may name some that come later. */
static int add_dir(struct registry *registry, const char *dir, struct diag *diag)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, is_plugin_file, alphasort), status = 0;
    char path[PATH_MAX];

    if (n < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
        return diag_fail(diag, DIAG_RUN, "%s: cannot be read: %s", dir, strerror(errno));
    for (int i = 0; i < n; i++) {
        if (!status &&
            snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name) < (int)sizeof path)
            status = add_file(registry, path, diag);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return status;
}

static int add_path_list(struct registry *registry, const char *list, struct diag *diag)
{
    char dir[PATH_MAX];

    while (list && *list) {
        size_t n = strcspn(list, ":");
        if (n && n < sizeof dir) {
            memcpy(dir, list, n);
            dir[n] = 0;
            if (add_dir(registry, dir, diag))
                return -1;
        }
        list += n + (list[n] == ':');
    }
    return 0;
}

/* lib/fecrun/2 in the build tree, ../lib/fecrun/2 of a tree that was moved after installation */
static int add_beside_program(struct registry *registry, struct diag *diag)
{
    char self[PATH_MAX], dir[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    if (n <= 0)
        return 0;
    self[n] = 0;
    slash = strrchr(self, '/');
    if (!slash)
        return 0;
    *slash = 0;
    snprintf(dir, sizeof dir, "%s/lib/fecrun/%d", self, FECRUN_ABI);
    if (add_dir(registry, dir, diag))
        return -1;
    snprintf(dir, sizeof dir, "%s/../lib/fecrun/%d", self, FECRUN_ABI);
    return add_dir(registry, dir, diag);
}

static int add_files(struct registry *registry, const struct registry_options *options,
                     struct diag *diag)
{
    for (size_t i = 0; options->files && options->files[i]; i++)
        if (add_file(registry, options->files[i], diag))
            return -1;
    for (size_t i = 0; options->dirs && options->dirs[i]; i++) {
        if (access(options->dirs[i], R_OK | X_OK))
            return diag_fail(diag, DIAG_USAGE, "--plugin-dir %s: cannot be read", options->dirs[i]);
        if (add_dir(registry, options->dirs[i], diag))
            return -1;
    }
    if (add_path_list(registry, getenv("FECRUN_PLUGIN_PATH"), diag) ||
        add_beside_program(registry, diag) ||
        (options->beside && add_dir(registry, options->beside, diag)))
        return -1;
    return add_dir(registry, FECRUN_PLUGINDIR, diag);
}

/* ---- Tables ---- */

static int add_provider(struct registry *registry, const struct loaded *file,
                        const struct fecrun_provider *provider, struct diag *diag)
{
    struct registry_provider *all, *entry;

    all = realloc(registry->providers, (registry->n_providers + 1) * sizeof *all);
    if (!all)
        return diag_no_memory(diag);
    registry->providers = all;
    entry = &all[registry->n_providers++];
    *entry = (struct registry_provider){.provider = provider, .plugin = file};
    return 0;
}

static int add_stage(struct registry *registry, const struct loaded *file,
                     const struct fecrun_stage *stage, struct diag *diag)
{
    struct registry_stage *all, *entry;
    size_t n = 0;

    if (registry_find(registry, stage->name))
        return 0; /* the plugin that came first keeps the name */
    all = realloc(registry->stages, (registry->n_stages + 1) * sizeof *all);
    if (!all)
        return diag_no_memory(diag);
    registry->stages = all;
    while (stage->backends[n])
        n++;
    entry = &all[registry->n_stages];
    *entry = (struct registry_stage){.stage = stage, .plugin = file, .n_backends = n};
    entry->backends = calloc(n, sizeof *entry->backends);
    if (!entry->backends)
        return diag_no_memory(diag);
    registry->n_stages++;
    for (size_t i = 0; i < n; i++) {
        const struct fecrun_backend *backend = stage->backends[i];
        const struct registry_provider *provider =
            backend->provider ? registry_provider(registry, backend->provider) : NULL;
        entry->backends[i] = (struct registry_backend){
            .backend = backend, .provider = provider ? provider->provider : NULL};
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct registry_stage *x = a, *y = b;

    return strcmp(x->stage->name, y->stage->name);
}

/* Providers first: backends refer to them. */
static int fill_tables(struct registry *registry, struct diag *diag)
{
    for (size_t f = 0; f < registry->n_files; f++) {
        const struct fecrun_plugin *plugin = registry->files[f].plugin;
        for (size_t i = 0; plugin && plugin->providers && plugin->providers[i]; i++)
            if (add_provider(registry, &registry->files[f], plugin->providers[i], diag))
                return -1;
    }
    for (size_t f = 0; f < registry->n_files; f++) {
        const struct fecrun_plugin *plugin = registry->files[f].plugin;
        for (size_t i = 0; plugin && plugin->stages && plugin->stages[i]; i++)
            if (add_stage(registry, &registry->files[f], plugin->stages[i], diag))
                return -1;
    }
    if (registry->n_stages)
        qsort(registry->stages, registry->n_stages, sizeof *registry->stages, by_name);
    return 0;
}

/* ---- Probes ---- */

struct asking {
    struct registry *registry;
    size_t n; /* backends; what is asked of providers stands in front of them */
    struct probe_question *questions;
    struct registry_backend **backends;
    struct probe_answer *answers;
};

static void wish_for(struct asking *asking, struct registry_backend *entry, int device)
{
    struct probe_question question = {entry->provider, entry->backend, device};

    if (entry->probed)
        return;
    entry->probed = true;
    entry->device = device;
    if (entry->backend->provider && !entry->provider) {
        snprintf(entry->reason, sizeof entry->reason, "no plugin provides `%s` devices",
                 entry->backend->provider);
        return;
    }
    asking->backends[asking->n] = entry;
    asking->questions[asking->registry->n_providers + asking->n++] = question;
}

/* For which device: that of a backend. REGISTRY_NOT: no backend needs it. */
static int provider_wanted(const struct asking *asking, const struct registry_provider *provider)
{
    for (size_t i = 0; i < asking->n; i++)
        if (asking->backends[i]->provider == provider->provider)
            return asking->backends[i]->device;
    return REGISTRY_NOT;
}

static int ask_all(struct asking *asking, bool all_providers, struct diag *diag)
{
    struct registry *registry = asking->registry;
    size_t first = registry->n_providers;

    /* they stand in front, in their own order */
    for (size_t i = registry->n_providers; i-- > 0;) {
        int device = provider_wanted(asking, &registry->providers[i]);
        if (device == REGISTRY_NOT && all_providers)
            device = 0;
        if (device != REGISTRY_NOT)
            asking->questions[--first] = (struct probe_question){
                .provider = registry->providers[i].provider, .device = device};
    }
    if (probe_all(&registry->host, asking->questions + first,
                  registry->n_providers - first + asking->n, asking->answers + first))
        return diag_fail(diag, DIAG_RUN, "cannot ask backends whether they can run here: %s",
                         strerror(errno));
    for (size_t i = 0; i < registry->n_providers; i++)
        for (size_t k = first; k < registry->n_providers; k++) {
            struct registry_provider *entry = &registry->providers[i];
            const struct probe_answer *answer = &asking->answers[k];
            if (asking->questions[k].provider != entry->provider)
                continue;
            entry->probed = true;
            entry->available = answer->available;
            entry->devices = answer->devices;
            memcpy(entry->reason, answer->reason, sizeof entry->reason);
            memcpy(entry->software, answer->software, sizeof entry->software);
            memcpy(entry->description, answer->description, sizeof entry->description);
        }
    for (size_t i = 0; i < asking->n; i++) {
        const struct probe_answer *answer = &asking->answers[registry->n_providers + i];
        asking->backends[i]->available = answer->available;
        memcpy(asking->backends[i]->reason, answer->reason, sizeof answer->reason);
    }
    return 0;
}

int registry_probe(struct registry *registry, registry_filter *wanted, void *data,
                   struct diag *diag)
{
    struct asking asking = {.registry = registry};
    size_t n = 0;
    int status = 0;

    for (size_t s = 0; s < registry->n_stages; s++)
        n += registry->stages[s].n_backends;
    asking.backends = calloc(n + 1, sizeof *asking.backends);
    asking.questions = calloc(n + registry->n_providers + 1, sizeof *asking.questions);
    asking.answers = calloc(n + registry->n_providers + 1, sizeof *asking.answers);
    if (!asking.backends || !asking.questions || !asking.answers)
        status = diag_no_memory(diag);
    for (size_t s = 0; s < registry->n_stages && !status; s++)
        for (size_t b = 0; b < registry->stages[s].n_backends; b++) {
            struct registry_backend *entry = &registry->stages[s].backends[b];
            int device = wanted ? wanted(data, &registry->stages[s], entry) : 0;
            if (device != REGISTRY_NOT)
                wish_for(&asking, entry, device);
        }
    if (!status)
        status = ask_all(&asking, !wanted, diag);
    free(asking.backends);
    free(asking.questions);
    free(asking.answers);
    return status;
}

int registry_open(struct registry **registry, const struct registry_options *options,
                  struct diag *diag)
{
    struct registry *r = calloc(1, sizeof *r);
    int isa;

    *registry = NULL;
    if (!r)
        return diag_no_memory(diag);
    isa = cpu_isa(diag);
    if (isa < 0)
        goto fail;
    r->host = (struct fecrun_host){
        .size = sizeof r->host, .isa = (uint32_t)isa, .alloc = host_alloc, .free = host_free};
    if (add_files(r, options, diag) || fill_tables(r, diag) ||
        (!options->lazy && registry_probe(r, NULL, NULL, diag)))
        goto fail;
    *registry = r;
    return 0;
fail:
    registry_close(r);
    return -1;
}

void registry_close(struct registry *registry)
{
    if (!registry)
        return;
    for (size_t i = 0; i < registry->n_files; i++)
        free(registry->files[i].path);
    for (size_t i = 0; i < registry->n_stages; i++)
        free(registry->stages[i].backends);
    free(registry->files);
    free(registry->stages);
    free(registry->providers);
    free(registry);
}

/* ---- Look-ups ---- */

const struct registry_stage *registry_find(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->n_stages; i++)
        if (!strcmp(registry->stages[i].stage->name, name))
            return &registry->stages[i];
    return NULL;
}

const struct registry_provider *registry_provider(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->n_providers; i++)
        if (!strcmp(registry->providers[i].provider->name, name))
            return &registry->providers[i];
    return NULL;
}

static size_t add_name(const char **names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return n;
    names[n] = name;
    return n + 1;
}

/* All names of backends and device providers, each once, NULL-terminated; to be freed. */
static const char **backend_names(const struct registry *registry)
{
    size_t most = registry->n_providers, n = 0;
    const char **names;

    for (size_t i = 0; i < registry->n_stages; i++)
        most += registry->stages[i].n_backends;
    names = calloc(most + 1, sizeof *names);
    for (size_t i = 0; names && i < registry->n_stages; i++)
        for (size_t b = 0; b < registry->stages[i].n_backends; b++)
            n = add_name(names, n, registry->stages[i].backends[b].backend->name);
    for (size_t i = 0; names && i < registry->n_providers; i++)
        n = add_name(names, n, registry->providers[i].provider->name);
    return names;
}

bool registry_knows_backend(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->n_stages; i++)
        for (size_t b = 0; b < registry->stages[i].n_backends; b++)
            if (!strcmp(registry->stages[i].backends[b].backend->name, name))
                return true;
    return registry_provider(registry, name) != NULL;
}

const char *registry_backend_hint(const struct registry *registry, const char *name, char *buffer,
                                  size_t size)
{
    const char **names = backend_names(registry);

    if (!names) /* then without */
        return "";
    name = diag_hint(buffer, size, name, names);
    free(names);
    return name;
}

const char **registry_names(const struct registry *registry)
{
    const char **names = calloc(registry->n_stages + 1, sizeof *names);

    for (size_t i = 0; names && i < registry->n_stages; i++)
        names[i] = registry->stages[i].stage->name;
    return names;
}

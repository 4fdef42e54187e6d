/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/registry.h"

#include "core/base/array.h"
#include "core/base/cpu.h"
#include "core/plugin/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Takes the path over. */
static int hide(struct registry *registry, char *path, const char *stage, const struct loaded *by,
                struct diag *diag)
{
    if (!path || array_grow(&registry->hidden, registry->n_hidden, sizeof *registry->hidden)) {
        free(path);
        return diag_no_memory(diag);
    }
    registry->hidden[registry->n_hidden++] = (struct registry_hidden){path, stage, by};
    return 0;
}

/* Loads file i, the number `n` of those that stay, unless one of these has the same name: an earlier directory wins,
   as with PATH. */
static int load_one(struct registry *registry, size_t i, size_t *n, struct diag *diag)
{
    struct loaded *file = &registry->files[i], *files = registry->files;
    const struct fecrun_plugin *plugin;
    char *path = file->path;

    if (!*file->reason && !file->handle && loader_open(file, NULL, diag))
        return -1;
    plugin = file->plugin;
    for (size_t k = 0; plugin && k < *n; k++)
        if (files[k].plugin && !strcmp(files[k].plugin->name, plugin->name)) {
            file->path = NULL;
            return hide(registry, path, NULL, &files[k], diag);
        }
    if (*n < i) {
        files[*n] = *file;
        *file = (struct loaded){.path = NULL};
    }
    ++*n;
    return 0;
}

static int add_files(struct registry *registry, const struct registry_options *options,
                     struct diag *diag)
{
    const struct quarantine *first = registry->quarantine;
    size_t n = 0;

    if (search_plugins(registry, options, diag) ||
        (first && first->load(first->data, registry->files, registry->n_files, diag)))
        return -1;
    for (size_t i = 0; i < registry->n_files; i++)
        if (load_one(registry, i, &n, diag))
            return -1;
    registry->n_files = n;
    return 0;
}

/* ---- Tables ---- */

static int add_provider(struct registry *registry, const struct loaded *file,
                        const struct fecrun_provider *provider, struct diag *diag)
{
    if (array_grow(&registry->providers, registry->n_providers, sizeof *registry->providers))
        return diag_no_memory(diag);
    registry->providers[registry->n_providers++] = (struct registry_provider){.provider = provider,
                                                                              .plugin = file};
    return 0;
}

static int add_stage(struct registry *registry, const struct loaded *file,
                     const struct fecrun_stage *stage, struct diag *diag)
{
    const struct registry_stage *first;
    struct registry_stage *entry;
    size_t n = 0;

    if ((first = registry_find(registry, stage->name))) /* the plugin that came first keeps it */
        return hide(registry, strdup(file->path), first->stage->name, first->plugin, diag);
    if (array_grow(&registry->stages, registry->n_stages, sizeof *registry->stages))
        return diag_no_memory(diag);
    while (stage->backends[n])
        n++;
    entry = &registry->stages[registry->n_stages];
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
    for (size_t k = 0; k < 2 * registry->n_files; k++) {
        const struct loaded *file = &registry->files[k % registry->n_files];
        const struct fecrun_provider *const *provider = file->plugin ? file->plugin->providers
                                                                     : NULL;
        const struct fecrun_stage *const *stage = file->plugin ? file->plugin->stages : NULL;
        for (; k < registry->n_files && provider && *provider; provider++)
            if (add_provider(registry, file, *provider, diag))
                return -1;
        for (; k >= registry->n_files && stage && *stage; stage++)
            if (add_stage(registry, file, *stage, diag))
                return -1;
    }
    if (registry->n_stages)
        qsort(registry->stages, registry->n_stages, sizeof *registry->stages, by_name);
    return 0;
}

/* ---- Probes ---- */

struct asking {
    size_t n;
    struct probe *probes;
};

static void ask(struct asking *asking, const struct fecrun_provider *provider,
                const struct fecrun_backend *backend, int device)
{
    asking->probes[asking->n++] = (struct probe){provider, backend, device, {.devices = 0}};
}

static void wish_for(struct asking *asking, struct registry_backend *entry, int device)
{
    const uint32_t has = entry->provider ? entry->provider->interface : 0;

    if (entry->probed)
        return;
    entry->probed = true;
    entry->device = device;
    if (entry->backend->provider && !entry->provider) {
        snprintf(entry->reason, sizeof entry->reason, "no plugin provides `%s` devices",
                 entry->backend->provider);
        return;
    }
    if (has && entry->backend->interface && has != entry->backend->interface) {
        snprintf(entry->reason, sizeof entry->reason,
                 "was built for interface %u of `%s` devices, and they have %u",
                 entry->backend->interface, entry->backend->provider, has);
        return;
    }
    if (entry->provider)
        ask(asking, entry->provider, NULL, device);
    ask(asking, entry->provider, entry->backend, device);
}

static void take_answer(struct registry *registry, const struct probe *probe)
{
    for (size_t i = 0; !probe->backend && i < registry->n_providers; i++)
        if (registry->providers[i].provider == probe->provider) {
            registry->providers[i].probed = true;
            registry->providers[i].answer = probe->answer;
        }
    for (size_t s = 0; probe->backend && s < registry->n_stages; s++)
        for (size_t b = 0; b < registry->stages[s].n_backends; b++) {
            struct registry_backend *entry = &registry->stages[s].backends[b];
            if (!entry->probed || entry->backend != probe->backend)
                continue;
            entry->available = probe->answer.available;
            memcpy(entry->reason, probe->answer.reason, sizeof entry->reason);
        }
}

/* Provider i, if its calling thread has a device; else NULL. */
static const struct fecrun_provider *chooser(const struct registry *registry, size_t i)
{
    const struct fecrun_provider *p = i < registry->n_providers ? registry->providers[i].provider
                                                                : NULL;

    return p && p->chosen && p->choose ? p : NULL;
}

void guest_enter(struct guest *guest, const struct registry *registry)
{
    const struct fecrun_provider *provider;

    for (size_t i = 0; i < GUEST_PROVIDERS; i++)
        guest->chosen[i] = (provider = chooser(registry, i)) ? provider->chosen() : NULL;
}

void guest_leave(const struct guest *guest, const struct registry *registry)
{
    const struct fecrun_provider *provider;

    for (size_t i = 0; i < GUEST_PROVIDERS; i++)
        if ((provider = chooser(registry, i)))
            provider->choose(guest->chosen[i]);
}

int registry_probe(struct registry *registry, registry_filter *wanted, void *data,
                   struct diag *diag)
{
    struct asking asking = {0};
    size_t most = registry->n_providers + 1; /* a provider's for each of its backends, too */
    struct guest guest;
    int status = 0;

    for (size_t s = 0; s < registry->n_stages; s++)
        most += 2 * registry->stages[s].n_backends;
    asking.probes = calloc(most, sizeof *asking.probes);
    if (!asking.probes)
        return diag_no_memory(diag);
    for (size_t s = 0; s < registry->n_stages; s++)
        for (size_t b = 0; b < registry->stages[s].n_backends; b++) {
            struct registry_backend *entry = &registry->stages[s].backends[b];
            int device = wanted ? wanted(data, &registry->stages[s], entry) : 0;
            if (device != REGISTRY_NOT)
                wish_for(&asking, entry, device);
        }
    for (size_t i = 0; !wanted && i < registry->n_providers; i++)
        ask(&asking, registry->providers[i].provider, NULL, 0);
    guest_enter(&guest, registry);
    if (probe_all(&registry->host, registry->quarantine, asking.probes, asking.n))
        status = diag_fail(diag, DIAG_RUN, "cannot ask backends whether they can run here: %s",
                           strerror(errno));
    for (size_t i = 0; i < asking.n && !status; i++)
        take_answer(registry, &asking.probes[i]);
    guest_leave(&guest, registry);
    free(asking.probes);
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
    r->quarantine = options->quarantine;
    isa = cpu_isa(diag);
    r->host = (struct fecrun_host){
        .size = sizeof r->host, .isa = (uint32_t)isa, .alloc = host_alloc, .free = host_free};
    if (isa >= 0 && !add_files(r, options, diag) && !fill_tables(r, diag)) {
        *registry = r;
        return 0;
    }
    registry_close(r);
    return -1;
}

void registry_close(struct registry *registry)
{
    if (!registry)
        return;
    for (size_t i = 0; i < registry->n_files; i++)
        free(registry->files[i].path);
    for (size_t i = 0; i < registry->n_hidden; i++)
        free(registry->hidden[i].path);
    free(registry->hidden);
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

const struct registry_hidden *registry_find_hidden(const struct registry *registry,
                                                   const char *stage)
{
    for (size_t i = 0; i < registry->n_hidden; i++) {
        const struct registry_hidden *hidden = &registry->hidden[i];
        const char *name = hidden->stage ? hidden->stage : hidden->by->plugin->name;
        const size_t n = strcspn(name, ".");
        if (!strncmp(stage, name, n) && stage[n] == '.')
            return hidden;
    }
    return NULL;
}

const struct registry_provider *registry_provider(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->n_providers; i++)
        if (!strcmp(registry->providers[i].provider->name, name))
            return &registry->providers[i];
    return NULL;
}

const struct registry_backend *registry_backend(const struct registry_stage *stage,
                                                const char *name)
{
    for (size_t b = 0; b < stage->n_backends; b++)
        if (!strcmp(stage->backends[b].backend->name, name))
            return &stage->backends[b];
    return NULL;
}

bool registry_knows_backend(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->n_stages; i++)
        if (registry_backend(&registry->stages[i], name))
            return true;
    return registry_provider(registry, name) != NULL;
}

const char *registry_stage_hint(const struct registry *registry, const char *name, char *buffer,
                                size_t size)
{
    struct guess guess = {name, NULL, 0};

    for (size_t i = 0; i < registry->n_stages; i++)
        guess_try(&guess, registry->stages[i].stage->name);
    return guess_hint(&guess, buffer, size);
}

const char *registry_backend_hint(const struct registry *registry, const char *name, char *buffer,
                                  size_t size)
{
    struct guess guess = {name, NULL, 0};

    for (size_t i = 0; i < registry->n_stages; i++)
        for (size_t b = 0; b < registry->stages[i].n_backends; b++)
            guess_try(&guess, registry->stages[i].backends[b].backend->name);
    for (size_t i = 0; i < registry->n_providers; i++)
        guess_try(&guess, registry->providers[i].provider->name);
    return guess_hint(&guess, buffer, size);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A registry and a graph made of tables in the test program: what the loader and the YAML reader
   would make of a plugin and a file, without either. */
#ifndef T_LIB_MEMORY_H
#define T_LIB_MEMORY_H

#include "core/batch/exec.h"
#include "run/schedule/schedule.h"
#include "core/sdk/params.h"
#include "t/lib/tap.h"

static void *memory_host_alloc(const struct fecrun_host *host, size_t bytes)
{
    (void)host;
    return malloc(bytes);
}

static void memory_host_free(const struct fecrun_host *host, void *ptr)
{
    (void)host;
    free(ptr);
}

static TAP_UNUSED void memory_registry_init(struct registry *registry)
{
    memset(registry, 0, sizeof *registry);
    registry->host = (struct fecrun_host){
        .size = sizeof registry->host, .alloc = memory_host_alloc, .free = memory_host_free};
}

static TAP_UNUSED void memory_add_provider(struct registry *registry,
                                           const struct fecrun_provider *provider)
{
    registry->providers = realloc(registry->providers,
                                  (registry->n_providers + 1) * sizeof *registry->providers);
    registry->providers[registry->n_providers++] = (struct registry_provider){
        .provider = provider, .probed = true, .answer = {.available = true, .devices = 1}};
}

/* All backends are available. Providers come first. */
static TAP_UNUSED void memory_add_stage(struct registry *registry, const struct fecrun_stage *stage)
{
    static char path[] = "memory";
    static const struct loaded plugin = {.path = path};
    struct registry_stage *entry;
    size_t n = 0;

    registry->stages = realloc(registry->stages,
                               (registry->n_stages + 1) * sizeof *registry->stages);
    entry = &registry->stages[registry->n_stages++];
    while (stage->backends[n])
        n++;
    *entry = (struct registry_stage){.stage = stage, .plugin = &plugin, .n_backends = n};
    entry->backends = calloc(n, sizeof *entry->backends);
    for (size_t b = 0; b < n; b++) {
        const struct registry_provider *provider =
            stage->backends[b]->provider ? registry_provider(registry, stage->backends[b]->provider)
                                         : NULL;
        entry->backends[b] = (struct registry_backend){.backend = stage->backends[b],
                                                       .provider = provider ? provider->provider
                                                                            : NULL,
                                                       .probed = true,
                                                       .available = true};
    }
}

static TAP_UNUSED void memory_registry_free(struct registry *registry)
{
    for (size_t s = 0; s < registry->n_stages; s++)
        free(registry->stages[s].backends);
    free(registry->stages);
    free(registry->providers);
    memset(registry, 0, sizeof *registry);
}

#endif

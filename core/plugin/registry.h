/* SPDX-License-Identifier: BSD-2-Clause */
/* All plugins of the search path: stages and backends by name, and which can run here. */
#ifndef FECRUN_PLUGIN_REGISTRY_H
#define FECRUN_PLUGIN_REGISTRY_H

#include "core/base/diag.h"
#include "core/plugin/loader.h"
#include "core/plugin/probe.h"

#include <stdbool.h>

struct registry_backend {
    const struct fecrun_backend *backend;
    const struct fecrun_provider *provider; /* NULL: host */
    bool probed;                            /* else nobody has asked: it counts as not available */
    int device;                             /* for which of the provider's devices that was */
    bool available;
    char reason[256]; /* why not */
};

struct registry_stage {
    const struct fecrun_stage *stage;
    const struct loaded *plugin;
    size_t n_backends;
    struct registry_backend *backends; /* in the order of the plugin's table; [0] the reference */
};

struct registry_provider {
    const struct fecrun_provider *provider;
    const struct loaded *plugin;
    bool probed;
    struct probe_answer answer;
    bool asked; /* for the free memory of a device, which plans then go by: run/session/budget.c */
    int asked_for;
    uint64_t free_bytes;
};

/* A plugin, or one of its stages, that is not used because another one of its name comes first. */
struct registry_hidden {
    char *path;
    const char *stage; /* NULL: all of it */
    const struct loaded *by;
};

struct registry {
    struct fecrun_host host;
    const struct quarantine *quarantine; /* see registry_options */
    size_t n_files;
    struct loaded *files; /* the broken ones too */
    size_t n_hidden;
    struct registry_hidden *hidden;
    size_t n_stages;
    struct registry_stage *stages; /* sorted by name */
    size_t n_providers;
    struct registry_provider *providers;
};

/*
 * Code of a plugin runs when its file is loaded, and when it is asked what can run here. The core does both in its own
 * process. A program may try them elsewhere first, as fecrun does (tools/quarantine).
 */
struct quarantine {
    void *data;
    /* Called with all files before the core loads one. Sets the reasons of those that must not be loaded, and may load
       others itself, by loader_open(): what was tried is loaded then. -1: an error that ends registry_open(). */
    int (*load)(void *data, struct loaded *files, size_t n, struct diag *diag);
    /* Sets the answers of all probes, in order, by probe_ask(). -1: errno says why it cannot. */
    int (*ask)(void *data, const struct fecrun_host *host, struct probe *probes, size_t n);
};

struct registry_options {
    const char *const *dirs;  /* --plugin-dir, NULL-terminated; may be NULL */
    const char *const *files; /* plugin files to load first, NULL-terminated; may be NULL */
    const struct quarantine *quarantine; /* the program's; NULL: none */
};

/* For which device a backend is to be asked, on the host 0; or REGISTRY_NOT. */
typedef int registry_filter(void *data, const struct registry_stage *stage,
                            const struct registry_backend *backend);
#define REGISTRY_NOT (-1)

/*
 * Loads all plugins (search.h), after the program's quarantine if it has one (struct quarantine); the first plugin of a name
 * wins. Asks nobody: see registry_probe(). The quarantine outlives the registry.
 */
int registry_open(struct registry **registry, const struct registry_options *options,
                  struct diag *diag);
/* Asks the backends that the filter wants (NULL: all, for the first device) and their providers
   whether they can run. One that was asked, for whichever device, is not asked again: a registry
   serves one pipeline, and that has one device. The calling thread's device stays. */
int registry_probe(struct registry *registry, registry_filter *wanted, void *data,
                   struct diag *diag);
void registry_close(struct registry *registry);

/* NULL if there is none. */
const struct registry_stage *registry_find(const struct registry *registry, const char *name);
/* One that is hidden and of the family of this stage: it may be the one that was meant. */
const struct registry_hidden *registry_find_hidden(const struct registry *registry,
                                                   const char *stage);
const struct registry_provider *registry_provider(const struct registry *registry,
                                                  const char *name);
/* The stage's backend of that name, or NULL. */
const struct registry_backend *registry_backend(const struct registry_stage *stage,
                                                const char *name);
/* Does any stage have a backend of this name, or is it a device provider's? Whether it can run here
   does not matter: stages list their CUDA backends in builds without CUDA, too. */
bool registry_knows_backend(const struct registry *registry, const char *name);
/* guess_hint() of the known stage, or backend, that is closest to an unknown name. */
const char *registry_stage_hint(const struct registry *registry, const char *name, char *buffer,
                                size_t size);
const char *registry_backend_hint(const struct registry *registry, const char *name, char *buffer,
                                  size_t size);

/* Manners in a program that uses devices itself: its calling thread's current device stays. Both in that thread, round all
   work that may choose one. */
#define GUEST_PROVIDERS 8
struct guest {
    void *chosen[GUEST_PROVIDERS];
};
void guest_enter(struct guest *guest, const struct registry *registry);
void guest_leave(const struct guest *guest, const struct registry *registry);

#endif

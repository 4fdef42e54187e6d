/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of plugins, stages, backends and devices: fecrun_list_*(). */
#include "run/api/api_impl.h"

#include <stdlib.h>
#include <string.h>

struct fecrun_list {
    struct registry *registry;
};

int fecrun_list_open(struct fecrun_list **list, const struct fecrun_options *options,
                     struct fecrun_message *message)
{
    const struct registry_options search = {.dirs = FIELD(options, plugin_dirs, NULL)};
    struct fecrun_list *made;
    struct diag diag = {0};

    NEED(list);
    *list = NULL;
    made = calloc(1, sizeof *made);
    if (!made)
        diag_no_memory(&diag);
    else if (!registry_open(&made->registry, &search, &diag) &&
             !registry_probe(made->registry, NULL, NULL, &diag)) {
        *list = made;
        return 0;
    }
    fecrun_list_close(made);
    return api_fail(&diag, message);
}

void fecrun_list_close(struct fecrun_list *list)
{
    if (list)
        registry_close(list->registry);
    free(list);
}

/* Copies the members that the caller's version of the struct has. */
#define GIVE(info, ...) \
    do { \
        const __typeof__(*(info)) full = {sizeof full, __VA_ARGS__}; \
        api_give(info, &full, (info)->size < sizeof full ? (info)->size : sizeof full); \
    } while (0)

int fecrun_list_plugin(const struct fecrun_list *list, size_t i, struct fecrun_plugin_info *info)
{
    const struct loaded *file = list && i < list->registry->n_files ? &list->registry->files[i]
                                                                    : NULL;

    if (!file || !info)
        return -1;
    GIVE(info, file->path, file->plugin, file->plugin ? "" : file->reason);
    return 0;
}

static const struct registry_stage *stage_at(const struct fecrun_list *list, size_t i)
{
    return list && i < list->registry->n_stages ? &list->registry->stages[i] : NULL;
}

int fecrun_list_stage(const struct fecrun_list *list, size_t i, struct fecrun_stage_info *info)
{
    const struct registry_stage *entry = stage_at(list, i);

    if (!entry || !info)
        return -1;
    GIVE(info, entry->stage, entry->plugin->plugin, entry->plugin->path);
    return 0;
}

int fecrun_list_find(const struct fecrun_list *list, const char *name, size_t *stage,
                     struct fecrun_message *message)
{
    struct diag diag = {0};
    char hint[128];

    NEED(list);
    NEED(name);
    NEED(stage);
    for (*stage = 0; *stage < list->registry->n_stages; ++*stage)
        if (!strcmp(list->registry->stages[*stage].stage->name, name))
            return 0;
    diag_fail(&diag, DIAG_USAGE, "unknown stage `%s`%s", name,
              registry_stage_hint(list->registry, name, hint, sizeof hint));
    return api_fail(&diag, message);
}

int fecrun_list_backend(const struct fecrun_list *list, size_t stage, size_t i,
                        struct fecrun_backend_info *info)
{
    const struct registry_stage *entry = stage_at(list, stage);
    const struct registry_backend *b = entry && i < entry->n_backends ? &entry->backends[i] : NULL;

    if (!b || !info)
        return -1;
    GIVE(info, b->backend, b->available, b->available ? "" : b->reason);
    return 0;
}

int fecrun_list_device(const struct fecrun_list *list, size_t i, struct fecrun_device_info *info)
{
    for (size_t k = 0; list && info && k < list->registry->n_providers; k++) {
        const struct registry_provider *p = &list->registry->providers[k];
        const struct probe_answer *answer = &p->answer;
        const size_t rows = answer->available ? (size_t)answer->devices : p->probed;
        if (i >= rows) {
            i -= rows;
            continue;
        }
        GIVE(info, p->provider->name, (int)i, answer->available,
             answer->available ? "" : answer->reason,
             answer->available && i < PROBE_DEVICES ? answer->description[i] : "",
             answer->software);
        return 0;
    }
    return -1;
}

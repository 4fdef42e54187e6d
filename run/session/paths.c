/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/session/session.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *paths_of(const struct param_set *params, size_t i)
{
    const struct fecrun_value *value = param_values(params)->v[i];
    uint32_t type = param_schema(params)[i]->type;
    bool is_path = type == FECRUN_VALUE_PATH || (type == FECRUN_VALUE_PORT && value->i);

    return is_path && value->given && value->s && strcmp(value->s, "-") ? value->s : NULL;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    bool a_is = !stat(a, &x), b_is = !stat(b, &y);

    if (a_is && b_is) /* devices and pipes keep nothing that could be lost */
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return !a_is && !b_is && !strcmp(a, b);
}

static int fail(const struct graph_stage *stage, size_t i, struct diag *diag, const char *id,
                const char *name, const char *does)
{
    struct fecrun_error err = {.size = sizeof err};

    snprintf(err.param, sizeof err.param, "%s", stage->stage->params[i]->name);
    snprintf(err.text, sizeof err.text, "is the file that %s%s%s %s: give another one", id,
             name[0] ? "." : "", name, does);
    return param_fail(stage->params, DIAG_USAGE, &err, diag);
}

static bool is_plugin(const struct registry *registry, const char *path)
{
    for (size_t i = 0; i < registry->n_files; i++)
        if (same_file(path, registry->files[i].path))
            return true;
    for (size_t i = 0; i < registry->n_hidden; i++)
        if (same_file(path, registry->hidden[i].path))
            return true;
    return false;
}

static int check_path(const struct graph *graph, size_t s, size_t i, struct diag *diag)
{
    const struct graph_stage *stage = &graph->stages[s];
    const char *path = paths_of(stage->params, i);

    if (!path)
        return 0;
    if (same_file(path, graph->pipeline->conf->file))
        return fail(stage, i, diag, "this pipeline", "", "was read from");
    if (graph->pipeline->blocks_file && same_file(path, graph->pipeline->blocks_file))
        return fail(stage, i, diag, "blocks:", "", "reads");
    if (is_plugin(graph->registry, path))
        return fail(stage, i, diag, "a plugin", "", "was loaded from");
    for (size_t t = 0; t < graph->n; t++) {
        const struct graph_stage *other = &graph->stages[t];
        for (size_t k = 0; t != s && other->stage->params[k]; k++) {
            const char *its = paths_of(other->params, k);
            if (its && same_file(path, its))
                return fail(stage, i, diag, other->decl->id, other->stage->params[k]->name,
                            other->stage->params[k]->flags & FECRUN_PARAM_WRITES ? "writes"
                                                                                 : "reads");
        }
    }
    return 0;
}

int paths_check(const struct graph *graph, struct diag *diag)
{
    for (size_t s = 0; s < graph->n; s++)
        for (size_t i = 0; graph->stages[s].stage->params[i]; i++)
            if (graph->stages[s].stage->params[i]->flags & FECRUN_PARAM_WRITES &&
                check_path(graph, s, i, diag))
                return -1;
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces names and words of earlier versions by the present ones, before the stages are bound. */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct renaming {
    struct pipeline *pipeline;
    struct pipeline_stage *decl; /* the one at hand */
    const struct fecrun_stage *stage;
    pipeline_say *say;
    void *data;
    struct diag *diag;
};

enum { WHOLE = 256 };

/* Of one of the stage's parameters; of all stages' backend, where it is NULL. */
static const char *whole_name(const struct renaming *r, const char *name, char text[WHOLE])
{
    snprintf(text, WHOLE, "%s%s%s", name ? r->decl->id : "", name ? "." : "backend",
             name ? name : "");
    return text;
}

__attribute__((format(printf, 4, 5))) static int say(struct renaming *r, struct mark mark,
                                                     const char *name, const char *format, ...)
{
    struct diag line = {0}; /* its form is that of errors */
    char text[512], whole[WHOLE];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    setting_fail(mark, whole_name(r, name, whole), &line, "%s", text);
    return r->say ? r->say(r->data, line.text, r->diag) : 0;
}

const struct fecrun_param *pipeline_formerly(const struct fecrun_stage *stage, const char *name)
{
    const struct fecrun_param *found = NULL;

    for (size_t i = 0; stage->params[i]; i++) {
        const struct fecrun_param *param = stage->params[i];
        if (!strcmp(param->name, name))
            return NULL;
        if (array_index(param->old_names, name) >= 0)
            found = param;
    }
    return found;
}

const struct fecrun_old_choice *pipeline_old_word(const struct fecrun_stage *stage,
                                                  const char *name, const char *word)
{
    for (size_t i = 0; stage->params[i]; i++) {
        const struct fecrun_param *param = stage->params[i];
        if (strcmp(param->name, name) || param->type != FECRUN_VALUE_CHOICE ||
            array_index(param->choices, word) >= 0)
            continue;
        for (size_t k = 0; param->old_choices && param->old_choices[k]; k++)
            if (!strcmp(param->old_choices[k]->old, word))
                return param->old_choices[k];
    }
    return NULL;
}

const struct fecrun_backend *pipeline_formerly_backend(const struct fecrun_stage *stage,
                                                       const char *name)
{
    for (size_t b = 0; stage->backends[b]; b++)
        if (array_index(stage->backends[b]->old_names, name) >= 0)
            return stage->backends[b];
    return NULL;
}

/* ---- Parameters ---- */

/* An option goes before what the file says. */
static bool is_option(const struct conf_node *node)
{
    return !node->mark.line;
}

static int is_twice(struct renaming *r, const char *param)
{
    return diag_fail(r->diag, DIAG_USAGE,
                     "%s.%s: is set or swept by its old name, too; write the same name everywhere",
                     r->decl->id, param);
}

static int rename_param(struct renaming *r, struct mark mark, const char *old, const char *now)
{
    return say(r, mark, old, "is an old name; write %s", now);
}

/* Today's name of entry i of the stage's map; false in *there: the entry is gone. */
static int renew_name(struct renaming *r, struct conf_node *map, size_t i, bool *is_there)
{
    struct conf_node *key = map->keys[i], *node = map->items[i], *other;
    const struct fecrun_param *param = pipeline_formerly(r->stage, key->text);

    *is_there = true;
    if (!param)
        return 0;
    other = conf_get(map, param->name);
    if (other && is_option(node) && is_option(other))
        return is_twice(r, param->name);
    if (other && !is_option(node) && !is_option(other))
        return diag_fail_at(r->diag, DIAG_USAGE, key->mark,
                            "%s.%s: is the old name of %s, which is there already, in line %u",
                            r->decl->id, key->text, param->name, other->mark.line);
    if (rename_param(r, key->mark, key->text, param->name))
        return -1;
    key->text = (char *)param->name; /* plugins stay loaded */
    if (!other)
        return 0;
    if (is_option(node))
        *other = *node;
    memmove(map->keys + i, map->keys + i + 1, (map->count - i - 1) * sizeof *map->keys);
    memmove(map->items + i, map->items + i + 1, (map->count - i - 1) * sizeof *map->items);
    map->count--;
    *is_there = false;
    return 0;
}

/* Today's word in the place of an old one of the parameter `name`. It may set another parameter, too. */
static int renew_word(struct renaming *r, const char *name, struct mark mark, char **text)
{
    const struct fecrun_old_choice *old = pipeline_old_word(r->stage, name, *text);
    const struct conf_node *other = old && old->param ? conf_get(r->decl->params, old->param)
                                                      : NULL;
    char line[32] = "", whole[WHOLE];

    if (!old)
        return 0;
    if (other && other->mark.line)
        snprintf(line, sizeof line, ", in line %u", other->mark.line);
    if (other && is_option(other) == !mark.line &&
        (other->kind != CONF_SCALAR || strcmp(other->text, old->value)))
        return setting_fail(mark, whole_name(r, name, whole), r->diag,
                            "the old word `%s` sets %s to %s, and that is there already%s",
                            old->old, old->param, old->value, line);
    if (say(r, mark, name, "`%s` is an old word; write %s%s%s%s%s", *text, old->now,
            old->param ? ", and " : "", old->param ? old->param : "", old->param ? ": " : "",
            old->param ? old->value : ""))
        return -1;
    *text = (char *)old->now;
    return old->param && (!other || !mark.line)
               ? pipeline_put(r->pipeline, r->decl->params, old->param, old->value, mark, r->diag)
               : 0;
}

static int renew_sweep(struct renaming *r, struct pipeline_sweep *sweep)
{
    const struct fecrun_param *param = pipeline_formerly(r->stage, sweep->param);
    const struct conf_node *set;

    if (param && rename_param(r, sweep->mark, sweep->param, param->name))
        return -1;
    if (param)
        sweep->param = param->name;
    for (size_t k = 0; k < sweep->count; k++)
        if (renew_word(r, sweep->param, sweep->mark, &sweep->values[k]))
            return -1;
    set = conf_get(r->decl->params, sweep->param);
    if (set && is_option(set))
        return is_twice(r, sweep->param);
    for (size_t i = 0; i < r->pipeline->n_sweeps; i++)
        if (&r->pipeline->sweeps[i] != sweep &&
            !strcmp(r->pipeline->sweeps[i].stage, sweep->stage) &&
            !strcmp(r->pipeline->sweeps[i].param, sweep->param))
            return is_twice(r, sweep->param);
    return 0;
}

static int renew_params(struct renaming *r)
{
    struct conf_node *map = r->decl->params;
    bool is_there;

    for (size_t i = 0; i < map->count; i += is_there)
        if (renew_name(r, map, i, &is_there))
            return -1;
    for (size_t i = 0; i < map->count; i++)
        if (map->items[i]->kind == CONF_SCALAR &&
            renew_word(r, map->keys[i]->text, map->items[i]->mark, &map->items[i]->text))
            return -1;
    for (size_t i = 0; i < r->pipeline->n_sweeps; i++)
        if (!strcmp(r->pipeline->sweeps[i].stage, r->decl->id) &&
            renew_sweep(r, &r->pipeline->sweeps[i]))
            return -1;
    return 0;
}

/* ---- Backends ---- */

/* Today's name of the backend that the wish names by an old one, with its devices; NULL: there is none. */
static char *renew_wish(struct renaming *r, const char *wish)
{
    const size_t n = wish ? strcspn(wish, ":") : 0;
    const struct fecrun_backend *backend;
    char name[64], text[256];

    if (!n || n >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)n, wish);
    backend = pipeline_formerly_backend(r->stage, name);
    if (!backend)
        return NULL;
    snprintf(text, sizeof text, "%s%s", backend->name, wish + n);
    return conf_own(r->pipeline->conf, strdup(text), NULL);
}

static int renew_own_backend(struct renaming *r)
{
    struct pipeline_stage *decl = r->decl;
    char *now = renew_wish(r, decl->backend);

    if (now &&
        say(r, decl->backend_mark, "backend", "`%s` is an old name; write %s", decl->backend, now))
        return -1;
    if (now)
        decl->backend = now;
    return 0;
}

/* Of two families that each have one of the pipeline's old name, the second gets a wish of its own. */
static int renew_common_backend(struct renaming *r, const char *common)
{
    struct pipeline *p = r->pipeline;
    char *now = renew_wish(r, common);

    if (!now || (p->backend != common && !strcmp(p->backend, now)))
        return 0;
    if (say(r, p->backend_mark, NULL, "`%s` is an old name; write %s for %s", common, now,
            r->decl->id))
        return -1;
    if (p->backend == common) {
        p->backend = now;
    } else if (!r->decl->backend) {
        r->decl->backend = now;
        r->decl->backend_mark = p->backend_mark;
    }
    return 0;
}

int pipeline_rename_old(struct pipeline *pipeline, const struct registry *registry,
                        pipeline_say *to, void *data, struct diag *diag)
{
    struct renaming r = {.pipeline = pipeline, .say = to, .data = data, .diag = diag};
    const char *common = pipeline->backend;

    for (size_t s = 0; s < pipeline->n_stages; s++) {
        const struct registry_stage *entry = registry_find(registry, pipeline->stages[s].name);

        if (!entry)
            continue; /* which graph_bind says */
        r.decl = &pipeline->stages[s];
        r.stage = entry->stage;
        if (renew_params(&r) || renew_own_backend(&r) || renew_common_backend(&r, common))
            return -1;
    }
    return 0;
}

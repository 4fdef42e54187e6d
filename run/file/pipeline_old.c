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

__attribute__((format(printf, 3, 4))) static int say(struct renaming *r, struct mark mark,
                                                     const char *format, ...)
{
    struct diag line = {0}; /* its form is that of errors */
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_fail_at(&line, DIAG_OK, mark, "%s", text);
    return r->say(r->data, line.text, r->diag);
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

/* ---- Values ---- */

static struct pipeline_set *find_set(const struct pipeline *p, const char *id, const char *param)
{
    for (size_t i = 0; i < p->n_sets; i++)
        if (!strcmp(p->sets[i].stage, id) && !strcmp(p->sets[i].param, param))
            return &p->sets[i];
    return NULL;
}

/* Sets the parameter that an old word sets, too. An option goes before what the file says. */
static int set_also(struct renaming *r, const struct fecrun_old_choice *old, bool in_file,
                    struct mark mark)
{
    const struct pipeline_set *there = find_set(r->pipeline, r->decl->id, old->param);

    if (!there)
        return pipeline_set_param(r->pipeline, r->decl->id, old->param, old->value, r->diag);
    if (in_file || !strcmp(there->value, old->value))
        return 0;
    return diag_fail_at(r->diag, DIAG_USAGE, mark,
                        "%s: the old word `%s` means %s: %s, and that is %s", r->decl->id, old->old,
                        old->param, old->value, there->value);
}

/* Today's name in the place of an old one. option: "" in the file. */
static int renew_name(struct renaming *r, const char *option, struct mark mark, char **name)
{
    const struct fecrun_param *param = pipeline_formerly(r->stage, *name);

    if (!param)
        return 0;
    if (say(r, mark, "%s%s.%s: is an old name; write %s", option, r->decl->id, *name, param->name))
        return -1;
    *name = (char *)param->name; /* plugins stay loaded */
    return 0;
}

/* Today's word in the place of an old one of the parameter `name`. */
static int renew_word(struct renaming *r, const char *option, const char *name, struct mark mark,
                      bool in_file, char **text)
{
    const struct fecrun_old_choice *old = pipeline_old_word(r->stage, name, *text);

    if (!old)
        return 0;
    if (say(r, mark, "%s%s.%s: `%s` is an old word; write %s%s%s%s%s", option, r->decl->id, name,
            *text, old->now, old->param ? ", and " : "", old->param ? old->param : "",
            old->param ? ": " : "", old->param ? old->value : "") ||
        (old->param && set_also(r, old, in_file, mark)))
        return -1;
    *text = (char *)old->now;
    return 0;
}

/* Parameter i of the stage's map. */
static int renew_entry(struct renaming *r, const struct conf_node *map, size_t i)
{
    struct conf_node *key = map->keys[i], *node = map->items[i], *there;
    const struct fecrun_param *param = pipeline_formerly(r->stage, key->text);
    const struct fecrun_old_choice *old;
    const char *id = r->decl->id;

    if (param && (there = conf_get(map, param->name)))
        return diag_fail_at(r->diag, DIAG_USAGE, key->mark,
                            "%s.%s: is the old name of %s, which is there already, in line %u", id,
                            key->text, param->name, there->mark.line);
    if (renew_name(r, "", key->mark, &key->text))
        return -1;
    if (node->kind != CONF_SCALAR)
        return 0;
    old = pipeline_old_word(r->stage, key->text, node->text);
    if (old && old->param && (there = conf_get(map, old->param)))
        return diag_fail_at(r->diag, DIAG_USAGE, node->mark,
                            "%s.%s: the old word `%s` sets %s, which is there already, in line %u",
                            id, key->text, old->old, old->param, there->mark.line);
    return renew_word(r, "", key->text, node->mark, true, &node->text);
}

/* ---- Options and sweeps ---- */

/* Options were joined by name when old names were not known. */
static int check_twice(struct renaming *r, const char *param)
{
    const struct pipeline *p = r->pipeline;
    const char *id = r->decl->id;
    size_t n = 0;

    for (size_t i = 0; i < p->n_sets; i++)
        n += !strcmp(p->sets[i].stage, id) && !strcmp(p->sets[i].param, param);
    for (size_t i = 0; i < p->n_sweeps; i++)
        n += !strcmp(p->sweeps[i].stage, id) && !strcmp(p->sweeps[i].param, param);
    if (n < 2)
        return 0;
    return diag_fail(r->diag, DIAG_USAGE,
                     "%s.%s: is set or swept by its old name, too; write the same name everywhere",
                     id, param);
}

static int renew_options(struct renaming *r)
{
    struct pipeline *p = r->pipeline;
    const char *id = r->decl->id;

    for (size_t i = 0; i < p->n_sets; i++) {
        struct pipeline_set set = p->sets[i]; /* a word may add one, which moves them all */
        if (strcmp(set.stage, id))
            continue;
        if (renew_name(r, "--set ", (struct mark){0}, &set.param) ||
            renew_word(r, "--set ", set.param, (struct mark){0}, false, &set.value))
            return -1;
        p->sets[i] = set;
        if (check_twice(r, set.param))
            return -1;
    }
    for (size_t i = 0; i < p->n_sweeps; i++) {
        struct pipeline_sweep *sweep = &p->sweeps[i];
        if (strcmp(sweep->stage, id))
            continue;
        if (renew_name(r, "", sweep->mark, &sweep->param))
            return -1;
        for (size_t k = 0; k < sweep->count; k++)
            if (renew_word(r, "", sweep->param, sweep->mark, false, &sweep->values[k]))
                return -1;
        if (check_twice(r, sweep->param))
            return -1;
    }
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

    if (now && say(r, decl->backend_mark, "%s.backend: `%s` is an old name; write %s", decl->id,
                   decl->backend, now))
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
    if (say(r, p->backend_mark, "backend: `%s` is an old name; write %s for %s", common, now,
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

static int renew_stage(struct renaming *r, const char *common)
{
    const struct conf_node *map = r->decl->params;

    if (renew_options(r) || renew_own_backend(r) || renew_common_backend(r, common))
        return -1;
    for (size_t i = 0; map && map->kind == CONF_MAP && i < map->count; i++)
        if (renew_entry(r, map, i))
            return -1;
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
        if (renew_stage(&r, common))
            return -1;
    }
    return 0;
}

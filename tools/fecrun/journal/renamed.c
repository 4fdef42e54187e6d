/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/renamed.h"

#include <stdio.h>
#include <string.h>

/* ---- Stages of a run by their ids ---- */

static const char *stage_name(const json_t *entry)
{
    void *first = json_object_iter((json_t *)entry);

    return first ? json_object_iter_key(first) : "";
}

static const char *stage_id(const json_t *entry)
{
    const char *name = stage_name(entry);
    const char *id = json_string_value(json_object_get(json_object_get(entry, name), "id"));

    return id ? id : name;
}

/* The stage that a name "ID.PARAM", or "ID" alone, begins with; *rest: what follows the dot, or "". */
static const struct fecrun_stage *find_stage(const struct registry *registry, const json_t *run,
                                             const char *name, const char **rest)
{
    const json_t *stages = json_object_get(run, "pipeline");
    size_t i, longest = 0;
    const struct fecrun_stage *found = NULL;
    json_t *entry;

    json_array_foreach((json_t *)stages, i, entry)
    {
        const char *id = stage_id(entry);
        const size_t n = strlen(id);
        const struct registry_stage *stage = registry_find(registry, stage_name(entry));
        if (!stage || strncmp(name, id, n) || (name[n] && name[n] != '.') || n < longest)
            continue;
        longest = n;
        found = stage->stage;
        *rest = name + n + (name[n] == '.');
    }
    return found;
}

/* "ID.PARAM" with today's name. */
static json_t *today(const struct registry *registry, const json_t *run, const char *name)
{
    const char *param = "";
    const struct fecrun_stage *stage = find_stage(registry, run, name, &param);
    const struct fecrun_param *now = stage ? pipeline_formerly(stage, param) : NULL;

    return now ? json_sprintf("%.*s%s", (int)(param - name), name, now->name) : json_string(name);
}

/* ---- Values ---- */

static json_t *new_word(const struct fecrun_stage *stage, const char *param, const json_t *value)
{
    const char *word = json_string_value(value);
    const struct fecrun_old_choice *old = word ? pipeline_old_word(stage, param, word) : NULL;

    return old ? json_string(old->now) : NULL;
}

static void set_also(json_t *values, const struct fecrun_stage *stage, const char *param,
                     const json_t *value)
{
    const char *word = json_string_value(value);
    const struct fecrun_old_choice *old = word ? pipeline_old_word(stage, param, word) : NULL;

    if (old && old->param)
        json_object_set_new(values, old->param, json_string(old->value));
}

static bool is_swept(const json_t *run, const char *id, const char *param)
{
    const json_t *sweep = json_object_get(run, "sweep");
    char name[256];
    json_t *entry;
    size_t i;

    snprintf(name, sizeof name, "%s.%s", id, param);
    json_array_foreach((json_t *)sweep, i, entry)
    {
        if (!strcmp(json_string_value(entry) ? json_string_value(entry) : "", name))
            return true;
    }
    return json_object_get(sweep, name) != NULL;
}

/* Does an old word of another parameter set this one? */
static bool told_by_old_words(const struct fecrun_stage *stage, const char *name)
{
    for (size_t i = 0; stage->params[i]; i++) {
        const struct fecrun_param *param = stage->params[i];
        if (param->type != FECRUN_VALUE_CHOICE)
            continue;
        for (size_t k = 0; param->old_choices && param->old_choices[k]; k++)
            if (param->old_choices[k]->param && !strcmp(param->old_choices[k]->param, name))
                return true;
    }
    return false;
}

/* What only old words said before there was a parameter for it. */
static void add_defaults(json_t *values, const struct fecrun_stage *stage, const json_t *run,
                         const char *id)
{
    for (size_t i = 0; stage->params[i]; i++) {
        const struct fecrun_param *param = stage->params[i];
        if (param->default_text && !json_object_get(values, param->name) &&
            told_by_old_words(stage, param->name) && !is_swept(run, id, param->name))
            json_object_set_new(values, param->name, json_string(param->default_text));
    }
}

static json_t *new_stage(const struct registry *registry, const json_t *run, const json_t *entry)
{
    const char *name = stage_name(entry), *key;
    const struct registry_stage *stage = registry_find(registry, name);
    json_t *values = json_object(), *value;

    if (!stage) {
        json_decref(values);
        return json_deep_copy(entry);
    }
    json_object_foreach(json_object_get(entry, name), key, value)
    {
        const struct fecrun_param *param = pipeline_formerly(stage->stage, key);
        const char *now = param ? param->name : key;
        json_t *word = new_word(stage->stage, now, value);
        set_also(values, stage->stage, now, value);
        json_object_set_new(values, now, word ? word : json_deep_copy(value));
    }
    add_defaults(values, stage->stage, run, stage_id(entry));
    return json_pack("{s:o}", name, values);
}

/* ---- Runs ---- */

/* A list of names, or values by names. */
static json_t *new_sweep(const struct registry *registry, const json_t *run, const json_t *sweep)
{
    json_t *now = json_is_array(sweep) ? json_array() : json_object(), *value;
    const char *key;
    size_t i;

    json_array_foreach((json_t *)sweep, i, value) json_array_append_new(
        now, json_is_string(value) ? today(registry, run, json_string_value(value))
                                   : new_sweep(registry, run, value));
    json_object_foreach((json_t *)sweep, key, value)
    {
        json_t *name = today(registry, run, key);
        json_object_set_new(now, name ? json_string_value(name) : key,
                            strcmp(key, "zip") ? json_deep_copy(value)
                                               : new_sweep(registry, run, value));
        json_decref(name);
    }
    return now;
}

json_t *renamed_run(const struct registry *registry, const json_t *run)
{
    json_t *now = json_deep_copy(run), *stages = json_array(), *entry;
    size_t i;

    json_array_foreach(json_object_get(run, "pipeline"), i, entry)
        json_array_append_new(stages, new_stage(registry, run, entry));
    if (json_object_get(run, "pipeline"))
        json_object_set(now, "pipeline", stages);
    if (json_object_get(run, "sweep"))
        json_object_set_new(now, "sweep", new_sweep(registry, run, json_object_get(run, "sweep")));
    json_decref(stages);
    return now;
}

json_t *renamed_set(const struct registry *registry, const json_t *run, const json_t *set)
{
    json_t *now = json_object(), *value;
    const char *key;

    json_object_foreach((json_t *)set, key, value)
    {
        json_t *name = today(registry, run, key);
        const char *param = "", *text = json_string_value(name);
        const struct fecrun_stage *stage = text ? find_stage(registry, run, text, &param) : NULL;
        json_t *word = stage ? new_word(stage, param, value) : NULL;

        json_object_set_new(now, text ? text : key, word ? word : json_deep_copy(value));
        json_decref(name);
    }
    return now;
}

json_t *renamed_near(const struct registry *registry, const json_t *run, const json_t *near)
{
    json_t *now = json_object(), *value;
    const char *key;

    json_object_foreach((json_t *)near, key, value)
    {
        const char *rest, *name = json_string_value(value);
        const struct fecrun_stage *stage = find_stage(registry, run, key, &rest);
        const struct fecrun_backend *backend = stage && name
                                                   ? pipeline_formerly_backend(stage, name)
                                                   : NULL;

        json_object_set_new(now, key, backend ? json_string(backend->name) : json_deep_copy(value));
    }
    return now;
}

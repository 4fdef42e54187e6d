/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes --set, --sweep and --backend into the file's tree: what reads the tree reads them, too. */
#include "run/file/pipeline_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of a name: under that key, or in a map under a key that the name begins with. NULL: there is none. */
static struct conf_node *find(const struct conf_node *map, const char *name)
{
    struct conf_node *found;

    for (size_t i = 0; map && map->kind == CONF_MAP && i < map->count; i++) {
        const size_t n = strlen(map->keys[i]->text);
        if (strncmp(map->keys[i]->text, name, n))
            continue;
        if (!name[n])
            return map->items[i];
        if (name[n] == '.' && (found = find(map->items[i], name + n + 1)))
            return found;
    }
    return NULL;
}

int pipeline_put(struct pipeline *pipeline, struct conf_node *map, const char *name,
                 const char *value, struct mark mark, struct diag *diag)
{
    struct conf_node *node = find(map, name);

    if (!node)
        node = conf_insert(pipeline->conf, map, map->count, name, mark, diag);
    return node ? conf_set(pipeline->conf, node, value, mark, diag) : -1;
}

/* The values of a swept name: beside the others, or in a zip. */
static struct conf_node *find_swept(const struct conf_node *node, const char *name)
{
    struct conf_node *found;

    for (size_t i = 0; node && i < node->count; i++) {
        if (node->kind == CONF_MAP && !strcmp(node->keys[i]->text, name))
            return node->items[i];
        if ((node->kind == CONF_LIST || !strcmp(node->keys[i]->text, "zip")) &&
            (found = find_swept(node->items[i], name)))
            return found;
    }
    return NULL;
}

/* ---- One option ---- */

/* NAME=VALUE */
struct option {
    struct pipeline *pipeline;
    struct diag *diag;
    const char *name, *value;
    struct mark mark; /* "--set NAME=VALUE", without a line */
};

/* Names the option in messages. */
static int mark_option(struct option *option, const char *kind, const char *text)
{
    char *place = malloc(strlen(kind) + strlen(text) + 2);

    if (place)
        sprintf(place, "%s %s", kind, text);
    option->mark = (struct mark){conf_own(option->pipeline->conf, place, option->diag), 0, 0};
    return option->mark.file ? 0 : -1;
}

static int split(struct option *option, const char *kind, const char *text)
{
    struct conf *conf = option->pipeline->conf;
    const char *equals = strchr(text, '=');

    if (mark_option(option, kind, text))
        return -1;
    if (!equals || equals == text)
        return diag_fail_at(option->diag, DIAG_USAGE, option->mark, "must be NAME=VALUE");
    option->value = equals + 1;
    option->name = conf_own(conf, strndup(text, (size_t)(equals - text)), option->diag);
    return option->name ? 0 : -1;
}

/* The map under that key, made if there is none. */
static struct conf_node *section(const struct option *option, struct conf_node *map,
                                 const char *name)
{
    struct conf_node *node = conf_get(map, name);

    if (!node)
        node = conf_insert(option->pipeline->conf, map, map->count, name, option->mark,
                           option->diag);
    if (node && node->kind == CONF_SCALAR && (!*node->text || conf_is_empty(node)))
        node->kind = CONF_MAP;
    if (!node || node->kind == CONF_MAP)
        return node;
    conf_refuse(node, option->diag, "%s: must be a map", name);
    return NULL;
}

static int put(const struct option *option, struct conf_node *map, const char *name)
{
    return map ? pipeline_put(option->pipeline, map, name, option->value, option->mark,
                              option->diag)
               : -1;
}

static int set(const struct option *option, struct conf_node *node)
{
    return node ? conf_set(option->pipeline->conf, node, option->value, option->mark, option->diag)
                : -1;
}

/* Other values of a name that is swept, or a new sweep, the last one. One that goes by what was counted stays last. */
static int apply_sweep(const struct option *option)
{
    struct conf_node *map = section(option, option->pipeline->conf->root, "sweep");
    struct conf_node *there = find_swept(map, option->name);
    size_t at = map ? map->count : 0;

    if (there || !map)
        return set(option, there);
    if (at && map->items[at - 1]->kind == CONF_MAP && strcmp(map->keys[at - 1]->text, "zip"))
        at--;
    return set(option, conf_insert(option->pipeline->conf, map, at, option->name, option->mark,
                                   option->diag));
}

/* --set of a swept parameter leaves it a sweep, so that results still say which point it was. */
static int set_stage(const struct option *option)
{
    const struct pipeline *pipeline = option->pipeline;
    struct conf_node *swept = find_swept(conf_get(pipeline->conf->root, "sweep"), option->name);
    const char *param;
    const int found = pipeline_find(pipeline, option->name, &param);
    char hint[160];

    if (found < 0)
        return diag_fail_at(option->diag, DIAG_USAGE, option->mark, "no such stage or setting%s",
                            pipeline_hint(pipeline, option->name, hint, sizeof hint));
    if (!strcmp(param, "id") || !strcmp(param, "tune") || !strcmp(param, "from"))
        return diag_fail_at(option->diag, DIAG_USAGE, option->mark,
                            "cannot be set; a parameter, `backend` or `tune.NAME` can");
    if (swept)
        return set(option, swept);
    if (!strncmp(param, "tune.", 5))
        return put(option, section(option, pipeline->stages[found].params, "tune"), param + 5);
    return put(option, pipeline->stages[found].params, param);
}

static int set_let(const struct option *option)
{
    const struct conf_node *let = conf_get(option->pipeline->conf->root, "let");
    struct conf_node *there = find(let, option->name + 4);
    char hint[96];

    if (!there)
        return diag_fail_at(option->diag, DIAG_USAGE, option->mark,
                            "the file's let: has no such name%s",
                            conf_hint(let, option->name + 4, hint, sizeof hint));
    if (set(option, there))
        return -1;
    there->plain = true;
    return 0;
}

static int apply_set(const struct option *option)
{
    struct conf_node *root = option->pipeline->conf->root;

    if (!pipeline_is_setting(option->name))
        return set_stage(option);
    if (!strncmp(option->name, "stop.", 5))
        return put(option, section(option, root, "stop"), option->name + 5);
    return put(option, root, option->name);
}

int pipeline_apply_options(struct pipeline *pipeline, const struct pipeline_options *options,
                           bool let, struct diag *diag)
{
    struct option option = {.pipeline = pipeline, .diag = diag};

    for (size_t i = 0; !let && options->sweeps && options->sweeps[i]; i++)
        if (split(&option, "--sweep", options->sweeps[i]) || apply_sweep(&option))
            return -1;
    for (size_t i = 0; options->sets && options->sets[i]; i++)
        if (!strncmp(options->sets[i], "let.", 4) == let &&
            (split(&option, "--set", options->sets[i]) ||
             (let ? set_let(&option) : apply_set(&option))))
            return -1;
    option.value = options->backend;
    return let || !options->backend ? 0
           : mark_option(&option, options->backend_by ? options->backend_by : "--backend",
                         options->backend)
               ? -1
               : put(&option, pipeline->conf->root, "backend");
}

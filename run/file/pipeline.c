/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that --set and port parameters take for something else. Settings are told from parameters
   by their whole name, so that a stage may well be called stop.here. */
static bool is_reserved(const char *id, size_t stage)
{
    return pipeline_is_setting(id) || !strcmp(id, "let") || !strcmp(id, "stop") ||
           !strcmp(id, "sweep") || (stage > 0 && !strcmp(id, "source"));
}

static int read_id(const struct pipeline *pipeline, struct pipeline_stage *stage,
                   const struct conf_node *node, struct diag *diag)
{
    if (node->kind != CONF_SCALAR || !pipeline_is_name(node->text, "_.-"))
        return conf_refuse(node, diag,
                           "%s.id: must be a name of letters, digits and _ . - that begins with "
                           "a letter or _",
                           stage->name);
    if (is_reserved(node->text, pipeline->n_stages))
        return diag_fail_at(
            diag, DIAG_USAGE, node->mark,
            "%s.id: `%s` has another meaning; any "
            "name is allowed but source, let, sweep, stop and those of settings (seed, "
            "batch, in_flight, latency, backend, stop.frame_errors, stop.frames, "
            "stop.seconds)",
            stage->name, node->text);
    stage->id = node->text;
    return 0;
}

static int check_unique(const struct pipeline *pipeline, const struct pipeline_stage *stage,
                        struct diag *diag)
{
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        const struct pipeline_stage *other = &pipeline->stages[i];

        if (!strcmp(other->id, stage->id))
            return diag_fail_at(diag, DIAG_USAGE, stage->mark,
                                "%s: the stage in line %u is called %s, too; give this one "
                                "another `id:`",
                                stage->name, other->mark.line, stage->id);
    }
    return 0;
}

static int read_from(const struct pipeline *pipeline, struct pipeline_stage *stage,
                     const struct conf_node *node, struct diag *diag)
{
    char is[64];

    if (node->kind != CONF_SCALAR || !*node->text)
        return diag_fail_at(diag, DIAG_USAGE, node->mark,
                            "%s.from: must be an earlier stage: ID, ID.PORT or source; is %s",
                            stage->id, conf_show(is, sizeof is, node));
    if (!pipeline->n_stages)
        return diag_fail_at(diag, DIAG_USAGE, node->mark, "%s.from: the first stage has no input",
                            stage->id);
    stage->from = node->text;
    stage->from_mark = node->mark;
    return 0;
}

static int read_stage_keys(const struct pipeline *pipeline, struct pipeline_stage *stage,
                           struct diag *diag)
{
    const struct conf_node *id = conf_get(stage->params, "id");
    const struct conf_node *backend = conf_get(stage->params, "backend");
    const struct conf_node *tune = conf_get(stage->params, "tune");
    const struct conf_node *from = conf_get(stage->params, "from");

    if (id && !conf_is_empty(id) && read_id(pipeline, stage, id, diag))
        return -1;
    if (from && !conf_is_empty(from) && read_from(pipeline, stage, from, diag))
        return -1;
    if (backend && !conf_is_empty(backend)) {
        if (backend->kind != CONF_SCALAR || !*backend->text)
            return conf_refuse(backend, diag, "%s.backend: must be the name of a backend or auto",
                               stage->id);
        stage->backend = backend->text;
        stage->backend_mark = backend->mark;
    }
    if (tune && !conf_is_empty(tune)) {
        if (tune->kind != CONF_MAP)
            return conf_refuse(tune, diag, "%s.tune: must be a map of backend settings", stage->id);
        stage->tune = tune;
    }
    return 0;
}

/* `- NAME`, `- NAME:` or `- NAME: {...}` */
static int read_stage(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    struct pipeline_stage stage = {.mark = node->mark};

    if (node->kind == CONF_SCALAR && *node->text) {
        stage.name = node->text;
    } else if (node->kind == CONF_MAP && node->count == 1 && *node->keys[0]->text) {
        stage.name = node->keys[0]->text;
        stage.mark = node->keys[0]->mark;
        if (node->items[0]->kind == CONF_MAP)
            stage.params = node->items[0];
        else if (!conf_is_empty(node->items[0]))
            return conf_refuse(node->items[0], diag,
                               "%s: must be a map of parameters {name: value}", stage.name);
    } else if (node->kind == CONF_MAP && node->count > 1) {
        return diag_fail_at(diag, DIAG_USAGE, node->keys[1]->mark,
                            "%s: a second key in a stage; write `- STAGE: {name: value}` or indent "
                            "parameters more than the stage",
                            node->keys[1]->text);
    } else {
        return conf_refuse(node, diag,
                           "pipeline: a stage must be written `- STAGE: {name: value}`");
    }
    stage.id = stage.name;
    if (read_stage_keys(pipeline, &stage, diag) || check_unique(pipeline, &stage, diag))
        return -1;
    pipeline->stages[pipeline->n_stages++] = stage;
    return 0;
}

static int read_stages(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    char is[64];

    if (node->kind != CONF_LIST || node->count == 0 || node->count > PIPELINE_STAGES)
        return diag_fail_at(diag, DIAG_USAGE, node->mark,
                            "pipeline: must be a list of 2 to %d stages, is %s", PIPELINE_STAGES,
                            node->kind == CONF_LIST ? node->count ? "longer" : "empty"
                                                    : conf_show(is, sizeof is, node));
    pipeline->stages = conf_own(pipeline->conf, calloc(node->count, sizeof(*pipeline->stages)),
                                diag);
    if (!pipeline->stages)
        return -1;
    for (size_t i = 0; i < node->count; i++) {
        if (read_stage(pipeline, node->items[i], diag))
            return -1;
    }
    return 0;
}

static int read_setting(struct pipeline *pipeline, const char *name, const struct conf_node *node,
                        struct diag *diag)
{
    struct setting setting = {.name = name, .text = node->text, .mark = node->mark};

    if (node->kind != CONF_SCALAR)
        return setting_fail(&setting, diag, "must be a single value, is a %s",
                            node->kind == CONF_LIST ? "list" : "map");
    return pipeline_setting(pipeline, &setting, diag);
}

static int read_stop(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    static const char *const names[] = {"frame_errors", "frames", "seconds", NULL};
    char name[64], hint[96];

    if (conf_is_empty(node))
        return 0;
    if (node->kind != CONF_MAP)
        return conf_refuse(node, diag, "stop: must be a map of frame_errors, frames and seconds");
    for (size_t i = 0; i < node->count; i++) {
        const char *key = node->keys[i]->text;

        if (array_index(names, key) < 0)
            return diag_fail_at(diag, DIAG_USAGE, node->keys[i]->mark,
                                "stop.%s: unknown; there are frame_errors, frames and seconds%s",
                                key, diag_hint(hint, sizeof hint, key, names));
        snprintf(name, sizeof name, "stop.%s", key);
        if (!conf_is_empty(node->items[i]) && read_setting(pipeline, name, node->items[i], diag))
            return -1;
    }
    return 0;
}

static int check_version(const struct conf_node *root, struct diag *diag)
{
    const struct conf_node *version = conf_get(root, "fecrun");
    int64_t number;

    if (root->kind != CONF_MAP)
        return conf_refuse(root, diag,
                           "a pipeline file must be a map with the keys fecrun and pipeline");
    if (!version)
        return diag_fail_at(diag, DIAG_USAGE, root->mark,
                            "fecrun: must be given: the format version, `fecrun: 1`");
    if (version->kind != CONF_SCALAR || !conf_int(version->text, &number) || number != 1)
        return conf_refuse(version, diag,
                           "fecrun: must be 1, the format version that this program reads");
    if (!conf_get(root, "pipeline"))
        return diag_fail_at(diag, DIAG_USAGE, root->mark,
                            "pipeline: must be given: the list of stages");
    return 0;
}

static int read_key(struct pipeline *pipeline, const struct conf_node *key,
                    const struct conf_node *node, struct diag *diag)
{
    static const char *const known[] = {"fecrun",  "seed",    "batch",    "in_flight",
                                        "latency", "backend", "pipeline", "sweep",
                                        "stop",    "blocks",  "let",      NULL};
    const char *name = key->text;
    char hint[96];

    if (!strcmp(name, "fecrun") || !strcmp(name, "pipeline") || !strcmp(name, "let"))
        return 0;
    if (!strcmp(name, "sweep"))
        return pipeline_read_sweep(pipeline, node, diag);
    if (!strcmp(name, "stop"))
        return read_stop(pipeline, node, diag);
    if (!strcmp(name, "blocks"))
        return pipeline_read_blocks(pipeline, node, diag);
    if (array_index(known, name) >= 0)
        return conf_is_empty(node) && *node->text ? 0 : read_setting(pipeline, name, node, diag);
    return diag_fail_at(diag, DIAG_USAGE, key->mark,
                        "%s: unknown key%s; there are fecrun, seed, batch, in_flight, latency, "
                        "backend, pipeline, sweep, stop, blocks and let",
                        name, diag_hint(hint, sizeof hint, name, known));
}

static int read_root(struct pipeline *pipeline, const struct pipeline_options *options,
                     struct diag *diag)
{
    const struct conf_node *root = pipeline->conf->root;

    if (check_version(root, diag) ||
        pipeline_apply_let(pipeline, options ? options->sets : NULL, diag) ||
        read_stages(pipeline, conf_get(root, "pipeline"), diag))
        return -1;
    for (size_t i = 0; i < root->count; i++) {
        if (read_key(pipeline, root->keys[i], root->items[i], diag))
            return -1;
    }
    return 0;
}

/* ---- --set ---- */

/* A swept parameter is no longer swept, but still told in the results. */
static int set_swept(struct pipeline *pipeline, const char *stage, const char *param,
                     const struct setting *setting, struct diag *diag)
{
    for (size_t i = 0; i < pipeline->n_sweeps; i++) {
        struct pipeline_sweep *sweep = &pipeline->sweeps[i];

        if (strcmp(sweep->stage, stage) || strcmp(sweep->param, param))
            continue;
        sweep->mark = (struct mark){0};
        if (sweep_parse(pipeline, sweep, setting, diag))
            return -1;
        return sweep_check_points(pipeline, setting, diag);
    }
    return 1;
}

int pipeline_set_param(struct pipeline *pipeline, const char *stage, const char *param,
                       const char *value, struct diag *diag)
{
    char *text = conf_own(pipeline->conf, strdup(value), diag);
    struct pipeline_set *set;

    for (size_t i = 0; text && i < pipeline->n_sets; i++) {
        set = &pipeline->sets[i];
        if (!strcmp(set->stage, stage) && !strcmp(set->param, param)) {
            set->value = text;
            return 0;
        }
    }
    if (!text || array_grow(&pipeline->sets, pipeline->n_sets, sizeof(*pipeline->sets)))
        return diag_no_memory(diag);
    set = &pipeline->sets[pipeline->n_sets];
    set->stage = conf_own(pipeline->conf, strdup(stage), diag);
    set->param = conf_own(pipeline->conf, strdup(param), diag);
    set->value = text;
    if (!set->stage || !set->param)
        return -1;
    pipeline->n_sets++;
    return 0;
}

static int set_stage(struct pipeline *pipeline, const struct setting *setting, struct diag *diag)
{
    const char *param;
    int found = pipeline_find(pipeline, setting->name, &param);
    struct pipeline_stage *stage;
    char hint[160];
    int result;

    if (found < 0)
        return setting_fail(setting, diag, "no such stage or setting%s",
                            pipeline_hint(pipeline, setting->name, hint, sizeof hint));
    stage = &pipeline->stages[found];
    if (!strcmp(param, "backend")) {
        stage->backend_mark = (struct mark){.file = "--set"};
        return pipeline_read_backend(pipeline, setting, &stage->backend, diag);
    }
    if (!strcmp(param, "id") || !strcmp(param, "tune") || !strcmp(param, "from"))
        return setting_fail(setting, diag,
                            "cannot be set; a parameter, `backend` or `tune.NAME` "
                            "can");
    result = set_swept(pipeline, stage->id, param, setting, diag);
    if (result <= 0)
        return result;
    return pipeline_set_param(pipeline, stage->id, param, setting->text, diag);
}

static int apply_set(struct pipeline *pipeline, const char *option, struct diag *diag)
{
    struct setting setting = {.option = option};
    int result = setting_split(pipeline, &setting, diag);

    if (result)
        return result < 0 ? -1 : setting_fail(&setting, diag, "must be NAME=VALUE");
    result = pipeline_setting(pipeline, &setting, diag);
    return result <= 0 ? result : set_stage(pipeline, &setting, diag);
}

static int apply_options(struct pipeline *pipeline, const struct pipeline_options *options,
                         struct diag *diag)
{
    for (size_t i = 0; options && options->sweeps && options->sweeps[i]; i++) {
        if (pipeline_apply_sweep(pipeline, options->sweeps[i], diag))
            return -1;
    }
    for (size_t i = 0; options && options->sets && options->sets[i]; i++) {
        if (strncmp(options->sets[i], "let.", 4) && /* see pipeline_apply_let() */
            apply_set(pipeline, options->sets[i], diag))
            return -1;
    }
    if (options && options->backend) {
        if (!*options->backend)
            return diag_fail(diag, DIAG_USAGE, "--backend: must be the name of a backend or auto");
        pipeline->backend = conf_own(pipeline->conf, strdup(options->backend), diag);
        if (!pipeline->backend)
            return -1;
        pipeline->backend_mark = (struct mark){0};
    }
    if (pipeline->backend && !strcmp(pipeline->backend, "auto"))
        pipeline->backend = NULL;
    pipeline->backend_from_user = pipeline->backend != NULL;
    return 0;
}

/* The directory that paths in the file are relative to. */
static char *directory_of(const char *path, const struct pipeline_options *options)
{
    const char *slash = strrchr(path, '/');

    if (options && options->place.base_dir)
        return strdup(options->place.base_dir);
    if (!slash || !strcmp(path, "-") || (options && options->text))
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

int pipeline_load(struct pipeline **pipeline, const char *path,
                  const struct pipeline_options *options, struct diag *diag)
{
    struct pipeline *made = calloc(1, sizeof *made);

    *pipeline = NULL;
    if (!made)
        return diag_no_memory(diag);
    made->in_flight = 3;
    if (options)
        made->place = options->place;
    made->place.base_dir = directory_of(path, options);
    if (!made->place.base_dir) {
        diag_no_memory(diag);
        goto fail;
    }
    if ((options && options->text
             ? conf_parse_text(&made->conf, path, options->text, options->text_size, diag)
             : conf_parse_file(&made->conf, path, diag)) ||
        read_root(made, options, diag) || apply_options(made, options, diag) ||
        pipeline_join_sweeps(made, diag))
        goto fail;
    *pipeline = made;
    return 0;

fail:
    pipeline_free(made);
    return -1;
}

void pipeline_free(struct pipeline *pipeline)
{
    if (!pipeline)
        return;
    free(pipeline->sets);
    free(pipeline->sweeps);
    free((char *)pipeline->place.base_dir);
    conf_free(pipeline->conf);
    free(pipeline);
}

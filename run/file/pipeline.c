/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/file/pipeline_impl.h"

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
    if (stage == pipeline->stages)
        return diag_fail_at(diag, DIAG_USAGE, node->mark, "%s.from: the first stage has no input",
                            stage->id);
    stage->from = node->text;
    stage->from_mark = node->mark;
    return 0;
}

/* Besides the id, which options need to know. */
static int read_stage_keys(const struct pipeline *pipeline, struct pipeline_stage *stage,
                           struct diag *diag)
{
    const struct conf_node *backend = conf_get(stage->params, "backend");
    const struct conf_node *tune = conf_get(stage->params, "tune");
    const struct conf_node *from = conf_get(stage->params, "from");
    char name[256];

    if (from && !conf_is_empty(from) && read_from(pipeline, stage, from, diag))
        return -1;
    snprintf(name, sizeof name, "%s.backend", stage->id);
    if (backend && !conf_is_empty(backend) &&
        pipeline_read_backend(backend, name, &stage->backend, &stage->backend_mark, diag))
        return -1;
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
    const struct conf_node *id;

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
    if (!stage.params && !(stage.params = conf_own(pipeline->conf, calloc(1, sizeof *node), diag)))
        return -1;
    stage.params->kind = CONF_MAP;
    stage.id = stage.name;
    id = conf_get(stage.params, "id");
    if ((id && !conf_is_empty(id) && read_id(pipeline, &stage, id, diag)) ||
        check_unique(pipeline, &stage, diag))
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

/* A key that must be there is not: perhaps it is written wrongly. */
static int lacks_key(const struct conf_node *root, const char *key, const char *what,
                     struct diag *diag)
{
    const char *const known[] = {key, NULL};

    for (size_t i = 0; i < root->count; i++)
        if (diag_nearest(root->keys[i]->text, known))
            return diag_fail_at(diag, DIAG_USAGE, root->keys[i]->mark,
                                "%s: no such parameter (did you mean %s?)", root->keys[i]->text,
                                key);
    return diag_fail_at(diag, DIAG_USAGE, root->mark, "%s: must be given: %s", key, what);
}

static int check_version(const struct conf_node *root, struct diag *diag)
{
    const struct conf_node *version = conf_get(root, "fecrun");
    int64_t number;

    if (root->kind != CONF_MAP)
        return conf_refuse(root, diag,
                           "a pipeline file must be a map with the keys fecrun and pipeline");
    if (!version)
        return lacks_key(root, "fecrun", "the format version, `fecrun: 1`", diag);
    if (version->kind != CONF_SCALAR || !conf_int(version->text, &number) || number != 1)
        return conf_refuse(version, diag,
                           "fecrun: must be 1, the format version that this program reads");
    if (!conf_get(root, "pipeline"))
        return lacks_key(root, "pipeline", "the list of stages", diag);
    return 0;
}

static int read_root(struct pipeline *pipeline, const struct pipeline_options *options,
                     struct diag *diag)
{
    const struct conf_node *root = pipeline->conf->root, *sweep, *blocks;

    if (check_version(root, diag) || pipeline_apply_options(pipeline, options, true, diag) ||
        pipeline_apply_let(pipeline, diag) ||
        read_stages(pipeline, conf_get(root, "pipeline"), diag) ||
        pipeline_apply_options(pipeline, options, false, diag))
        return -1;
    for (size_t i = 0; i < pipeline->n_stages; i++)
        if (read_stage_keys(pipeline, &pipeline->stages[i], diag))
            return -1;
    sweep = conf_get(root, "sweep");
    blocks = conf_get(root, "blocks");
    if (pipeline_read_settings(pipeline, diag) ||
        (sweep && pipeline_read_sweep(pipeline, sweep, diag)) ||
        (blocks && pipeline_read_blocks(pipeline, blocks, diag)))
        return -1;
    if (pipeline->backend && !strcmp(pipeline->backend, "auto"))
        pipeline->backend = NULL;
    return 0;
}

/* The directory that paths in the file are relative to. */
static char *directory_of(const char *path, const struct pipeline_options *options)
{
    const char *slash = strrchr(path, '/');

    if (options->place.base_dir)
        return strdup(options->place.base_dir);
    if (!slash || !strcmp(path, "-") || options->text)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

int pipeline_load(struct pipeline **pipeline, const char *path,
                  const struct pipeline_options *options, struct diag *diag)
{
    static const struct pipeline_options none;
    struct pipeline *made = calloc(1, sizeof *made);

    options = options ? options : &none;
    *pipeline = NULL;
    if (!made)
        return diag_no_memory(diag);
    made->place = options->place;
    made->place.base_dir = directory_of(path, options);
    if (!made->place.base_dir) {
        diag_no_memory(diag);
        goto fail;
    }
    if ((options->text ? conf_parse_text(&made->conf, path, options->text, options->text_size, diag)
                       : conf_parse_file(&made->conf, path, diag)) ||
        read_root(made, options, diag))
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
    free(pipeline->sweeps);
    free((char *)pipeline->place.base_dir);
    conf_free(pipeline->conf);
    free(pipeline);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads settings that are a single value, and knows names. */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"
#include "core/value/param.h"

#include <fecrun/sdk/params.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const setting_names[] = {"seed",        "batch",        "in_flight",
                                            "latency",     "backend",      "stop.frame_errors",
                                            "stop.frames", "stop.seconds", NULL};

bool pipeline_is_name(const char *text, const char *also)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || (*text && strchr(also, *text)))
        text++;
    return !*text;
}

bool pipeline_is_setting(const char *name)
{
    return array_index(setting_names, name) >= 0;
}

int setting_fail(struct mark mark, const char *name, struct diag *diag, const char *format, ...)
{
    char text[768];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!mark.line && mark.file)
        return diag_fail_at(diag, DIAG_USAGE, mark, "%s", text);
    return diag_fail_at(diag, DIAG_USAGE, mark, "%.200s: %s", name, text);
}

int pipeline_read_backend(const struct conf_node *node, const char *name, const char **backend,
                          struct mark *mark, struct diag *diag)
{
    if (node->kind != CONF_SCALAR || !*node->text)
        return setting_fail(node->mark, name, diag, "must be the name of a backend or auto");
    *backend = node->text;
    *mark = node->mark;
    return 0;
}

int pipeline_read_seed(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    if (!node || (conf_is_empty(node) && *node->text) ||
        (node->kind == CONF_SCALAR && conf_uint(node->text, &pipeline->seed)))
        return 0;
    if (node->kind != CONF_SCALAR)
        return conf_refuse(node, diag, "seed: must be an integer");
    return setting_fail(node->mark, "seed", diag,
                        "must be an integer from 0 to %" PRIu64 ", is '%.40s'", UINT64_MAX,
                        node->text);
}

enum { BATCH, IN_FLIGHT, LATENCY, FRAME_ERRORS, FRAMES, SECONDS };
static const char *const latencies[] = {"auto", "low", NULL};

/* The keys of a file, and those of `stop:`. */
static const struct fecrun_param *const settings[] = {
    [BATCH] = FECRUN_INT("batch", 1, 1 << 24, .help = "frames"),
    [IN_FLIGHT] = FECRUN_INT("in_flight", 1, 64, .default_text = "3"),
    [LATENCY] = FECRUN_CHOICE("latency", latencies, .default_text = "auto"),
    [FRAME_ERRORS] = FECRUN_INT("stop.frame_errors", 1, INT64_MAX, .help = "frames"),
    [FRAMES] = FECRUN_INT("stop.frames", 1, INT64_MAX, .help = "frames"),
    [SECONDS] = FECRUN_FLOAT("stop.seconds", 1e-9, 1e300, .help = "time"),
    FECRUN_PARAM(.name = "fecrun"),
    FECRUN_PARAM(.name = "seed"),
    FECRUN_PARAM(.name = "backend"),
    FECRUN_PARAM(.name = "pipeline"),
    FECRUN_PARAM(.name = "sweep"),
    FECRUN_PARAM(.name = "blocks"),
    FECRUN_PARAM(.name = "let"),
    NULL};

/* These are read by other functions. */
static const char *const others[] = {"fecrun", "seed",   "backend", "pipeline",
                                     "sweep",  "blocks", "let",     NULL};

int pipeline_read_settings(struct pipeline *pipeline, struct diag *diag)
{
    const struct conf_node *root = pipeline->conf->root, *backend = conf_get(root, "backend");
    const struct fecrun_value *const *v;
    struct param_set *set;

    if (pipeline_read_seed(pipeline, conf_get(root, "seed"), diag) ||
        (backend && !(conf_is_empty(backend) && *backend->text) &&
         pipeline_read_backend(backend, "backend", &pipeline->backend, &pipeline->backend_mark,
                               diag)) ||
        param_read(&set, settings, &(struct param_source){.map = root, .skip = others}, diag))
        return -1;
    v = param_values(set)->v;
    pipeline->batch = (uint64_t)v[BATCH]->i;
    pipeline->in_flight = (uint32_t)v[IN_FLIGHT]->i;
    pipeline->low_latency = v[LATENCY]->i;
    pipeline->stop_frame_errors = (uint64_t)v[FRAME_ERRORS]->i;
    pipeline->stop_frames = (uint64_t)v[FRAMES]->i;
    pipeline->stop_seconds = v[SECONDS]->f;
    pipeline->stop_given = v[FRAME_ERRORS]->given || v[FRAMES]->given || v[SECONDS]->given;
    param_free(set);
    return 0;
}

static int find_id(const struct pipeline *pipeline, const char *id, size_t length)
{
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        if (strlen(pipeline->stages[i].id) == length && !memcmp(pipeline->stages[i].id, id, length))
            return (int)i;
    }
    return -1;
}

int pipeline_find(const struct pipeline *pipeline, const char *name, const char **param)
{
    for (size_t n = strlen(name); n-- > 1;) {
        int stage;

        if (name[n] != '.' || !name[n + 1])
            continue;
        stage = find_id(pipeline, name, n);
        if (stage >= 0) {
            *param = name + n + 1;
            return stage;
        }
    }
    return -1;
}

const char *pipeline_hint(const struct pipeline *pipeline, const char *name, char *buffer,
                          size_t size)
{
    const char *ids[PIPELINE_STAGES + 1], *nearest = diag_nearest(name, setting_names), *of = NULL;
    size_t n = strlen(name);
    char stage[64];
    bool bare;

    for (size_t i = 0; i < pipeline->n_stages; i++) {
        ids[i] = pipeline->stages[i].id;
        of = of || !conf_get(pipeline->stages[i].params, name) ? of : ids[i];
    }
    ids[pipeline->n_stages] = NULL;
    snprintf(stage, sizeof stage, "%.*s", (int)(n && name[n - 1] == '.' ? n - 1 : n), name);
    bare = !strchr(stage, '.');
    *buffer = '\0';
    if (array_index(ids, stage) >= 0)
        snprintf(buffer, size, " (a stage's parameter is %s.NAME)", stage);
    else if (pipeline_is_setting(name))
        snprintf(buffer, size, "; %s is a setting, the same at all points", name);
    else if (of)
        snprintf(buffer, size, " (did you mean %s.%s?)", of, name);
    else if (nearest)
        diag_hint(buffer, size, name, setting_names);
    while (!*buffer && n-- > 1) {
        if (name[n] != '.' || n >= sizeof stage)
            continue;
        snprintf(stage, sizeof stage, "%.*s", (int)n, name);
        nearest = diag_nearest(stage, ids);
        if (nearest)
            snprintf(buffer, size, " (did you mean %s%s?)", nearest, name + n);
    }
    if (!*buffer)
        diag_hint(buffer, size, name, ids);
    if (!*buffer && bare)
        snprintf(buffer, size, "; a stage's parameter is STAGE.NAME");
    return buffer;
}

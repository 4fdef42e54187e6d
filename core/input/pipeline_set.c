/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings that are one value, and --set. */
#include "pipeline_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const setting_names[] = {
    "seed", "batch", "in_flight", "backend", "stop.frame_errors", "stop.frames", "stop.seconds",
    NULL};

int setting_fail(const struct setting *setting, struct diag *diag, const char *format, ...)
{
    char text[768];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (setting->option)
        return diag_fail(diag, DIAG_USAGE, "--set %.200s: %s", setting->option, text);
    return diag_fail_at(diag, DIAG_USAGE, setting->mark, "%.200s: %s", setting->name, text);
}

static int read_count(const struct setting *setting, uint64_t min, uint64_t max, uint64_t *value,
                      struct diag *diag)
{
    uint64_t number;

    if (!conf_uint(setting->text, &number) || number < min || number > max)
        return setting_fail(setting, diag,
                            "must be an integer from %" PRIu64 " to %" PRIu64 ", is '%.40s'", min,
                            max, setting->text);
    *value = number;
    return 0;
}

static int read_seconds(const struct setting *setting, double *value, struct diag *diag)
{
    double number;

    if (!conf_float(setting->text, &number) || !(number > 0))
        return setting_fail(setting, diag, "must be a number above 0, is '%.40s'", setting->text);
    *value = number;
    return 0;
}

static int read_backend(struct pipeline *pipeline, const struct setting *setting,
                        const char **backend, struct diag *diag)
{
    if (!*setting->text)
        return setting_fail(setting, diag, "must be the name of a backend or auto");
    *backend = pipeline_own(pipeline, strdup(setting->text));
    return *backend ? 0 : diag_fail(diag, DIAG_RUN, "out of memory");
}

int pipeline_setting(struct pipeline *pipeline, const struct setting *setting, struct diag *diag)
{
    const char *name = setting->name;
    uint64_t in_flight = 0;

    if (!strcmp(name, "seed"))
        return read_count(setting, 0, UINT64_MAX, &pipeline->seed, diag);
    if (!strcmp(name, "batch"))
        return read_count(setting, 1, 1 << 24, &pipeline->batch, diag);
    if (!strcmp(name, "in_flight")) {
        if (read_count(setting, 1, 64, &in_flight, diag))
            return -1;
        pipeline->in_flight = (uint32_t)in_flight;
        return 0;
    }
    if (!strcmp(name, "backend"))
        return read_backend(pipeline, setting, &pipeline->backend, diag);
    if (strncmp(name, "stop.", 5))
        return 1;
    pipeline->stop_given = true;
    if (!strcmp(name, "stop.frame_errors"))
        return read_count(setting, 1, INT64_MAX, &pipeline->stop_frame_errors, diag);
    if (!strcmp(name, "stop.frames"))
        return read_count(setting, 1, INT64_MAX, &pipeline->stop_frames, diag);
    if (!strcmp(name, "stop.seconds"))
        return read_seconds(setting, &pipeline->stop_seconds, diag);
    return 1;
}

static int find_id(const struct pipeline *pipeline, const char *id, size_t length)
{
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        if (strlen(pipeline->stages[i].id) == length &&
            !memcmp(pipeline->stages[i].id, id, length))
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
    const char **ids = calloc(pipeline->n_stages + 1, sizeof(*ids));
    const char *nearest = diag_nearest(name, setting_names);
    size_t n = strlen(name);
    char stage[64];

    buffer[0] = '\0';
    if (find_id(pipeline, name, n) >= 0) {
        free(ids);
        snprintf(buffer, size, " (a stage's parameter is %s.NAME)", name);
        return buffer;
    }
    if (nearest || !ids) {
        free(ids);
        if (nearest)
            snprintf(buffer, size, " (did you mean %s?)", nearest);
        return buffer;
    }
    for (size_t i = 0; i < pipeline->n_stages; i++)
        ids[i] = pipeline->stages[i].id;
    while (n-- > 1 && !nearest) {
        if (name[n] != '.' || n >= sizeof stage)
            continue;
        snprintf(stage, sizeof stage, "%.*s", (int)n, name);
        nearest = diag_nearest(stage, ids);
        if (nearest)
            snprintf(buffer, size, " (did you mean %s%s?)", nearest, name + n);
    }
    if (!nearest)
        diag_hint(buffer, size, name, ids);
    free(ids);
    return buffer;
}

/* A swept parameter is no longer swept, but still told in the results. */
static int set_swept(struct pipeline *pipeline, const char *stage, const char *param,
                     const struct setting *setting, struct diag *diag)
{
    for (size_t i = 0; i < pipeline->n_sweeps; i++) {
        struct pipeline_sweep *sweep = &pipeline->sweeps[i];

        if (strcmp(sweep->stage, stage) || strcmp(sweep->param, param))
            continue;
        sweep->mark = (struct mark){0};
        return sweep_parse(pipeline, sweep, setting, diag);
    }
    return 1;
}

static int set_param(struct pipeline *pipeline, const char *stage, const char *param,
                     const char *value, struct diag *diag)
{
    char *text = pipeline_own(pipeline, strdup(value));
    struct pipeline_set *sets, *set;

    for (size_t i = 0; text && i < pipeline->n_sets; i++) {
        set = &pipeline->sets[i];
        if (!strcmp(set->stage, stage) && !strcmp(set->param, param)) {
            set->value = text;
            return 0;
        }
    }
    sets = pipeline_own(pipeline, calloc(pipeline->n_sets + 1, sizeof(*sets)));
    if (!text || !sets)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    if (pipeline->n_sets)
        memcpy(sets, pipeline->sets, pipeline->n_sets * sizeof(*sets));
    pipeline->sets = sets;
    set = &sets[pipeline->n_sets];
    set->stage = pipeline_own(pipeline, strdup(stage));
    set->param = pipeline_own(pipeline, strdup(param));
    set->value = text;
    if (!set->stage || !set->param)
        return diag_fail(diag, DIAG_RUN, "out of memory");
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
        return read_backend(pipeline, setting, &stage->backend, diag);
    }
    if (!strcmp(param, "id") || !strcmp(param, "tune") || !strcmp(param, "from"))
        return setting_fail(setting, diag, "cannot be set; a parameter, `backend` or `tune.NAME` "
                                           "can");
    result = set_swept(pipeline, stage->id, param, setting, diag);
    if (result <= 0)
        return result;
    return set_param(pipeline, stage->id, param, setting->text, diag);
}

int pipeline_apply_set(struct pipeline *pipeline, const char *option, struct diag *diag)
{
    const char *equals = strchr(option, '=');
    struct setting setting = {.option = option};
    char *name;
    int result;

    if (!equals || equals == option)
        return setting_fail(&setting, diag, "must be NAME=VALUE");
    name = pipeline_own(pipeline, strndup(option, (size_t)(equals - option)));
    if (!name)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    setting.name = name;
    setting.text = equals + 1;
    result = pipeline_setting(pipeline, &setting, diag);
    return result <= 0 ? result : set_stage(pipeline, &setting, diag);
}

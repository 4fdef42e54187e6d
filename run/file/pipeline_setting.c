/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads settings that are a single value, and knows their names. */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"

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

int setting_fail(const struct setting *setting, struct diag *diag, const char *format, ...)
{
    char text[768];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (setting->option)
        return diag_fail(diag, DIAG_USAGE, "--%s %.200s: %s", setting->sweep ? "sweep" : "set",
                         setting->option, text);
    return diag_fail_at(diag, DIAG_USAGE, setting->mark, "%.200s: %s", setting->name, text);
}

int setting_split(struct pipeline *pipeline, struct setting *setting, struct diag *diag)
{
    const char *equals = strchr(setting->option, '=');

    if (!equals || equals == setting->option)
        return 1;
    setting->text = equals + 1;
    setting->name = conf_own(pipeline->conf,
                             strndup(setting->option, (size_t)(equals - setting->option)), diag);
    return setting->name ? 0 : -1;
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

static int read_latency(const struct setting *setting, bool *low, struct diag *diag)
{
    static const char *const names[] = {"auto", "low", NULL};
    char hint[96];

    *low = !strcmp(setting->text, "low");
    if (*low || !strcmp(setting->text, "auto"))
        return 0;
    return setting_fail(setting, diag, "must be auto or low, is '%.40s'%s", setting->text,
                        diag_hint(hint, sizeof hint, setting->text, names));
}

int pipeline_read_backend(struct pipeline *pipeline, const struct setting *setting,
                          const char **backend, struct diag *diag)
{
    if (!*setting->text)
        return setting_fail(setting, diag, "must be the name of a backend or auto");
    *backend = conf_own(pipeline->conf, strdup(setting->text), diag);
    return *backend ? 0 : -1;
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
    if (!strcmp(name, "latency"))
        return read_latency(setting, &pipeline->low_latency, diag);
    if (!strcmp(name, "backend")) {
        pipeline->backend_mark = setting->mark;
        return pipeline_read_backend(pipeline, setting, &pipeline->backend, diag);
    }
    if (!pipeline_is_setting(name))
        return 1; /* it may be a stage's, even of one that is called stop.something */
    pipeline->stop_given = true;
    if (!strcmp(name, "stop.frame_errors"))
        return read_count(setting, 1, INT64_MAX, &pipeline->stop_frame_errors, diag);
    if (!strcmp(name, "stop.frames"))
        return read_count(setting, 1, INT64_MAX, &pipeline->stop_frames, diag);
    return read_seconds(setting, &pipeline->stop_seconds, diag);
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
    const char *ids[PIPELINE_STAGES + 1], *nearest = diag_nearest(name, setting_names);
    size_t n = strlen(name);
    char stage[64];

    for (size_t i = 0; i < pipeline->n_stages; i++)
        ids[i] = pipeline->stages[i].id;
    ids[pipeline->n_stages] = NULL;
    if (array_index(ids, name) >= 0) {
        snprintf(buffer, size, " (a stage's parameter is %s.NAME)", name);
        return buffer;
    }
    if (nearest)
        return diag_hint(buffer, size, name, setting_names);
    while (n-- > 1) {
        if (name[n] != '.' || n >= sizeof stage)
            continue;
        snprintf(stage, sizeof stage, "%.*s", (int)n, name);
        nearest = diag_nearest(stage, ids);
        if (!nearest)
            continue;
        snprintf(buffer, size, " (did you mean %s%s?)", nearest, name + n);
        return buffer;
    }
    return diag_hint(buffer, size, name, ids);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* --set. */
#include "run/file/pipeline_impl.h"

#include <stdlib.h>
#include <string.h>

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

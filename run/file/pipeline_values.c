/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of a sweep, one by one or as a range. */
#include "run/file/pipeline_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct pipeline_sweep *pipeline_walk(const struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->n_sweeps; i++)
        if (pipeline->sweeps[i].until_fer > 0 || pipeline->sweeps[i].find_rate > 0)
            return &pipeline->sweeps[i];
    return NULL;
}

const char *pipeline_walk_name(const struct pipeline_sweep *sweep)
{
    return sweep->until_fer > 0 ? "auto" : "find";
}

enum { MAX_VALUES = 10000 };

int sweep_make_room(struct pipeline *pipeline, struct pipeline_sweep *sweep, size_t n,
                    const struct setting *setting, struct diag *diag)
{
    if (n == 0 || n > MAX_VALUES)
        return setting_fail(setting, diag, "has %s values, may have 1 to %d", n ? "more" : "no",
                            MAX_VALUES);
    sweep->count = 0;
    sweep->values = pipeline_own(pipeline, calloc(n, sizeof(*sweep->values)));
    return sweep->values ? 0 : diag_no_memory(diag);
}

int sweep_add_value(struct pipeline *pipeline, struct pipeline_sweep *sweep, const char *text,
                    struct diag *diag)
{
    char *copy = pipeline_own(pipeline, strdup(text));

    if (!copy)
        return diag_no_memory(diag);
    sweep->values[sweep->count++] = copy;
    return 0;
}

int sweep_split_range(const struct setting *setting, double range[3], struct diag *diag)
{
    char text[128], *first, *second;

    if (strlen(setting->text) >= sizeof text)
        return 1;
    strcpy(text, setting->text);
    first = strchr(text, ':');
    if (!first)
        return 1;
    *first++ = '\0';
    if (!conf_float(text, &range[0]))
        return 1;
    second = strchr(first, ':');
    if (second)
        *second++ = '\0';
    if (!second || !conf_float(first, &range[1]) || !conf_float(second, &range[2]))
        return setting_fail(setting, diag, "must be start:step:stop, three numbers, is '%s'",
                            setting->text);
    return 0;
}

/* The texts are what a person would write: 0.3, not 0.30000000000000004. */
int sweep_fill_range(struct pipeline *pipeline, struct pipeline_sweep *sweep, const double range[3],
                     const struct setting *setting, struct diag *diag)
{
    double start = range[0], step = range[1], steps = (range[2] - start) / step;
    char text[32], last[32] = "";
    size_t n;

    if (step == 0)
        return setting_fail(setting, diag, "the step of start:step:stop must not be 0");
    if (steps < 0)
        return setting_fail(setting, diag, "the step leads away from the end: %s", setting->text);
    n = steps < MAX_VALUES ? (size_t)floor(steps + 1e-6) + 1 : MAX_VALUES + 1;
    if (sweep_make_room(pipeline, sweep, n, setting, diag))
        return -1;
    for (size_t i = 0; i < n; i++) {
        double value = start + (double)i * step;

        if (fabs(value) < fabs(step) * 1e-6)
            value = 0;
        conf_float_text(text, sizeof text, value);
        if (!strcmp(text, last))
            return setting_fail(setting, diag, "the step is too small next to the values");
        if (sweep_add_value(pipeline, sweep, text, diag))
            return -1;
        strcpy(last, text);
    }
    return 0;
}

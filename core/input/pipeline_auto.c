/* SPDX-License-Identifier: BSD-2-Clause */
/* sweep: NAME -> {auto: {...}}: as many values as it takes to reach a frame error rate. */
#include "core/input/pipeline_impl.h"

#include <stdio.h>
#include <string.h>

#define STEP 0.5
#define STEPS 40 /* at most, if nothing else is said */

enum { FROM, STEP_KEY, TO, UNTIL, KEYS };

static const char *const keys[] = {"from", "step", "to", "until_fer", NULL};

static int read_number(const struct conf_node *node, const char *name, const char *key,
                       double *value, struct diag *diag)
{
    if (node->kind == CONF_SCALAR && conf_float(node->text, value))
        return 0;
    return diag_fail_at(diag, DIAG_USAGE, node->mark, "%s.auto.%s: must be a number", name, key);
}

static int read_keys(const struct conf_node *node, const char *name, double values[KEYS],
                     bool given[KEYS], struct diag *diag)
{
    char hint[64];

    for (size_t i = 0; i < node->count; i++) {
        const char *key = node->keys[i]->text;
        size_t k = 0;

        while (k < KEYS && strcmp(keys[k], key))
            k++;
        if (k == KEYS)
            return diag_fail_at(diag, DIAG_USAGE, node->keys[i]->mark,
                                "%s.auto.%s: unknown; there are from, step, to and until_fer%s",
                                name, key, diag_hint(hint, sizeof hint, key, keys));
        if (read_number(node->items[i], name, key, &values[k], diag))
            return -1;
        given[k] = true;
    }
    return 0;
}

int sweep_read_auto(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                    const struct conf_node *node, const char *name, struct diag *diag)
{
    const struct conf_node *walk = conf_get(node, "auto");
    const struct setting setting = {.name = name, .text = "auto", .mark = node->mark};
    double values[KEYS] = {[STEP_KEY] = STEP};
    bool given[KEYS] = {false};

    if (!walk || node->count != 1 || walk->kind != CONF_MAP)
        return setting_fail(&setting, diag,
                            "must be \"start:step:stop\", a list, a value or {auto: {from: VALUE, "
                            "until_fer: RATE}}");
    if (read_keys(walk, name, values, given, diag))
        return -1;
    if (!given[FROM] || !given[UNTIL])
        return setting_fail(&setting, diag, "auto needs from and until_fer");
    if (!(values[UNTIL] > 0 && values[UNTIL] < 1))
        return setting_fail(&setting, diag, "auto.until_fer must be between 0 and 1");
    if (!given[TO])
        values[TO] = values[FROM] + STEPS * values[STEP_KEY];
    sweep->until_fer = values[UNTIL];
    return sweep_fill_range(pipeline, sweep, (double[]){values[FROM], values[STEP_KEY], values[TO]},
                            &setting, diag);
}

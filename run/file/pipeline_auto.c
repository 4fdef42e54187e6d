/* SPDX-License-Identifier: BSD-2-Clause */
/* sweep: NAME -> {auto: {...}}, as many values as it takes to reach a frame error rate, or {find: {...}},
   those that tell where an error rate is. */
#include "run/file/pipeline_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP 0.5
#define STEPS 40 /* of auto at most, if nothing else is said */
#define TOLERANCE 0.05
#define FAR 30.0 /* of find: dB from 0, the same */

enum { MOST_KEYS = 5 };

/* Keys of auto or of find; a NULL ends them. */
struct keys {
    const char *kind, *text;
    const char *names[MOST_KEYS + 1];
};

struct given {
    bool given[MOST_KEYS];
    double values[MOST_KEYS];
};

static int read_number(const struct conf_node *node, const char *name, const struct keys *keys,
                       const char *key, double *value, struct diag *diag)
{
    if (node->kind == CONF_SCALAR && conf_float(node->text, value) && isfinite(*value))
        return 0;
    return diag_fail_at(diag, DIAG_USAGE, node->mark, "%s.%s.%s: must be a number", name,
                        keys->kind, key);
}

static int read_keys(const struct conf_node *node, const char *name, const struct keys *keys,
                     struct given *given, struct diag *diag)
{
    char hint[64];

    for (size_t i = 0; i < node->count; i++) {
        const char *key = node->keys[i]->text;
        size_t k = 0;

        while (keys->names[k] && strcmp(keys->names[k], key))
            k++;
        if (!keys->names[k])
            return diag_fail_at(diag, DIAG_USAGE, node->keys[i]->mark,
                                "%s.%s.%s: unknown; there are %s%s", name, keys->kind, key,
                                keys->text, diag_hint(hint, sizeof hint, key, keys->names));
        if (read_number(node->items[i], name, keys, key, &given->values[k], diag))
            return -1;
        given->given[k] = true;
    }
    return 0;
}

static bool is_rate(double rate)
{
    return rate > 0 && rate < 1;
}

static int read_auto(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                     const struct conf_node *node, const struct setting *setting, struct diag *diag)
{
    enum { FROM, STEP_KEY, TO, UNTIL };
    static const struct keys keys = {
        "auto", "from, step, to and until_fer", {"from", "step", "to", "until_fer"}};
    struct given is = {.values = {[STEP_KEY] = STEP}};

    if (read_keys(node, setting->name, &keys, &is, diag))
        return -1;
    if (!is.given[FROM] || !is.given[UNTIL])
        return setting_fail(setting, diag, "auto needs from and until_fer");
    if (!is_rate(is.values[UNTIL]))
        return setting_fail(setting, diag, "auto.until_fer must be between 0 and 1");
    if (!is.given[TO])
        is.values[TO] = is.values[FROM] + STEPS * is.values[STEP_KEY];
    sweep->until_fer = is.values[UNTIL];
    return sweep_fill_range(pipeline, sweep,
                            (double[]){is.values[FROM], is.values[STEP_KEY], is.values[TO]},
                            setting, diag);
}

/* The tolerance is the step of the grid that the search goes by. */
static int read_find(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                     const struct conf_node *node, const struct setting *setting, struct diag *diag)
{
    enum { FER, BER, STEP_KEY, FROM, TO };
    static const struct keys keys = {"find",
                                     "fer or ber, tolerance_db, from and to",
                                     {"fer", "ber", "tolerance_db", "from", "to"}};
    struct given is = {.values = {[STEP_KEY] = TOLERANCE, [FROM] = -FAR, [TO] = FAR}};
    const size_t n = strlen(setting->name);

    if (read_keys(node, setting->name, &keys, &is, diag))
        return -1;
    if (n < 3 || strcmp(setting->name + n - 3, "_db"))
        return setting_fail(setting, diag, "find goes along a ratio in dB, such as ebn0_db");
    if (is.given[FER] == is.given[BER])
        return setting_fail(setting, diag, "find needs fer or ber, one of them");
    sweep->find_ber = is.given[BER];
    sweep->find_rate = is.values[is.given[BER] ? BER : FER];
    if (!is_rate(sweep->find_rate))
        return setting_fail(setting, diag, "find.%s must be between 0 and 1",
                            sweep->find_ber ? "ber" : "fer");
    if (!(is.values[STEP_KEY] > 0))
        return setting_fail(setting, diag, "find.tolerance_db must be above 0");
    if (!(is.values[FROM] < is.values[TO]))
        return setting_fail(setting, diag, "find.from must be below find.to");
    if (sweep_fill_range(pipeline, sweep,
                         (double[]){is.values[FROM], is.values[STEP_KEY], is.values[TO]}, setting,
                         diag))
        return -1;
    sweep->find_start = is.given[FROM] || is.values[FROM] > 0
                            ? 0
                            : (size_t)lround(-is.values[FROM] / is.values[STEP_KEY]);
    if (sweep->find_start >= sweep->count)
        sweep->find_start = sweep->count - 1;
    return 0;
}

int sweep_read_auto(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                    const struct conf_node *node, const char *name, struct diag *diag)
{
    const struct conf_node *walk = conf_get(node, "auto"), *find = conf_get(node, "find");
    const struct setting setting = {
        .name = name, .text = walk ? "auto" : "find", .mark = node->mark};

    if (node->count == 1 && walk && walk->kind == CONF_MAP)
        return read_auto(pipeline, sweep, walk, &setting, diag);
    if (node->count == 1 && find && find->kind == CONF_MAP)
        return read_find(pipeline, sweep, find, &setting, diag);
    return setting_fail(&setting, diag,
                        "must be \"start:step:stop\", a list, a value, {auto: {from: VALUE, "
                        "until_fer: RATE}} or {find: {fer: RATE, tolerance_db: VALUE}}");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* sweep: NAME -> start:step:stop, a list, or one value; {auto: {...}}, as many values as it takes to reach a frame error
   rate, or {find: {...}}, those that tell where an error rate is; zip: those that change together. */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.5
#define STEPS 40 /* of auto at most, if nothing else is said */
#define TOLERANCE 0.05
#define FAR 30.0 /* of find: dB from 0, the same */

enum { MAX_VALUES = 10000, MAX_POINTS = 1000000, MOST_KEYS = 5 };

/* ---- Values ---- */

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

static int make_room(struct pipeline *pipeline, struct pipeline_sweep *sweep, size_t n,
                     const struct setting *setting, struct diag *diag)
{
    if (n == 0 || n > MAX_VALUES)
        return setting_fail(setting, diag, "has %s values, may have 1 to %d", n ? "more" : "no",
                            MAX_VALUES);
    sweep->count = 0;
    sweep->values = conf_own(pipeline->conf, calloc(n, sizeof(*sweep->values)), diag);
    return sweep->values ? 0 : -1;
}

static int add_value(struct pipeline *pipeline, struct pipeline_sweep *sweep, const char *text,
                     struct diag *diag)
{
    char *copy = conf_own(pipeline->conf, strdup(text), diag);

    sweep->values[sweep->count] = copy;
    sweep->count += copy != NULL;
    return copy ? 0 : -1;
}

static int split_range(const struct setting *setting, double range[3], struct diag *diag)
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
static int fill_range(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                      const double range[3], const struct setting *setting, struct diag *diag)
{
    double start = range[0], step = range[1], steps = (range[2] - start) / step;
    char text[32], last[32] = "";
    size_t n;

    if (step == 0)
        return setting_fail(setting, diag, "the step of start:step:stop must not be 0");
    if (steps < 0)
        return setting_fail(setting, diag, "the step leads away from the end: %s", setting->text);
    n = steps < MAX_VALUES ? (size_t)floor(steps + 1e-6) + 1 : MAX_VALUES + 1;
    if (make_room(pipeline, sweep, n, setting, diag))
        return -1;
    for (size_t i = 0; i < n; i++) {
        double value = start + (double)i * step;

        if (fabs(value) < fabs(step) * 1e-6)
            value = 0;
        conf_float_text(text, sizeof text, value);
        if (!strcmp(text, last))
            return setting_fail(setting, diag, "the step is too small next to the values");
        if (add_value(pipeline, sweep, text, diag))
            return -1;
        strcpy(last, text);
    }
    return 0;
}

/* ---- auto and find ---- */

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
        const int k = array_index(keys->names, key);

        if (k < 0)
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
    return fill_range(pipeline, sweep,
                      (double[]){is.values[FROM], is.values[STEP_KEY], is.values[TO]}, setting,
                      diag);
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
    if (fill_range(pipeline, sweep, (double[]){is.values[FROM], is.values[STEP_KEY], is.values[TO]},
                   setting, diag))
        return -1;
    sweep->find_start = is.given[FROM] || is.values[FROM] > 0
                            ? 0
                            : (size_t)lround(-is.values[FROM] / is.values[STEP_KEY]);
    if (sweep->find_start >= sweep->count)
        sweep->find_start = sweep->count - 1;
    return 0;
}

static int read_walk(struct pipeline *pipeline, struct pipeline_sweep *sweep,
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

/* ---- One sweep ---- */

int sweep_parse(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                const struct setting *setting, struct diag *diag)
{
    double range[3];
    int result = split_range(setting, range, diag);

    sweep->until_fer = sweep->find_rate = 0;
    if (result < 0)
        return -1;
    if (result == 0)
        return fill_range(pipeline, sweep, range, setting, diag);
    if (make_room(pipeline, sweep, 1, setting, diag))
        return -1;
    return add_value(pipeline, sweep, setting->text, diag);
}

static int read_list(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                     const struct conf_node *node, struct setting *setting, struct diag *diag)
{
    if (make_room(pipeline, sweep, node->count, setting, diag))
        return -1;
    for (size_t i = 0; i < node->count; i++) {
        const struct conf_node *item = node->items[i];

        if (item->kind != CONF_SCALAR || conf_is_empty(item)) {
            setting->mark = item->mark;
            return setting_fail(setting, diag,
                                "item %zu must be a single value (a list as a "
                                "value is written in quotes: \"[1, 2]\")",
                                i + 1);
        }
        if (add_value(pipeline, sweep, item->text, diag))
            return -1;
    }
    return 0;
}

static int name_sweep(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                      const struct setting *setting, const char *name, struct diag *diag)
{
    const char *param;
    int stage = pipeline_find(pipeline, name, &param);
    char hint[160];

    if (stage < 0)
        return setting_fail(setting, diag,
                            "a swept name must be STAGE.PARAMETER, with a stage of "
                            "this pipeline%s",
                            pipeline_hint(pipeline, name, hint, sizeof hint));
    if (!strcmp(param, "backend") || !strcmp(param, "id") || !strcmp(param, "from") ||
        !strncmp(param, "tune.", 5))
        return setting_fail(setting, diag, "cannot be swept; only parameters can");
    sweep->stage = conf_own(pipeline->conf, strdup(pipeline->stages[stage].id), diag);
    sweep->param = conf_own(pipeline->conf, strdup(param), diag);
    return sweep->stage && sweep->param ? 0 : -1;
}

static int read_sweep(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                      const struct conf_node *key, const struct conf_node *node, struct diag *diag)
{
    char name[256];
    struct setting setting = {.name = name, .text = node->text, .mark = key->mark};

    snprintf(name, sizeof name, "sweep.%s", key->text);
    if (name_sweep(pipeline, sweep, &setting, key->text, diag))
        return -1;
    sweep->mark = setting.mark = node->mark;
    if (node->kind == CONF_LIST)
        return read_list(pipeline, sweep, node, &setting, diag);
    if (node->kind == CONF_MAP)
        return read_walk(pipeline, sweep, node, name, diag);
    if (conf_is_empty(node))
        return setting_fail(&setting, diag, "must be \"start:step:stop\", a list or a value");
    return sweep_parse(pipeline, sweep, &setting, diag);
}

int sweep_check_points(const struct pipeline *pipeline, const struct setting *setting,
                       struct diag *diag)
{
    size_t points = 1;

    for (size_t i = 0; i < pipeline->n_sweeps; i++) {
        points *= pipeline->sweeps[i].zipped ? 1 : pipeline->sweeps[i].count;
        if (points > MAX_POINTS)
            return setting_fail(setting, diag, "more than %d points in all", MAX_POINTS);
    }
    return 0;
}

/* ---- The list ---- */

/* Room for one more; what is there may move. NULL: out of memory. */
static struct pipeline_sweep *new_sweep(struct pipeline *pipeline)
{
    struct pipeline_sweep *sweep;

    if (array_grow(&pipeline->sweeps, pipeline->n_sweeps, sizeof *sweep))
        return NULL;
    sweep = &pipeline->sweeps[pipeline->n_sweeps];
    *sweep = (struct pipeline_sweep){0};
    return sweep;
}

static struct pipeline_sweep *find_sweep(const struct pipeline *pipeline,
                                         const struct pipeline_sweep *like)
{
    for (size_t i = 0; i < pipeline->n_sweeps; i++)
        if (!strcmp(pipeline->sweeps[i].stage, like->stage) &&
            !strcmp(pipeline->sweeps[i].param, like->param))
            return &pipeline->sweeps[i];
    return NULL;
}

static int add_entry(struct pipeline *pipeline, const struct conf_node *key,
                     const struct conf_node *node, bool zipped, struct diag *diag)
{
    const struct setting twice = {.name = "sweep", .mark = key->mark};
    struct pipeline_sweep *sweep = new_sweep(pipeline);

    if (!sweep)
        return diag_no_memory(diag);
    if (read_sweep(pipeline, sweep, key, node, diag))
        return -1;
    if (find_sweep(pipeline, sweep))
        return setting_fail(&twice, diag, "%s is swept twice", key->text);
    sweep->zipped = zipped;
    pipeline->n_sweeps++;
    return 0;
}

static int read_zip(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    char is[64];

    if (node->kind != CONF_MAP || node->count < 2)
        return diag_fail_at(diag, DIAG_USAGE, node->mark,
                            "sweep.zip: must be a map of two or more {STAGE.PARAMETER: values} "
                            "that change together, or a list of such maps, is %s",
                            node->kind == CONF_MAP ? "shorter" : conf_show(is, sizeof is, node));
    for (size_t i = 0; i < node->count; i++)
        if (add_entry(pipeline, node->keys[i], node->items[i], i > 0, diag))
            return -1;
    return 0;
}

static int read_zips(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    if (node->kind != CONF_LIST || !node->count)
        return read_zip(pipeline, node, diag);
    for (size_t i = 0; i < node->count; i++)
        if (read_zip(pipeline, node->items[i], diag))
            return -1;
    return 0;
}

int pipeline_read_sweep(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    const struct setting all = {.name = "sweep", .mark = node->mark};
    int status = 0;

    if (conf_is_empty(node) || (node->kind == CONF_MAP && node->count == 0))
        return 0;
    if (node->kind != CONF_MAP)
        return conf_refuse(node, diag,
                           "sweep: must be a map {STAGE.PARAMETER: \"start:step:stop\"}");
    for (size_t i = 0; !status && i < node->count; i++) {
        status = !strcmp(node->keys[i]->text, "zip")
                     ? read_zips(pipeline, node->items[i], diag)
                     : add_entry(pipeline, node->keys[i], node->items[i], false, diag);
        if (!status)
            status = sweep_check_points(pipeline, &all, diag);
    }
    return status;
}

/* ---- Zipped ones ---- */

static int join(struct pipeline *pipeline, struct pipeline_sweep *sweep, size_t count,
                struct diag *diag)
{
    char *one = sweep->values[0];

    if (sweep->count == count)
        return 0;
    if (sweep->count != 1)
        return diag_fail_at(diag, DIAG_USAGE, sweep->mark,
                            "sweep.zip: %s.%s has %zu values, another one of the same zip has %zu; "
                            "all must have as many, or one",
                            sweep->stage, sweep->param, sweep->count, count);
    sweep->values = conf_own(pipeline->conf, calloc(count, sizeof(*sweep->values)), diag);
    if (!sweep->values)
        return -1;
    for (sweep->count = 0; sweep->count < count; sweep->count++)
        sweep->values[sweep->count] = one;
    return 0;
}

int pipeline_join_sweeps(struct pipeline *pipeline, struct diag *diag)
{
    const struct setting all = {.name = "sweep"};
    size_t end;

    for (size_t i = 0; i < pipeline->n_sweeps; i++) {
        const struct pipeline_sweep *sweep = &pipeline->sweeps[i];
        if ((sweep->until_fer > 0 || sweep->find_rate > 0) &&
            (i + 1 < pipeline->n_sweeps || sweep->zipped))
            return diag_fail_at(diag, DIAG_USAGE, sweep->mark,
                                "sweep.%s.%s: %s must be the last sweep, which changes fastest, "
                                "and no part of a zip",
                                sweep->stage, sweep->param, pipeline_walk_name(sweep));
    }
    for (size_t first = 0; first < pipeline->n_sweeps; first = end) {
        size_t most = pipeline->sweeps[first].count;
        for (end = first + 1; end < pipeline->n_sweeps && pipeline->sweeps[end].zipped; end++)
            if (pipeline->sweeps[end].count > most)
                most = pipeline->sweeps[end].count;
        for (size_t i = first; i < end; i++)
            if (join(pipeline, &pipeline->sweeps[i], most, diag))
                return -1;
    }
    return sweep_check_points(pipeline, &all, diag);
}

/* ---- --sweep ---- */

/* The comma that ends a value, or the end; commas within [] belong to a value. */
static const char *item_end(const char *at)
{
    for (int depth = 0; *at && (*at != ',' || depth > 0); at++)
        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
    return at;
}

/* "1, 2.5, 3" */
static int read_items(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                      const struct setting *setting, struct diag *diag)
{
    size_t count = 1;

    for (const char *end = item_end(setting->text); *end; end = item_end(end + 1))
        count++;
    if (make_room(pipeline, sweep, count, setting, diag))
        return -1;
    for (const char *at = setting->text, *end;; at = end + 1) {
        char value[256];
        size_t n;
        end = item_end(at);
        at += strspn(at, " ");
        for (n = end > at ? (size_t)(end - at) : 0; n && at[n - 1] == ' ';)
            n--;
        if (!n || n >= sizeof value)
            return setting_fail(setting, diag, "value %zu is %s", sweep->count + 1,
                                n ? "too long" : "missing");
        snprintf(value, sizeof value, "%.*s", (int)n, at);
        if (add_value(pipeline, sweep, value, diag))
            return -1;
        if (!*end)
            return 0;
    }
}

int pipeline_apply_sweep(struct pipeline *pipeline, const char *option, struct diag *diag)
{
    struct setting setting = {.option = option, .sweep = true};
    struct pipeline_sweep sweep = {.mark = {.file = "--sweep"}}, *there;
    double range[3];
    int is_range = setting_split(pipeline, &setting, diag);

    if (is_range < 0)
        return -1;
    if (is_range || !*setting.text)
        return setting_fail(&setting, diag, "must be NAME=start:step:stop or NAME=VALUE,VALUE,...");
    if (name_sweep(pipeline, &sweep, &setting, setting.name, diag))
        return -1;
    is_range = *item_end(setting.text) ? 1 : split_range(&setting, range, diag);
    if (is_range < 0 || (is_range == 0 ? fill_range(pipeline, &sweep, range, &setting, diag)
                                       : read_items(pipeline, &sweep, &setting, diag)))
        return -1;
    there = find_sweep(pipeline, &sweep);
    if (there) {
        sweep.zipped = there->zipped;
    } else {
        there = new_sweep(pipeline);
        if (!there)
            return diag_no_memory(diag);
        pipeline->n_sweeps++;
    }
    /* one that goes by what was counted stays the last one */
    if (there > pipeline->sweeps && there == &pipeline->sweeps[pipeline->n_sweeps - 1] &&
        !there->stage && pipeline_walk(pipeline) == there - 1) {
        *there = there[-1];
        there--;
    }
    *there = sweep;
    return sweep_check_points(pipeline, &setting, diag);
}

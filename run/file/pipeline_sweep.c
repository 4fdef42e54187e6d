/* SPDX-License-Identifier: BSD-2-Clause */
/* sweep: NAME -> start:step:stop, a list ("1,2,3", too), or one value; {auto: {...}}, as many values as it takes to reach a frame error
   rate, or {find: {...}}, those that tell where an error rate is; zip: those that change together. */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"
#include "core/value/param.h"

#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 40 /* of auto at most, if nothing else is said */

enum { MAX_VALUES = 10000, MAX_POINTS = 1000000 };

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

/* One sweep that is read. */
struct reading {
    struct pipeline *pipeline;
    struct pipeline_sweep *sweep;
    const char *name; /* "sweep.STAGE.PARAMETER" */
    struct mark mark;
    struct diag *diag;
};

#define REFUSE(r, ...) setting_fail((r)->mark, (r)->name, (r)->diag, __VA_ARGS__)

static int make_room(struct reading *r, size_t n)
{
    if (n == 0 || n > MAX_VALUES)
        return REFUSE(r, "has %s values, may have 1 to %d", n ? "more" : "no", MAX_VALUES);
    r->sweep->count = 0;
    r->sweep->values = conf_own(r->pipeline->conf, calloc(n, sizeof(*r->sweep->values)), r->diag);
    return r->sweep->values ? 0 : -1;
}

/* Takes over the text. */
static int add_value(struct reading *r, char *text)
{
    text = conf_own(r->pipeline->conf, text, r->diag);
    r->sweep->values[r->sweep->count] = text;
    r->sweep->count += text != NULL;
    return text ? 0 : -1;
}

/* 1: the text is one value. */
static int split_range(struct reading *r, const char *whole, double range[3])
{
    char text[128], *first, *second;

    if (strlen(whole) >= sizeof text)
        return 1;
    strcpy(text, whole);
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
        return REFUSE(r, "must be start:step:stop, three numbers, is '%s'", whole);
    return 0;
}

/* The texts are what a person would write: 0.3, not 0.30000000000000004. */
static int fill_range(struct reading *r, const double range[3])
{
    double start = range[0], step = range[1], steps = (range[2] - start) / step;
    char text[32], last[32] = "";
    size_t n;

    if (step == 0)
        return REFUSE(r, "the step of start:step:stop must not be 0");
    if (steps < 0)
        return REFUSE(r, "the step leads away from the end: %g:%g:%g", start, step, range[2]);
    n = steps < MAX_VALUES ? (size_t)floor(steps + 1e-6) + 1 : MAX_VALUES + 1;
    if (make_room(r, n))
        return -1;
    for (size_t i = 0; i < n; i++) {
        double value = start + (double)i * step;

        if (fabs(value) < fabs(step) * 1e-6)
            value = 0;
        conf_float_text(text, sizeof text, value);
        if (!strcmp(text, last))
            return REFUSE(r, "the step is too small next to the values");
        if (add_value(r, strdup(text)))
            return -1;
        strcpy(last, text);
    }
    return 0;
}

/* ---- auto and find ---- */

/* A map of numbers, by their names. NULL: an error; else free *set. */
static const struct fecrun_value *const *read_keys(struct reading *r, const struct conf_node *node,
                                                   const char *kind,
                                                   const struct fecrun_param *const *schema,
                                                   struct param_set **set)
{
    char label[300];
    const struct param_source source = {.label = label, .map = node, .mark = r->mark};

    snprintf(label, sizeof label, "%s.%s", r->name, kind);
    return param_read(set, schema, &source, r->diag) ? NULL : param_values(*set)->v;
}

#define NUMBER(NAME, ...) FECRUN_PARAM(.name = NAME, .type = FECRUN_VALUE_FLOAT, __VA_ARGS__)

static bool is_rate(double rate)
{
    return rate > 0 && rate < 1;
}

enum { AUTO_FROM, AUTO_STEP, AUTO_TO, AUTO_UNTIL };
static const struct fecrun_param *const auto_keys[] = {
    [AUTO_FROM] = NUMBER("from", .flags = FECRUN_PARAM_REQUIRED),
    [AUTO_STEP] = NUMBER("step", .default_text = "0.5"),
    [AUTO_TO] = NUMBER("to", .help = "40 steps from the first one, if nothing is said"),
    [AUTO_UNTIL] = NUMBER("until_fer", .flags = FECRUN_PARAM_REQUIRED),
    NULL};

static int read_auto(struct reading *r, const struct conf_node *node)
{
    struct param_set *set;
    const struct fecrun_value *const *v = read_keys(r, node, "auto", auto_keys, &set);
    double range[3];

    if (!v)
        return -1;
    range[0] = v[AUTO_FROM]->f;
    range[1] = v[AUTO_STEP]->f;
    range[2] = v[AUTO_TO]->given ? v[AUTO_TO]->f : range[0] + STEPS * range[1];
    r->sweep->until_fer = v[AUTO_UNTIL]->f;
    param_free(set);
    if (!is_rate(r->sweep->until_fer))
        return REFUSE(r, "auto.until_fer must be between 0 and 1");
    return fill_range(r, range);
}

enum { FIND_FER, FIND_BER, FIND_TOLERANCE, FIND_FROM, FIND_TO };
static const struct fecrun_param *const find_keys[] = {
    [FIND_FER] = NUMBER("fer", .help = "of frames, or"),
    [FIND_BER] = NUMBER("ber", .help = "of bits"),
    [FIND_TOLERANCE] = NUMBER("tolerance_db", .default_text = "0.05"),
    [FIND_FROM] = NUMBER("from", .default_text = "-30"),
    [FIND_TO] = NUMBER("to", .default_text = "30"),
    NULL};

/* The tolerance is the step of the grid that the search goes by. */
static int read_find(struct reading *r, const struct conf_node *node)
{
    struct pipeline_sweep *sweep = r->sweep;
    const size_t n = strlen(r->name);
    struct param_set *set;
    const struct fecrun_value *const *v = read_keys(r, node, "find", find_keys, &set);
    double range[3];
    bool one, begins;

    if (!v)
        return -1;
    one = !v[FIND_FER]->given != !v[FIND_BER]->given;
    sweep->find_ber = v[FIND_BER]->given;
    sweep->find_rate = v[sweep->find_ber ? FIND_BER : FIND_FER]->f;
    range[0] = v[FIND_FROM]->f;
    range[1] = v[FIND_TOLERANCE]->f;
    range[2] = v[FIND_TO]->f;
    begins = v[FIND_FROM]->given == 2 || range[0] > 0;
    param_free(set);
    if (n < 3 || strcmp(r->name + n - 3, "_db"))
        return REFUSE(r, "find goes along a ratio in dB, such as ebn0_db");
    if (!one)
        return REFUSE(r, "find needs fer or ber, one of them");
    if (!is_rate(sweep->find_rate))
        return REFUSE(r, "find.%s must be between 0 and 1", sweep->find_ber ? "ber" : "fer");
    if (!(range[1] > 0))
        return REFUSE(r, "find.tolerance_db must be above 0");
    if (!(range[0] < range[2]))
        return REFUSE(r, "find.from must be below find.to");
    if (fill_range(r, range))
        return -1;
    sweep->find_start = begins ? 0 : (size_t)lround(-range[0] / range[1]);
    if (sweep->find_start >= sweep->count)
        sweep->find_start = sweep->count - 1;
    return 0;
}

/* ---- One sweep ---- */

static int read_map(struct reading *r, const struct conf_node *node)
{
    const struct conf_node *walk = conf_get(node, "auto"), *find = conf_get(node, "find");

    if (node->count == 1 && walk && walk->kind == CONF_MAP)
        return read_auto(r, walk);
    if (node->count == 1 && find && find->kind == CONF_MAP)
        return read_find(r, find);
    return REFUSE(r, "must be \"start:step:stop\", a list, a value, {auto: {from: VALUE, "
                     "until_fer: RATE}} or {find: {fer: RATE, tolerance_db: VALUE}}");
}

/* The comma that ends a value, or the end; commas within [] belong to a value. */
static const char *item_end(const char *at)
{
    for (int depth = 0; *at && (*at != ',' || depth > 0); at++)
        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
    return at;
}

/* "1, 2.5, 3" of an option */
static int read_items(struct reading *r, const char *at)
{
    size_t count = 1, n;

    for (const char *end = item_end(at); *end; end = item_end(end + 1))
        count++;
    if (make_room(r, count))
        return -1;
    for (const char *end;; at = end + 1) {
        end = item_end(at);
        at += strspn(at, " ");
        for (n = end > at ? (size_t)(end - at) : 0; n && at[n - 1] == ' ';)
            n--;
        if (!n)
            return REFUSE(r, "value %zu is missing", r->sweep->count + 1);
        if (add_value(r, strndup(at, n)))
            return -1;
        if (!*end)
            return 0;
    }
}

static int read_text(struct reading *r, const struct conf_node *node)
{
    const bool option = !node->mark.line;
    double range[3];
    int one;

    if (option ? *item_end(node->text)
               : strchr(node->text, ',') && !node->text[strspn(node->text, "0123456789+-.eE, ")])
        return read_items(r, node->text);
    one = split_range(r, node->text, range);
    if (one < 0)
        return -1;
    if (!one)
        return fill_range(r, range);
    if (option || (strchr(node->text, ',') && !node->text[strspn(node->text, "0123456789+-.eE, ")]))
        return read_items(r, node->text);
    return make_room(r, 1) || add_value(r, strdup(node->text)) ? -1 : 0;
}

static int read_list(struct reading *r, const struct conf_node *node)
{
    if (make_room(r, node->count))
        return -1;
    for (size_t i = 0; i < node->count; i++) {
        r->mark = node->items[i]->mark;
        if (node->items[i]->kind != CONF_SCALAR || conf_is_empty(node->items[i]))
            return REFUSE(r,
                          "item %zu must be a single value (a list as a value is written in "
                          "quotes: \"[1, 2]\")",
                          i + 1);
        if (add_value(r, strdup(node->items[i]->text)))
            return -1;
    }
    return 0;
}

static int name_sweep(struct reading *r, const char *name)
{
    const char *param;
    static const char *const zip[] = {"zip", NULL};
    const int stage = pipeline_find(r->pipeline, name, &param);
    char hint[160];

    if (stage < 0)
        return REFUSE(r, "a swept name must be STAGE.PARAMETER, with a stage of this pipeline%s",
                      diag_nearest(name, zip)
                          ? diag_hint(hint, sizeof hint, name, zip)
                          : pipeline_hint(r->pipeline, name, hint, sizeof hint));
    if (!strcmp(param, "backend") || !strcmp(param, "id") || !strcmp(param, "from") ||
        !strncmp(param, "tune.", 5))
        return REFUSE(r, "cannot be swept; only parameters can");
    r->sweep->stage = r->pipeline->stages[stage].id;
    r->sweep->param = param;
    return 0;
}

static int read_sweep(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                      const struct conf_node *key, const struct conf_node *node, struct diag *diag)
{
    char name[256];
    struct reading r = {pipeline, sweep, name, key->mark, diag};

    snprintf(name, sizeof name, "sweep.%s", key->text);
    if (name_sweep(&r, key->text))
        return -1;
    sweep->mark = r.mark = node->mark;
    if (conf_is_empty(node))
        return REFUSE(&r, "must be \"start:step:stop\", a list or a value");
    return node->kind == CONF_LIST  ? read_list(&r, node)
           : node->kind == CONF_MAP ? read_map(&r, node)
                                    : read_text(&r, node);
}

/* Is the product of all sweeps too much? */
static int check_points(const struct pipeline *pipeline, struct mark mark, struct diag *diag)
{
    size_t points = 1;

    for (size_t i = 0; i < pipeline->n_sweeps; i++) {
        points *= pipeline->sweeps[i].zipped ? 1 : pipeline->sweeps[i].count;
        if (points > MAX_POINTS)
            return setting_fail(mark, "sweep", diag, "more than %d points in all", MAX_POINTS);
    }
    return 0;
}

/* ---- The list ---- */

static int add_entry(struct pipeline *pipeline, const struct conf_node *key,
                     const struct conf_node *node, bool zipped, struct diag *diag)
{
    struct pipeline_sweep *sweep;

    if (array_grow(&pipeline->sweeps, pipeline->n_sweeps, sizeof *pipeline->sweeps))
        return diag_no_memory(diag);
    sweep = &pipeline->sweeps[pipeline->n_sweeps];
    *sweep = (struct pipeline_sweep){.zipped = zipped};
    if (read_sweep(pipeline, sweep, key, node, diag))
        return -1;
    for (size_t i = 0; i < pipeline->n_sweeps; i++)
        if (!strcmp(pipeline->sweeps[i].stage, sweep->stage) &&
            !strcmp(pipeline->sweeps[i].param, sweep->param))
            return setting_fail(key->mark, "sweep", diag, "%s is swept twice", key->text);
    pipeline->n_sweeps++;
    return check_points(pipeline, node->mark, diag);
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

/* Zipped ones have as many values, a single one as often. */
static int join_sweeps(struct pipeline *pipeline, struct mark mark, struct diag *diag)
{
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
    return check_points(pipeline, mark, diag);
}

int pipeline_read_sweep(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    if (conf_is_empty(node) || (node->kind == CONF_MAP && node->count == 0))
        return 0;
    if (node->kind != CONF_MAP)
        return conf_refuse(node, diag,
                           "sweep: must be a map {STAGE.PARAMETER: \"start:step:stop\"}");
    for (size_t i = 0; i < node->count; i++)
        if (!strcmp(node->keys[i]->text, "zip")
                ? read_zips(pipeline, node->items[i], diag)
                : add_entry(pipeline, node->keys[i], node->items[i], false, diag))
            return -1;
    return join_sweeps(pipeline, node->mark, diag);
}

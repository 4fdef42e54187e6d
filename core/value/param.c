/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/value/param_impl.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 128 };

/* An option's mark has all of it. */
static int refuse(const struct param_set *set, const char *name, struct mark mark, const char *text,
                  struct diag *diag)
{
    const int status = diag_says_refused(text) ? DIAG_RUN : DIAG_USAGE;

    if (mark.file && !mark.line)
        return diag_fail_at(diag, status, mark, "%s", text);
    return diag_fail_at(diag, status, mark, "%s%s%s: %s", set->label, *set->label ? "." : "", name,
                        text);
}

/* What could have been meant: the map of some parameters (stop of stop.frames), a parameter, or another key. */
static const char *nearest_key(const struct param_set *set, const char *name, char *map)
{
    struct guess guess = {name, NULL, 0}, of_map = guess;

    for (size_t i = 0; i < set->count && !strchr(name, '.'); i++) {
        snprintf(map, MAX_NAME, "%s", set->schema[i]->name);
        if (strchr(map, '.') && (*strchr(map, '.') = '\0', guess_try(&of_map, map), of_map.best))
            return map;
    }
    for (size_t i = 0; i < set->count; i++)
        guess_try(&guess, set->schema[i]->name);
    return guess.best || !set->skip ? guess.best : diag_nearest(name, set->skip);
}

/* What could have been meant, else all that there is. */
static void unknown_text(const struct param_set *set, const char *name, char *text, size_t size)
{
    char map[MAX_NAME];
    const char *nearest = strchr(name, ':') ? "" : nearest_key(set, name, map);

    if (nearest) {
        snprintf(text, size, "no such parameter (%s%s%s)",
                 *nearest ? "did you mean " : "a blank has to follow the colon", nearest,
                 *nearest ? "?" : "");
        return;
    }
    snprintf(text, size, "no such parameter; %s",
             set->count ? "there are " : "there are none here");
    for (size_t i = 0; i < set->count; i++)
        text_add(text, size, "%s%s", i ? ", " : "", set->schema[i]->name);
}

static int refuse_unknown(const struct param_set *set, const char *name, struct mark mark,
                          struct diag *diag)
{
    char text[512];

    unknown_text(set, name, text, sizeof text);
    return refuse(set, name, mark, text, diag);
}

int param_index(const struct param_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!strcmp(set->schema[i]->name, name))
            return (int)i;
    }
    return -1;
}

/* Is `tile` the map of a parameter tile.f? */
static bool is_group(const struct param_set *set, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < set->count; i++) {
        if (!strncmp(set->schema[i]->name, name, n) && set->schema[i]->name[n] == '.')
            return true;
    }
    return false;
}

static void replace(struct param_set *set, size_t i, const struct fecrun_value *value,
                    struct mark mark)
{
    param_value_clear(&set->values[i]);
    set->values[i] = *value;
    set->marks[i] = mark;
}

/* What the user wrote. */
static int assign(struct param_set *set, size_t i, const struct conf_node *node, struct diag *diag)
{
    struct param_problem problem;
    struct fecrun_value value;

    if (param_value_read(set->schema[i], set->place, node, &value, &problem))
        return refuse(set, set->schema[i]->name, problem.mark, problem.text, diag);
    value.given = 2;
    replace(set, i, &value, node->mark);
    return 0;
}

static int read_entry(struct param_set *set, const char *name, const struct conf_node *key,
                      const struct conf_node *node, struct diag *diag)
{
    int i = param_index(set, name);
    char text[64];

    if (i < 0)
        return refuse_unknown(set, name, key->mark, diag);
    if (set->values[i].given == 2) {
        snprintf(text, sizeof text, "is there already, in line %u", set->marks[i].line);
        return refuse(set, name, key->mark, text, diag);
    }
    if (conf_is_empty(node))
        return *node->text ? 0 : refuse(set, name, key->mark, "has no value", diag);
    return assign(set, (size_t)i, node, diag);
}

static int read_map(struct param_set *set, const struct conf_node *map, const char *prefix,
                    const char *const *skip, struct diag *diag)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct conf_node *key = map->keys[i], *node = map->items[i];
        char name[MAX_NAME];
        int result;

        if (array_index(skip, key->text) >= 0)
            continue;
        if (snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key->text) >=
            (int)sizeof name)
            return diag_fail_at(diag, DIAG_USAGE, key->mark, "%s: a parameter's name is too long",
                                set->label);
        if (is_group(set, name) && conf_is_empty(node))
            continue;
        if (is_group(set, name) && node->kind == CONF_MAP)
            result = read_map(set, node, name, NULL, diag);
        else if (is_group(set, name) && param_index(set, name) < 0)
            result = refuse(set, name, node->mark, "must be a map", diag);
        else
            result = read_entry(set, name, key, node, diag);
        if (result)
            return -1;
    }
    return 0;
}

static struct param_set *new_set(const struct fecrun_param *const *schema, const char *label,
                                 const struct conf_place *place, struct mark mark)
{
    static const struct conf_place here;
    struct param_set *set = calloc(1, sizeof *set);

    if (!set)
        return NULL;
    set->schema = schema;
    set->mark = mark;
    set->place = place ? place : &here;
    while (schema && schema[set->count])
        set->count++;
    set->label = strdup(label ? label : "");
    set->values = calloc(set->count + 1, sizeof(*set->values));
    set->marks = calloc(set->count + 1, sizeof(*set->marks));
    set->table = calloc(set->count + 1, sizeof(*set->table));
    if (!set->label || !set->values || !set->marks || !set->table) {
        param_free(set);
        return NULL;
    }
    for (size_t i = 0; i < set->count; i++) {
        set->values[i].size = sizeof set->values[i];
        set->table[i] = &set->values[i];
    }
    set->view = (struct fecrun_values){sizeof set->view, set->count, set->table};
    return set;
}

static int read_defaults(struct param_set *set, struct diag *diag)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct fecrun_param *param = set->schema[i];
        const struct conf_node node = {.text = (char *)param->default_text};
        struct param_problem problem;
        struct fecrun_value value;

        if (!param->default_text)
            continue;
        if (param_value_read(param, set->place, &node, &value, &problem))
            return diag_fail(diag, DIAG_RUN, "%s.%s: the plugin's own default `%s` is wrong: %s",
                             set->label, param->name, param->default_text, problem.text);
        value.given = 1;
        replace(set, i, &value, (struct mark){0});
    }
    return 0;
}

static int read_source(struct param_set *set, const struct param_source *source, struct diag *diag)
{
    if (read_defaults(set, diag))
        return -1;
    if (source->map && source->map->kind == CONF_MAP) {
        set->skip = source->skip;
        if (read_map(set, source->map, "", source->skip, diag))
            return -1;
    } else if (source->map && !conf_is_empty(source->map)) {
        return conf_refuse(source->map, diag, "%s: must be a map of parameters", set->label);
    }
    return source->incomplete ? 0 : param_require(set, diag);
}

int param_read(struct param_set **set, const struct fecrun_param *const *schema,
               const struct param_source *source, struct diag *diag)
{
    struct param_set *made = new_set(schema, source->label, source->place, source->mark);

    *set = NULL;
    if (!made)
        return diag_no_memory(diag);
    if (read_source(made, source, diag)) {
        param_free(made);
        return -1;
    }
    *set = made;
    return 0;
}

int param_require(const struct param_set *set, struct diag *diag)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct fecrun_param *param = set->schema[i];

        if ((param->flags & FECRUN_PARAM_REQUIRED) && !set->values[i].given)
            return diag_fail_at(diag, DIAG_USAGE, set->mark, "%s.%s: must be given%s%s", set->label,
                                param->name, param->help ? ": " : "",
                                param->help ? param->help : "");
    }
    return 0;
}

void param_free(struct param_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; set->values && i < set->count; i++)
        param_value_clear(&set->values[i]);
    free(set->values);
    free(set->marks);
    free(set->table);
    free(set->label);
    free(set);
}

struct param_set *param_clone(const struct param_set *set)
{
    struct param_set *copy = new_set(set->schema, set->label, set->place, set->mark);

    for (size_t i = 0; copy && i < set->count; i++) {
        copy->marks[i] = set->marks[i];
        if (param_value_copy(&copy->values[i], &set->values[i])) {
            param_free(copy);
            return NULL;
        }
    }
    return copy;
}

int param_override(struct param_set *set, const char *name, const char *text, struct mark mark,
                   struct diag *diag)
{
    const struct conf_node node = {.mark = mark, .text = (char *)text};
    int i = param_index(set, name);

    return i < 0 ? refuse_unknown(set, name, mark, diag) : assign(set, (size_t)i, &node, diag);
}

int param_make_path(struct param_set *set, const char *name, struct diag *diag)
{
    int i = param_index(set, name);
    struct fecrun_value *value;
    char *path, why[512];
    int status;

    if (i < 0 || set->schema[i]->type != FECRUN_VALUE_PORT)
        return diag_fail_at(diag, DIAG_RUN, set->mark, "%s.%s: is no port", set->label, name);
    value = &set->values[i];
    if (!value->s || value->is_auto || value->i)
        return 0;
    status = param_path(set->place, value->s, &path, why, sizeof why);
    if (status < 0)
        return diag_no_memory(diag);
    if (status)
        return refuse(set, name, set->marks[i], why, diag);
    free((char *)value->s);
    value->s = path;
    value->i = 1; /* of a PORT, i is free: it is a path now */
    return 0;
}

static bool same_lists(const struct fecrun_value *a, const struct fecrun_value *b, bool ints)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (ints ? a->ints[i] != b->ints[i] : strcmp(a->strings[i], b->strings[i]))
            return false;
    return true;
}

bool param_same(const struct param_set *a, size_t i, const struct param_set *b, size_t k)
{
    const struct fecrun_value *va = &a->values[i], *vb = &b->values[k];
    uint32_t type = a->schema[i]->type;

    if (!va->given || !vb->given || type != b->schema[k]->type)
        return !va->given && !vb->given;
    if (va->is_auto || vb->is_auto)
        return va->is_auto && vb->is_auto;
    switch (type) {
    case FECRUN_VALUE_INT:
    case FECRUN_VALUE_BOOL:
        return va->i == vb->i;
    case FECRUN_VALUE_FLOAT:
        return va->f == vb->f;
    case FECRUN_VALUE_INTS:
    case FECRUN_VALUE_STRINGS:
        return same_lists(va, vb, type == FECRUN_VALUE_INTS);
    default:
        return !strcmp(va->s, vb->s);
    }
}

int param_take(struct param_set *to, size_t i, const struct param_set *from, size_t k,
               struct diag *diag)
{
    const struct fecrun_param *param = to->schema[i];
    struct fecrun_value value;

    if (param->type != from->schema[k]->type || !from->values[k].given)
        return 0;
    if (param_value_copy(&value, &from->values[k])) {
        param_value_clear(&value);
        return diag_no_memory(diag);
    }
    if (!param_value_fits(param, &value)) {
        param_value_clear(&value);
        return 0;
    }
    value.given = 3;
    replace(to, i, &value, (struct mark){0});
    return 0;
}

const struct fecrun_values *param_values(const struct param_set *set)
{
    return &set->view;
}

const struct fecrun_param *const *param_schema(const struct param_set *set)
{
    return set->schema;
}

struct mark param_mark(const struct param_set *set, const char *name)
{
    int i = param_index(set, name);

    return i >= 0 && set->values[i].given == 2 ? set->marks[i] : set->mark;
}

int param_fail(const struct param_set *set, int status, const struct fecrun_error *err,
               struct diag *diag)
{
    struct mark mark = param_mark(set, err->param);
    const char *reason = err->text[0] ? err->text : "failed without a reason";

    if (diag_says_refused(err->text))
        status = DIAG_RUN;
    if (!err->param[0])
        return diag_fail_at(diag, status, set->mark, "%s: %s", set->label, reason);
    if (mark.file && !mark.line)
        return diag_fail_at(diag, status, mark, "%s", reason);
    return diag_fail_at(diag, status, mark, "%s.%s: %s", set->label, err->param, reason);
}

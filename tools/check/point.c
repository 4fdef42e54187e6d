/* SPDX-License-Identifier: BSD-2-Clause */
/* One parameter point: read, and written as a map. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf */
#endif
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts of maps ---- */

bool check_map_begin(struct check_map *map)
{
    *map = (struct check_map){0};
    map->out = open_memstream(&map->text, &map->size);
    if (map->out)
        fputc('{', map->out);
    return map->out;
}

/* Plain where YAML lets it be; a list is one already, as param_text() writes it. */
static void put_scalar(FILE *out, const char *value)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

    if (value[0] == '[' || (value[0] && !value[strspn(value, safe)])) {
        fputs(value, out);
        return;
    }
    fputc('\'', out);
    for (; *value; value++)
        fputs(*value == '\'' ? "\'\'" : (char[]){*value, 0}, out);
    fputc('\'', out);
}

void check_map_put(struct check_map *map, const char *name, const char *value)
{
    fprintf(map->out, "%s%s: ", map->entries++ ? ", " : "", name);
    put_scalar(map->out, value);
}

char *check_map_end(struct check_map *map)
{
    bool good = fputc('}', map->out) != EOF && !ferror(map->out);

    if (!fclose(map->out) && good)
        return map->text;
    free(map->text);
    return NULL;
}

char *check_value_text(const struct param_set *set, size_t i)
{
    for (size_t size = 256;; size *= 2) {
        char *text = malloc(size);

        if (!text || strlen(param_text(set, i, text, size)) + 1 < size)
            return text;
        free(text);
    }
}

static bool has_param(const struct fecrun_param *const *params, const char *name)
{
    while (*params && strcmp((*params)->name, name))
        params++;
    return *params;
}

char *check_map_text(const struct check_point *base, const struct fecrun_param *const *only,
                     const char *name, const char *value)
{
    const struct fecrun_param *const *schema = param_schema(base->set);
    struct check_map map;

    if (!check_map_begin(&map))
        return NULL;
    for (size_t i = 0; schema[i]; i++) {
        char *text;

        if (param_values(base->set)->v[i]->given != 2 || (name && !strcmp(schema[i]->name, name)) ||
            (only && !has_param(only, schema[i]->name)))
            continue;
        text = check_value_text(base->set, i);
        if (text)
            check_map_put(&map, schema[i]->name, text);
        free(text);
    }
    if (name)
        check_map_put(&map, name, value);
    return check_map_end(&map);
}

/* ---- One point ---- */

static int read_wish_entry(struct check_wish *wish, const char *key, const struct conf_node *value,
                           struct diag *diag)
{
    const char *text = value->kind == CONF_SCALAR ? value->text : "";
    bool flag = false, good;

    if (!strcmp(key, "items"))
        good = conf_uint(text, &wish->items);
    else if (!strcmp(key, "pieces"))
        good = conf_uint(text, &wish->pieces) && wish->pieces <= UINT32_MAX;
    else if (!strcmp(key, "corrects"))
        good = conf_uint(text, &wish->corrects);
    else if (!strcmp(key, "symbol_items"))
        good = conf_uint(text, &wish->symbol_items);
    else if (!strcmp(key, "type"))
        good = (wish->type = fecrun_type_of_name(text)) != FECRUN_NONE;
    else if (!strcmp(key, "llr_max"))
        good = conf_float(text, &wish->llr_max);
    else if (!strcmp(key, "n0"))
        good = conf_float(text, &wish->n0);
    else if (!strcmp(key, "scheme"))
        good = *text &&
               snprintf(wish->scheme, sizeof wish->scheme, "%s", text) < (int)sizeof wish->scheme;
    else if (!strcmp(key, "stream")) {
        good = conf_bool(text, &flag);
        wish->stream = flag;
    } else
        return diag_fail_at(diag, DIAG_USAGE, value->mark,
                            "check.%s: there are items, type, llr_max, scheme, n0, stream, "
                            "pieces, corrects and symbol_items",
                            key);
    return good ? 0
                : diag_fail_at(diag, DIAG_USAGE, value->mark,
                               "check.%s: `%s` is no value for "
                               "it",
                               key, text);
}

static int read_wish(struct check_wish *wish, const struct conf_node *map, struct diag *diag)
{
    *wish = (struct check_wish){.stream = -1};
    for (size_t i = 0; map && map->kind == CONF_MAP && i < map->count; i++)
        if (read_wish_entry(wish, map->keys[i]->text, map->items[i], diag))
            return -1;
    return 0;
}

bool check_point_read(struct check_point *point, const struct registry_stage *stage,
                      const char *text, const char *origin, struct diag *diag)
{
    static const char *const skip[] = {"check", NULL};
    struct param_source source = {.label = stage->stage->name, .skip = skip};

    *point = (struct check_point){.text = strdup(text), .origin = origin};
    if (!point->text)
        return !diag_fail(diag, DIAG_RUN, "out of memory");
    if (!conf_parse_text(&point->conf, origin, text, strlen(text), diag)) {
        source.map = point->conf->root;
        if (!read_wish(&point->wish, conf_get(source.map, "check"), diag) &&
            !param_read(&point->set, stage->stage->params, &source, diag))
            return true;
    }
    check_point_clear(point);
    return false;
}

void check_point_clear(struct check_point *point)
{
    param_free(point->set);
    if (point->conf)
        conf_free(point->conf);
    free(point->text);
    memset(point, 0, sizeof *point);
}

bool check_point_meant(const struct check_point *point)
{
    return strcmp(point->origin, "schema") != 0;
}

/* ---- Examples ---- */

static void put_number(struct check_map *map, const char *name, double value)
{
    char text[32];

    if (value > 0)
        check_map_put(map, name, conf_float_text(text, sizeof text, value));
}

/* What it says of its frames, as --case has it; "{}": nothing. */
static char *frame_text(const struct fecrun_example *example)
{
    struct check_map map;

    if (!check_map_begin(&map))
        return NULL;
    put_number(&map, "items", (double)example->items);
    if (example->type)
        check_map_put(&map, "type", fecrun_type_name(example->type));
    if (example->scheme)
        check_map_put(&map, "scheme", example->scheme);
    put_number(&map, "llr_max", example->llr_max);
    put_number(&map, "n0", example->n0);
    if (example->stream)
        check_map_put(&map, "stream", "true");
    put_number(&map, "pieces", example->pieces);
    put_number(&map, "corrects", (double)example->corrects);
    put_number(&map, "symbol_items", (double)example->symbol_items);
    return check_map_end(&map);
}

/* So that a user can repeat it with --case. */
static char *example_text(const struct fecrun_example *example)
{
    char *frame = frame_text(example), *text = NULL;
    size_t length = strlen(example->params) - 1; /* without its last brace */
    bool empty = !example->params[1 + strspn(example->params + 1, " }")];

    if (!frame)
        return NULL;
    if (!strcmp(frame, "{}"))
        text = strdup(example->params);
    else if (asprintf(&text, "%.*s%scheck: %s}", (int)length, example->params, empty ? "" : ", ",
                      frame) < 0)
        text = NULL;
    free(frame);
    return text;
}

bool check_point_example(struct check_point *point, const struct registry_stage *stage,
                         const struct fecrun_example *example, struct diag *diag)
{
    const char *params = example->params;
    char *text;
    bool good;

    if (params[0] != '{' || params[strlen(params) - 1] != '}' || strchr(params, '\n'))
        return !diag_fail(diag, DIAG_USAGE, "an example's parameters must be one line, {...}");
    text = example_text(example);
    good = text ? check_point_read(point, stage, text, "example", diag)
                : !diag_fail(diag, DIAG_RUN, "out of memory");
    if (good)
        point->example = example;
    free(text);
    return good;
}

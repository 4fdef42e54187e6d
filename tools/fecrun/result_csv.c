/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes one-line objects as rows of CSV. */
#include "tools/fecrun/result_impl.h"

#include "core/value/conf.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 256 };

struct cell {
    char name[MAX_NAME];
    const json_t *value;
};

struct row {
    size_t n, room;
    struct cell *cells;
};

static struct cell *new_cell(struct row *row)
{
    if (row->n == row->room) {
        size_t room = row->room ? 2 * row->room : 64;
        struct cell *grown = realloc(row->cells, room * sizeof *grown);

        if (!grown)
            return NULL;
        row->cells = grown;
        row->room = room;
    }
    return &row->cells[row->n++];
}

/* What is not one value per line stays out: `type`, lists (users), `stats`. Swept values are columns under
   their own names. */
static int flatten(struct row *row, const char *prefix, const json_t *object)
{
    const char *key;
    json_t *value;

    /* jansson's macro wants a pointer that is not const, but changes nothing. */
    json_object_foreach((json_t *)object, key, value)
    {
        struct cell *cell;
        bool is_set = !*prefix && !strcmp(key, "set");
        char name[MAX_NAME];

        if (json_is_array(value) || (!*prefix && (!strcmp(key, "type") || !strcmp(key, "stats"))))
            continue;
        snprintf(name, sizeof name, "%.120s%.120s", prefix, key);
        if (json_is_object(value)) {
            /* Depth is bounded: each level makes the name longer. */
            if (strlen(name) < 100 && flatten(row, is_set ? "" : strcat(name, "."), value))
                return -1;
            continue;
        }
        cell = new_cell(row);
        if (!cell)
            return -1;
        strcpy(cell->name, name);
        cell->value = value;
    }
    return 0;
}

static void put_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', stream);
        putc(*text, stream);
    }
    putc('"', stream);
}

static void put_value(FILE *stream, const json_t *value)
{
    char text[32];

    if (json_is_string(value))
        put_text(stream, json_string_value(value));
    else if (json_is_integer(value))
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        fputs(conf_float_text(text, sizeof text, json_real_value(value)), stream);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", stream);
}

static int put_header(struct csv *csv, FILE *stream, const struct row *row)
{
    csv->names = calloc(row->n + 1, sizeof(*csv->names));
    if (!csv->names)
        return -1;
    for (size_t i = 0; i < row->n; i++) {
        csv->names[i] = strdup(row->cells[i].name);
        if (!csv->names[i])
            return -1;
        csv->n = i + 1;
        if (i > 0)
            putc(',', stream);
        put_text(stream, csv->names[i]);
    }
    putc('\n', stream);
    return 0;
}

static const json_t *find(const struct row *row, const char *name)
{
    for (size_t i = 0; i < row->n; i++) {
        if (!strcmp(row->cells[i].name, name))
            return row->cells[i].value;
    }
    return NULL;
}

int csv_row(struct csv *csv, FILE *stream, const json_t *object)
{
    struct row row = {0};
    int result = flatten(&row, "", object);

    if (!result && !csv->names)
        result = put_header(csv, stream, &row);
    for (size_t i = 0; !result && i < csv->n; i++) {
        if (i > 0)
            putc(',', stream);
        put_value(stream, find(&row, csv->names[i]));
    }
    if (!result)
        putc('\n', stream);
    free(row.cells);
    return result;
}

void csv_free(struct csv *csv)
{
    for (size_t i = 0; i < csv->n; i++)
        free(csv->names[i]);
    free(csv->names);
}

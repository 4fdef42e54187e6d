/* SPDX-License-Identifier: BSD-2-Clause */
/* One-line objects as rows of CSV. */
#include "result_impl.h"

#include "conf.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 128, MAX_NAME = 256 };

struct cell {
    char name[MAX_NAME];
    const json_t *value;
};

struct row {
    size_t n;
    struct cell cells[MAX_COLUMNS];
};

/* What is not one value per line stays out: `type`, lists (users). Swept values are columns under
   their own names. */
static void flatten(struct row *row, const char *prefix, const json_t *object)
{
    const char *key;
    json_t *value;

    /* jansson's macro wants a pointer that is not const, but changes nothing. */
    json_object_foreach((json_t *)object, key, value) {
        struct cell *cell = &row->cells[row->n];
        bool is_set = !*prefix && !strcmp(key, "set");
        char name[MAX_NAME];

        if (json_is_array(value) || (!*prefix && !strcmp(key, "type")) || row->n == MAX_COLUMNS)
            continue;
        snprintf(name, sizeof name, "%.120s%.120s", prefix, key);
        if (json_is_object(value)) {
            /* Depth is bounded: each level makes the name longer. */
            if (strlen(name) < 100)
                flatten(row, is_set ? "" : strcat(name, "."), value);
            continue;
        }
        strcpy(cell->name, name);
        cell->value = value;
        row->n++;
    }
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
    struct row *row = calloc(1, sizeof *row);
    int result = 0;

    if (!row)
        return -1;
    flatten(row, "", object);
    if (!csv->names)
        result = put_header(csv, stream, row);
    for (size_t i = 0; !result && i < csv->n; i++) {
        if (i > 0)
            putc(',', stream);
        put_value(stream, find(row, csv->names[i]));
    }
    if (!result)
        putc('\n', stream);
    free(row);
    return result;
}

void csv_free(struct csv *csv)
{
    for (size_t i = 0; i < csv->n; i++)
        free(csv->names[i]);
    free(csv->names);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a result file for `compare`. */
#include "tools/fecrun/cmd_compare_files.h"

#include "tools/fecrun/json/counts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

static int fail_type(const struct result_file *file, struct diag *diag, const char *what)
{
    return diag_fail(diag, DIAG_USAGE, "compare: %s: %s", file->path, what);
}

static int take_line(struct result_file *file, json_t *line, size_t number, struct diag *diag)
{
    const char *type = json_string_value(json_object_get(line, "type"));
    char wrong[160];

    if (!type)
        return fail_type(file, diag, "no result file of fecrun: a line has no type");
    if (!strcmp(type, "bench") || !strcmp(type, "compare"))
        return fail_type(file, diag,
                         "results of bench or compare; only those of run and merge "
                         "can be compared");
    json_decref(file->end); /* it was not the last line */
    file->end = strcmp(type, "end") ? NULL : json_incref(line);
    if (!strcmp(type, "run") && !file->run)
        file->run = json_incref(line);
    if (!strcmp(type, "point") && counts_wrong(line, "frames", wrong, sizeof wrong))
        return diag_fail(diag, DIAG_USAGE, "compare: %s:%zu: %s", file->path, number, wrong);
    if (!strcmp(type, "point") && json_array_append(file->points, line))
        return diag_no_memory(diag);
    return 0;
}

/* Each line of a result ends with a newline, so one without it was cut off. */
static int read_line(struct result_file *file, const char *text, size_t number, bool cut_allowed,
                     struct diag *diag)
{
    json_error_t error;
    json_t *line = json_loads(text, 0, &error);
    int status = 0;

    if (line) {
        status = take_line(file, line, number, diag);
    } else if (cut_allowed && !strchr(text, '\n')) {
        json_decref(file->end);
        file->end = NULL;
        file->cut = number;
    } else {
        status = diag_fail(diag, DIAG_USAGE, "compare: %s:%zu:%d: is not JSON: %s", file->path,
                           number, error.column, error.text);
    }
    json_decref(line);
    return status;
}

static int read_lines(struct result_file *file, FILE *in, bool cut_allowed, struct diag *diag)
{
    char *text = NULL;
    size_t room = 0, number = 0;
    int status = 0;

    while (!status && getline(&text, &room, in) >= 0)
        status = read_line(file, text, ++number, cut_allowed, diag);
    if (!status && !feof(in))
        status = diag_fail(diag, diag_of_open(errno), "compare: cannot read %s: %s", file->path,
                           strerror(errno));
    free(text);
    return status;
}

int result_file_read(struct result_file *file, bool cut_allowed, struct diag *diag)
{
    FILE *in = fopen(file->path, "r");
    int status;

    if (!in)
        return diag_fail(diag, diag_of_open(errno), "compare: %s: %s", file->path, strerror(errno));
    file->points = json_array();
    status = read_lines(file, in, cut_allowed, diag);
    fclose(in);
    return status;
}

void result_file_free(struct result_file *file)
{
    json_decref(file->run);
    json_decref(file->points);
    json_decref(file->end);
}

/* ---- Points ---- */

static bool same_value(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b)) {
        const double x = json_number_value(a), y = json_number_value(b);
        return fabs(x - y) <= 1e-9 * fmax(fabs(x), fabs(y));
    }
    return json_equal((json_t *)a, (json_t *)b);
}

static bool same_set(const json_t *a, const json_t *b)
{
    const char *name;
    json_t *value;

    if (json_object_size(a) != json_object_size(b))
        return false;
    json_object_foreach((json_t *)a, name, value)
    {
        if (!same_value(value, json_object_get(b, name)))
            return false;
    }
    return true;
}

const json_t *result_file_point(const struct result_file *file, const json_t *set)
{
    json_t *point;
    size_t i;

    json_array_foreach(file->points, i, point)
    {
        if (same_set(json_object_get(point, "set"), set))
            return point;
    }
    return NULL;
}

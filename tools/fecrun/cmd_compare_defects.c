/* SPDX-License-Identifier: BSD-2-Clause */
/* Reasons not to accept two result files: missing lines and points, other settings. */
#include "tools/fecrun/cmd_compare_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(struct defects *defects, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(struct defects *defects, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "fecrun: %scompare: ", defects->strict ? "" : "warning: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
    defects->n++;
}

/* Returns the swept values of a point as text; free it. */
static char *name_of(const json_t *point)
{
    return json_dumps(json_object_get(point, "set"), JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* What a failed json_dumps() gives is not shown: the program ends with `out of memory`. */
static const char *shown(const char *text)
{
    return text ? text : "?";
}

/* ---- One file ---- */

static void find_end(struct defects *defects, const struct result_file *file)
{
    const json_t *status = json_object_get(file->end, "status");

    if (file->cut)
        tell(defects, "%s:%zu: the last line is cut off", file->path, file->cut);
    if (!file->run)
        tell(defects, "%s: has no run line", file->path);
    if (!file->end)
        tell(defects, "%s: has no end line, so it is not complete", file->path);
    else if (!json_is_integer(status))
        tell(defects, "%s: its end line has no status", file->path);
    else if (json_integer_value(status))
        tell(defects, "%s: its end line has status %lld: it was stopped, or failed", file->path,
             (long long)json_integer_value(status));
}

/* A sweep may have a value twice; then both points have the same frames. */
static bool same_counts(const json_t *a, const json_t *b)
{
    static const char *const counts[] = {"frames",       "bits",   "bit_errors",
                                         "frame_errors", "failed", "undetected"};

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        json_t *x = json_object_get(a, counts[k]), *y = json_object_get(b, counts[k]);
        if (x != y && !json_equal(x, y)) /* both may be missing */
            return false;
    }
    return true;
}

/* Points that stopped before a rule held, and those that are there twice but differ. */
static void find_points(struct defects *defects, const struct result_file *file)
{
    static const char *const early[] = {"signal", "error", "incomplete"};
    json_t *point;
    size_t i;

    json_array_foreach(file->points, i, point)
    {
        const char *stop = json_string_value(json_object_get(point, "stop"));
        char *name = name_of(point);
        for (size_t k = 0; stop && k < sizeof early / sizeof *early; k++)
            if (!strcmp(stop, early[k]))
                tell(defects, "%s: point %s is not complete: stop is %s", file->path, shown(name),
                     stop);
        if (!same_counts(point, result_file_point(file, json_object_get(point, "set"))))
            tell(defects, "%s: has point %s twice, with other counts", file->path, shown(name));
        free(name);
    }
}

/* ---- Both files ---- */

static void find_missing(struct defects *defects, const struct result_file *file,
                         const struct result_file *other)
{
    json_t *point;
    size_t i;

    json_array_foreach(other->points, i, point)
    {
        char *name = name_of(point);
        if (!result_file_point(file, json_object_get(point, "set")))
            tell(defects, "%s: point %s is missing, which %s has", file->path, shown(name),
                 other->path);
        free(name);
    }
}

static bool same_names(const json_t *a, const json_t *b)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)a, name, value)
    {
        if (!json_object_get(b, name))
            return false;
    }
    return json_object_size(a) == json_object_size(b);
}

/* Writes names, separated by commas, for a message. */
static const char *names_of(const json_t *set, char *text, size_t size)
{
    const char *name;
    json_t *value;
    size_t at = 0;

    snprintf(text, size, "none");
    json_object_foreach((json_t *)set, name, value)
    {
        const int n = snprintf(text + at, size - at, "%s%s", at ? ", " : "", name);
        at = n < 0 || at + (size_t)n >= size ? size - 1 : at + (size_t)n;
    }
    return text;
}

/* Points tell what was swept; returns false if they are not of the same parameters. */
static bool find_swept(struct defects *defects, const struct result_file file[2])
{
    const json_t *set[2];
    char a[256], b[256];

    for (int k = 0; k < 2; k++)
        set[k] = json_object_get(json_array_get(file[k].points, 0), "set");
    if (!set[0] || !set[1] || same_names(set[0], set[1]))
        return true;
    tell(defects, "%s and %s: swept parameters differ: %s; %s", file[0].path, file[1].path,
         names_of(set[0], a, sizeof a), names_of(set[1], b, sizeof b));
    return false;
}

static bool same_number(const json_t *a, const json_t *b)
{
    const double x = json_number_value(a), y = json_number_value(b); /* not there: 0 */

    return !(x < y) && !(x > y);
}

/* What decides which frames there are, as far as both files say it. */
static void find_frames(struct defects *defects, const struct result_file file[2])
{
    static const char *const rules[] = {"frame_errors", "frames", "seconds"};
    const json_t *seed[2], *stop[2];

    for (int k = 0; k < 2; k++) {
        seed[k] = json_object_get(file[k].run, "seed");
        stop[k] = json_object_get(file[k].run, "stop");
    }
    if (seed[0] && seed[1] && !json_equal((json_t *)seed[0], (json_t *)seed[1])) {
        char *a = json_dumps(seed[0], JSON_ENCODE_ANY), *b = json_dumps(seed[1], JSON_ENCODE_ANY);
        tell(defects, "%s and %s: seed differs: %s, %s; exact needs the same frames", file[0].path,
             file[1].path, shown(a), shown(b));
        free(a);
        free(b);
    }
    for (size_t r = 0; stop[0] && stop[1] && r < sizeof rules / sizeof *rules; r++) {
        const json_t *a = json_object_get(stop[0], rules[r]),
                     *b = json_object_get(stop[1], rules[r]);
        if (!same_number(a, b))
            tell(defects,
                 "%s and %s: stop.%s differs: %.12g, %.12g (0: no rule); exact needs the same "
                 "frames",
                 file[0].path, file[1].path, rules[r], json_number_value(a), json_number_value(b));
    }
}

void defects_find(struct defects *defects, const struct result_file file[2])
{
    for (int k = 0; k < 2; k++) {
        find_end(defects, &file[k]);
        find_points(defects, &file[k]);
    }
    if (find_swept(defects, file))
        for (int k = 0; k < 2; k++)
            find_missing(defects, &file[k], &file[!k]);
    if (defects->exact)
        find_frames(defects, file);
}

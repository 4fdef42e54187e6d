/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameter points: the schema's own, the stage's examples, those of --case. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 400, MAX_CHOICES = 32, MOST_SECONDS = 10 };

/* ---- Lists of points ---- */

static struct check_point *find(const struct check_points *points, const char *text)
{
    for (size_t i = 0; i < points->n; i++)
        if (!strcmp(points->point[i].text, text))
            return &points->point[i];
    return NULL;
}

static int add(struct check_points *points, const struct check_point *point)
{
    if (points->n == points->room) {
        size_t room = points->room ? 2 * points->room : 64;
        struct check_point *more = realloc(points->point, room * sizeof *more);

        if (!more)
            return -1;
        points->point = more;
        points->room = room;
    }
    points->point[points->n++] = *point;
    return 0;
}

/* A text that the schema itself refuses is not a point: the host would never plan it. */
static void add_text(struct check_points *points, const struct registry_stage *stage,
                     const char *text, const char *origin)
{
    struct check_point point;
    struct diag diag = {0};

    if (points->n >= MAX_POINTS || find(points, text) ||
        !check_point_read(&point, stage, text, origin, &diag))
        return;
    if (add(points, &point))
        check_point_clear(&point);
}

/* ---- A value for what has to be given ---- */

struct check_limits check_limits(const struct fecrun_param *param)
{
    return param->type == FECRUN_VALUE_FLOAT
               ? (struct check_limits){param->fmin, param->fmax}
               : (struct check_limits){(double)param->imin, (double)param->imax};
}

static const char *guess(const struct fecrun_param *param, char *text, size_t size)
{
    const struct check_limits of = check_limits(param);
    const bool limited = of.min < of.max;
    double one = limited && (of.min > 1 || of.max < 1) ? of.min + 0.1 * (of.max - of.min) : 1;

    switch (param->type) {
    case FECRUN_VALUE_INT:
        one = limited && of.min > 96 ? of.min : 96;
        snprintf(text, size, "%.0f", limited && of.max < one ? of.max : one);
        return text;
    case FECRUN_VALUE_FLOAT:
        if (limited && of.min == 0 && of.max <= 1)
            one = 0.1 * of.max; /* a probability */
        snprintf(text, size, "%.9g", one);
        return text;
    case FECRUN_VALUE_CHOICE:
        return param->choices[0];
    case FECRUN_VALUE_BOOL:
        return "false";
    case FECRUN_VALUE_PORT:
        return "source"; /* the port is linked then */
    default:
        return NULL; /* no guess: a file, a list, a name */
    }
}

/* The required ones, to be freed; NULL: one cannot be guessed. */
static char *required_text(const struct registry_stage *stage)
{
    const struct fecrun_param *const *params = stage->stage->params;
    bool all = true;
    struct check_map map;
    char *text, buffer[64];

    if (!check_map_begin(&map))
        return NULL;
    for (size_t i = 0; params[i]; i++) {
        const char *value = guess(params[i], buffer, sizeof buffer);

        if (!(params[i]->flags & FECRUN_PARAM_REQUIRED) || params[i]->default_text)
            continue;
        if (value)
            check_map_put(&map, params[i]->name, value);
        else
            all = false;
    }
    text = check_map_end(&map);
    if (all)
        return text;
    free(text);
    return NULL;
}

/* ---- Variations of a point ---- */

static void vary(struct check_points *points, const struct registry_stage *stage,
                 const struct check_point *base, const char *name, const char *value)
{
    char *text = check_map_text(base, NULL, name, value);

    if (text)
        add_text(points, stage, text, "schema");
    free(text);
}

static void vary_number(struct check_points *points, const struct registry_stage *stage,
                        const struct check_point *base, const struct fecrun_param *param)
{
    bool whole = param->type == FECRUN_VALUE_INT;
    const struct check_limits of = check_limits(param);
    const double low = of.min < of.max ? of.min : 0, high = of.min < of.max ? of.max : 100;
    double value[] = {low, low + 1, low + 7, low + 64, 1, high};
    char text[64];

    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        /* large sizes take too long to be run */
        if (value[i] < low || value[i] > high || (whole && value[i] > 65536))
            continue;
        snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", value[i]);
        vary(points, stage, base, param->name, text);
    }
}

static void vary_param(struct check_points *points, const struct registry_stage *stage,
                       const struct check_point *base, const struct fecrun_param *param)
{
    if (param->flags & FECRUN_PARAM_MAY_AUTO)
        vary(points, stage, base, param->name, "auto");
    if (param->type == FECRUN_VALUE_INT || param->type == FECRUN_VALUE_FLOAT)
        vary_number(points, stage, base, param);
    for (size_t i = 0; param->type == FECRUN_VALUE_CHOICE && param->choices[i] && i < MAX_CHOICES;
         i++)
        vary(points, stage, base, param->name, param->choices[i]);
    if (param->type == FECRUN_VALUE_BOOL) {
        vary(points, stage, base, param->name, "true");
        vary(points, stage, base, param->name, "false");
    }
}

/* ---- A first point that plan() accepts ---- */

static bool take_base(struct check_point *base, const struct check *check, const char *text,
                      struct check_scan *scan)
{
    struct diag diag = {0};

    if (!check_point_read(base, check->stage, text, "schema", &diag))
        return false;
    if (check_point_accepted(check, base, scan))
        return true;
    check_point_clear(base);
    return false;
}

/* A backend's turn knows what the stage's has found. */
static struct check_scan new_scan(const struct check *check)
{
    return (struct check_scan){check->backend ? 0 : CHECK_SCAN_SECONDS, check->hint, {0}};
}

/* Two parameters more than what is required: the second loop starts with none. */
static bool search_base(struct check_points *points, struct check_point *base,
                        const struct check *check, const char *required)
{
    const struct fecrun_param *const *params = check->stage->stage->params;
    struct check_scan scan = new_scan(check);
    const double end = check_clock() + CHECK_SCAN_SECONDS; /* of scans, all together */
    struct check_points one = {0};
    struct check_point start;
    struct diag diag = {0};
    bool found = false;

    if (!check_point_read(&start, check->stage, required, "schema", &diag))
        return false;
    for (size_t i = 0; params[i]; i++)
        vary_param(&one, check->stage, &start, params[i]);
    for (size_t i = 0, n = one.n; i < n; i++) {
        const struct check_point from = one.point[i]; /* the array moves as it grows */

        for (size_t k = 0; params[k] && one.n < MAX_POINTS; k++)
            if (params[k]->type == FECRUN_VALUE_CHOICE)
                vary_param(&one, check->stage, &from, params[k]);
    }
    for (size_t i = 0; i < one.n && !found && check_clock() < end + MOST_SECONDS; i++) {
        scan.seconds = check->backend ? 0 : end - check_clock();
        scan.hint = check->hint;
        found = take_base(base, check, one.point[i].text, &scan);
    }
    points->hint = scan.hint;
    check_points_free(&one);
    check_point_clear(&start);
    return found;
}

/* The defaults first: they are what a user gets. */
static bool find_base(struct check_points *points, struct check_point *base,
                      const struct check *check)
{
    const struct fecrun_example *const *examples = check->stage->stage->examples;
    char *required = required_text(check->stage);
    struct diag diag = {0};
    struct check_scan scan = new_scan(check);
    bool found = required && take_base(base, check, required, &scan);

    points->hint = scan.hint;
    if (!found)
        snprintf(points->refusal, sizeof points->refusal, "%s",
                 required ? scan.err.text : "it has to be given what nobody can guess");
    for (; examples && *examples && !found; examples++) {
        if (!check_point_example(base, check->stage, *examples, &diag))
            continue;
        scan = (struct check_scan){0};
        found = check_point_accepted(check, base, &scan);
        if (!found)
            check_point_clear(base);
    }
    if (!found && required)
        found = search_base(points, base, check, required);
    free(required);
    return found;
}

/* ---- All points ---- */

static int add_cases(struct check_points *points, const struct check *check, struct diag *diag)
{
    for (size_t i = 0; check->options->cases[i]; i++) {
        const char *text = check->options->cases[i], *colon = strchr(text, ':');
        size_t n = colon ? (size_t)(colon - text) : 0;
        struct check_point point;

        if (!colon || strncmp(text, check->stage->stage->name, n) || check->stage->stage->name[n])
            continue;
        colon += 1 + strspn(colon + 1, " ");
        if (!check_point_read(&point, check->stage, colon, "--case", diag))
            return -1;
        if (add(points, &point))
            return diag_fail(diag, DIAG_RUN, "out of memory");
    }
    return 0;
}

/* What the schema refuses is told with the stage's description. */
static void add_examples(struct check_points *points, const struct registry_stage *stage)
{
    const struct fecrun_example *const *examples = stage->stage->examples;

    for (size_t i = 0; examples && examples[i] && points->n < MAX_POINTS; i++) {
        struct check_point point, *same;
        struct diag diag = {0};

        if (!check_point_example(&point, stage, examples[i], &diag))
            continue;
        same = find(points, point.text);
        if (same)
            same->example = examples[i];
        if (same || add(points, &point))
            check_point_clear(&point);
    }
}

int check_points_make(struct check_points *points, const struct check *check, struct diag *diag)
{
    const struct fecrun_param *const *params = check->stage->stage->params;
    struct check_point base;
    bool found;

    memset(points, 0, sizeof *points);
    if (add_cases(points, check, diag))
        return -1;
    if (check->options->only_cases)
        return 0;
    found = find_base(points, &base, check);
    if (found)
        add_text(points, check->stage, base.text, "defaults");
    add_examples(points, check->stage);
    for (size_t i = 0; found && params[i]; i++)
        vary_param(points, check->stage, &base, params[i]);
    if (found)
        check_point_clear(&base);
    return 0;
}

void check_points_free(struct check_points *points)
{
    for (size_t i = 0; i < points->n; i++)
        check_point_clear(&points->point[i]);
    free(points->point);
    memset(points, 0, sizeof *points);
}

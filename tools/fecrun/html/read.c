/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads result files into the data of a page. */
#include "tools/fecrun/html/html.h"

#include "tools/fecrun/json/objects.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Files that share a chart, or bars. */
struct group {
    const char **paths, **labels;
    size_t n;
};

struct page {
    const struct html_request *request;
    struct group curves[64], bars;
    size_t n_curves;
    json_t *files;
    struct diag *diag;
};

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* ---- Charts ---- */

static json_t *json_of_point(const struct figure *figure, const struct figure_axes *axes, size_t i,
                             size_t k)
{
    const struct figure_point *p = &figure->series[i].points[k];
    const double values[] = {p->x,          p->y,
                             p->lo,         p->hi,
                             p->frames,     p->frame_errors,
                             p->bit_errors, figure_arrow_x(figure, axes, i, k)};
    json_t *point = json_array();

    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        json_array_append_new(point, v >= 4 && v < 7 && isfinite(values[v]) && values[v] < 9e15
                                         ? json_integer((json_int_t)values[v])
                                         : real_or_null(values[v]));
    return point;
}

static json_t *json_of_series(const struct figure *figure, const struct figure_axes *axes)
{
    json_t *list = json_array();

    for (size_t i = 0; i < figure->n_series; i++) {
        const struct figure_series *series = &figure->series[i];
        json_t *points = json_array();

        for (size_t k = 0; k < series->n; k++)
            json_array_append_new(points, json_of_point(figure, axes, i, k));
        json_array_append_new(list, json_pack("{s:s, s:I, s:o}", "label", series->label, "colour",
                                              (json_int_t)(figure->n_groups ? series->group : i),
                                              "points", points));
    }
    return list;
}

static void add_limit(json_t *list, const char *label, bool line, json_t *points)
{
    json_array_append_new(
        list, json_pack("{s:s, s:b, s:o}", "label", label, "line", line, "points", points));
}

static json_t *json_of_limits(const struct figure *figure, const struct figure_axes *axes)
{
    json_t *list = json_array(), *points;
    char text[96];

    for (size_t i = 0; figure->axis == FIGURE_EBN0 && i < figure->n_limits; i++) {
        const struct figure_limit *limit = &figure->limits[i];
        const double db = figure_limit_db(limit);

        if (figure_limit_first(figure, i))
            add_limit(list, figure_limit_name(figure, i, text, sizeof text), true,
                      json_pack("[[f,f],[f,f]]", db, axes->y[0], db, axes->y[1]));
        if (figure->ber || !(limit->bits > 0))
            continue;
        points = json_array();
        for (int k = 0; k <= FIGURE_STEPS; k++) {
            const double x = figure_normal_x(limit, axes, k);
            json_array_append_new(points, json_pack("[f,f]", x, figure_normal(limit, x)));
        }
        add_limit(list, figure_normal_name(figure, i, text, sizeof text), false, points);
    }
    return list;
}

static json_t *json_of_figure(const struct figure *figure, const struct figure_axes *axes)
{
    return json_pack("{s:[f,f], s:[f,f], s:o, s:o}", "x", axes->x[0], axes->x[1], "y", axes->y[0],
                     axes->y[1], "series", json_of_series(figure, axes), "limits",
                     json_of_limits(figure, axes));
}

static int read_group(const struct page *page, const struct group *group, bool ber,
                      struct figure *figure, struct diag *diag)
{
    const struct figure_files files = {.paths = group->paths,
                                       .labels = group->labels,
                                       .group = page->request->files.group,
                                       .n = group->n,
                                       .ber = ber};

    return figure_read(figure, &files, diag);
}

/* Frame error rates; and bit error rates, if all points have them. */
static json_t *json_of_chart(const struct page *page, const struct group *group)
{
    const struct figure_drawing drawing = {.guides = true};
    struct figure_axes axes;
    struct figure figure;
    struct diag ignored = {0};
    json_t *chart;

    if (read_group(page, group, false, &figure, page->diag))
        return NULL;
    figure_axes(&figure, &drawing, &axes);
    chart = json_pack("{s:s, s:b, s:o, s:n}", "x", figure_x_label(&figure, false), "log_x",
                      axes.log_x, "fer", json_of_figure(&figure, &axes), "ber");
    figure_free(&figure);
    if (read_group(page, group, true, &figure, &ignored))
        return chart;
    figure_axes(&figure, &drawing, &axes);
    json_object_set_new(chart, "ber", json_of_figure(&figure, &axes));
    figure_free(&figure);
    return chart;
}

static json_t *json_of_panel(const struct figure *figure, const char *title,
                             const char *const names[2], const size_t at[2])
{
    json_t *rows = json_array();
    bool any = false;

    for (size_t i = 0; i < figure->n_bars; i++) {
        const char *bar = (const char *)&figure->bars[i];
        const double first = *(const double *)(const void *)(bar + at[0]);
        const double second = *(const double *)(const void *)(bar + at[1]);

        any |= isfinite(first) || isfinite(second);
        json_array_append_new(rows, json_pack("{s:s, s:[o,o]}", "label", figure->bars[i].label,
                                              "values", real_or_null(first), real_or_null(second)));
    }
    if (!any) {
        json_decref(rows);
        return NULL;
    }
    return json_pack("{s:s, s:[s,s], s:o}", "title", title, "names", names[0], names[1], "rows",
                     rows);
}

static int add_bars(struct page *page, json_t *list)
{
    static const char *const speeds[] = {"Gb/s", "Gb/s with copies"};
    static const char *const times[] = {"us, median", "us, 99 %"};
    struct figure figure;
    char title[200];
    json_t *panel;

    if (!page->bars.n)
        return 0;
    if (read_group(page, &page->bars, false, &figure, page->diag))
        return -1;
    snprintf(title, sizeof title, "Speed%s%.150s", figure.bars_title ? ": " : "",
             figure.bars_title ? figure.bars_title : "");
    panel = json_of_panel(&figure, title, speeds,
                          (const size_t[]){offsetof(struct figure_bar, gbps),
                                           offsetof(struct figure_bar, end_to_end_gbps)});
    if (panel)
        json_array_append_new(list, panel);
    panel = json_of_panel(
        &figure, "Latency of a call", times,
        (const size_t[]){offsetof(struct figure_bar, p50_us), offsetof(struct figure_bar, p99_us)});
    if (panel)
        json_array_append_new(list, panel);
    figure_free(&figure);
    return 0;
}

/* ---- Files ---- */

static const char *label_of(const char *path, const char *label, char *text, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    snprintf(text, size, "%.*s", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name);
    return label ? label : text;
}

static void take_line(json_t *file, json_t *line)
{
    const char *type = json_string_value(json_object_get(line, "type"));

    if (!type && json_is_integer(json_object_get(line, "cell")))
        json_array_append(json_object_get(file, "cells"), line);
    if (!type)
        return;
    if (!strcmp(type, "run") && json_is_null(json_object_get(file, "run")))
        json_object_set(file, "run", line);
    else if (!strcmp(type, "point"))
        json_array_append(json_object_get(file, "points"), line);
    else if (!strcmp(type, "end"))
        json_object_set(file, "end", line);
    else if (!strncmp(type, "compare", 7))
        json_array_append(json_object_get(file, "compare"), line);
}

/* Lines of our own result files; of others only curves are shown. What is no JSON ends it: figure_read() has
   the message. */
static int read_lines(json_t *file, const char *path, struct diag *diag)
{
    FILE *in = fopen(path, "r");
    json_t *line;
    int c;

    if (!in)
        return diag_fail(diag, diag_of_open(errno), "cannot read %s: %s", path, strerror(errno));
    for (;;) {
        while (isspace(c = getc(in)))
            ;
        ungetc(c, in);
        line = c == '{' ? json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
        if (!line)
            break;
        take_line(file, line);
        json_decref(line);
    }
    fclose(in);
    return 0;
}

static int append(struct group *group, const struct html_request *request, const char *path,
                  const char *label)
{
    const size_t room = request->files.n + 1;

    if (!group->paths) {
        group->paths = calloc(room, sizeof *group->paths);
        group->labels = calloc(room, sizeof *group->labels);
    }
    if (!group->paths || !group->labels)
        return -1;
    group->paths[group->n] = path;
    group->labels[group->n++] = label;
    return 0;
}

/* Into the first chart whose axis it has. */
static int place_curves(struct page *page, const char *path, const char *label)
{
    for (size_t i = 0; i < sizeof page->curves / sizeof *page->curves; i++) {
        struct group *group = &page->curves[i];
        struct figure figure;
        struct diag ignored = {0};

        if (append(group, page->request, path, label))
            return diag_no_memory(page->diag);
        page->n_curves = i >= page->n_curves ? i + 1 : page->n_curves;
        if (!read_group(page, group, false, &figure, &ignored)) {
            figure_free(&figure);
            return 0;
        }
        group->n--;
    }
    return diag_fail(page->diag, DIAG_USAGE, "%s: there are more than 64 axes", path);
}

static int read_file(struct page *page, const char *path, const char *given)
{
    char text[256];
    const char *label = label_of(path, given, text, sizeof text);
    json_t *file = json_pack("{s:s, s:n, s:[], s:n, s:[], s:[]}", "label", label, "run", "points",
                             "end", "compare", "cells");
    const struct figure_files alone = {.paths = &path, .group = page->request->files.group, .n = 1};
    struct figure figure;
    struct diag diag = {0};
    int status = read_lines(file, path, page->diag);
    bool whole; /* there is nothing to draw as curves or bars */

    json_array_append_new(page->files, file);
    if (status)
        return -1;
    whole = json_array_size(json_object_get(file, "compare")) ||
            json_array_size(json_object_get(file, "cells"));
    if (whole)
        return 0;
    if (figure_read(&figure, &alone, &diag)) {
        *page->diag = diag;
        return -1;
    }
    status = figure.kind == FIGURE_BARS
                 ? append(&page->bars, page->request, path, given) ? diag_no_memory(page->diag) : 0
                 : place_curves(page, path, given);
    figure_free(&figure);
    return status;
}

static void free_page(struct page *page)
{
    for (size_t i = 0; i < page->n_curves; i++) {
        free(page->curves[i].paths);
        free(page->curves[i].labels);
    }
    free(page->bars.paths);
    free(page->bars.labels);
    json_decref(page->files);
}

json_t *html_read(const struct html_request *request, struct diag *diag)
{
    struct page page = {.request = request, .files = json_array(), .diag = diag};
    const char *const *label = request->files.labels;
    json_t *charts = json_array(), *bars = json_array(), *data = NULL;
    char text[256];
    int status = 0;

    for (size_t i = 0; !status && i < request->files.n; i++)
        status = read_file(&page, request->files.paths[i], label && *label ? *label++ : NULL);
    for (size_t i = 0; !status && i < page.n_curves; i++) {
        json_t *chart = json_of_chart(&page, &page.curves[i]);

        status = chart ? json_array_append_new(charts, chart) : -1;
    }
    status = status ? status : add_bars(&page, bars);
    if (!status)
        data = json_pack(
            "{s:s, s:s, s:O, s:O, s:O}", "title",
            request->title ? request->title
                           : label_of(request->files.paths[0], NULL, text, sizeof text),
            "version", request->version, "charts", charts, "bars", bars, "files", page.files);
    json_decref(charts);
    json_decref(bars);
    free_page(&page);
    if ((!data && !diag->status) || objects_lost()) {
        json_decref(data);
        diag_no_memory(diag);
        return NULL;
    }
    return data;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads result files into series of points and bars. */
#include "tools/fecrun/plot/figure.h"
#include "tools/fecrun/plot/foreign.h"

#include "tools/fecrun/json/counts.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct figure *figure;
    const char *path;
    const char *label; /* --label; NULL: the file's name */
    const char *group;
    bool many; /* files: labels then begin with the file's */
    struct diag *diag;
    FILE *file;
    unsigned line;  /* of the file, where its present object ends */
    json_t *points; /* of the file: x is known when all were read */
    unsigned dims;  /* of the file's modem; 0: not known */
};

static int no_memory(struct reading *reading)
{
    return diag_no_memory(reading->diag);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- Labels ---- */

/* Of "STAGE.PARAM", or a name of another program's. */
static const char *param_of(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? dot + 1 : name;
}

static bool is_snr(const char *name)
{
    return !strcmp(param_of(name), "ebn0_db") || !strcmp(param_of(name), "esn0_db");
}

/* --label, or the file's name without directories and suffix. */
static void print_file(FILE *out, const struct reading *reading)
{
    const char *path = reading->path, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

    if (reading->label) {
        fputs(reading->label, out);
        return;
    }
    fprintf(out, "%.*s", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name);
}

static void print_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        fputs(json_string_value(value), out);
    else if (json_is_number(value))
        fprintf(out, "%g", json_number_value(value));
    else
        fputs(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "?", out);
}

/* Which curve a point belongs to: its file, and what was swept besides the x axis. NULL: no memory. */
static char *label_point(const struct reading *reading, const json_t *point, const char *x)
{
    const json_t *set = json_object_get(point, "set");
    const char *own = json_string_value(json_object_get(point, "label"));
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const char *name;
    const json_t *value;
    bool any = false;

    if (!out)
        return NULL;
    if (own && !reading->label) {
        fputs(own, out);
        return fclose(out) ? free(text), NULL : text;
    }
    json_object_foreach((json_t *)set, name, value)
    {
        if (!strcmp(name, x))
            continue;
        if (!any && (reading->many || reading->label)) {
            print_file(out, reading);
            fputs(": ", out);
        }
        fprintf(out, "%s%s = ", any ? ", " : "", name);
        print_value(out, value);
        any = true;
    }
    if (!any)
        print_file(out, reading);
    return fclose(out) ? free(text), NULL : text;
}

/* ---- Points ---- */

static int compare_x(const void *a, const void *b)
{
    const struct figure_point *p = a, *q = b;

    return (p->x > q->x) - (p->x < q->x);
}

/* The series of that label, which is taken over. */
static struct figure_series *series_of(struct figure *figure, char *label)
{
    struct figure_series *more;

    for (size_t i = 0; label && i < figure->n_series; i++)
        if (!strcmp(figure->series[i].label, label)) {
            free(label);
            return &figure->series[i];
        }
    more = label ? realloc(figure->series, (figure->n_series + 1) * sizeof *more) : NULL;
    if (!more) {
        free(label);
        return NULL;
    }
    figure->series = more;
    more[figure->n_series] = (struct figure_series){.label = label};
    return &more[figure->n_series++];
}

/* The number of a group, which is `value` of --group; (size_t)-1 without memory. */
static size_t group_of(struct figure *figure, const json_t *value)
{
    char *text = NULL, **more;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return (size_t)-1;
    print_value(out, value);
    if (fclose(out)) {
        free(text);
        return (size_t)-1;
    }
    for (size_t i = 0; i < figure->n_groups; i++)
        if (!strcmp(figure->groups[i], text)) {
            free(text);
            return i;
        }
    more = realloc(figure->groups, (figure->n_groups + 1) * sizeof *more);
    if (!more) {
        free(text);
        return (size_t)-1;
    }
    figure->groups = more;
    more[figure->n_groups] = text;
    return figure->n_groups++;
}

/* The value of --group in a point: STAGE.PARAM, or PARAM alone. */
static const json_t *group_value(const struct reading *reading, const json_t *point)
{
    const char *name;
    const json_t *value;

    json_object_foreach(json_object_get(point, "set"), name,
                        value) if (!strcmp(name, reading->group) ||
                                   !strcmp(param_of(name), reading->group)) return value;
    return NULL;
}

/* Sets group and member of the figure's last series, which is new. */
static int set_group(struct reading *reading, const json_t *point)
{
    struct figure *figure = reading->figure;
    struct figure_series *series = &figure->series[figure->n_series - 1];
    const json_t *value = reading->group ? group_value(reading, point) : NULL;

    series->member = figure->n_series - 1;
    if (!reading->group)
        return 0;
    if (!value)
        return diag_fail(reading->diag, DIAG_USAGE, "--group %s: %s does not sweep it",
                         reading->group, reading->path);
    series->group = group_of(figure, value);
    if (series->group == (size_t)-1)
        return no_memory(reading);
    series->member = 0;
    for (size_t i = 0; i + 1 < figure->n_series; i++)
        series->member += figure->series[i].group == series->group;
    return 0;
}

static int add_point(struct reading *reading, const json_t *line, char *label,
                     struct figure_point point)
{
    const size_t before = reading->figure->n_series;
    struct figure_series *series = series_of(reading->figure, label);
    struct figure_point *more;

    if (series && reading->figure->n_series > before && set_group(reading, line))
        return -1;
    more = series ? realloc(series->points, (series->n + 1) * sizeof *more) : NULL;
    if (!more)
        return no_memory(reading);
    series->points = more;
    more[series->n++] = point;
    return 0;
}

static bool varies(const json_t *points, const char *name)
{
    const json_t *point, *first = NULL, *value;
    size_t i;

    json_array_foreach(points, i, point)
    {
        value = json_object_get(json_object_get(point, "set"), name);
        if (first && value && json_number_value(first) != json_number_value(value))
            return true;
        first = first ? first : value;
    }
    return false;
}

/* The swept parameter that goes along the axis: one that varies within the file if there is any. Of several it
   is a ratio of signal to noise, or a probability p, else the last one that is a number. "" without a sweep. */
static const char *choose_x(const json_t *points)
{
    const char *name, *chosen = "";
    const json_t *value;
    int best = 0;

    json_object_foreach(json_object_get(json_array_get(points, 0), "set"), name, value)
    {
        const bool p = !strcmp(param_of(name), "p");
        const int rank = 4 * varies(points, name) + (is_snr(name) ? 3 : p ? 2 : 1);

        if (!json_is_number(value) || rank < best)
            continue;
        chosen = name;
        best = rank;
    }
    return chosen;
}

/* Sets x; all points of a figure share an axis. */
static int place(struct reading *reading, const json_t *point, const char *x, double *at)
{
    struct figure *figure = reading->figure;
    const json_t *set = json_object_get(point, "set");
    const double eb = number(point, "ebn0_db"), es = number(point, "esn0_db");
    const bool swept = x[0] && !is_snr(x);
    const enum figure_x axis = swept ? FIGURE_PARAM : isfinite(eb) ? FIGURE_EBN0 : FIGURE_ESN0;

    *at = swept ? number(set, x) : axis == FIGURE_EBN0 ? eb : es;
    if (!isfinite(*at))
        return diag_fail(reading->diag, DIAG_USAGE,
                         "%s: a point has neither Eb/N0 nor Es/N0, nor a swept number",
                         reading->path);
    if (figure->kind == FIGURE_NONE) {
        figure->axis = axis;
        if (swept && !(figure->x_name = strdup(x)))
            return no_memory(reading);
    }
    if (figure->axis != axis || (swept && strcmp(param_of(figure->x_name), param_of(x))))
        return diag_fail(reading->diag, DIAG_USAGE, "%s: its axis is %s, that of the others %s",
                         reading->path,
                         swept                 ? x
                         : axis == FIGURE_EBN0 ? "Eb/N0"
                                               : "Es/N0",
                         figure_x_label(figure, false));
    return 0;
}

/* Of results that have no interval of the bit error rate: its errors come in frames, so it is known
   about as well as theirs. */
static struct figure_point point_of(const json_t *point, bool ber)
{
    const double fer = number(point, "fer"), rate = ber ? number(point, "ber") : fer;
    const double of = fer > 0 ? rate / fer : 1;
    const double low = number(point, "ber_lo"), high = number(point, "ber_hi");

    if (ber && isfinite(low) && isfinite(high))
        return (struct figure_point){.y = rate, .lo = low, .hi = high};
    return (struct figure_point){
        .y = rate, .lo = of * number(point, "fer_lo"), .hi = of * number(point, "fer_hi")};
}

static int kind_is(struct reading *reading, enum figure_kind kind)
{
    if (reading->figure->kind != FIGURE_NONE && reading->figure->kind != kind)
        return diag_fail(reading->diag, DIAG_USAGE,
                         "%s: results of run and of bench do not go into one picture",
                         reading->path);
    reading->figure->kind = kind;
    return 0;
}

/* BPSK is real, pi/2-BPSK is BPSK that turns, and all else has two dimensions. */
static unsigned dimensions(const char *scheme)
{
    return !strcmp(scheme, "bpsk") || !strcmp(scheme, "pi/2-bpsk") ? 1 : 2;
}

/* Its own scheme if it is swept, else the one of the file. */
static unsigned dims_of(const struct reading *reading, const json_t *line)
{
    const char *name, *scheme;
    const json_t *value;

    json_object_foreach(json_object_get(line, "set"), name, value)
    {
        scheme = json_string_value(value);
        if (scheme && !strcmp(param_of(name), "scheme"))
            return dimensions(scheme);
    }
    return reading->dims;
}

static int add_limit(struct reading *reading, const json_t *line)
{
    struct figure *figure = reading->figure;
    const double bits = number(line, "bits"), frames = number(line, "frames");
    const double eb = number(line, "ebn0_db"), es = number(line, "esn0_db");
    const struct figure_limit limit = {.rate = pow(10, (es - eb) / 10),
                                       .bits = bits > 0 && frames > 0 ? bits / frames : 0,
                                       .dims = dims_of(reading, line)};
    struct figure_limit *more;

    if (!isfinite(limit.rate) || !(limit.rate > 0) || !limit.dims)
        return 0;
    for (size_t i = 0; i < figure->n_limits; i++)
        if (fabs(figure->limits[i].rate - limit.rate) < 1e-4 &&
            figure->limits[i].dims == limit.dims && fabs(figure->limits[i].bits - limit.bits) < 0.5)
            return 0;
    more = realloc(figure->limits, (figure->n_limits + 1) * sizeof *more);
    if (!more)
        return no_memory(reading);
    figure->limits = more;
    more[figure->n_limits++] = limit;
    return 0;
}

/* A point waits until the file was read. */
static int read_point(struct reading *reading, const json_t *line)
{
    char wrong[160];

    if (counts_wrong(line, "frames", wrong, sizeof wrong))
        return diag_fail(reading->diag, DIAG_USAGE, "%s:%u: %s", reading->path, reading->line,
                         wrong);
    if (!reading->points)
        reading->points = json_array();
    return json_array_append(reading->points, (json_t *)line) ? no_memory(reading) : 0;
}

static int take_point(struct reading *reading, const json_t *line, const char *x)
{
    struct figure_point point = point_of(line, reading->figure->ber);

    if (!isfinite(point.y))
        return diag_fail(reading->diag, DIAG_USAGE, "%s: a point has no %s error rate%s",
                         reading->path, reading->figure->ber ? "bit" : "frame",
                         reading->figure->ber && isfinite(number(line, "fer"))
                             ? ""
                             : ": nothing counted errors (sink.errors)");
    if (point.y == 0 && reading->figure->ber && !isfinite(number(line, "ber_hi")))
        return 0; /* there is no bound on how many bits a wrong frame would have had */
    point.frames = number(line, "frames");
    point.frame_errors = number(line, "frame_errors");
    point.bit_errors = number(line, "bit_errors");
    if (place(reading, line, x, &point.x) || kind_is(reading, FIGURE_CURVES))
        return -1;
    return add_limit(reading, line)
               ? -1
               : add_point(reading, line, label_point(reading, line, x), point);
}

static int take_points(struct reading *reading)
{
    const char *x = choose_x(reading->points);
    const json_t *point;
    size_t i;

    json_array_foreach(reading->points, i, point) if (take_point(reading, point, x)) return -1;
    return 0;
}

/* ---- Bars ---- */

static char *label_bar(const struct reading *reading, const json_t *line)
{
    const char *stage = json_string_value(json_object_get(line, "stage"));
    const char *backend = json_string_value(json_object_get(line, "backend"));
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    if (reading->many || reading->label) {
        print_file(out, reading);
        fputs(": ", out);
    }
    fprintf(out, "%s %s, batch %.0f", stage ? stage : "?", backend ? backend : "?",
            number(line, "batch"));
    return fclose(out) ? free(text), NULL : text;
}

static int read_bar(struct reading *reading, const json_t *line)
{
    struct figure *figure = reading->figure;
    const json_t *latency = json_object_get(line, "latency_us");
    struct figure_bar *more = realloc(figure->bars, (figure->n_bars + 1) * sizeof *more);
    double gbps = number(line, "device_gbps");

    if (more)
        figure->bars = more;
    if (!more || !(more[figure->n_bars].label = label_bar(reading, line)))
        return no_memory(reading);
    more[figure->n_bars].gbps = isfinite(gbps) ? gbps : number(line, "gbps");
    more[figure->n_bars].end_to_end_gbps = number(line, "end_to_end_gbps");
    more[figure->n_bars].p50_us = number(latency, "p50");
    more[figure->n_bars].p99_us = number(latency, "p99");
    figure->n_bars++;
    return kind_is(reading, FIGURE_BARS);
}

/* What all labels begin with, up to a comma, is the picture's title. */
static int share_title(struct figure *figure)
{
    const char *first = figure->n_bars > 1 ? figure->bars[0].label : "";
    size_t n = strcspn(first, ",");

    for (size_t i = 0; i < figure->n_bars; i++)
        if (!first[n] || strncmp(figure->bars[i].label, first, n + 2))
            return 0;
    if (!first[n])
        return 0;
    figure->bars_title = strndup(first, n);
    if (!figure->bars_title)
        return -1;
    for (size_t i = 0; i < figure->n_bars; i++) {
        char *label = figure->bars[i].label;

        memmove(label, label + n + 2, strlen(label + n + 2) + 1);
    }
    return 0;
}

/* ---- Files ---- */

static void read_scheme(struct reading *reading, const json_t *run)
{
    const json_t *stage, *params;
    const char *name, *scheme;
    size_t i;

    reading->dims = json_is_null(json_object_get(run, "pipeline")) ? 0 : 1;
    json_array_foreach(json_object_get(run, "pipeline"), i, stage) json_object_foreach(
        (json_t *)stage, name,
        params) if ((scheme = json_string_value(json_object_get(params, "scheme"))) &&
                    !strcmp(name, "modem.map")) reading->dims = dimensions(scheme);
}

static int read_line(struct reading *reading, const json_t *line)
{
    const char *type = json_string_value(json_object_get(line, "type"));

    if (type && !strcmp(type, "run"))
        read_scheme(reading, line);
    if (type && !strcmp(type, "point"))
        return read_point(reading, line);
    return type && !strcmp(type, "bench") ? read_bar(reading, line) : 0;
}

/* A byte of the file, for jansson; those behind an object are the next one's. */
static size_t next_byte(void *buffer, size_t size, void *data)
{
    struct reading *reading = data;
    const int c = size ? getc(reading->file) : EOF;

    if (c == EOF)
        return 0;
    reading->line += c == '\n';
    *(char *)buffer = (char)c;
    return 1;
}

/* Also of objects that take several lines. */
static int read_lines(struct reading *reading)
{
    json_error_t error;
    json_t *line;
    unsigned first;
    int status = 0, c;

    while (!status) {
        while ((c = getc(reading->file)) == '\n' || c == ' ' || c == '\r')
            reading->line += c == '\n';
        if (c == EOF)
            break;
        ungetc(c, reading->file);
        first = reading->line;
        line = json_load_callback(next_byte, reading, JSON_DISABLE_EOF_CHECK, &error);
        if (!line)
            return diag_fail(reading->diag, DIAG_USAGE,
                             "%s:%u: is not a result file of run, merge or bench (--json): %s",
                             reading->path, first + (unsigned)error.line - 1, error.text);
        status = read_line(reading, line);
        json_decref(line);
    }
    return status;
}

static int read_foreign(void *data, json_t *line)
{
    return read_line(data, line);
}

/* Ours are objects from the first byte on. */
static int read_any(struct reading *reading, FILE *file)
{
    int c, status;

    while ((c = getc(file)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        reading->line += c == '\n';
    ungetc(c, file); /* it may be a pipe */
    if (c == '{' || c == EOF)
        return read_lines(reading);
    status = foreign_read(file, reading->path, read_foreign, reading, reading->diag);
    if (status > 0)
        return diag_fail(reading->diag, DIAG_USAGE,
                         "%s:1: is not a result file of run, merge or bench (--json, --csv), nor "
                         "output of AFF3CT or a CSV of sinter",
                         reading->path);
    return status;
}

static int read_file(struct reading *reading)
{
    const size_t curves = reading->figure->n_series, bars = reading->figure->n_bars;
    FILE *file = fopen(reading->path, "r");
    int status;

    if (!file)
        return diag_fail(reading->diag, diag_of_open(errno), "cannot read %s: %s", reading->path,
                         strerror(errno));
    reading->file = file;
    reading->line = 1;
    reading->dims = 1;
    status = read_any(reading, file);
    if (ferror(file)) { /* what was read up to there is no error of the file */
        const int reason = errno ? errno : EIO;
        *reading->diag = (struct diag){0};
        status = diag_fail(reading->diag, diag_of_open(reason), "cannot read %s: %s", reading->path,
                           strerror(reason));
    }
    fclose(file);
    status = status ? status : take_points(reading);
    json_decref(reading->points);
    reading->points = NULL;
    if (!status && reading->figure->n_series == curves && reading->figure->n_bars == bars)
        return diag_fail(reading->diag, DIAG_USAGE, "%s: has nothing to draw: no points with %s",
                         reading->path, reading->figure->ber ? "bit errors" : "a rate of errors");
    return status;
}

int figure_read(struct figure *figure, const struct figure_files *files, struct diag *diag)
{
    struct reading reading = {
        .figure = figure, .group = files->group, .many = files->n > 1, .diag = diag};
    const char *const *label = files->labels;

    *figure = (struct figure){.ber = files->ber};
    for (size_t i = 0; i < files->n; i++) {
        reading.path = files->paths[i];
        reading.label = label && *label ? *label++ : NULL;
        if (read_file(&reading)) {
            figure_free(figure);
            return -1;
        }
    }
    for (size_t i = 0; i < figure->n_series; i++)
        qsort(figure->series[i].points, figure->series[i].n, sizeof *figure->series[i].points,
              compare_x);
    if (share_title(figure)) {
        figure_free(figure);
        return diag_no_memory(diag);
    }
    return 0;
}

void figure_free(struct figure *figure)
{
    for (size_t i = 0; i < figure->n_series; i++) {
        free(figure->series[i].label);
        free(figure->series[i].points);
    }
    for (size_t i = 0; i < figure->n_bars; i++)
        free(figure->bars[i].label);
    for (size_t i = 0; i < figure->n_groups; i++)
        free(figure->groups[i]);
    free(figure->groups);
    free(figure->series);
    free(figure->bars);
    free(figure->limits);
    free(figure->x_name);
    free(figure->bars_title);
    *figure = (struct figure){0};
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/plot/foreign.h"

#include "tools/fecrun/json/counts.h"

#include <fecrun/sdk/stats.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 64

struct reader {
    FILE *file;
    const char *path;
    int (*line)(void *data, json_t *line);
    void *data;
    struct diag *diag;
    char *text; /* the present line */
    size_t size;
    unsigned number;
};

static bool next_line(struct reader *r)
{
    ssize_t n = getline(&r->text, &r->size, r->file);

    if (n < 0) {
        if (!feof(r->file))
            diag_fail(r->diag, diag_of_open(errno), "cannot read %s: %s", r->path, strerror(errno));
        return false;
    }
    r->number++;
    while (n > 0 && isspace((unsigned char)r->text[n - 1]))
        r->text[--n] = 0;
    return true;
}

static int fail(const struct reader *r, const char *what)
{
    return diag_fail(r->diag, DIAG_USAGE, "%s:%u: %s", r->path, r->number, what);
}

static char *trim(char *text)
{
    char *end;

    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    return text;
}

/* Stolen. */
static int give(const struct reader *r, json_t *line)
{
    char wrong[160];
    int status = !line                                               ? diag_no_memory(r->diag)
                 : counts_wrong(line, "frames", wrong, sizeof wrong) ? fail(r, wrong)
                                                                     : r->line(r->data, line);

    json_decref(line);
    return status;
}

static void set_real(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

static int check_rate(const struct reader *r, double errors, double frames)
{
    char what[160];

    if (!(errors > frames || errors < 0))
        return 0;
    snprintf(what, sizeof what, "%.15g of %.15g frames are wrong: must be 0 to %.15g", errors,
             frames, frames);
    return fail(r, what);
}

static void set_rate(json_t *point, double errors, double frames)
{
    double low, high;

    if (!(frames > 0) || !(errors >= 0) || errors > frames || frames > 9e15)
        return;
    fecrun_interval((uint64_t)errors, (uint64_t)frames, 0.95, &low, &high);
    json_object_set_new(point, "frames", json_real(frames));
    json_object_set_new(point, "frame_errors", json_real(errors));
    json_object_set_new(point, "fer", json_real(errors / frames));
    json_object_set_new(point, "fer_lo", json_real(low));
    json_object_set_new(point, "fer_hi", json_real(high));
}

/* ---- AFF3CT ---- */

/* Columns of its table, by the names that its versions gave them. */
enum { ESN0, EBN0, EVENT, FRAMES, FRAME_ERRORS, BIT_RATE, FRAME_RATE, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {"Es/N0", "Eb/N0", "EP", "FRA", "FE", "BER", "FER"};

struct trace {
    int at[N_COLUMNS]; /* number of the cell; -1: not there */
    size_t cells;
    char title[160];
    bool modem;     /* the section of the modem is being read, */
    bool told;      /* and its scheme was */
    bool name_next; /* the curve's name is the next line */
};

/* Cells between bars, of two bars in a row as of one; a leading # is none of it. */
static size_t split(char *text, char *cells[CELLS])
{
    size_t n = 0;

    for (char *p = strtok(text + strspn(text, "# "), "|"); p && n < CELLS; p = strtok(NULL, "|"))
        if (*(p = trim(p)))
            cells[n++] = p;
    return n;
}

static bool read_heading(struct trace *trace, char *text)
{
    char *cells[CELLS];
    size_t n = split(text, cells);

    for (int c = 0; c < N_COLUMNS; c++) {
        trace->at[c] = -1;
        for (size_t i = 0; i < n; i++)
            if (!strcmp(cells[i], columns[c]))
                trace->at[c] = (int)i;
    }
    trace->cells = n;
    return trace->at[FRAME_RATE] >= 0;
}

static double cell(const struct trace *trace, char *const cells[], int column)
{
    char *end;
    double value;

    if (trace->at[column] < 0)
        return NAN;
    value = strtod(cells[trace->at[column]], &end);
    return end > cells[trace->at[column]] ? value : NAN;
}

static int give_row(const struct reader *r, const struct trace *trace)
{
    json_t *point = json_pack("{s:s, s:{}}", "type", "point", "set");
    char *cells[CELLS];

    if (split(r->text, cells) < trace->cells) {
        json_decref(point);
        return fail(r, "a row has fewer columns than the heading");
    }
    set_real(point, "esn0_db", cell(trace, cells, ESN0));
    set_real(point, "ebn0_db", cell(trace, cells, EBN0));
    if (trace->at[EVENT] >= 0)
        set_real(json_object_get(point, "set"), "p", cell(trace, cells, EVENT));
    set_real(point, "ber", cell(trace, cells, BIT_RATE));
    set_real(point, "fer", cell(trace, cells, FRAME_RATE));
    if (check_rate(r, cell(trace, cells, FRAME_ERRORS), cell(trace, cells, FRAMES))) {
        json_decref(point);
        return -1;
    }
    set_rate(point, cell(trace, cells, FRAME_ERRORS), cell(trace, cells, FRAMES));
    if (trace->title[0])
        json_object_set_new(point, "label", json_string(trace->title));
    return give(r, point);
}

/* Of a modem; for limits only the number of its dimensions counts. */
static int give_scheme(const struct reader *r, struct trace *trace)
{
    const char *value = strchr(r->text, '=');
    const bool real = value &&
                      (strstr(value, "BPSK") || strstr(value, "PAM") || strstr(value, "OOK"));

    trace->told = true;
    return give(r, json_pack("{s:s, s:[{s:{s:s}}]}", "type", "run", "pipeline", "modem.map",
                             "scheme", real ? "bpsk" : "qam"));
}

static int read_comment(struct reader *r, struct trace *trace)
{
    if (!strncmp(r->text, "# * ", 4))
        trace->modem = !strncmp(r->text + 4, "Mod", 3);
    else if (trace->modem && !trace->told && strstr(r->text, "** Type"))
        return give_scheme(r, trace);
    else if (strstr(r->text, "FRA") && strchr(r->text, '|'))
        read_heading(trace, r->text);
    return 0;
}

/* Before the table: the name of the curve, in an older and in a newer header. */
static void read_title(const struct reader *r, struct trace *trace)
{
    if (trace->name_next || !strncmp(r->text, "title=", 6))
        snprintf(trace->title, sizeof trace->title, "%.150s", r->text + (trace->name_next ? 0 : 6));
    trace->name_next = !strncmp(r->text, "Curve name", 10);
}

static int read_trace(struct reader *r)
{
    struct trace trace = {0};
    int status = 0;

    do {
        if (r->text[0] == '#')
            status = read_comment(r, &trace);
        else if (!trace.cells)
            read_title(r, &trace);
        else if (strchr(r->text, '|'))
            status = give_row(r, &trace);
    } while (!status && next_line(r));
    return status;
}

/* ---- sinter ---- */

enum { SHOTS, ERRORS, DISCARDS, DECODER, STRONG_ID, METADATA, N_FIELDS };

static const char *const fields[N_FIELDS] = {"shots",   "errors",    "discards",
                                             "decoder", "strong_id", "json_metadata"};

/* Cells of a line of CSV, in place; quotes are taken away. */
static size_t split_csv(char *text, char *cells[CELLS])
{
    size_t n = 0;

    while (n < CELLS) {
        char *to, *from = text + strspn(text, " ");
        const bool quoted = *from == '"';

        cells[n++] = to = from;
        for (from += quoted; *from && (quoted || *from != ','); from++) {
            if (quoted && *from == '"' && *++from != '"')
                break;
            *to++ = *from;
        }
        from += strcspn(from, ",");
        text = *from ? from + 1 : NULL;
        *to = 0;
        cells[n - 1] = trim(cells[n - 1]);
        if (!text)
            break;
    }
    return n;
}

/* Counts of one task: its lines are added up, as sinter does. */
struct task {
    char *id;
    json_t *set;
    double shots, errors;
};

struct tasks {
    int at[N_FIELDS];
    size_t n;
    struct task *task;
};

static int read_fields(struct reader *r, struct tasks *tasks)
{
    char *cells[CELLS];
    const size_t n = split_csv(r->text, cells);

    for (int f = 0; f < N_FIELDS; f++) {
        tasks->at[f] = -1;
        for (size_t i = 0; i < n; i++)
            if (!strcmp(cells[i], fields[f]))
                tasks->at[f] = (int)i;
        if (tasks->at[f] < 0)
            return diag_fail(r->diag, DIAG_USAGE,
                             "%s:%u: has no column %s, so it is not a file of sinter", r->path,
                             r->number, fields[f]);
    }
    return 0;
}

static struct task *task_of(struct tasks *tasks, const char *id)
{
    struct task *more;

    for (size_t i = 0; i < tasks->n; i++)
        if (!strcmp(tasks->task[i].id, id))
            return &tasks->task[i];
    more = realloc(tasks->task, (tasks->n + 1) * sizeof *more);
    if (!more)
        return NULL;
    tasks->task = more;
    more[tasks->n] = (struct task){.id = strdup(id)};
    return more[tasks->n].id ? &more[tasks->n++] : NULL;
}

static int add_task(struct reader *r, struct tasks *tasks)
{
    char *cells[CELLS], key[512];
    const size_t n = split_csv(r->text, cells);
    double shots, errors;
    struct task *task;

    for (int f = 0; f < N_FIELDS; f++)
        if ((size_t)tasks->at[f] >= n)
            return fail(r, "a row has fewer columns than the heading");
    snprintf(key, sizeof key, "%.240s %.240s", cells[tasks->at[STRONG_ID]],
             cells[tasks->at[DECODER]]);
    task = task_of(tasks, key);
    if (!task)
        return diag_no_memory(r->diag);
    shots = atof(cells[tasks->at[SHOTS]]) - atof(cells[tasks->at[DISCARDS]]);
    errors = atof(cells[tasks->at[ERRORS]]);
    if (check_rate(r, errors, shots))
        return -1;
    task->shots += shots;
    task->errors += errors;
    if (task->set)
        return 0;
    task->set = json_loads(cells[tasks->at[METADATA]], JSON_DECODE_ANY, NULL);
    if (!json_is_object(task->set))
        return fail(r, "json_metadata is no object, so there is no number to draw over");
    json_object_set_new(task->set, "decoder", json_string(cells[tasks->at[DECODER]]));
    return 0;
}

static int read_sinter(struct reader *r)
{
    struct tasks tasks = {0};
    int status = read_fields(r, &tasks);

    while (!status && next_line(r))
        if (r->text[0])
            status = add_task(r, &tasks);
    for (size_t i = 0; !status && i < tasks.n; i++) {
        json_t *point = json_pack("{s:s, s:O}", "type", "point", "set", tasks.task[i].set);

        set_rate(point, tasks.task[i].errors, tasks.task[i].shots);
        status = give(r, point);
    }
    for (size_t i = 0; i < tasks.n; i++) {
        free(tasks.task[i].id);
        json_decref(tasks.task[i].set);
    }
    free(tasks.task);
    return status;
}

/* ---- Our own CSV: of run, merge and bench ---- */

static json_t *csv_value(const char *text)
{
    char *end;
    const double value = strtod(text, &end);

    if (!*text)
        return json_null();
    return end > text && !*end && isfinite(value) ? json_real(value) : json_string(text);
}

/* "latency_us.p50" is p50 of latency_us. Swept parameters stand before the first column of a point. */
static void set_cell(json_t *line, const char *name, const char *text, bool swept)
{
    const char *dot = swept ? NULL : strchr(name, '.');
    char outer[64];

    if (dot) {
        snprintf(outer, sizeof outer, "%.*s", (int)(dot - name), name);
        if (!json_object_get(line, outer))
            json_object_set_new(line, outer, json_object());
        line = json_object_get(line, outer);
    } else if (swept) {
        line = json_object_get(line, "set");
    }
    json_object_set_new(line, dot ? dot + 1 : name, csv_value(text));
}

/* All of a run's columns that are not swept stand together from here on. */
static size_t first_column(char *const names[], size_t n)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], "ebn0_db") && strcmp(names[i], "esn0_db") &&
           strcmp(names[i], "frames"))
        i++;
    return i;
}

static int read_own(struct reader *r, bool bench)
{
    char *names[CELLS], *cells[CELLS], *heading = strdup(r->text);
    const size_t n = heading ? split_csv(heading, names) : 0;
    const size_t first = bench ? 0 : first_column(names, n);
    int status = heading ? 0 : diag_no_memory(r->diag);

    /* of another modem than a file without a pipeline tells, limits would be wrong */
    if (!status)
        status = give(r, json_pack("{s:s, s:n}", "type", "run", "pipeline"));
    while (!status && next_line(r)) {
        json_t *line;

        if (!r->text[0])
            continue;
        if (split_csv(r->text, cells) != n) {
            status = fail(r, "a row has another number of columns than the heading");
            break;
        }
        line = json_pack("{s:s, s:{}}", "type", bench ? "bench" : "point", "set");
        for (size_t i = 0; line && i < n; i++)
            set_cell(line, names[i], cells[i], i < first);
        status = give(r, line);
    }
    free(heading);
    return status;
}

/* Does the heading have such a column? */
static bool has_column(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    const size_t n = strlen(name);

    return at && (at == text || at[-1] == ',') && (at[n] == ',' || !at[n]);
}

/* ---- Which of them? ---- */

int foreign_read(FILE *file, const char *path, int (*line)(void *data, json_t *line), void *data,
                 struct diag *diag)
{
    struct reader r = {.file = file, .path = path, .line = line, .data = data, .diag = diag};
    int status = 1;

    do {
        if (!next_line(&r))
            break;
    } while (!r.text[0]);
    if (r.text && !strncmp(r.text + strspn(r.text, " "), "shots,", 6))
        status = read_sinter(&r);
    else if (r.text && has_column(r.text, "frames") && has_column(r.text, "fer_hi"))
        status = read_own(&r, false);
    else if (r.text && has_column(r.text, "backend") && has_column(r.text, "batch"))
        status = read_own(&r, true);
    else if (r.text &&
             (r.text[0] == '#' || r.text[0] == '[' || !strncmp(r.text, "Run command", 11)))
        status = read_trace(&r);
    free(r.text);
    return diag->status ? -1 : status;
}

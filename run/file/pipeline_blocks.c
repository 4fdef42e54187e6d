/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads `blocks:`, the frames of several sizes in a batch, from a list or from CSV. */
#include "run/file/pipeline_impl.h"

#include "core/base/array.h"
#include "core/value/param.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_COLUMNS = 64, MAX_ROWS = 1000000, MAX_CSV = 64 << 20, MAX_COUNT = 1000000000 };

/* A cell, of the header or of a row; the text belongs to the pipeline. */
struct field {
    char *text;
    struct mark mark;
};

struct table {
    struct pipeline *pipeline;
    struct diag *diag;
    /* of CSV, whose lines are cut into cells in place: */
    const char *file;
    char *at; /* what follows; NULL: nothing */
    unsigned line;
    size_t n;
    const char *names[MAX_COLUMNS + 1];
    char **cells; /* sizes of all rows; the next free one */
    struct mark *marks;
};

static int fail(struct table *table, struct mark mark, const char *column, const char *what)
{
    return diag_fail_at(table->diag, DIAG_USAGE, mark, "blocks%s%.80s: %s", column ? "." : "",
                        column ? column : "", what);
}

static bool is_size(const char *name)
{
    return strcmp(name, "cell") && strcmp(name, "user") && strcmp(name, "count");
}

static int set_columns(struct table *table, const struct field *fields, size_t n, size_t rows)
{
    struct pipeline *p = table->pipeline;

    for (size_t i = 0; i < n; i++) {
        if (!pipeline_is_name(fields[i].text,
                              "_.")) /* not quoted: this may be any file but a table */
            return fail(table, fields[i].mark, NULL,
                        "a column must be cell, user, count or a size parameter of a stage");
        if (array_index(table->names, fields[i].text) >= 0)
            return fail(table, fields[i].mark, fields[i].text, "the column is there already");
        table->names[table->n++] = fields[i].text;
    }
    if (array_index(table->names, "count") < 0)
        return fail(table, fields[0].mark, "count", "the column is missing");
    p->block_columns = conf_own(p->conf, calloc(n, sizeof(*p->block_columns)), table->diag);
    p->column_marks = conf_own(p->conf, calloc(n, sizeof(*p->column_marks)), table->diag);
    p->blocks = conf_own(p->conf, calloc(rows, sizeof(*p->blocks)), table->diag);
    table->cells = conf_own(p->conf, calloc(rows * (n + 1), sizeof(*table->cells)), table->diag);
    table->marks = conf_own(p->conf, calloc(rows * n, sizeof(*table->marks)), table->diag);
    if (!p->block_columns || !p->column_marks || !p->blocks || !table->cells || !table->marks)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!is_size(fields[i].text))
            continue;
        p->column_marks[p->n_block_columns] = fields[i].mark;
        p->block_columns[p->n_block_columns++] = fields[i].text;
    }
    return 0;
}

/* fields are in the order of the columns. */
static int add_row(struct table *table, struct field *fields, struct mark mark)
{
    struct pipeline_block *block = &table->pipeline->blocks[table->pipeline->n_blocks];
    int64_t number;
    char text[96];

    block->mark = mark;
    block->cell = block->user = "";
    block->sizes = table->cells;
    block->marks = table->marks;
    for (size_t i = 0; i < table->n; i++) {
        const char *name = table->names[i];

        if (!strcmp(name, "cell")) {
            block->cell = fields[i].text;
        } else if (!strcmp(name, "user")) {
            block->user = fields[i].text;
        } else if (!conf_int(fields[i].text, &number)) {
            snprintf(text, sizeof text, "must be an integer, is '%.40s'", fields[i].text);
            return fail(table, fields[i].mark, name, text);
        } else if (is_size(name)) {
            *table->cells++ = fields[i].text;
            *table->marks++ = fields[i].mark;
        } else if (number < 1 || number > MAX_COUNT) {
            snprintf(text, sizeof text, "must be from 1 to %d, is '%.40s'", MAX_COUNT,
                     fields[i].text);
            return fail(table, fields[i].mark, name, text);
        } else {
            block->count = (uint64_t)number;
        }
    }
    table->cells++; /* a NULL */
    table->pipeline->n_blocks++;
    return 0;
}

/* ---- In the pipeline file ---- */

static int read_item(struct table *table, const struct conf_node *item)
{
    struct field fields[MAX_COLUMNS];

    for (size_t i = 0; i < item->count; i++) {
        const char *key = item->keys[i]->text;
        int column = array_index(table->names, key);

        if (column < 0)
            return fail(table, item->keys[i]->mark, key,
                        "is not in the first row; every row must "
                        "have the same columns");
        if (item->items[i]->kind != CONF_SCALAR)
            return fail(table, item->items[i]->mark, key, "must be a single value");
        fields[column] = (struct field){item->items[i]->text, item->items[i]->mark};
    }
    for (size_t i = 0; i < table->n; i++) {
        if (!conf_get(item, table->names[i]))
            return fail(table, item->mark, table->names[i],
                        "is missing in this row; every row "
                        "must have the same columns");
    }
    return add_row(table, fields, item->mark);
}

static int read_inline(struct table *table, const struct conf_node *node)
{
    const struct conf_node *first;
    struct field fields[MAX_COLUMNS];

    if (node->count == 0)
        return fail(table, node->mark, NULL, "the list is empty");
    for (size_t i = 0; i < node->count; i++) {
        if (node->items[i]->kind != CONF_MAP || node->items[i]->count == 0 ||
            node->items[i]->count > MAX_COLUMNS)
            return fail(table, node->items[i]->mark, NULL,
                        "a row must be a map {user: u1, count: 2, SIZE: VALUE, ...}");
    }
    first = node->items[0];
    for (size_t i = 0; i < first->count; i++)
        fields[i] = (struct field){first->keys[i]->text, first->keys[i]->mark};
    if (set_columns(table, fields, first->count, node->count))
        return -1;
    for (size_t i = 0; i < node->count; i++) {
        if (read_item(table, node->items[i]))
            return -1;
    }
    return 0;
}

/* ---- CSV ---- */

#define BLANKS " \t\r"

/* "with ""quotes"""; returns where to go on, or NULL: the line ends inside. */
static char *unquote(char *text)
{
    char *from = text + 1;

    for (; *from != '"' || from[1] == '"'; *text++ = *from++) {
        if (!*from)
            return NULL;
        from += *from == '"';
    }
    *text = '\0';
    return from + 1;
}

/* One cell; *next moves behind its comma, and is NULL after the last one. */
static int cut_cell(struct table *table, const char *line, struct field *field, char **next)
{
    char *at = *next + strspn(*next, BLANKS), *end;

    *field = (struct field){at, {table->file, table->line, (unsigned)(at - line) + 1}};
    if (*at == '"') {
        at = unquote(at);
        if (!at)
            return fail(table, field->mark, NULL, "a quote that is not closed in its line");
        at += strspn(at, BLANKS);
        if (*at && *at != ',')
            return fail(table, field->mark, NULL, "text behind a closing quote");
        *next = *at ? at + 1 : NULL;
        return 0;
    }
    strsep(next, ",");
    for (end = at + strlen(at); end > at && strchr(BLANKS, end[-1]);)
        *--end = '\0';
    return 0;
}

/* The cells of the next line that is not blank; 1: there is none. */
static int next_row(struct table *table, struct field *fields, size_t *n)
{
    char *line, *at;

    do {
        line = strsep(&table->at, "\n");
        table->line++;
    } while (line && !line[strspn(line, BLANKS)]);
    for (*n = 0, at = line; at; ++*n) {
        if (*n == MAX_COLUMNS)
            return fail(table, (struct mark){table->file, table->line, 1}, NULL,
                        "too many columns");
        if (cut_cell(table, line, &fields[*n], &at))
            return -1;
    }
    return !line;
}

static size_t count_lines(const char *text)
{
    size_t n = 1;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static int read_rows(struct table *table)
{
    size_t n, rows = count_lines(table->at);
    struct field fields[MAX_COLUMNS];
    struct mark top = {table->file, 1, 1};
    char text[96];
    int result;

    if (rows > MAX_ROWS + 2)
        return fail(table, top, NULL, "more than a million rows");
    result = next_row(table, fields, &n);
    if (result)
        return result < 0 ? -1 : fail(table, top, NULL, "the file is empty");
    if (set_columns(table, fields, n, rows))
        return -1;
    while (!(result = next_row(table, fields, &n))) {
        struct mark mark = {table->file, table->line, 1};

        if (n != table->n) {
            snprintf(text, sizeof text, "the row has %zu columns, the header has %zu", n, table->n);
            return fail(table, mark, n < table->n ? table->names[n] : NULL, text);
        }
        if (add_row(table, fields, mark))
            return -1;
    }
    if (result > 0 && !table->pipeline->n_blocks)
        return fail(table, top, NULL, "the file has a header, but no rows");
    return result < 0 ? -1 : 0;
}

static int read_csv(struct table *table, const struct conf_node *node)
{
    struct pipeline *p = table->pipeline;
    struct diag inner = {0};
    struct stat st;
    char *path, *text, why[512];
    size_t size;

    if (param_path(&p->place, node->text, &path, why, sizeof why) > 0)
        return fail(table, node->mark, NULL, why);
    table->file = conf_own(p->conf, path, table->diag);
    if (!table->file)
        return -1;
    p->blocks_file = path;
    p->blocks_mark = node->mark;
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) /* a pipe may have nobody who writes */
        return diag_fail_at(table->diag, DIAG_USAGE, node->mark, "blocks: %s: is no regular file",
                            path);
    if (conf_read(path, MAX_CSV, &text, &size, &inner))
        return diag_fail_at(table->diag, inner.status, node->mark, "blocks: %s", inner.text);
    table->at = conf_own(p->conf, text, table->diag);
    if (!table->at)
        return -1;
    if (strlen(text) != size)
        return fail(table, (struct mark){path, (unsigned)count_lines(text), 1}, NULL,
                    "a NUL character; the file must be text");
    if (!strncmp(table->at, "\xef\xbb\xbf", 3))
        table->at += 3;
    return read_rows(table);
}

int pipeline_read_blocks(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag)
{
    struct table table = {.pipeline = pipeline, .diag = diag};

    if (conf_is_empty(node))
        return 0;
    if (node->kind == CONF_LIST)
        return read_inline(&table, node);
    if (node->kind == CONF_SCALAR && *node->text)
        return read_csv(&table, node);
    return fail(&table, node->mark, NULL, "must be a list of rows or the path of a CSV file");
}

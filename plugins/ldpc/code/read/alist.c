/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MacKay's alist: "columns rows", the largest weights of both, the weights of all columns, those of
 * all rows, then a line for each column with the rows of its ones, counted from 1, and a line for
 * each row with its columns. Shorter lists may be filled up with zeros; an empty one may be a line
 * of zeros or no line at all.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/read/lines.h"

/* One side of the matrix: its columns, or its rows. */
struct side {
    const char *name, *other;
    uint32_t n, most; /* how many; the largest weight */
    uint32_t *first;  /* n + 1 places in list[] */
    uint32_t *list;   /* counted from 0 */
};

struct alist {
    struct ldpc_text text;
    struct side cols, rows;
    uint32_t *stamp; /* for each of the other side: the last list that had it, plus 1 */
    int64_t *value;  /* numbers of a line */
};

static int no_memory(struct fecrun_error *err)
{
    return fecrun_no_memory(err);
}

static int read_sizes(struct alist *a)
{
    int64_t v[2];

    if (ldpc_text_line(&a->text, "the line with the numbers of columns and rows") ||
        ldpc_text_numbers(&a->text, 2, 1, LDPC_FILE_MAX, "how many columns and rows there are", v))
        return -1;
    a->cols.n = (uint32_t)v[0];
    a->rows.n = (uint32_t)v[1];
    if (ldpc_text_line(&a->text, "the line with the largest weights") ||
        ldpc_text_numbers(&a->text, 2, 1, LDPC_FILE_WEIGHT,
                          "the largest weights of columns and rows", v))
        return -1;
    a->cols.most = (uint32_t)v[0];
    a->rows.most = (uint32_t)v[1];
    if (a->cols.most > a->rows.n || a->rows.most > a->cols.n)
        return ldpc_text_fail(&a->text,
                              "weights of %u in a column and %u in a row are too large "
                              "for %u rows and %u columns",
                              a->cols.most, a->rows.most, a->rows.n, a->cols.n);
    return 0;
}

/* `least`: a check of fewer than 2 bits is none. */
static int read_weights(struct alist *a, struct side *s, uint32_t least)
{
    char what[64];
    uint64_t sum = 0;

    snprintf(what, sizeof what, "the weights of the %u %ss", s->n, s->name);
    if (ldpc_text_line(&a->text, what) ||
        ldpc_text_numbers(&a->text, s->n, least, s->most, what, a->value))
        return -1;
    for (uint32_t i = 0; i < s->n; i++) {
        s->first[i] = (uint32_t)sum;
        sum += (uint64_t)a->value[i];
        if (sum > LDPC_FILE_EDGES)
            return ldpc_text_fail(&a->text, "the matrix has more than %d ones", LDPC_FILE_EDGES);
    }
    s->first[s->n] = (uint32_t)sum;
    s->list = malloc((sum + 1) * sizeof *s->list);
    return s->list ? 0 : no_memory(a->text.err);
}

/* Is the next line one of zeros alone, for a list without entries? Then it is taken. */
static void skip_empty(struct ldpc_text *t)
{
    struct fecrun_error ignored = {.size = sizeof ignored}, *err = t->err;
    struct ldpc_text ahead = *t, line;
    int64_t value = 0;

    ahead.err = &ignored;
    if (!ldpc_text_more(&ahead))
        return;
    line = ahead; /* before its numbers */
    if (ldpc_text_number(&ahead, &value) <= 0 || value != 0)
        return;
    *t = line;
    t->err = err;
}

static int check_entry(struct alist *a, const struct side *s, uint32_t i, uint32_t max,
                       int64_t value)
{
    if (value < 1 || value > max)
        return ldpc_text_fail(&a->text, "%s %u has a one in %s %lld; 1 to %u is possible", s->name,
                              i + 1, s->other, (long long)value, max);
    if (a->stamp[value - 1] == i + 1)
        return ldpc_text_fail(&a->text, "%s %u has a one in %s %lld twice", s->name, i + 1,
                              s->other, (long long)value);
    a->stamp[value - 1] = i + 1;
    return 0;
}

static int read_list(struct alist *a, struct side *s, uint32_t i, uint32_t max)
{
    uint32_t weight = s->first[i + 1] - s->first[i], n = 0, zeros = 0;
    int64_t value;
    char what[64];
    int got;

    snprintf(what, sizeof what, "the list of %s %u", s->name, i + 1);
    if (!weight)
        skip_empty(&a->text);
    else if (ldpc_text_line(&a->text, what))
        return -1;
    while ((got = ldpc_text_number(&a->text, &value)) > 0) {
        if (!value && n == weight) {
            zeros++;
            continue;
        }
        if (n == weight || zeros)
            return ldpc_text_fail(&a->text, "%s %u has more than the %u ones of its weight",
                                  s->name, i + 1, weight);
        if (check_entry(a, s, i, max, value))
            return -1;
        s->list[s->first[i] + n++] = (uint32_t)value - 1;
    }
    if (got < 0)
        return -1;
    if (n < weight)
        return ldpc_text_fail(&a->text, "%s %u has %u ones; its weight is %u", s->name, i + 1, n,
                              weight);
    if (zeros > s->most - weight)
        return ldpc_text_fail(&a->text, "%s %u is filled up beyond the largest weight, %u", s->name,
                              i + 1, s->most);
    return 0;
}

static int read_columns(struct alist *a, struct ldpc_entry *entry)
{
    const struct side *s = &a->cols;

    for (uint32_t c = 0; c < s->n; c++) {
        if (read_list(a, &a->cols, c, a->rows.n))
            return -1;
        for (uint32_t i = s->first[c]; i < s->first[c + 1]; i++)
            entry[i] = (struct ldpc_entry){s->list[i], {c, 0, LDPC_NO_LANE}};
    }
    return 0;
}

/* The rows' lists must say the same as the columns', which made the code. */
static int read_rows(struct alist *a, const struct ldpc_code *code)
{
    struct side *s = &a->rows;

    memset(a->stamp, 0, a->cols.n * sizeof *a->stamp);
    for (uint32_t r = 0; r < s->n; r++) {
        uint32_t begin = code->row_first[r], end = code->row_first[r + 1];

        if (read_list(a, s, r, a->cols.n))
            return -1;
        for (uint32_t e = begin; e < end; e++)
            if (a->stamp[code->edge[e].col] != r + 1)
                return ldpc_text_fail(&a->text,
                                      "row %u has no one in column %u, whose list names "
                                      "that row",
                                      r + 1, code->edge[e].col + 1);
        /* None is missing and none is there twice: what is too much stands in no column's list. */
        if (end - begin != s->first[r + 1] - s->first[r])
            return ldpc_text_fail(&a->text,
                                  "row %u has %u ones; the lists of the columns have "
                                  "only %u of them",
                                  r + 1, s->first[r + 1] - s->first[r], end - begin);
    }
    return ldpc_text_finish(&a->text);
}

static struct ldpc_code *read_lists(struct alist *a)
{
    struct ldpc_code fixed = {
        .family = LDPC_ALIST,
        .z = 1,
        .rows = a->rows.n,
        .cols = a->cols.n,
        .core_rows = a->rows.n,
        .n = a->cols.n,
    };
    uint32_t edges = a->cols.first[a->cols.n];
    struct ldpc_entry *entry = malloc((edges + 1) * sizeof *entry);
    struct ldpc_code *code = NULL;

    if (!entry) {
        no_memory(a->text.err);
        return NULL;
    }
    if (!read_columns(a, entry))
        code = ldpc_code_build(&fixed, entry, edges, a->text.err);
    free(entry);
    if (code && (read_rows(a, code) || ldpc_code_solve(code, a->text.err))) {
        ldpc_code_free(code);
        code = NULL;
    }
    return code;
}

static int allocate(struct alist *a)
{
    uint32_t most = a->cols.n > a->rows.n ? a->cols.n : a->rows.n;

    a->cols.first = calloc((size_t)a->cols.n + 1, sizeof *a->cols.first);
    a->rows.first = calloc((size_t)a->rows.n + 1, sizeof *a->rows.first);
    a->stamp = calloc(most, sizeof *a->stamp);
    a->value = calloc(most, sizeof *a->value);
    if (!a->cols.first || !a->rows.first || !a->stamp || !a->value)
        return no_memory(a->text.err);
    return 0;
}

struct ldpc_code *ldpc_parse_alist(const char *data, size_t size, struct fecrun_error *err)
{
    struct alist a = {.cols = {.name = "column", .other = "row"},
                      .rows = {.name = "row", .other = "column"}};
    struct ldpc_code *code = NULL;

    ldpc_text_start(&a.text, data, size, err);
    if (!read_sizes(&a) && !allocate(&a) && !read_weights(&a, &a.cols, 0) &&
        !read_weights(&a, &a.rows, 2)) {
        if (a.cols.first[a.cols.n] == a.rows.first[a.rows.n])
            code = read_lists(&a);
        else
            ldpc_text_fail(&a.text,
                           "the weights of the rows add up to %u, those of the columns to "
                           "%u",
                           a.rows.first[a.rows.n], a.cols.first[a.cols.n]);
    }
    free(a.cols.first);
    free(a.cols.list);
    free(a.rows.first);
    free(a.rows.list);
    free(a.stamp);
    free(a.value);
    return code;
}

struct ldpc_code *ldpc_code_alist(const char *path, struct fecrun_error *err)
{
    struct ldpc_code *code;
    size_t size;
    char *data = ldpc_text_read(path, &size, err);

    if (!data)
        return NULL;
    code = ldpc_parse_alist(data, size, err);
    if (!code)
        ldpc_text_name(err, path);
    free(data);
    return code;
}

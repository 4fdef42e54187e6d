/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AFF3CT's qc: "base columns, base rows, z", then a line of shifts for each base row, -1: no edge,
 * and, if some columns are punctured, a line of 1 (sent) and 0 (not sent) for the base columns.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/read/lines.h"

struct qc {
    struct ldpc_text text;
    struct ldpc_code fixed;
    int64_t *value;   /* numbers of a line */
    uint32_t *weight; /* of the base columns, so far */
    struct ldpc_entry *entry;
    uint32_t n_entries, room;
};

static int no_memory(struct fecrun_error *err)
{
    return fecrun_no_memory(err);
}

static int read_sizes(struct qc *q)
{
    const char *what = "how many base columns and base rows there are, and z";
    int64_t v[3];

    if (ldpc_text_line(&q->text, "the line with the numbers of base columns and rows, and z") ||
        ldpc_text_numbers(&q->text, 3, 1, LDPC_FILE_MAX, what, v))
        return -1;
    if (v[0] * v[2] > LDPC_FILE_MAX || v[1] * v[2] > LDPC_FILE_MAX)
        return ldpc_text_fail(&q->text,
                              "%lld columns and %lld rows, each times z, are too many; "
                              "%d are possible",
                              (long long)(v[0] * v[2]), (long long)(v[1] * v[2]), LDPC_FILE_MAX);
    q->fixed = (struct ldpc_code){
        .family = LDPC_QC,
        .z = (uint32_t)v[2],
        .rows = (uint32_t)v[1],
        .cols = (uint32_t)v[0],
        .core_rows = (uint32_t)v[1],
        .n = (uint32_t)(v[0] * v[2]),
    };
    return 0;
}

static int grow(struct qc *q)
{
    struct ldpc_entry *more;

    if (q->n_entries + q->fixed.cols <= q->room)
        return 0;
    q->room = 2 * q->room + q->fixed.cols;
    more = realloc(q->entry, q->room * sizeof *more);
    if (!more)
        return no_memory(q->text.err);
    q->entry = more;
    return 0;
}

static int read_row(struct qc *q, uint32_t r)
{
    uint32_t before = q->n_entries;
    char what[64];

    snprintf(what, sizeof what, "the %u shifts of base row %u", q->fixed.cols, r + 1);
    if (ldpc_text_line(&q->text, what) ||
        ldpc_text_numbers(&q->text, q->fixed.cols, -1, (int64_t)q->fixed.z - 1, what, q->value) ||
        grow(q))
        return -1;
    for (uint32_t c = 0; c < q->fixed.cols; c++) {
        if (q->value[c] < 0)
            continue;
        if (++q->weight[c] > LDPC_FILE_WEIGHT)
            return ldpc_text_fail(&q->text, "base column %u has more than %d shifts", c + 1,
                                  LDPC_FILE_WEIGHT);
        q->entry[q->n_entries++] = (struct ldpc_entry){r, {c, (uint32_t)q->value[c], LDPC_NO_LANE}};
    }
    if (q->n_entries - before < 2 || q->n_entries - before > LDPC_FILE_WEIGHT)
        return ldpc_text_fail(&q->text,
                              "base row %u has %u shifts that are not -1; 2 to %d are "
                              "possible",
                              r + 1, q->n_entries - before, LDPC_FILE_WEIGHT);
    if ((uint64_t)q->n_entries * q->fixed.z > LDPC_FILE_EDGES)
        return ldpc_text_fail(&q->text, "the matrix has more than %d ones", LDPC_FILE_EDGES);
    return 0;
}

/* The word's items are the lifted columns of the base columns that are sent. */
static int puncture(struct qc *q, struct ldpc_code *code)
{
    uint32_t sent = 0, n = 0;

    for (uint32_t c = 0; c < code->cols; c++)
        sent += q->value[c] != 0;
    if (!sent)
        return ldpc_text_fail(&q->text, "no column is sent");
    if (sent == code->cols)
        return 0;
    code->n = sent * code->z;
    code->place = malloc(code->n * sizeof *code->place);
    if (!code->place)
        return no_memory(q->text.err);
    for (uint32_t c = 0; c < code->cols; c++)
        for (uint32_t i = 0; q->value[c] && i < code->z; i++)
            code->place[n++] = c * code->z + i;
    return 0;
}

static int read_end(struct qc *q, struct ldpc_code *code)
{
    const char *what = "one for each base column, 1: sent, 0: punctured";

    if (!ldpc_text_more(&q->text))
        return 0;
    if (ldpc_text_numbers(&q->text, code->cols, 0, 1, what, q->value) || puncture(q, code))
        return -1;
    return ldpc_text_finish(&q->text);
}

struct ldpc_code *ldpc_parse_qc(const char *data, size_t size, struct fecrun_error *err)
{
    struct ldpc_code *code = NULL;
    struct qc q = {.room = 0};
    uint32_t r = 0;

    ldpc_text_start(&q.text, data, size, err);
    if (read_sizes(&q))
        return NULL;
    q.value = calloc(q.fixed.cols, sizeof *q.value);
    q.weight = calloc(q.fixed.cols, sizeof *q.weight);
    if (!q.value || !q.weight)
        no_memory(err);
    while (q.value && q.weight && r < q.fixed.rows && !read_row(&q, r))
        r++;
    if (r == q.fixed.rows)
        code = ldpc_code_build(&q.fixed, q.entry, q.n_entries, err);
    if (code && (read_end(&q, code) || ldpc_code_solve(code, err))) {
        ldpc_code_free(code);
        code = NULL;
    }
    free(q.value);
    free(q.weight);
    free(q.entry);
    return code;
}

struct ldpc_code *ldpc_code_qc(const char *path, struct fecrun_error *err)
{
    struct ldpc_code *code;
    size_t size;
    char *data = ldpc_text_read(path, &size, err);

    if (!data)
        return NULL;
    code = ldpc_parse_qc(data, size, err);
    if (!code)
        ldpc_text_name(err, path);
    free(data);
    return code;
}

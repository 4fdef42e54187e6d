/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the order in which a base graph gives its parity columns. */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/steps.h"

/*
 * Shift of what is left of a column in the sum of the core rows, where equal shifts cancel: true if
 * that is one shift; *empty if it is none.
 */
static bool sum_column(const struct ldpc_code *c, uint32_t col, uint32_t *shift, bool *empty)
{
    uint32_t left[8], n = 0;

    for (uint32_t e = 0; e < c->row_first[c->core_rows]; e++) {
        uint32_t i = 0;

        if (c->edge[e].col != col)
            continue;
        while (i < n && left[i] != c->edge[e].shift)
            i++;
        if (i < n)
            left[i] = left[--n];
        else if (n < sizeof left / sizeof *left)
            left[n++] = c->edge[e].shift;
        else
            return *empty = false;
    }
    *empty = !n;
    *shift = n ? left[0] : 0;
    return n == 1;
}

/* The one column that the core rows' sum gives. */
static void find_sum(const struct ldpc_code *c, struct ldpc_steps *s, bool *known)
{
    uint32_t col = 0, shift = 0, found = 0;

    for (uint32_t j = s->info_cols; j < c->cols; j++) {
        uint32_t one;
        bool empty;

        if (sum_column(c, j, &one, &empty)) {
            found++;
            col = j;
            shift = one;
        } else if (!empty) {
            return;
        }
    }
    if (found != 1)
        return;
    s->sum_rows = c->core_rows;
    s->sum_col = col;
    s->sum_shift = shift;
    known[col] = true;
}

/* The only edge of the row to an unknown column; NULL if there is none or are several. */
static const struct ldpc_edge *only_unknown(const struct ldpc_code *c, uint32_t row,
                                            const bool *known)
{
    const struct ldpc_edge *unknown = NULL;

    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++) {
        if (known[c->edge[e].col])
            continue;
        if (unknown)
            return NULL;
        unknown = &c->edge[e];
    }
    return unknown;
}

static void find_steps(const struct ldpc_code *c, struct ldpc_steps *s, bool *known)
{
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t r = 0; r < c->rows; r++) {
            const struct ldpc_edge *edge = only_unknown(c, r, known);

            if (!edge)
                continue;
            s->step[s->n++] = (struct ldpc_step){r, edge->col, edge->shift};
            known[edge->col] = more = true;
        }
    }
}

/*
 * The steps find all columns of a row each, so that with the sum one row is left over: one of those
 * summed up, which then holds because the sum and all others do.
 */
static bool complete(const struct ldpc_code *c, const struct ldpc_steps *s)
{
    uint32_t core = 0;

    if (!s->sum_rows)
        return s->n == c->rows;
    for (uint32_t i = 0; i < s->n; i++)
        core += s->step[i].row < s->sum_rows;
    return s->n + 1 == c->rows && core + 1 == s->sum_rows;
}

struct ldpc_steps *ldpc_steps_new(const struct ldpc_code *c, struct fecrun_error *err)
{
    struct ldpc_steps *s;
    bool *known;

    if (c->cols <= c->rows || c->twins || c->info)
        return NULL;
    s = calloc(1, sizeof *s + c->cols * sizeof s->step[0]);
    known = calloc(c->cols, sizeof *known);
    if (!s || !known) {
        free(s);
        free(known);
        fecrun_no_memory(err);
        return NULL;
    }
    s->info_cols = c->cols - c->rows;
    memset(known, true, s->info_cols * sizeof *known);
    find_sum(c, s, known);
    find_steps(c, s, known);
    free(known);
    if (complete(c, s))
        return s;
    free(s);
    return NULL;
}

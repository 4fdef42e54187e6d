/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to compute the bits of a matrix without structure: k and struct ldpc_solution of code.h.
 *
 * The columns from some place on, as many as there are rows, are the unknowns. Rows with one unknown
 * left give it; where no row has, all unknowns but one of the row with fewest are set aside. What
 * was set aside and the rows never used make a small dense matrix (a tenth of the rows where
 * columns have 3 ones), in which the columns in front of the unknowns stand, too. It is solved by
 * elimination from the right, so that information bits come first in the word where they can.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "code_build.h"
#include "encode.h"
#include "solve_peel.h"

/* Limits of the dense part: bits held, and steps of 64 bits. About a second, and 192 MiB. */
#define MAX_BITS (UINT64_C(3) << 29)
#define MAX_WORK (UINT64_C(3) << 31)

struct dense {
    uint32_t cols, rows, words;
    uint32_t *index;   /* of each lifted column; PEEL_NONE: it is a step's result */
    uint32_t *col;     /* lifted column of each dense one, ascending */
    uint64_t *value;   /* of each step: the dense columns that it is the sum of */
    uint64_t *row;     /* of the rows that are left over */
    uint32_t *pivot;   /* dense column of the first rows[] */
    uint32_t rank;
    uint32_t *step_of; /* of each lifted column */
};

static int no_memory(struct fecrun_error *err)
{
    return fecrun_fail(err, NULL, "out of memory");
}

static void dense_free(struct dense *d)
{
    free(d->index);
    free(d->col);
    free(d->value);
    free(d->row);
    free(d->pivot);
    free(d->step_of);
}

static int check_work(const struct dense *d, const struct peel *p, struct fecrun_error *err)
{
    uint64_t bits = (uint64_t)p->rows * d->words * 64;
    uint64_t work = ((uint64_t)d->rows * d->rows + p->row_first[p->rows]) * d->words;

    if (bits <= MAX_BITS && work <= MAX_WORK)
        return 0;
    return fecrun_fail(err, "path",
                       "the matrix is too large or too dense: of its equations for the parity bits "
                       "%u of %u have to be solved by elimination of a dense matrix of %u columns",
                       d->rows, p->rows, d->cols);
}

static int dense_allocate(struct dense *d, const struct peel *p, struct fecrun_error *err)
{
    d->index = malloc(p->cols * sizeof *d->index);
    d->step_of = malloc(p->cols * sizeof *d->step_of);
    d->col = malloc(p->cols * sizeof *d->col);
    if (!d->index || !d->step_of || !d->col)
        return no_memory(err);
    memset(d->step_of, 0xff, p->cols * sizeof *d->step_of);
    for (uint32_t i = 0; i < p->n_steps; i++)
        d->step_of[p->step[i].col] = i;
    for (uint32_t c = 0; c < p->cols; c++) {
        d->index[c] = d->step_of[c] == PEEL_NONE ? d->cols : PEEL_NONE;
        if (d->step_of[c] == PEEL_NONE)
            d->col[d->cols++] = c;
    }
    d->rows = p->rows - p->n_steps;
    d->words = d->cols / 64 + 1;
    if (check_work(d, p, err))
        return -1;
    d->value = calloc((size_t)p->n_steps * d->words + 1, sizeof *d->value);
    d->row = calloc((size_t)d->rows * d->words + 1, sizeof *d->row);
    d->pivot = calloc((size_t)d->rows + 1, sizeof *d->pivot);
    return d->value && d->row && d->pivot ? 0 : no_memory(err);
}

/* The sum of a row's columns but one, in dense columns. */
static void sum_row(const struct dense *d, const struct peel *p, uint32_t row, uint32_t but,
                    uint64_t *sum)
{
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++) {
        uint32_t c = p->row_col[e];

        if (c == but)
            continue;
        if (d->index[c] != PEEL_NONE) {
            sum[d->index[c] / 64] ^= UINT64_C(1) << d->index[c] % 64;
            continue;
        }
        for (uint32_t w = 0; w < d->words; w++)
            sum[w] ^= d->value[(size_t)d->step_of[c] * d->words + w];
    }
}

static void dense_fill(struct dense *d, const struct peel *p)
{
    uint64_t *row = d->row;

    for (uint32_t i = 0; i < p->n_steps; i++)
        sum_row(d, p, p->step[i].row, p->step[i].col, d->value + (size_t)i * d->words);
    for (uint32_t r = 0; r < p->rows; r++)
        if (!p->used[r]) {
            sum_row(d, p, r, PEEL_NONE, row);
            row += d->words;
        }
}

static uint64_t *dense_row(const struct dense *d, uint32_t r)
{
    return d->row + (size_t)r * d->words;
}

static bool has(const struct dense *d, uint32_t r, uint32_t col)
{
    return dense_row(d, r)[col / 64] >> col % 64 & 1;
}

static void swap_rows(struct dense *d, uint32_t a, uint32_t b)
{
    for (uint32_t w = 0; a != b && w < d->words; w++) {
        uint64_t keep = dense_row(d, a)[w];

        dense_row(d, a)[w] = dense_row(d, b)[w];
        dense_row(d, b)[w] = keep;
    }
}

/* Pivots from the right; a pivot's row has nothing to the right of it. */
static void eliminate(struct dense *d)
{
    for (uint32_t col = d->cols; col-- > 0 && d->rank < d->rows;) {
        uint32_t from = d->rank;

        while (from < d->rows && !has(d, from, col))
            from++;
        if (from == d->rows)
            continue;
        swap_rows(d, from, d->rank);
        for (uint32_t r = 0; r < d->rows; r++) {
            uint64_t *to = dense_row(d, r);
            const uint64_t *add = dense_row(d, d->rank);

            if (r == d->rank || !has(d, r, col))
                continue;
            for (uint32_t w = 0; w <= col / 64; w++)
                to[w] ^= add[w];
        }
        d->pivot[d->rank++] = col;
    }
}

/* Dense columns without a pivot are the information bits: their lifted columns into info. */
static uint32_t find_info(const struct dense *d, uint32_t *info)
{
    uint32_t next = d->rank, k = 0; /* pivots descend */

    for (uint32_t c = 0; c < d->cols; c++) {
        if (next && d->pivot[next - 1] == c)
            next--;
        else
            info[k++] = d->col[c];
    }
    return k;
}

static int fill_masks(struct ldpc_solution *s, const struct dense *d, const uint32_t *info,
                      uint32_t k, struct fecrun_error *err)
{
    s->n_dense = d->rank;
    s->words = k / 64 + 1;
    s->dense = malloc((d->rank + 1) * sizeof *s->dense);
    s->mask = calloc((size_t)d->rank * s->words + 1, sizeof *s->mask);
    if (!s->dense || !s->mask)
        return no_memory(err);
    for (uint32_t j = 0; j < d->rank; j++) {
        uint64_t *mask = s->mask + (size_t)j * s->words;

        s->dense[j] = d->col[d->pivot[j]];
        for (uint32_t i = 0; i < k; i++)
            mask[i / 64] |= (uint64_t)has(d, j, d->index[info[i]]) << i % 64;
    }
    return 0;
}

static int fill_steps(struct ldpc_solution *s, const struct peel *p, struct fecrun_error *err)
{
    uint32_t n = 0;

    s->result = malloc((p->n_steps + 1) * sizeof *s->result);
    s->first = calloc((size_t)p->n_steps + 1, sizeof *s->first);
    s->term = malloc((p->row_first[p->rows] + 1) * sizeof *s->term);
    if (!s->result || !s->first || !s->term)
        return no_memory(err);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        uint32_t row = p->step[i].row;

        for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++)
            if (p->row_col[e] != p->step[i].col)
                s->term[n++] = p->row_col[e];
        s->result[i] = p->step[i].col;
        s->first[i + 1] = n;
    }
    s->n_steps = p->n_steps;
    return 0;
}

/* Columns from `unknown` on are the unknowns. Sets code->k, info (always) and solution. */
static int attempt(struct ldpc_code *code, uint32_t unknown, struct fecrun_error *err)
{
    struct peel p = {.rows = 0};
    struct dense d = {.cols = 0};
    int status = -1;

    ldpc_solution_free(code->solution);
    free(code->info);
    code->solution = calloc(1, sizeof *code->solution);
    code->info = malloc(code->cols * code->z * sizeof *code->info);
    if (!code->solution || !code->info)
        return no_memory(err);
    if (!ldpc_peel(&p, code, unknown, err) && !dense_allocate(&d, &p, err)) {
        dense_fill(&d, &p);
        eliminate(&d);
        code->k = find_info(&d, code->info);
        if (!fill_masks(code->solution, &d, code->info, code->k, err))
            status = fill_steps(code->solution, &p, err);
    }
    dense_free(&d);
    ldpc_peel_free(&p);
    return status;
}

static bool comes_first(const struct ldpc_code *code)
{
    for (uint32_t i = 0; i < code->k; i++)
        if (code->info[i] != i)
            return false;
    return true;
}

/* By the base graph's structure: nothing to compute. */
static bool structured(struct ldpc_code *code, struct fecrun_error *err)
{
    struct ldpc_steps *steps = ldpc_steps_new(code, err);

    if (!steps)
        return false;
    code->k = (code->cols - code->rows) * code->z;
    free(steps);
    return true;
}

int ldpc_code_solve(struct ldpc_code *code, struct fecrun_error *err)
{
    uint32_t rows = code->rows * code->z, cols = code->cols * code->z;
    uint32_t expected = cols > rows ? cols - rows : 0;

    if (code->z > 1 && structured(code, err))
        return 0;
    if (err->text[0] || attempt(code, expected, err))
        return -1;
    /* Rows depend on others: there are fewer unknowns than thought. */
    if (!comes_first(code) && code->k > expected && attempt(code, code->k, err))
        return -1;
    if (!code->k)
        return fecrun_fail(err, "path", "the %u rows leave none of the %u columns free: the code "
                           "has no information bits", rows, cols);
    if (comes_first(code)) {
        free(code->info);
        code->info = NULL;
    }
    return 0;
}

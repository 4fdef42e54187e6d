/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to compute the bits of a matrix without structure: k and struct ldpc_solution of code.h.
 *
 * The columns from some place on, as many as there are rows, are the unknowns. Rows with one
 * unknown left give it; where no row has, all unknowns but one of the row with fewest are set
 * aside. What was set aside and the rows never used make a small dense matrix (a tenth of the rows
 * where columns have 3 ones), in which the columns in front of the unknowns stand, too. It is
 * solved by elimination from the right, so that information bits come first where they can.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/solve/dense.h"

/*
 * Limits of the dense part: bits held, and steps of 64 bits. About two seconds, and 320 MiB: 46 rows of z = 1536. A fuzzer's
 * steps are 30 times as slow and its inputs many: it is to have small matrices.
 */
#define MAX_BITS (UINT64_C(5) << 29)
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define MAX_WORK (UINT64_C(3) << 26)
#else
#define MAX_WORK (UINT64_C(3) << 31)
#endif

static int no_memory(struct fecrun_error *err)
{
    return fecrun_no_memory(err);
}

static void dense_free(struct dense *d)
{
    free(d->index);
    free(d->col);
    free(d->sum);
    free(d->pivot);
    free(d->sum_of);
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
    d->sum_of = malloc(p->cols * sizeof *d->sum_of);
    d->col = malloc(p->cols * sizeof *d->col);
    if (!d->index || !d->sum_of || !d->col)
        return no_memory(err);
    ldpc_dense_steps(d, p);
    for (uint32_t c = 0; c < p->cols; c++) {
        d->index[c] = d->sum_of[c] == PEEL_NONE ? d->cols : PEEL_NONE;
        if (d->sum_of[c] == PEEL_NONE)
            d->col[d->cols++] = c;
    }
    d->words = d->cols / 64 + 1;
    if (check_work(d, p, err))
        return -1;
    d->sum = malloc(((size_t)p->rows * d->words + 1) * sizeof *d->sum);
    d->pivot = malloc(((size_t)d->rows + 1) * sizeof *d->pivot);
    return d->sum && d->pivot ? 0 : no_memory(err);
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
            mask[i / 64] |= (uint64_t)ldpc_dense_has(d, j, d->index[info[i]]) << i % 64;
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
    struct peel p;
    struct dense d = {.cols = 0};
    void *memory = malloc(ldpc_peel_carve(&p, code, code->rows, NULL));
    int status = -1;

    ldpc_solution_free(code->solution);
    free(code->info);
    code->solution = calloc(1, sizeof *code->solution);
    code->info = malloc(code->cols * code->z * sizeof *code->info);
    if (!code->solution || !code->info || !memory) {
        free(memory);
        return no_memory(err);
    }
    ldpc_peel_carve(&p, code, code->rows, memory);
    ldpc_peel_lift(&p, code);
    memset(p.unknown + unknown, true, p.cols - unknown);
    ldpc_peel(&p);
    if (!dense_allocate(&d, &p, err)) {
        ldpc_dense_fill(&d, &p);
        ldpc_dense_eliminate(&d);
        code->k = find_info(&d, code->info);
        if (!fill_masks(code->solution, &d, code->info, code->k, err))
            status = fill_steps(code->solution, &p, err);
    }
    dense_free(&d);
    free(memory);
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
        return fecrun_fail(err, "path",
                           "the %u rows leave none of the %u columns free: the code "
                           "has no information bits",
                           rows, cols);
    if (comes_first(code)) {
        free(code->info);
        code->info = NULL;
    }
    return 0;
}

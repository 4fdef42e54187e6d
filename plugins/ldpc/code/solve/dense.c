/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/code/solve/dense.h"

#include <string.h>

void ldpc_dense_steps(struct dense *d, const struct peel *p)
{
    memset(d->sum_of, 0xff, p->cols * sizeof *d->sum_of);
    for (uint32_t i = 0; i < p->n_steps; i++)
        d->sum_of[p->step[i].col] = i;
    d->n_steps = p->n_steps;
    d->rows = 0;
    for (uint32_t r = 0; r < p->rows; r++)
        d->rows += !p->used[r];
}

/* The sum of a row's columns but one, in dense columns. */
static void sum_row(const struct dense *d, const struct peel *p, uint32_t row, uint32_t but,
                    uint64_t *sum)
{
    memset(sum, 0, d->words * sizeof *sum);
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++) {
        const uint32_t c = p->row_col[e], index = d->index[c];

        if (c == but)
            continue;
        if (index != PEEL_NONE)
            sum[index / 64] ^= UINT64_C(1) << index % 64;
        else if (d->sum_of[c] != PEEL_NONE)
            for (uint32_t w = 0; w < d->words; w++)
                sum[w] ^= d->sum[(size_t)d->sum_of[c] * d->words + w];
    }
}

void ldpc_dense_sum_steps(struct dense *d, const struct peel *p)
{
    for (uint32_t i = 0; i < p->n_steps; i++)
        sum_row(d, p, p->step[i].row, p->step[i].col, d->sum + (size_t)i * d->words);
}

void ldpc_dense_fill(struct dense *d, const struct peel *p)
{
    uint64_t *row = ldpc_dense_row(d, 0);

    ldpc_dense_sum_steps(d, p);
    for (uint32_t r = 0; r < p->rows; r++)
        if (!p->used[r]) {
            sum_row(d, p, r, PEEL_NONE, row);
            row += d->words;
        }
}

static void swap_rows(struct dense *d, uint32_t a, uint32_t b)
{
    for (uint32_t w = 0; a != b && w < d->words; w++) {
        uint64_t keep = ldpc_dense_row(d, a)[w];

        ldpc_dense_row(d, a)[w] = ldpc_dense_row(d, b)[w];
        ldpc_dense_row(d, b)[w] = keep;
    }
}

/* Adds the pivot's row to all others that have its column. */
static void clear_column(struct dense *d, uint32_t pivot, uint32_t col)
{
    const uint64_t *add = ldpc_dense_row(d, pivot);

    for (uint32_t r = 0; r < d->rows; r++) {
        uint64_t *to = ldpc_dense_row(d, r);

        if (r == pivot || !ldpc_dense_has(d, r, col))
            continue;
        for (uint32_t w = 0; w <= col / 64; w++)
            to[w] ^= add[w];
    }
}

void ldpc_dense_eliminate(struct dense *d)
{
    d->rank = 0;
    for (uint32_t col = d->cols; col-- > 0 && d->rank < d->rows;) {
        uint32_t from = d->rank;

        while (from < d->rows && !ldpc_dense_has(d, from, col))
            from++;
        if (from == d->rows)
            continue;
        swap_rows(d, from, d->rank);
        clear_column(d, d->rank, col);
        d->pivot[d->rank++] = col;
    }
}

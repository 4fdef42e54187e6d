/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The dense part of solve.c and erasures.c: elimination of what peeling set aside.
 *
 * A lifted column is a dense column, or the sum of dense columns (what a step gives), or neither: a
 * zero. All rows of the matrix but those that take no part are such sums, too: one for each step,
 * and, behind them, those of the rows left over, which are 0.
 */
#ifndef LDPC_CODE_SOLVE_DENSE_H
#define LDPC_CODE_SOLVE_DENSE_H

#include "plugins/ldpc/code/solve/peel.h"

struct dense {
    uint32_t cols, words; /* words of 64 bits a sum; more bits than columns */
    uint32_t rows;        /* left over */
    uint32_t *index;      /* dense column of each lifted one, or PEEL_NONE */
    uint32_t *sum_of;     /* number of the sum of each lifted column, or PEEL_NONE */
    uint32_t *col;        /* lifted column of each dense one */
    uint64_t *sum;        /* of each step and each row left over */
    uint32_t n_steps;
    uint32_t *pivot; /* dense column of the first `rank` of the rows left over, descending */
    uint32_t rank;
};

/* Sets sum_of, n_steps and rows, which is the number of rows left over. */
void ldpc_dense_steps(struct dense *d, const struct peel *p);

/* Sums of the steps in order, each of what stands before it. */
void ldpc_dense_sum_steps(struct dense *d, const struct peel *p);

/* All sums. */
void ldpc_dense_fill(struct dense *d, const struct peel *p);

/*
 * Pivots from the right, so that those columns come first that are to be free; a pivot stands in no
 * other row left over, and its row has nothing to the right of it.
 */
void ldpc_dense_eliminate(struct dense *d);

static inline uint64_t *ldpc_dense_row(const struct dense *d, uint32_t r)
{
    return d->sum + ((size_t)d->n_steps + r) * d->words;
}

static inline bool ldpc_dense_has(const struct dense *d, uint32_t r, uint32_t col)
{
    return ldpc_dense_row(d, r)[col / 64] >> col % 64 & 1;
}

#endif

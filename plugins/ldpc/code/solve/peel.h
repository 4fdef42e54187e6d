/* SPDX-License-Identifier: BSD-2-Clause */
/* The sparse part of solve.c and erasures.c: the order in which rows give their unknowns. */
#ifndef LDPC_CODE_SOLVE_PEEL_H
#define LDPC_CODE_SOLVE_PEEL_H

#include "plugins/ldpc/code/steps.h"

#define PEEL_NONE UINT32_MAX

struct peel {
    uint32_t rows, cols;           /* lifted */
    uint32_t *row_first, *row_col; /* columns of each row */
    uint32_t *col_first, *col_row; /* rows of each column */
    bool *unknown;                 /* columns */
    bool *used;                    /* rows that are a step's, or take no part */
    uint32_t n_steps;
    struct ldpc_step *step;
    /* Rows by the number of their unknowns: lists, linked both ways. */
    uint32_t *count;       /* unknowns of each row */
    uint32_t *next, *prev; /* of each row; PEEL_NONE: no more */
    uint32_t *head;        /* of each count */
    uint32_t most, lowest; /* counts: the largest; no row has fewer but more than 0 */
};

/* Lays out what the first base rows need behind `base` (NULL: only counts); returns the bytes. */
size_t ldpc_peel_carve(struct peel *p, const struct ldpc_code *code, uint32_t rows, void *base);

/* The matrix with all its lanes; no row is used and no column unknown. */
void ldpc_peel_lift(struct peel *p, const struct ldpc_code *code);

/*
 * Makes the steps. Unknown are, at the end, only columns of rows that take no part or of none; what
 * was set aside is not.
 */
void ldpc_peel(struct peel *p);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The sparse part of solve.c: in what order rows give their unknowns. */
#ifndef LDPC_SOLVE_PEEL_H
#define LDPC_SOLVE_PEEL_H

#include "encode.h"

#define PEEL_NONE UINT32_MAX

struct peel {
    uint32_t rows, cols;           /* lifted */
    uint32_t *row_first, *row_col; /* columns of each row */
    uint32_t *col_first, *col_row; /* rows of each column */
    bool *used;                    /* rows that are a step's */
    uint32_t n_steps;
    struct ldpc_step *step;
};

/* Unknown are the columns from `unknown` on. */
int ldpc_peel(struct peel *p, const struct ldpc_code *code, uint32_t unknown,
              struct fecrun_error *err);
void ldpc_peel_free(struct peel *p);

#endif

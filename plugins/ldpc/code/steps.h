/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which the unknown bits of a word can be computed. */
#ifndef LDPC_CODE_STEPS_H
#define LDPC_CODE_STEPS_H

#include "plugins/ldpc/code/code.h"

/* One row gives one bit (or, lifted, z of them): all its other columns are known by then. */
struct ldpc_step {
    uint32_t row, col;
    uint32_t shift; /* of the edge of row and col */
};

/*
 * Encoding by the structure of a base graph: the first parity column is what the sum of all core
 * rows gives, all others cancelling there (if sum_rows is not 0); every other one is a step.
 */
struct ldpc_steps {
    uint32_t info_cols;
    uint32_t sum_rows, sum_col, sum_shift;
    uint32_t n;
    struct ldpc_step step[];
};

/* NULL: the base graph has no such structure; or, with an error text, out of memory. */
struct ldpc_steps *ldpc_steps_new(const struct ldpc_code *code, struct fecrun_error *err);

#endif

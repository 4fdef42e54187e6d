/* SPDX-License-Identifier: BSD-2-Clause */
/* Encoders of quasi-cyclic codes by dense circulants: struct ldpc_solution of few polynomials. */
#ifndef LDPC_CODE_STANDARD_CIRCULANT_H
#define LDPC_CODE_STANDARD_CIRCULANT_H

#include "plugins/ldpc/code/build.h"

/* A new c->solution of n dense bits, all masks 0, no step. c->k is set. -1 and err: out of memory. */
int ldpc_solution_dense(struct ldpc_code *c, uint32_t n, struct fecrun_error *err);

/*
 * Fills dense bits at..at + z - 1: lane i of lifted columns from `column` on is the sum of the information bits in
 * `row`, k values 0 or 1 in groups of z, each group turned by i places.
 */
int ldpc_solution_circulants(struct ldpc_code *c, uint32_t at, uint32_t column, const uint8_t *row,
                             struct fecrun_error *err);

/* The solution of a code of three block rows of four, as 131.0-B 7.4 has them; z is a power of two. */
int ldpc_solve_ar4ja(struct ldpc_code *c, struct fecrun_error *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds a code from its edges, for the files of standard/ and read/. */
#ifndef LDPC_CODE_BUILD_H
#define LDPC_CODE_BUILD_H

#include "plugins/ldpc/code/code.h"

struct ldpc_entry {
    uint32_t row;
    struct ldpc_edge edge;
};

/* What a family says of its code: `fixed` with row_first, edge, place, info, twins left open. */
struct ldpc_code *ldpc_code_build(const struct ldpc_code *fixed, struct ldpc_entry *entry,
                                  size_t n_entries, struct fecrun_error *err);

/* What is in a file, for the readers and for tests. */
struct ldpc_code *ldpc_parse_alist(const char *data, size_t size, struct fecrun_error *err);
struct ldpc_code *ldpc_parse_qc(const char *data, size_t size, struct fecrun_error *err);

/*
 * Finds k, info and, where the matrix has no structure, solution: bits of a code from a file. They
 * are the first k columns where the other ones can be computed from them, else others.
 */
int ldpc_code_solve(struct ldpc_code *code, struct fecrun_error *err);

/* DVB-S2: the first of `alpha: auto`. */
double ldpc_alpha_dvbs2(const char *rate);

#endif

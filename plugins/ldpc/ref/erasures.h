/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `erasures: solve` of ldpc.decode: lifted columns whose LLR is 0 after the iterations are
 * unknowns, all others are taken as decided, and the checks of the rows in use are equations for
 * them. What message passing cannot begin with, for no check has a single unknown, often has one
 * solution.
 */
#ifndef LDPC_REF_ERASURES_H
#define LDPC_REF_ERASURES_H

#include "plugins/ldpc/decode.h"

/* Bytes of working memory. */
size_t ldpc_erasures_scratch(const struct ldpc_decode *d);

/*
 * llr: of all lifted columns. true: the checks can all hold, in one way as far as information bits
 * go, and those of these that were 0 have got the largest LLR, with the sign of that solution. Else
 * nothing is changed: what is decided contradicts itself, or says too little, or the dense part of
 * the equations exceeds LDPC_ERASURES_DENSE.
 */
bool ldpc_erasures_solve(const struct ldpc_decode *d, float *llr, void *scratch);

/* Bytes of the dense part at most; codes of up to 20000 lifted columns never take so much. */
#define LDPC_ERASURES_DENSE ((size_t)64 << 20)

#endif

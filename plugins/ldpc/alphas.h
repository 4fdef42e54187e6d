/* SPDX-License-Identifier: BSD-2-Clause */
/* Layout of the factors of normalised min-sum in a table, for the host and for kernels. */
#ifndef LDPC_ALPHAS_H
#define LDPC_ALPHAS_H

/*
 * A table has LDPC_ALPHAS factors at most. The first LDPC_ALPHAS_OWN iterations have one each; of the later
 * ones 1 << shift share a factor, with the least shift that fits.
 */
enum { LDPC_ALPHAS = 32, LDPC_ALPHAS_OWN = 16 };

/* The place in the table of an iteration; the first one is 0. */
#define LDPC_ALPHA_PLACE(iteration, shift) \
    ((iteration) < LDPC_ALPHAS_OWN ? (iteration) \
                                   : LDPC_ALPHAS_OWN + (((iteration)-LDPC_ALPHAS_OWN) >> (shift)))

#endif

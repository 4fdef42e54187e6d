/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.encode: what its encoders share. */
#ifndef LDPC_ENCODE_H
#define LDPC_ENCODE_H

#include "code.h"

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

/*
 * Any matrix, of single bits. First the few bits that no sparse row gives: number j is the sum of
 * the information bits in its mask. Then one step after the other: the sum of the row's others.
 */
struct ldpc_solution {
    uint32_t n_dense, words; /* words of 64 bits a mask */
    uint32_t *dense;         /* lifted columns */
    uint64_t *mask;
    uint32_t n_steps;
    uint32_t *result;        /* lifted column of each step */
    uint32_t *first;         /* n_steps + 1 places in term[] */
    uint32_t *term;          /* lifted columns */
};

void ldpc_solution_free(struct ldpc_solution *solution);

/* Code object of ldpc.encode. Immutable after plan(). */
struct ldpc_encode {
    struct ldpc_code *code;
    struct ldpc_steps *steps; /* NULL: DVB-S2, or code->solution */
    uint64_t bits;            /* K' = code->k - code->fillers, input items of a frame */
};

/* The encoders: bytes of working memory, and one frame of u8 bits. */
size_t ldpc_scratch_lifted(const struct ldpc_encode *e);
void ldpc_encode_lifted(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out,
                        void *scratch);
size_t ldpc_scratch_dvbs2(const struct ldpc_encode *e);
void ldpc_encode_dvbs2(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch);
size_t ldpc_scratch_general(const struct ldpc_encode *e);
void ldpc_encode_general(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out,
                         void *scratch);

#endif

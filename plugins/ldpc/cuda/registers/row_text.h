/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arithmetic of a row of the kernels in registers as one statement of PTX, for kernels that are compiled when they
 * are used. NVRTC takes as long for a statement as for an instruction, so that such a kernel is compiled in two thirds
 * of the time. row.cuh has the same arithmetic as C++.
 */
#ifndef LDPC_CUDA_REGISTERS_ROW_TEXT_H
#define LDPC_CUDA_REGISTERS_ROW_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/ldpc/cuda/source_text.h"

/* What a row's statement depends on. */
struct ldpc_row_shape {
    uint32_t degree; /* edges without that of the row's own column */
    bool extended;   /* it has a column of its own, whose LLR is behind those of the edges */
    bool packed;     /* two messages a word */
    bool oms;        /* offset min-sum: messages are less by an offset */
    bool apart;      /* signs apart from magnitudes: devices before 8.6 */
};

/* Rows of more edges have no statement: it would have too many operands. */
enum { LDPC_ROW_TEXT_MOST = 24 };

/*
 * The PTX, a line an instruction, each with `end` behind it. Operands: %0... LLRs, in and out; then words of messages, in
 * and out; the new LLRs' parity (bits 15 and 31); the factors of this and the last iteration (lower and upper half);
 * 0x80; and the offset, two halves.
 */
void ldpc_row_ptx(struct text *t, const struct ldpc_row_shape *shape, const char *end);

/*
 * The rows of a kernel. Row r has the edges first[r] to first[r + 1] - 1. Rows from own0 to own1 - 1 have a column of
 * their own, those from pack0 to pack1 - 1 have packed messages. Rows of `chains` LLRs and more have no statement:
 * chains (minima.cuh) are faster there.
 */
struct ldpc_row_texts {
    const uint32_t *first;
    uint32_t rows, own0, own1, pack0, pack1, chains;
    bool oms;
};

/* Writes a specialisation of row_text<> (minima.cuh) for each shape of these rows. */
void ldpc_row_texts(struct text *t, const struct ldpc_row_texts *rows);

#endif

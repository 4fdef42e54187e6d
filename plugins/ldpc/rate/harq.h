/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Soft buffers in .npy files, for ldpc.rate_recover: row n holds the N combined LLRs of frame n of
 * the run, and 0 at the fillers.
 */
#ifndef LDPC_RATE_HARQ_H
#define LDPC_RATE_HARQ_H

#include "plugins/ldpc/rate/rate.h"

struct ldpc_harq;

/* For plan(): what the file code->harq_in holds; its type and rows go into the code. */
int ldpc_harq_look(struct ldpc_recover *code, struct fecrun_error *err);

/* Opens the files that the classes of frames name. NULL and a reason on failure. */
struct ldpc_harq *ldpc_harq_open(void *const *codes, uint32_t n_codes, struct fecrun_error *err);
/* Puts the written file in place. */
int ldpc_harq_finish(struct ldpc_harq *harq, struct fecrun_error *err);
void ldpc_harq_close(struct ldpc_harq *harq);

/* Row of this frame as N items of the type; NULL and a reason on failure. */
const void *ldpc_harq_read(struct ldpc_harq *harq, const struct ldpc_recover *code, uint64_t frame,
                           uint32_t type, struct fecrun_error *err);
/* The next row, N items of the type. */
int ldpc_harq_write(struct ldpc_harq *harq, const struct ldpc_recover *code, const void *row,
                    uint32_t type, struct fecrun_error *err);

#endif

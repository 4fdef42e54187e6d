/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Soft buffers in .npy files, for turbo.rate_recover: row n holds the N combined LLRs of frame n of
 * the run, and 0 at the fillers.
 */
#ifndef TURBO_RATE_HARQ_H
#define TURBO_RATE_HARQ_H

#include "plugins/turbo/rate/rate.h"

struct turbo_harq;

/* For plan(): what the file code->harq_in holds; its type and rows go into the code. */
int turbo_harq_look(struct turbo_recover *code, struct fecrun_error *err);

/* Opens the files that the classes of frames name. NULL and a reason on failure. */
struct turbo_harq *turbo_harq_open(void *const *codes, uint32_t n_codes, struct fecrun_error *err);
/* Puts the written file in place. */
int turbo_harq_finish(struct turbo_harq *harq, struct fecrun_error *err);
void turbo_harq_close(struct turbo_harq *harq);

/* Row of this frame as N items of the type; NULL and a reason on failure. */
const void *turbo_harq_read(struct turbo_harq *harq, const struct turbo_recover *code,
                            uint64_t frame, uint32_t type, struct fecrun_error *err);
/* The next row, N items of the type. */
int turbo_harq_write(struct turbo_harq *harq, const struct turbo_recover *code, const void *row,
                     uint32_t type, struct fecrun_error *err);

#endif

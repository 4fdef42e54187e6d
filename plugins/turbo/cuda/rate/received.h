/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.rate_recover in front of a decoder that absorbs it: only the LLRs that were sent come over the
 * bus, and those of the whole word lie in the decoder's scratch memory.
 */
#ifndef TURBO_CUDA_RATE_RECEIVED_H
#define TURBO_CUDA_RATE_RECEIVED_H

#include "plugins/common/absorbed/absorbed.h"

/* What a decoder may absorb, for its table. */
extern const char *const turbo_received_absorbs[];

/* For takes() and create(): 0 also where nothing is absorbed. */
int turbo_received_takes(const struct fecrun_create *args, struct fecrun_error *err);

/* absorbed_make(), where something is absorbed; takes() was asked. */
int turbo_received_make(struct absorbed *front, const struct fecrun_create *args,
                        struct fecrun_error *err);

#endif

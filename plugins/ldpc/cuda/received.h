/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.rate_recover in front of a decoder that absorbs it: only the LLRs that were sent come over the
 * bus, and those of the whole word lie in the decoder's scratch memory.
 */
#ifndef LDPC_CUDA_RECEIVED_H
#define LDPC_CUDA_RECEIVED_H

#include <fecrun/sdk/cuda.h>

/* What a decoder may absorb, for its table. */
extern const char *const ldpc_received_absorbs[];

/* For takes() and create(): 0 also where nothing is absorbed. */
int ldpc_received_takes(const struct fecrun_create *args, struct fecrun_error *err);

#ifdef FECRUN_CUDA

struct ldpc_received {
    void *recover; /* instance of ldpc.rate_recover's backend; NULL: nothing is absorbed */
    uint32_t type;
    uint64_t items; /* LLRs of a word */
};

/* On failure there is nothing to destroy. */
int ldpc_received_make(struct ldpc_received *received, const struct fecrun_create *args,
                       struct fecrun_error *err);
void ldpc_received_destroy(struct ldpc_received *received);

/* Bytes at the beginning of the decoder's scratch memory; keeps what is behind them aligned. */
size_t ldpc_received_scratch(const struct ldpc_received *received, uint64_t frames);

/* Queues the work; *words is what the decoder reads then. */
int ldpc_received_run(const struct ldpc_received *received, const struct fecrun_call *call,
                      const struct fecrun_view *in, struct fecrun_view *words,
                      struct fecrun_error *err);

#endif
#endif

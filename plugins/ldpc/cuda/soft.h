/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills the part of a kernel's arguments that says where LLRs go: soft_work.h. */
#ifndef LDPC_CUDA_SOFT_H
#define LDPC_CUDA_SOFT_H

#include "plugins/ldpc/cuda/soft_work.h"
#include "plugins/ldpc/decode.h"

/*
 * For frames of one class from frame `first` on. in: LLRs as they arrived. out: the views of all ports of
 * ldpc.decode; those of `llr` and `code_llr` may be NULL. unit: of the batch's frame 0, or NULL.
 */
void ldpc_soft_take(struct ldpc_soft_work *work, const struct ldpc_decode *d,
                    const struct fecrun_view *in, struct fecrun_view *const out[],
                    const float *unit, uint64_t first);

#endif

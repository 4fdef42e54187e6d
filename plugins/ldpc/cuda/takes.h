/* SPDX-License-Identifier: BSD-2-Clause */
/* Says which kernel of the backend `cuda` decodes, and why a faster one does not. */
#ifndef LDPC_CUDA_TAKES_H
#define LDPC_CUDA_TAKES_H

#include <fecrun/sdk/cuda.h>

#include "plugins/ldpc/decode.h"

/* tune.kernel */
enum { LDPC_WHICH_KERNEL };
enum { LDPC_WHICH_REGISTERS, LDPC_WHICH_GENERAL, LDPC_WHICH_SHARED, LDPC_WHICH_COMPILED };

/* 0, or -1 and why such a decoder has no kernels in registers, whatever its code is. */
int ldpc_which_decoder(const struct ldpc_decode *code, const struct fecrun_form *form,
                       struct fecrun_error *why);

/* 0, or -1 and why there is no kernel in shared memory for such a decoder on args->device. */
int ldpc_which_shared(const struct ldpc_decode *code, const struct fecrun_create *args,
                      struct fecrun_error *why);

/* For struct fecrun_backend. */
int ldpc_which_takes(const struct fecrun_create *args, struct fecrun_error *err);
void ldpc_which_note(const struct fecrun_create *args, char *text, size_t text_size);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages and ports of the LDPC plugin. */
#ifndef LDPC_H
#define LDPC_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage ldpc_encode_stage;       /* encode.c */
extern const struct fecrun_stage ldpc_rate_match_stage;   /* rate_match.c */
extern const struct fecrun_stage ldpc_rate_recover_stage; /* rate_recover.c */
extern const struct fecrun_stage ldpc_decode_stage;       /* decode.c */

extern const struct fecrun_port *const ldpc_bits_in[];
extern const struct fecrun_port *const ldpc_bits_out[];
extern const struct fecrun_port *const ldpc_llr_in[];
extern const struct fecrun_port *const ldpc_llr_out[];

/* CUDA rows of the stages beside the decoder: X_cuda.c. */
extern const struct fecrun_backend ldpc_encode_cuda;
extern const struct fecrun_backend ldpc_rate_match_cuda;
extern const struct fecrun_backend ldpc_rate_recover_cuda;

/* create() and destroy() of backends without any state: the instance is the first code object. */
int ldpc_no_instance(const struct fecrun_create *args, void **instance, struct fecrun_error *err);
void ldpc_no_destroy(void *instance);

#endif

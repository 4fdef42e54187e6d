/* SPDX-License-Identifier: BSD-2-Clause */
/* The stages of this plugin, and their backends in files of their own (ldpc.decode's: decode.h). */
#ifndef LDPC_PLUGIN_H
#define LDPC_PLUGIN_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage ldpc_encode_stage;
extern const struct fecrun_stage ldpc_rate_match_stage;
extern const struct fecrun_stage ldpc_rate_recover_stage;
extern const struct fecrun_stage ldpc_decode_stage;

/* Fact of a frame: parity rows of the base graph that reach what was received. */
#define LDPC_FACT_ROWS "ldpc.rows"
/* Another one: how many of the word's bits were received, those of earlier transmissions included;
   at most. */
#define LDPC_FACT_RECEIVED "ldpc.received"

extern const struct fecrun_backend ldpc_encode_cuda;
extern const struct fecrun_backend ldpc_rate_match_cuda;
extern const struct fecrun_backend ldpc_rate_recover_cuda;

#endif

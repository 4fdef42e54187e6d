/* SPDX-License-Identifier: BSD-2-Clause */
/* The stages of this plugin, and their backends in files of their own (ldpc.decode's: decode.h). */
#ifndef LDPC_PLUGIN_H
#define LDPC_PLUGIN_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage ldpc_encode_stage;
extern const struct fecrun_stage ldpc_rate_match_stage;
extern const struct fecrun_stage ldpc_rate_recover_stage;
extern const struct fecrun_stage ldpc_decode_stage;
extern const struct fecrun_stage ldpc_syndrome_stage, ldpc_observables_stage,
    source_detectors_stage;

/* Fact of a frame: parity rows of the base graph that reach what was received. */
#define LDPC_FACT_ROWS "ldpc.rows"
/* Another one: how many of the word's bits were received, those of earlier transmissions included;
   at most. */
#define LDPC_FACT_RECEIVED "ldpc.received"

/*
 * Facts of a frame: columns of the base graph of which half and more was received. Bit j of these two
 * numbers is column j, and column LDPC_FACT_COLUMNS + j. Without them: all that rows reach.
 */
#define LDPC_FACT_COLUMNS 34
#define LDPC_FACT_COLUMNS_LOW "ldpc.columns_low"
#define LDPC_FACT_COLUMNS_HIGH "ldpc.columns_high"

/* Facts of a frame that is a word of `code: qc`: information bits, bits of the word, lifting size. */
#define LDPC_FACT_K "ldpc.k"
#define LDPC_FACT_N "ldpc.n"
#define LDPC_FACT_Z "ldpc.z"

extern const struct fecrun_backend ldpc_encode_cuda;
extern const struct fecrun_backend ldpc_rate_match_cuda;
extern const struct fecrun_backend ldpc_rate_recover_cuda;

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of ldpc.rate_match, with which those of ldpc.rate_recover begin. */
#ifndef LDPC_RATE_PARAMS_H
#define LDPC_RATE_PARAMS_H

#include "plugins/ldpc/rate/rate.h"

/* Places in a stage's values: its schema starts with LDPC_RATE_PARAMS. */
enum {
    LDPC_RATE_P_BG,
    LDPC_RATE_P_Z,
    LDPC_RATE_P_FILLERS,
    LDPC_RATE_P_E,
    LDPC_RATE_P_RV,
    LDPC_RATE_P_QM,
    LDPC_RATE_P_NCB,
    LDPC_RATE_N_PARAMS
};

/* clang-format off */
/* e_flags, e_help: those of `e`, which a receiver sees from what comes in. */
#define LDPC_RATE_PARAMS(e_flags, e_help) \
    FECRUN_PARAM(.name = "bg", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, \
                 .imin = 1, .imax = 2, .help = "base graph; default of bg, z, fillers: from ldpc.encode, also of `code: qc`, or seg.split"), \
    FECRUN_PARAM(.name = "z", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, \
                 .imin = 2, .imax = 384, .help = "lifting size Zc; N = 66 z or 50 z"), \
    FECRUN_PARAM(.name = "fillers", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .unit = "bits", \
                 .imin = 0, .imax = 20 * 384 - 1, .default_text = "0", \
                 .help = "filler bits F, the last of the K information bits; they are not sent"), \
    FECRUN_PARAM(.name = "e", .type = FECRUN_VALUE_INT, .flags = (e_flags) | FECRUN_PARAM_SIZE, \
                 .unit = "bits", .imin = 1, .imax = LDPC_MAX_E, .help = e_help), \
    FECRUN_PARAM(.name = "rv", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .imin = 0, .imax = 3, \
                 .default_text = "0", .help = "redundancy version: where sending starts"), \
    FECRUN_PARAM(.name = "qm", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .unit = "bits", \
                 .imin = 1, .imax = 12, .default_text = "1", \
                 .help = "bits a symbol Qm (2, 4, 6, 8, 10, 12) of the bit interleaver; 1: none"), \
    FECRUN_PARAM(.name = "ncb", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .unit = "bits", \
                 .imin = 1, .imax = 1 << 17, \
                 .help = "size Ncb of the circular buffer; default: the whole code word")
/* clang-format on */

/* What was not given is 0, or what seg.split says of the frame; -1 and a reason: bg or z is known to nobody. */
int ldpc_rate_read(struct ldpc_rate_params *params, const struct fecrun_values *values,
                   const struct fecrun_frame *in, struct fecrun_error *err);

/* Parity rows, core rows included, that reach up to this item of the word; 4 at least. */
uint32_t ldpc_rate_rows(uint32_t bg, uint32_t z, uint32_t item);

#endif

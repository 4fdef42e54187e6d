/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters that say which convolutional code is meant; conv.encode and viterbi.decode. */
#ifndef VITERBI_CODE_PARAMS_H
#define VITERBI_CODE_PARAMS_H

#include <fecrun/plugin.h>

#include "decode.h"

/* Places in a stage's values: its schema starts with VITERBI_CODE_PARAMS. */
enum {
    VITERBI_P_CODE,
    VITERBI_P_CONSTRAINT_LENGTH,
    VITERBI_P_GENERATORS,
    VITERBI_P_INVERTED,
    VITERBI_P_TERMINATION,
    VITERBI_N_CODE_PARAMS
};

extern const struct fecrun_param viterbi_code_param[VITERBI_N_CODE_PARAMS];

#define VITERBI_CODE_PARAMS \
    &viterbi_code_param[VITERBI_P_CODE], &viterbi_code_param[VITERBI_P_CONSTRAINT_LENGTH], \
        &viterbi_code_param[VITERBI_P_GENERATORS], &viterbi_code_param[VITERBI_P_INVERTED], \
        &viterbi_code_param[VITERBI_P_TERMINATION]

/* The name of a termination as users write it. */
const char *viterbi_termination_name(enum viterbi_termination termination);

/* Reads and checks them all. */
int viterbi_read_code(const struct fecrun_values *values, struct viterbi_code *code,
                      enum viterbi_termination *termination, struct fecrun_error *err);

/* A stream and `continuous` need each other: the other terminations code each frame by itself. */
int viterbi_check_stream(const struct fecrun_frame *in, enum viterbi_termination termination,
                         struct fecrun_error *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of ldpc.encode and ldpc.decode that select the code. */
#ifndef LDPC_CODE_PARAMS_H
#define LDPC_CODE_PARAMS_H

#include "plugins/ldpc/code/code.h"

/* Places in a stage's values: its schema starts with LDPC_CODE_PARAMS. */
enum {
    LDPC_P_CODE,    /* nr | wifi | wimax | dvbs2 | alist | qc | ccsds */
    LDPC_P_BG,      /* nr; FECRUN_PARAM_SIZE */
    LDPC_P_Z,       /* nr; FECRUN_PARAM_SIZE */
    LDPC_P_FILLERS, /* nr; FECRUN_PARAM_SIZE */
    LDPC_P_N,       /* wifi, wimax, ccsds */
    LDPC_P_FRAME,   /* dvbs2: normal | short */
    LDPC_P_RATE,    /* wifi, wimax, dvbs2 */
    LDPC_P_PATH,    /* alist, qc */
    LDPC_N_CODE_PARAMS
};

extern const struct fecrun_param ldpc_code_param[LDPC_N_CODE_PARAMS];

#define LDPC_CODE_PARAMS \
    &ldpc_code_param[LDPC_P_CODE], &ldpc_code_param[LDPC_P_BG], &ldpc_code_param[LDPC_P_Z], \
        &ldpc_code_param[LDPC_P_FILLERS], &ldpc_code_param[LDPC_P_N], \
        &ldpc_code_param[LDPC_P_FRAME], &ldpc_code_param[LDPC_P_RATE], \
        &ldpc_code_param[LDPC_P_PATH]

/*
 * Reads and checks them all; NULL and a reason if they name no code. A parameter that the chosen
 * code does not have (z with code: wifi) is an error.
 */
struct ldpc_code *ldpc_read_code(const struct fecrun_values *values, struct fecrun_error *err);

/* Of the matrix and of what lies where in it. */
uint64_t ldpc_digest(const struct ldpc_code *code);
/* What both ends have to agree on, however it was written. */
void ldpc_identity(struct fecrun_plan *plan, const struct ldpc_code *code);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of polar.encode and polar.decode that select the code. */
#ifndef POLAR_CODE_PARAMS_H
#define POLAR_CODE_PARAMS_H

#include "plugins/polar/code/code.h"
#include "plugins/polar/code/crc.h"

/* Places in a stage's values: its schema starts with POLAR_CODE_PARAMS. */
enum {
    POLAR_P_CODE,             /* nr | plain */
    POLAR_P_K,                /* FECRUN_PARAM_SIZE */
    POLAR_P_E,                /* nr; FECRUN_PARAM_SIZE */
    POLAR_P_N_MAX,            /* nr */
    POLAR_P_INPUT_INTERLEAVE, /* nr */
    POLAR_P_N,                /* plain; FECRUN_PARAM_SIZE */
    POLAR_P_CONSTRUCTION,     /* plain */
    POLAR_P_DESIGN_SNR,       /* plain */
    POLAR_P_PATH,             /* plain */
    POLAR_P_QM,               /* nr-small; FECRUN_PARAM_SIZE */
    POLAR_N_CODE_PARAMS
};

enum polar_family { POLAR_NR, POLAR_PLAIN, POLAR_NR_SMALL };

extern const char *const polar_families[];

extern const struct fecrun_param polar_code_param[POLAR_N_CODE_PARAMS];

#define POLAR_CODE_PARAMS \
    &polar_code_param[POLAR_P_CODE], &polar_code_param[POLAR_P_K], &polar_code_param[POLAR_P_E], \
        &polar_code_param[POLAR_P_N_MAX], &polar_code_param[POLAR_P_INPUT_INTERLEAVE], \
        &polar_code_param[POLAR_P_N], &polar_code_param[POLAR_P_CONSTRUCTION], \
        &polar_code_param[POLAR_P_DESIGN_SNR], &polar_code_param[POLAR_P_PATH], \
        &polar_code_param[POLAR_P_QM]

/*
 * Reads and checks them all; NULL and a reason if they name no code. A parameter that the chosen
 * code does not have (n with code: nr) is an error.
 */
struct polar_code *polar_read_code(const struct fecrun_values *values, struct fecrun_error *err);

/* Sizes of nr-small: -1 and a reason, which names the parameter. */
int polar_check_small(uint32_t k, uint32_t e, uint32_t qm, struct fecrun_error *err);

/* The CRC of this name, with so many ones in front of the message and this mask of the parity; -1 and a
   reason. */
int polar_crc_make(struct polar_crc *crc, enum crc_name name, uint32_t ones, uint32_t mask,
                   struct fecrun_error *err);

#endif

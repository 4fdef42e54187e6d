/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters that select the turbo code. All stages begin with them. */
#ifndef TURBO_CODE_PARAMS_H
#define TURBO_CODE_PARAMS_H

#include <fecrun/plugin.h>

#include "plugins/turbo/code/family.h"
#include "plugins/turbo/code/qpp.h"

/* Places in a stage's values: its schema starts with TURBO_CODE_PARAMS. */
enum {
    TURBO_P_CODE,
    TURBO_P_K,       /* FECRUN_PARAM_SIZE */
    TURBO_P_FILLERS, /* FECRUN_PARAM_SIZE */
    TURBO_P_RATE,
    TURBO_N_CODE_PARAMS
};

/* 36.212 5.1.2: less than the distance of neighbouring sizes. */
enum { TURBO_MOST_FILLERS = 63 };

extern const struct fecrun_param turbo_code_param[TURBO_N_CODE_PARAMS];

#define TURBO_CODE_PARAMS \
    &turbo_code_param[TURBO_P_CODE], &turbo_code_param[TURBO_P_K], \
        &turbo_code_param[TURBO_P_FILLERS], &turbo_code_param[TURBO_P_RATE]

struct turbo_code {
    const struct turbo_family *family;
    const struct turbo_qpp *qpp; /* LTE */
    uint32_t k, fillers;
};

/* Which code the user wants. NULL and a reason if there is no such one. */
const struct turbo_family *turbo_read_family(const struct fecrun_values *values,
                                             struct fecrun_error *err);
/* The same where only LTE's will do, for `what`. -1 and a reason if it is another one. */
int turbo_only_lte(const struct fecrun_values *values, const char *what, struct fecrun_error *err);

/* Bits of the block whose word has so many items; 0: there is none. */
uint64_t turbo_block_of(const struct turbo_family *family, uint64_t items);

/*
 * Reads and checks them. `k` may be left out: then it is `found`, what the frames that come in tell.
 * -1 and a reason if there is no such block; if it was found, the text speaks of `items` of them.
 */
int turbo_read_code(struct turbo_code *code, const struct fecrun_values *values, uint64_t found,
                    const char *items, struct fecrun_error *err);

/* What both ends have to agree on. */
void turbo_identity(struct fecrun_plan *plan, const struct turbo_family *family, uint32_t k,
                    uint32_t fillers);

#endif

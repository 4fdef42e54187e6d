/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of turbo.rate_match, with which those of turbo.rate_recover begin. */
#ifndef TURBO_RATE_PARAMS_H
#define TURBO_RATE_PARAMS_H

#include <fecrun/sdk/stage.h>

#include "plugins/turbo/code/params.h"
#include "plugins/turbo/rate/rate.h"

/* Places in a stage's values: its schema starts with TURBO_CODE_PARAMS, TURBO_RATE_PARAMS. */
enum {
    TURBO_RATE_P_E = TURBO_N_CODE_PARAMS,
    TURBO_RATE_P_RV,
    TURBO_RATE_P_NCB,
    TURBO_RATE_N_PARAMS
};

/* e_flags, e_help: those of `e`, which a receiver sees from what comes in. */
#define TURBO_RATE_PARAMS(e_flags, e_help) \
    FECRUN_PARAM(.name = "e", .type = FECRUN_VALUE_INT, .flags = (e_flags) | FECRUN_PARAM_SIZE, \
                 .unit = "bits", .imin = 1, .imax = TURBO_MAX_E, .help = e_help), \
        FECRUN_PARAM(.name = "rv", .type = FECRUN_VALUE_INT, \
                     .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .imin = 0, .imax = 3, \
                     .default_text = "0", .help = "redundancy version: where sending starts"), \
        FECRUN_PARAM(.name = "ncb", .type = FECRUN_VALUE_INT, \
                     .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .unit = "places", \
                     .imin = 1, .imax = TURBO_MOST_PLACES, \
                     .help = \
                         "size Ncb of the circular buffer, dummies included; default: all of it, " \
                         "Kw = 96 ceil((K + 4) / 32)")

/* What both ends have to agree on; e is what comes in. */
static inline void turbo_rate_identity(struct fecrun_plan *plan, const struct turbo_rate *rate,
                                       const struct fecrun_value *rv)
{
    fecrun_identity(plan, "K = %u with %u fillers, rv = %d, ncb = %u", rate->k, rate->fillers,
                    (int)rv->i, rate->ncb);
}

/* All but k and fillers; what was not given is 0. */
static inline void turbo_rate_read(struct turbo_rate_params *p, const struct turbo_code *code,
                                   const struct fecrun_values *values)
{
    *p = (struct turbo_rate_params){.k = code->k,
                                    .fillers = code->fillers,
                                    .e = (uint32_t)values->v[TURBO_RATE_P_E]->i,
                                    .rv = (uint32_t)values->v[TURBO_RATE_P_RV]->i,
                                    .ncb = (uint32_t)values->v[TURBO_RATE_P_NCB]->i};
}

#endif

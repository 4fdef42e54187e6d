/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of polar.rate_match and polar.rate_recover. */
#ifndef POLAR_RATE_PARAMS_H
#define POLAR_RATE_PARAMS_H

#include <fecrun/sdk/params.h>

#include "plugins/polar/rate/rate.h"

enum { POLAR_RATE_P_K, POLAR_RATE_P_E, POLAR_RATE_P_N_MAX, POLAR_RATE_P_INTERLEAVE };

/* e_flags, e_help: those of `e`, which a receiver sees from what comes in. */
#define POLAR_RATE_PARAMS(e_flags, e_help) \
    FECRUN_PARAM(.name = "k", .type = FECRUN_P_INT, \
                 .flags = FECRUN_REQUIRED | FECRUN_SIZE | FECRUN_SHARED, .unit = "bits", .min = 1, \
                 .max = POLAR_NR_MOST_N, \
                 .help = "bits of the block K, CRC included: it decides what is left out"), \
        FECRUN_PARAM(.name = "e", .type = FECRUN_P_INT, \
                     .flags = (e_flags) | FECRUN_SIZE | FECRUN_SHARED, .unit = "bits", .min = 1, \
                     .max = POLAR_NR_MOST_E, .help = e_help), \
        FECRUN_PARAM(.name = "n_max", .type = FECRUN_P_INT, .flags = FECRUN_SHARED, .min = 9, \
                     .max = 10, .default_text = "10", \
                     .help = "log2 of the largest N: 10 uplink, 9 downlink"), \
        FECRUN_PARAM(.name = "channel_interleave", .type = FECRUN_P_BOOL, .flags = FECRUN_SHARED, \
                     .default_text = "false", \
                     .help = "triangular interleaver behind it, TS 38.212 5.4.1.3: uplink")

/* e: that of the parameters, or else `found`. */
static inline int polar_rate_read(struct polar_rate *rate, const struct fecrun_values *values,
                                  uint32_t found, struct fecrun_error *err)
{
    const struct fecrun_value *e = fecrun_value(values, POLAR_RATE_P_E);
    const struct polar_nr nr = {.k = (uint32_t)fecrun_value(values, POLAR_RATE_P_K)->i,
                                .e = e->given ? (uint32_t)e->i : found,
                                .n_max = (uint32_t)fecrun_value(values, POLAR_RATE_P_N_MAX)->i};

    return polar_rate_make(rate, &nr, fecrun_value(values, POLAR_RATE_P_INTERLEAVE)->i, err);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of polar.rate_match and polar.rate_recover. */
#ifndef POLAR_RATE_PARAMS_H
#define POLAR_RATE_PARAMS_H

#include <fecrun/sdk/params.h>

#include "plugins/polar/code/params.h"
#include "plugins/polar/code/small.h"
#include "plugins/polar/rate/rate.h"

enum {
    POLAR_RATE_P_CODE,
    POLAR_RATE_P_K,
    POLAR_RATE_P_E,
    POLAR_RATE_P_N_MAX,
    POLAR_RATE_P_INTERLEAVE,
    POLAR_RATE_P_QM
};

/* e_flags, e_help: those of `e`, which a receiver sees from what comes in. */
#define POLAR_RATE_PARAMS(e_flags, e_help) \
    FECRUN_PARAM(.name = "code", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED, \
                 .choices = polar_families, .default_text = "nr", \
                 .help = "nr-small: TS 38.212 5.4.3, the word over and over; else 5.4.1"), \
        FECRUN_PARAM(.name = "k", .type = FECRUN_VALUE_INT, \
                     .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, \
                     .unit = "bits", .imin = 1, .imax = POLAR_NR_MOST_N, \
                     .help = \
                         "bits of the block K, CRC included: it decides which bits are left out"), \
        FECRUN_PARAM(.name = "e", .type = FECRUN_VALUE_INT, \
                     .flags = (e_flags) | FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .unit = "bits", \
                     .imin = 1, .imax = POLAR_NR_MOST_E, .help = e_help), \
        FECRUN_PARAM(.name = "n_max", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SHARED, \
                     .imin = 9, .imax = 10, .default_text = "10", \
                     .help = "log2 of the largest N: 10 uplink, 9 downlink"), \
        FECRUN_PARAM(.name = "channel_interleave", .type = FECRUN_VALUE_BOOL, \
                     .flags = FECRUN_PARAM_SHARED, .default_text = "false", \
                     .help = "also the triangular interleaver of the uplink, TS 38.212 5.4.1.3"), \
        FECRUN_PARAM(.name = "qm", .type = FECRUN_VALUE_INT, \
                     .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .unit = "bits", .imin = 1, \
                     .imax = POLAR_SMALL_MOST_QM, .default_text = "1", \
                     .help = "nr-small, K = 1 and 2: bits of a modulation symbol")

/* e: that of the parameters, or else `found`. */
int polar_rate_read(struct polar_rate *rate, const struct fecrun_values *values, uint32_t found,
                    struct fecrun_error *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rate matching of NR polar codes, TS 38.212 5.4.1: which bit of the word stands where in what is
 * sent. The sub-block interleaver permutes the N bits in 32 pieces. Of the result the last E are sent
 * (puncturing), or the first (shortening: the others are 0), or all of it over and over
 * (repetition). The channel interleaver of the uplink writes these row by row into an isosceles right
 * triangle and reads it column by column.
 */
#ifndef POLAR_RATE_RATE_H
#define POLAR_RATE_RATE_H

#include "plugins/polar/code/nr.h"

struct polar_rate {
    uint32_t n, e;
    bool shortened;                  /* what is not sent is 0, else nothing is known of it */
    uint16_t order[POLAR_NR_MOST_E]; /* bit of the word that stands at place j of what is sent */
};

/* -1 and a reason; e and the others are in the ranges of their parameters. */
int polar_rate_make(struct polar_rate *rate, const struct polar_nr *nr, bool channel_interleave,
                    struct fecrun_error *err);

/* Of small blocks, 5.4.3: bit j is bit j mod N. */
void polar_rate_repeat(struct polar_rate *rate, uint32_t n, uint32_t e);

#endif

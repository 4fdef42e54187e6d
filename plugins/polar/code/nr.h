/* SPDX-License-Identifier: BSD-2-Clause */
/* The polar codes of 5G NR control information, TS 38.212 5.3.1 and 5.4.1. */
#ifndef POLAR_CODE_NR_H
#define POLAR_CODE_NR_H

#include "plugins/polar/code/code.h"

enum {
    POLAR_NR_MOST_N = 1024,
    POLAR_NR_MOST_E = 8192,
    POLAR_NR_MOST_INTERLEAVED = 164, /* bits that the input interleaver takes */
    POLAR_NR_SUBBLOCKS = 32,
};

extern const uint16_t polar_nr_sequence[POLAR_NR_MOST_N]; /* least reliable first */
extern const uint8_t polar_nr_interleaver[POLAR_NR_MOST_INTERLEAVED];
extern const uint8_t polar_nr_subblock[POLAR_NR_SUBBLOCKS];

/* What the parameters say. */
struct polar_nr {
    uint32_t k, e;
    uint32_t n_max; /* log2 of the largest N: 10 uplink, 9 downlink */
    bool input_interleave;
};

/* log2 N. K and E at least 1. */
uint32_t polar_nr_stages(const struct polar_nr *nr);

/* Bits of the word that are not sent are the first ones of the interleaved word; else the last. */
static inline bool polar_nr_punctures(uint32_t k, uint32_t e)
{
    return 16 * k <= 7 * e;
}

/* Which bit of the word stands at place i of the sub-block interleaver's output, J(i). */
static inline uint32_t polar_nr_interleaved(uint32_t n, uint32_t i)
{
    const uint32_t length = n / POLAR_NR_SUBBLOCKS;

    return polar_nr_subblock[i / length] * length + i % length;
}

/* NULL and a reason; K, E and n_max are in the ranges of their parameters. */
struct polar_code *polar_nr_code(const struct polar_nr *nr, struct fecrun_error *err);

/* The code's sizes alone: -1 and a reason, which names the parameter. */
int polar_nr_check(const struct polar_nr *nr, struct fecrun_error *err);

#endif

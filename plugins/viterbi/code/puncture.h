/* SPDX-License-Identifier: BSD-2-Clause */
/* Code object of conv.puncture and conv.depuncture, also for decoders that absorb the latter. */
#ifndef VITERBI_PUNCTURE_H
#define VITERBI_PUNCTURE_H

#include <stdint.h>

/*
 * Items are those of the mother code: `rows` of them a step. place[i] is the place of the i-th sent
 * one within a period. Periods begin at step 0 of a frame; a stream's frames are whole periods.
 */
struct puncture_code {
    uint64_t rows;
    uint64_t period; /* items */
    uint64_t sent;   /* of them */
    uint32_t place[];
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Code object of conv.puncture and conv.depuncture, also for decoders that absorb the latter. */
#ifndef VITERBI_CODE_PUNCTURE_H
#define VITERBI_CODE_PUNCTURE_H

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

/* How many of the first `items` of the mother code are sent. */
static inline uint64_t puncture_sent_of(const struct puncture_code *c, uint64_t items)
{
    uint64_t rest = items % c->period, i = 0;

    while (i < c->sent && c->place[i] < rest)
        i++;
    return items / c->period * c->sent + i;
}

#endif

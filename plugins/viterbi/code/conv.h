/* SPDX-License-Identifier: BSD-2-Clause */
/* Code objects of conv.encode, conv.rate_match and conv.rate_recover, for all of their backends. */
#ifndef VITERBI_CODE_CONV_H
#define VITERBI_CODE_CONV_H

#include <stdint.h>

#include "plugins/viterbi/code/puncture.h"
#include "plugins/viterbi/code/trellis.h"
#include "plugins/viterbi/code/words.h"

struct encode_code {
    struct viterbi_code code;
    enum viterbi_termination termination;
    uint64_t tail;     /* steps that follow a frame's last bit */
    uint32_t feedback; /* K binary digits as a generator's; 0: none */
    uint32_t taps;     /* viterbi_taps() of it */
    struct viterbi_tables tables;
};

/* TS 36.212 5.1.4.2: streams, and columns of an interleaver. */
enum { RATE_STREAMS = 3, RATE_COLUMNS = 32 };

/* Table 5.1.4-2. */
extern const uint8_t rate_permutation[RATE_COLUMNS];

struct rate_code {
    uint64_t mother;  /* bits of the encoder's output */
    double limit;     /* recover: LLRs are kept within +-limit, also of floats */
    uint32_t place[]; /* where the circular buffer's m-th bit, dummies not counted, stands in the
                         encoder's output */
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Code objects that more than one backend reads: what plan() makes of a stage's parameters. */
#ifndef CHAIN_CODES_H
#define CHAIN_CODES_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_LEVELS = 8 }; /* positive levels of a dimension */

struct map_code {
    unsigned bits;        /* per symbol */
    float symbol[256][2]; /* by the symbol's bits, the first one highest */
};

struct demap_code {
    uint32_t scheme;
    unsigned bits;            /* per dimension */
    float linear;             /* one bit a dimension: LLR = linear * y */
    float inverse_unit;       /* 1 / level unit */
    float gain;               /* unit^2 / N0 */
    float square[MAX_LEVELS]; /* a^2 and 2 a of the level with these bits after the sign */
    float twice[MAX_LEVELS];
};

struct hard_code {
    uint32_t scheme;
    unsigned bits; /* per dimension */
    float inverse_unit;
};

struct awgn_code {
    float sigma;
    bool real;
};

struct channel_code {
    uint32_t threshold;
    float magnitude;
    bool erases;
};

struct quantize_code {
    float scale;
    float max; /* an integer */
};

struct crc_code {
    unsigned width;
    uint32_t polynomial; /* at the upper end, without the highest power */
    uint32_t start;      /* register after the leading ones */
    uint32_t mask;       /* of the parity, its last bit lowest */
    uint32_t alone;      /* 1: an earlier stage's verdict does not count */
    uint64_t message;    /* bits */
};

#endif

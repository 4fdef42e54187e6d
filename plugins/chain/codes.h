/* SPDX-License-Identifier: BSD-2-Clause */
/* Code objects that more than one backend reads: what plan() makes of a stage's parameters. */
#ifndef CHAIN_CODES_H
#define CHAIN_CODES_H

#include <stdbool.h>
#include <stdint.h>

#define CHAIN_HALF_MAX 65504.0f /* the largest half */

enum {
    MAX_LEVELS = 8,           /* positive levels of a dimension that simd and cuda take: 256QAM */
    CHAIN_MOST_LEVELS = 32,   /* of any scheme: 4096QAM */
    CHAIN_MOST_POINTS = 4096, /* of any scheme */
};

/* How the points of a scheme lie, and so how it is demapped. */
enum chain_shape {
    CHAIN_REAL,   /* BPSK: 1 and -1 */
    CHAIN_SQUARE, /* two equal PAMs with Gray labels: QPSK, 16QAM, ... */
    CHAIN_TURNED, /* pi/2-BPSK: each symbol with an odd number is a quarter turn further */
    CHAIN_POINTS, /* a table */
};

struct map_code {
    enum chain_shape shape;
    bool stream;                        /* the frames are pieces of one */
    unsigned bits;                      /* per symbol */
    float symbol[CHAIN_MOST_POINTS][2]; /* by the symbol's bits, the first one highest */
};

/* A point a has the metric |a|^2 - 2 (Re a Re y + Im a Im y): its distance squared, less |y|^2. */
struct points_code {
    bool stream; /* TURNED: the frames are pieces of one */
    unsigned bits;
    float energy[CHAIN_MOST_POINTS];
    float twice[CHAIN_MOST_POINTS][2];
};

struct demap_code {
    enum chain_shape shape;
    uint32_t type;                   /* of the LLRs: FECRUN_F32 or FECRUN_F16 */
    unsigned bits;                   /* SQUARE, REAL: per dimension */
    float linear;                    /* one bit a dimension: LLR = linear * y */
    float inverse_unit;              /* 1 / level unit */
    float gain;                      /* unit^2 / N0; POINTS: 1 / N0 */
    float square[CHAIN_MOST_LEVELS]; /* a^2 and 2 a of the level with these bits after the sign */
    float twice[CHAIN_MOST_LEVELS];
};

/* The plan of modem.demap. Kernels get its first part only. */
struct demap_all {
    struct demap_code code;
    struct points_code points;
};

struct hard_code {
    enum chain_shape shape;
    unsigned bits; /* SQUARE, REAL: per dimension */
    float inverse_unit;
    struct points_code points;
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
    uint32_t unknown;    /* last bits of the parity that the check leaves out */
    uint64_t message;    /* bits */
};

#endif

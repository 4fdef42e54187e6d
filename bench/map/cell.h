/* SPDX-License-Identifier: BSD-2-Clause */
/* A cell: one code with one link and one decoder setting, drawn at random; and its pipeline as text. */
#ifndef FECRUN_MAP_CELL_H
#define FECRUN_MAP_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum family { FAMILY_LDPC, FAMILY_TURBO, FAMILY_POLAR, FAMILY_VITERBI, FAMILIES };

extern const char *const family_names[FAMILIES];

enum llr_type { LLR_F32, LLR_I8, LLR_I4, LLR_I16 };

enum { CELL_SENT = 2 }; /* most transmissions of a word */

struct cell {
    unsigned number;
    enum family family;
    char code[160];      /* the encoder's parameters, as YAML has them between braces */
    char decode[200];    /* the decoder's, but for its iterations and backend */
    char crc[48];        /* of crc.attach and crc.check; "": none */
    char puncture[128];  /* of conv.puncture; "": none */
    char match[64];      /* more of rate_match's parameters */
    char stage[16];      /* the encoder's prefix: "ldpc", "turbo", "polar", "conv" */
    unsigned iterations; /* 0: the decoder has none */
    bool stops;          /* early_stop is on */
    unsigned bits;       /* of the source */
    unsigned n_sent;     /* transmissions */
    struct {
        unsigned e; /* bits; 0: no rate matching */
        int rv;     /* -1: the code has none */
    } sent[CELL_SENT];
    const char
        *other;     /* scheme of CELL_OTHERS and later ones; NULL: bpsk, qpsk, 16qam, ... by qm */
    unsigned qm;    /* bits a symbol: 1 to 6, 8 or 10 */
    unsigned coded; /* bits that are sent, in all */
    double word;    /* bits that the decoder works on in an iteration */
    double cost;    /* of one iteration of `ref` on one frame, ns, about */
    enum llr_type llr;
    double scale;
    unsigned max;     /* of llr.quantize; 0: the type's */
    uint64_t seed;    /* of the pipeline */
    bool stream;      /* frames are pieces of a stream */
    const char *soft; /* the decoder's output of LLRs that is taken, too; NULL: none */
};

/* Random numbers: splitmix64. */
struct draw {
    uint64_t state;
};
/* 0 to n - 1. */
unsigned draw_below(struct draw *draw, unsigned n);
/* low to high, both included. */
unsigned draw_range(struct draw *draw, unsigned low, unsigned high);
/* low to high, even in the logarithm. */
double draw_log(struct draw *draw, double low, double high);
/* low to high. */
double draw_even(struct draw *draw, double low, double high);
bool draw_chance(struct draw *draw, double p);

#define DRAW_ONE(draw, table) \
    ((table)[draw_below((draw), (unsigned)(sizeof(table) / sizeof *(table)))])

/* The cells before this one have the schemes of TS 38.211 up to 256QAM, as bench/MAP.md has them; from it on half
   of them have another scheme. */
enum { CELL_OTHERS = 2000 };

/* The name of its modulation scheme. */
const char *cell_scheme(const struct cell *cell);

/* Cell `number` of a seed, which depends on nothing else. `attempt` counts the cells before it that
   could not be used. family: FAMILIES draws it, too. */
void cell_draw(struct cell *cell, uint64_t seed, unsigned number, unsigned attempt,
               enum family family);

/* What cell_draw() calls; each fills in the code, its rate matching and its decoder. */
void cell_draw_ldpc(struct cell *cell, struct draw *draw);
void cell_draw_turbo(struct cell *cell, struct draw *draw);
void cell_draw_polar(struct cell *cell, struct draw *draw);
void cell_draw_viterbi(struct cell *cell, struct draw *draw);

/* The nearest number of bits that whole symbols have, one symbol at least. */
unsigned cell_symbols(const struct cell *cell, double bits);
/* Draws redundancy versions, and how many bits are sent of `known` information bits in a word of
   `most` bits. */
void cell_draw_sent(struct cell *cell, struct draw *draw, unsigned known, unsigned most);

/* How a cell is run. */
struct variant {
    double esn0_db;
    bool quantized;      /* with llr.quantize, if the cell has it */
    const char *backend; /* of the decoder; "BACKEND/NAME=VALUE": with this parameter of its own */
    unsigned iterations; /* 0: the cell's */
    unsigned batch;      /* frames of a call; 0: as many as suit */
};

/* The pipeline. frames: of its stop rule; 0: none. Returns the text's length, or 0 if it does not fit
   into size. */
size_t cell_yaml(const struct cell *cell, const struct variant *variant, unsigned frames,
                 char *text, size_t size);
/* In one line: code, modulation, LLRs. */
void cell_name(const struct cell *cell, char *text, size_t size);
/* Is the scale of its LLRs one that doc/ calls too coarse for its modulation? */
bool cell_is_coarse(const struct cell *cell);
/* A first guess of the Es/N0 at which the code works, in dB. */
double cell_guess_db(const struct cell *cell);

#endif

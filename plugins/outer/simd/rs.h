/* SPDX-License-Identifier: BSD-2-Clause */
/* Reed-Solomon words in vectors of bytes: tables, and what the kernels of an instruction set do. */
#ifndef OUTER_SIMD_RS_H
#define OUTER_SIMD_RS_H

#include "plugins/outer/code/rs_frame.h"

#define RS_SIMD_N 256     /* symbols of a row of a table; a word has at most 255 */
#define RS_SIMD_PARITY 64 /* most parity symbols */

struct rs_kernels;

/*
 * Tables of a code of symbols of up to 8 bits. Kernels work on symbols in a form of their own, an image of the
 * field: `in` makes it of symbols as they are sent, `back` of it symbols in powers of x.
 */
struct rs_simd {
    const struct rs_code *code;
    const struct rs_kernels *kernels;
    uint8_t image[256]; /* powers of x -> the kernels' form */
    uint8_t back[256];
    uint64_t in_matrix, out_matrix; /* gfni: sent -> form -> sent, as matrices of bits */
    uint8_t nibble[256][32];        /* avx2: 16 multiples of an element, and 16 of it times x^4 */
    uint8_t in_nibble[32];          /* avx2: sent -> form, likewise */
    uint8_t out_nibble[32];         /* ... -> sent */
    uint8_t fold[RS_SIMD_PARITY / 2][5][2][32];        /* avx2: see there */
    uint8_t power[RS_SIMD_PARITY][RS_SIMD_N / 32][32]; /* avx2: as nibble[], of a root to 32 i */
    uint8_t weight[RS_SIMD_PARITY]
                  [RS_SIMD_N]; /* root j to the power of symbol i; 0 behind the word */
    uint8_t inverse[RS_SIMD_PARITY + 1]
                   [RS_SIMD_N]; /* locator of symbol i to the power of -j; 0 behind */
    uint8_t forney[RS_SIMD_N];  /* locator of symbol i to the power of -(fcr + parity) */
    uint8_t solve[RS_SIMD_PARITY]
                 [RS_SIMD_PARITY]; /* parity symbols whose syndrome j is 1, others 0 */
};

/* Symbols of a word that are wrong: a bit for each of the n, and what is to be XORed onto them as they are
   sent. */
struct rs_errors {
    uint64_t mask[RS_SIMD_N / 64];
    uint8_t value[RS_SIMD_N]; /* of the others: not set */
};

struct rs_kernels {
    const char *name;
    /* Syndromes of n symbols as they are sent, in the kernels' form, to RS_SIMD_PARITY bytes, zeros behind
       them. Returns whether one is not 0. Reads nothing behind the word. */
    bool (*syndromes)(const struct rs_simd *s, const uint8_t *word, uint8_t *syndrome);
    /* Parity as it is sent of a word that has these syndromes with zeros in its place, to
       RS_SIMD_PARITY bytes. */
    void (*parity)(const struct rs_simd *s, const uint8_t *syndrome, uint8_t *parity);
    /* Symbols at whose inverse locators a polynomial of that degree, in the kernels' form, is 0. */
    void (*roots)(const struct rs_simd *s, const uint8_t *lambda, uint32_t degree, uint64_t *mask);
    /* All of it without erasures. Returns the wrong symbols, or -1. NULL, or not for this parity: in steps. */
    int (*correct)(const struct rs_simd *s, const uint8_t *syndrome, struct rs_errors *errors);
    uint32_t correct_parity; /* most parity symbols of correct(), which have to be even */
};

/* The kernels of this build for that instruction set, or NULL. gfni: AVX-512 with GFNI, symbols of 8 bits. */
const struct rs_kernels *rs_kernels_avx2(void);
const struct rs_kernels *rs_kernels_gfni(void);

/* Fills the tables for s->code and s->kernels. */
void rs_simd_tables(struct rs_simd *s);

#endif

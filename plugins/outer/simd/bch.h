/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of binary BCH codes in vectors: tables, and what the kernels of an instruction set do. */
#ifndef OUTER_SIMD_BCH_H
#define OUTER_SIMD_BCH_H

#include "plugins/outer/code/bch.h"

#define BCH_SIMD_PARITY 192 /* most parity bits */
#define BCH_SIMD_LEAST 8    /* and least */
#define BCH_SIMD_WORDS (BCH_SIMD_PARITY / 64)
#define BCH_BLOCK 32 /* bytes that are divided at once */

struct bch_kernels;

/* Tables of a code of 8 to 192 parity bits. Polynomials over GF(2) are words of 64 coefficients, lowest first. */
struct bch_simd {
    const struct bch_code *code;
    const struct bch_kernels *kernels;
    uint64_t fold[BCH_SIMD_WORDS][4]; /* word i of x^(256 + 64 q) modulo the generator, in [i][q] */
    uint64_t
        byte[256]
            [BCH_SIMD_WORDS]; /* a polynomial of degree 7 times x^parity, modulo the generator */
    uint64_t generator[BCH_SIMD_WORDS]; /* without its highest power */
    uint64_t top[BCH_SIMD_WORDS];       /* ones at the powers below parity */
    /* The factor x^(positions of a vector j) of the field, as kernels want it. */
    uint64_t matrix[BCH_MOST_T + 1][2][2];    /* gfni: [byte of the product][byte of the factor] */
    uint8_t nibble[BCH_MOST_T + 1][2][4][16]; /* avx2: [byte of the product][nibble], 16 products */
};

struct bch_kernels {
    const char *name;
    uint32_t positions; /* bits of the word in a vector */
    /* A polynomial of less than 256 coefficients that equals `blocks` blocks of bytes, highest power first,
       modulo the generator. */
    void (*divide)(const struct bch_simd *s, const uint8_t *bytes, size_t blocks, uint64_t *rest);
    /* Chien's search: at most `degree` bits of the word whose inverse locators are roots. Returns how many
       were found. */
    uint32_t (*roots)(const struct bch_simd *s, const uint16_t *lambda, uint32_t degree,
                      uint32_t *at);
};

/* The kernels of this build for that instruction set, or NULL. */
const struct bch_kernels *bch_kernels_avx2(void);
const struct bch_kernels *bch_kernels_gfni(void);

/* Fills the tables for s->code and s->kernels. */
void bch_simd_tables(struct bch_simd *s);

/* The remainder of blocks of bytes, highest power first, divided by the generator: less than `parity` bits. */
void bch_simd_remainder(const struct bch_simd *s, const uint8_t *bytes, size_t blocks,
                        uint64_t *rest);

/* A remainder times x^parity, again divided: that of information bits makes parity bits. */
void bch_simd_parity(const struct bch_simd *s, uint64_t *rest);

/* The first terms of Chien's search: coefficient j of lambda times the inverse locator of bit `position` to
   the power of j, for position 0 to s->kernels->positions - 1, in low and high bytes. */
void bch_simd_terms(const struct bch_simd *s, const uint16_t *lambda, uint32_t j, uint8_t *low,
                    uint8_t *high);

#endif

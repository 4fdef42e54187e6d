/* SPDX-License-Identifier: BSD-2-Clause */
/* A binary BCH code and its parameters. */
#ifndef OUTER_BCH_H
#define OUTER_BCH_H

#include <fecrun/sdk/stage.h>

#include "plugins/outer/code/field.h"
#include "plugins/outer/code/locate.h"

#define BCH_MOST_T 64
#define BCH_MOST_PARITY (BCH_MOST_T * GF_MOST_M)

/*
 * Primitive and narrow-sense: the generator is the product of the different minimal polynomials of x, x^3 to
 * x^(2t - 1) over GF(2^m). Bit 0 of a word is sent first and is the coefficient of x^(n - 1); the parity
 * bits follow the k information bits. So are the words of EN 302 307-1 5.3.1.
 */
struct bch_code {
    uint32_t m, n, k, t, parity; /* parity: n - k, the generator's degree */
    uint32_t polynomial;
    struct gf field;
    uint8_t generator[BCH_MOST_PARITY + 1]; /* a coefficient a byte, lowest power first */
    uint16_t tables[];
};

/* Parameters that bch.encode and bch.decode share, in the order of their tables. */
enum {
    BCH_P_CODE,
    BCH_P_FRAME,
    BCH_P_RATE,
    BCH_P_M,
    BCH_P_T,
    BCH_P_POLYNOMIAL,
    BCH_P_SHORTENED,
    BCH_N_CODE_PARAMS
};
extern const struct fecrun_param bch_code_param[BCH_N_CODE_PARAMS];
#define BCH_CODE_PARAMS \
    &bch_code_param[BCH_P_CODE], &bch_code_param[BCH_P_FRAME], &bch_code_param[BCH_P_RATE], \
        &bch_code_param[BCH_P_M], &bch_code_param[BCH_P_T], &bch_code_param[BCH_P_POLYNOMIAL], \
        &bch_code_param[BCH_P_SHORTENED]

/* Reads the parameters into a code, which the caller frees. NULL and *err if they are wrong. */
struct bch_code *bch_read_code(const struct fecrun_values *values, struct fecrun_error *err);

/* What plan() says of the code: note and identity. */
void bch_describe(const struct bch_code *code, struct fecrun_plan *plan);

#endif

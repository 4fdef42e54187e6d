/* SPDX-License-Identifier: BSD-2-Clause */
/* A Reed-Solomon code, its parameters, and how its words lie in a frame. */
#ifndef OUTER_RS_H
#define OUTER_RS_H

#include <fecrun/sdk/stage.h>

#include "plugins/outer/code/field.h"
#include "plugins/outer/code/locate.h"

#define RS_MOST_DEPTH 8

/*
 * RS(n, k) over GF(2^m): symbol 0 is sent first and is the coefficient of x^(n - 1). The generator has the
 * roots b^fcr to b^(fcr + n - k - 1), b = x^prim. A frame holds `depth` words: symbol i of word c is symbol
 * i depth + c of the frame, m bits with the highest first. That is CCSDS 131.0-B 4.3.5.
 */
struct rs_code {
    uint32_t m, n, k, parity; /* parity: n - k */
    uint32_t depth;
    uint32_t fcr, prim;
    uint32_t polynomial;
    uint32_t dual;                             /* symbols are in CCSDS's dual basis */
    struct gf field;                           /* of base b */
    uint16_t generator[OUTER_MOST_PARITY + 1]; /* lowest power first; the highest is 1 */
    uint8_t from_dual[256], to_dual[256];      /* to and from powers of x */
    uint16_t tables[];
};

/* Parameters that rs.encode and rs.decode share, in the order of their tables. */
enum {
    RS_P_CODE,
    RS_P_M,
    RS_P_N,
    RS_P_K,
    RS_P_POLYNOMIAL,
    RS_P_FCR,
    RS_P_PRIM,
    RS_P_BASIS,
    RS_P_SHORTENED,
    RS_P_DEPTH,
    RS_N_CODE_PARAMS
};
extern const struct fecrun_param rs_code_param[RS_N_CODE_PARAMS];
#define RS_CODE_PARAMS \
    &rs_code_param[RS_P_CODE], &rs_code_param[RS_P_M], &rs_code_param[RS_P_N], \
        &rs_code_param[RS_P_K], &rs_code_param[RS_P_POLYNOMIAL], &rs_code_param[RS_P_FCR], \
        &rs_code_param[RS_P_PRIM], &rs_code_param[RS_P_BASIS], &rs_code_param[RS_P_SHORTENED], \
        &rs_code_param[RS_P_DEPTH]

/* Reads the parameters into a code, which the caller frees. NULL and *err if they are wrong. */
struct rs_code *rs_read_code(const struct fecrun_values *values, struct fecrun_error *err);

/* What plan() says of the code: note and identity. */
void rs_describe(const struct rs_code *code, struct fecrun_plan *plan);

/* The matrix by which CCSDS 131.0-B annex F makes dual-basis symbols, as a table of 256, and its inverse. */
void rs_dual_tables(uint8_t *to_dual, uint8_t *from_dual);

#endif

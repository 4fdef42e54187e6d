/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrices of the standards, as printed there. */
#ifndef LDPC_CODE_STANDARD_TABLES_H
#define LDPC_CODE_STANDARD_TABLES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LDPC_NR_LIFTINGS = 51,
    LDPC_NR_BG1_ENTRIES = 316,
    LDPC_NR_BG2_ENTRIES = 197,
    LDPC_PROTO_COLS = 24,
    LDPC_PROTO_MAX_ROWS = 12,
    LDPC_WIFI_PROTOS = 12,
    LDPC_WIMAX_PROTOS = 6,
    LDPC_WIMAX_Z0 = 96,
    LDPC_DVBS2_TABLES = 21,
    LDPC_DVBS2_Z = 360,
    LDPC_AR4JA_PERMUTATIONS = 26,
    LDPC_AR4JA_M0 = 128, /* the smallest block of AR4JA; each size is twice the one before */
    LDPC_AR4JA_SIZES = 7,
    LDPC_TC_CODES = 2,
    LDPC_TC_ROWS = 4,
    LDPC_TC_COLS = 8,
    LDPC_DVBS2_DEGREE = 3, /* of the groups behind the first ones */
};

/* Sorted by z. */
struct ldpc_lifting {
    uint16_t z;
    uint8_t set;
};

/* Sorted by row and column. */
struct ldpc_nr_entry {
    uint8_t row, col;
    uint16_t shift[8]; /* one a set, to be taken modulo z */
};

struct ldpc_proto {
    uint16_t z;
    const char *rate;
    uint8_t rows;
    int8_t shift[LDPC_PROTO_MAX_ROWS][LDPC_PROTO_COLS]; /* -1: no edge */
};

struct ldpc_dvbs2_table {
    bool short_frame;
    const char *rate;
    uint8_t groups;      /* of 360 information bits */
    uint8_t wide_groups; /* the first ones: of wide_degree addresses each, the others of 3 */
    uint8_t wide_degree;
    const uint16_t *address;
};

/* CCSDS telecommand: circulants of z bits; to those of the diagonal the identity is added. */
struct ldpc_tc {
    uint8_t z;
    int8_t shift[LDPC_TC_ROWS][LDPC_TC_COLS]; /* -1: no edge */
};

extern const struct ldpc_lifting ldpc_nr_lifting[LDPC_NR_LIFTINGS];
extern const struct ldpc_nr_entry ldpc_nr_bg1[LDPC_NR_BG1_ENTRIES];
extern const struct ldpc_nr_entry ldpc_nr_bg2[LDPC_NR_BG2_ENTRIES];
extern const struct ldpc_proto ldpc_wifi_proto[LDPC_WIFI_PROTOS];   /* by n, then rate */
extern const struct ldpc_proto ldpc_wimax_proto[LDPC_WIMAX_PROTOS]; /* z = LDPC_WIMAX_Z0 */
extern const struct ldpc_dvbs2_table ldpc_dvbs2_table[LDPC_DVBS2_TABLES];
extern const uint8_t ldpc_ar4ja_theta[LDPC_AR4JA_PERMUTATIONS];
extern const uint16_t ldpc_ar4ja_phi[LDPC_AR4JA_SIZES][4]
                                    [LDPC_AR4JA_PERMUTATIONS]; /* by M, quarter */
extern const uint16_t ldpc_c2_shift[2][16][2];                 /* by base row and column */
extern const uint64_t
    ldpc_c2_generator[14][2][8]; /* first rows, a 0 and 511 bits, the first one highest */
extern const struct ldpc_tc ldpc_tc[LDPC_TC_CODES];

#endif

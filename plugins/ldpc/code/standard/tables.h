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

extern const struct ldpc_lifting ldpc_nr_lifting[LDPC_NR_LIFTINGS];
extern const struct ldpc_nr_entry ldpc_nr_bg1[LDPC_NR_BG1_ENTRIES];
extern const struct ldpc_nr_entry ldpc_nr_bg2[LDPC_NR_BG2_ENTRIES];
extern const struct ldpc_proto ldpc_wifi_proto[LDPC_WIFI_PROTOS];   /* by n, then rate */
extern const struct ldpc_proto ldpc_wimax_proto[LDPC_WIMAX_PROTOS]; /* z = LDPC_WIMAX_Z0 */
extern const struct ldpc_dvbs2_table ldpc_dvbs2_table[LDPC_DVBS2_TABLES];

#endif

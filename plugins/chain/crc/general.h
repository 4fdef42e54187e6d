/* SPDX-License-Identifier: BSD-2-Clause */
/* CRCs of any polynomial of up to 63 bits, for crc.attach and crc.check. */
#ifndef CHAIN_CRC_GENERAL_H
#define CHAIN_CRC_GENERAL_H

#include "plugins/chain/codes.h"

enum { CRC_GENERAL_WIDTH = 63, CRC_GENERAL_SLICES = 8 };

/* Registers stand at the upper end of 64 bits, parity and `change` at the lower end. */
struct crc_general {
    uint32_t width;
    bool reflect;        /* bytes are taken from their last bit on, those of the parity, too */
    uint64_t polynomial; /* at the upper end, without the highest power */
    uint64_t start;      /* the register before the message */
    uint64_t change;     /* XORed onto the parity, its last bit lowest */
};

/* The code object of crc.attach and crc.check. */
struct crc_plan {
    struct crc_code crc;
    struct crc_general general; /* width 0: crc says it all */
};

struct crc_general_table {
    uint64_t slice[CRC_GENERAL_SLICES][256]; /* slice s: CRC of a byte that s zero bytes follow */
};

void crc_general_make(struct crc_general_table *table, uint64_t polynomial);

/* The register after n more bits that are 1. */
uint64_t crc_general_ones(const struct crc_general *crc, uint64_t state, uint64_t n);

/* The lowest `width` bits of x, the last one first. */
uint64_t crc_general_turn(uint64_t x, unsigned width);

/* The parity of n bits, packed or one a byte; with `reflect` n is a multiple of 8. */
uint64_t crc_general_packed(const struct crc_general *crc, const struct crc_general_table *table,
                            const uint8_t *packed, uint64_t n);
uint64_t crc_general_bytes(const struct crc_general *crc, const struct crc_general_table *table,
                           const uint8_t *bits, uint64_t n);

#endif

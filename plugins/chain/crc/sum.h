/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of cyclic redundancy checks. One of any width stands at the upper end of 32 bits, so
   that one code does all widths. */
#ifndef CHAIN_CRC_SUM_H
#define CHAIN_CRC_SUM_H

#include <stdint.h>

/* Polynomials of TS 38.212 5.1 there, without the highest power. */
#define CRC_24A (0x864cfbu << 8)
#define CRC_24B (0x800063u << 8)
#define CRC_24C (0xb2b117u << 8)
#define CRC_16 (0x1021u << 16)
#define CRC_11 (0x621u << 21)
#define CRC_8 (0x9bu << 24)
#define CRC_6 (0x21u << 26)

enum { CRC_SLICES = 8 }; /* bytes at once, each with its own table */

struct crc_table {
    uint32_t polynomial; /* at the upper end, without the highest power */
    uint32_t slice[CRC_SLICES][256];
};

/* The register after one more message bit. */
static inline uint32_t crc_step(uint32_t state, uint32_t polynomial, unsigned bit)
{
    return state << 1 ^ ((state >> 31 ^ bit) & 1 ? polynomial : 0);
}

void crc_table_make(struct crc_table *table, uint32_t polynomial);

/* The register after n more bits, packed or one a byte. Behind the packed bits of one call no others
   may come, unless they are whole bytes; n bytes may be any number. */
uint32_t crc_packed(const struct crc_table *table, uint32_t state, const uint8_t *packed,
                    uint64_t n);
uint32_t crc_bytes(const struct crc_table *table, uint32_t state, const uint8_t *bits, uint64_t n);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cyclic redundancy checks of TS 38.212 5.1 and TS 36.212 5.1.1, on the host and in kernels. A
 * register of any width stands at the upper end of 32 bits, so that one code does all widths.
 */
#ifndef PLUGINS_COMMON_CRC_H
#define PLUGINS_COMMON_CRC_H

#include <fecrun/plugin.h>
#include <fecrun/sdk/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Polynomials there, without the highest power. */
#define CRC_24A_POLYNOMIAL (0x864cfbu << 8)
#define CRC_24B_POLYNOMIAL (0x800063u << 8)
#define CRC_24C_POLYNOMIAL (0xb2b117u << 8)
#define CRC_16_POLYNOMIAL (0x1021u << 16)
#define CRC_11_POLYNOMIAL (0x621u << 21)
#define CRC_8_POLYNOMIAL (0x9bu << 24)
#define CRC_6_POLYNOMIAL (0x21u << 26)

/* In the order of crc_names. */
enum crc_name { CRC_NONE, CRC_24A, CRC_24B, CRC_24C, CRC_16, CRC_11, CRC_8, CRC_6 };

struct crc_kind {
    uint32_t width; /* 0: none */
    uint32_t polynomial;
};

extern const char *const crc_names[];     /* "none", "24a", ...; ends with NULL */
extern const struct crc_kind crc_kinds[]; /* by enum crc_name */

/* For plan(): 0, or -1 and a reason if a mask is wider than the parity, if frames have no room for it. */
int crc_check_mask(uint32_t mask, uint32_t width, struct fecrun_error *err);
int crc_check_room(uint64_t bits, uint32_t width, struct fecrun_error *err);

enum { CRC_SLICES = 8 }; /* bytes at once, each with its own table */

struct crc_table {
    uint32_t polynomial; /* at the upper end, without the highest power */
    uint32_t slice[CRC_SLICES][256];
};

/* The register after one more message bit. */
FECRUN_INLINE uint32_t crc_step(uint32_t state, uint32_t polynomial, uint32_t bit)
{
    return state << 1 ^ ((state >> 31 ^ bit) & 1 ? polynomial : 0);
}

/* The same where the register and the polynomial stand at the lower end. */
FECRUN_INLINE uint32_t crc_step_low(uint32_t width, uint32_t state, uint32_t polynomial,
                                    uint32_t bit)
{
    const uint32_t out = (state >> (width - 1) ^ bit) & 1;

    return ((state << 1) & ((1u << width) - 1)) ^ (out ? polynomial : 0);
}

/* After a bit that is 0: the register times x. */
FECRUN_INLINE uint32_t crc_next(uint32_t state, uint32_t polynomial)
{
    return state << 1 ^ (state >> 31 ? polynomial : 0);
}

/* An entry of the table of bytes, and the register after one more byte of the message. */
FECRUN_INLINE uint32_t crc_entry(uint32_t byte, uint32_t polynomial)
{
    uint32_t state = byte << 24;

    for (int i = 0; i < 8; i++)
        state = crc_next(state, polynomial);
    return state;
}

FECRUN_INLINE uint32_t crc_byte(const uint32_t table[256], uint32_t state, uint32_t byte)
{
    return state << 8 ^ table[(state >> 24 ^ byte) & 255];
}

void crc_table_make(struct crc_table *table, uint32_t polynomial);

/* The register after n more bits, packed or one a byte. Behind the packed bits of one call no others
   may come, unless they are whole bytes; n bytes may be any number. */
uint32_t crc_packed(const struct crc_table *table, uint32_t state, const uint8_t *packed,
                    uint64_t n);
uint32_t crc_bytes(const struct crc_table *table, uint32_t state, const uint8_t *bits, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif

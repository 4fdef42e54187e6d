/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/crc/crc.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/params.h>

const char *const crc_names[] = {"none", "24a", "24b", "24c", "16", "11", "8", "6", NULL};

const struct crc_kind crc_kinds[] = {
    [CRC_NONE] = {0, 0},
    [CRC_24A] = {24, CRC_24A_POLYNOMIAL},
    [CRC_24B] = {24, CRC_24B_POLYNOMIAL},
    [CRC_24C] = {24, CRC_24C_POLYNOMIAL},
    [CRC_16] = {16, CRC_16_POLYNOMIAL},
    [CRC_11] = {11, CRC_11_POLYNOMIAL},
    [CRC_8] = {8, CRC_8_POLYNOMIAL},
    [CRC_6] = {6, CRC_6_POLYNOMIAL},
};

int crc_check_mask(uint32_t mask, uint32_t width, struct fecrun_error *err)
{
    return mask >> width
               ? fecrun_fail(err, "mask", "0x%x is wider than the parity: at most %u bits", mask,
                             width)
               : 0;
}

int crc_check_room(uint64_t bits, uint32_t width, struct fecrun_error *err)
{
    if (bits > width)
        return 0;
    return fecrun_fail(err, "crc",
                       "frames of %llu bits have no room for a message and %u parity bits",
                       (unsigned long long)bits, width);
}

void crc_table_make(struct crc_table *table, uint32_t polynomial)
{
    table->polynomial = polynomial;
    for (uint32_t byte = 0; byte < 256; byte++)
        table->slice[0][byte] = crc_entry(byte, polynomial);
    /* Slice s: the same with s bytes of zeros behind it. */
    for (int s = 1; s < CRC_SLICES; s++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t state = table->slice[s - 1][byte];

            table->slice[s][byte] = state << 8 ^ table->slice[0][state >> 24];
        }
}

static uint32_t load_be32(const uint8_t *bytes)
{
    uint32_t x;

    memcpy(&x, bytes, 4);
    return __builtin_bswap32(x);
}

static uint32_t lookup(const uint32_t slice[4][256], uint32_t x)
{
    return slice[3][x >> 24] ^ slice[2][x >> 16 & 255] ^ slice[1][x >> 8 & 255] ^ slice[0][x & 255];
}

uint32_t crc_packed(const struct crc_table *table, uint32_t state, const uint8_t *packed,
                    uint64_t n)
{
    uint64_t bytes = n / 8, i = 0;

    for (; bytes - i >= 8; i += 8)
        state = lookup(table->slice + 4, load_be32(packed + i) ^ state) ^
                lookup(table->slice, load_be32(packed + i + 4));
    for (; i < bytes; i++)
        state = crc_byte(table->slice[0], state, packed[i]);
    for (unsigned bit = 0; bit < n % 8; bit++)
        state = crc_step(state, table->polynomial, packed[bytes] >> (7 - bit) & 1u);
    return state;
}

uint32_t crc_bytes(const struct crc_table *table, uint32_t state, const uint8_t *bits, uint64_t n)
{
    enum { PART = 2048 };
    uint8_t packed[PART / 8];

    for (uint64_t i = 0; i < n; i += PART) {
        const size_t part = n - i < PART ? (size_t)(n - i) : PART;

        fecrun_bits_pack(packed, bits + i, part);
        state = crc_packed(table, state, packed, part);
    }
    return state;
}

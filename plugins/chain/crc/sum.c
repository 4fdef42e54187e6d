/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/crc/sum.h"

#include "plugins/chain/plugin.h"

void crc_table_make(struct crc_table *table, uint32_t polynomial)
{
    table->polynomial = polynomial;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t state = byte << 24;

        for (int i = 0; i < 8; i++)
            state = crc_step(state, polynomial, 0);
        table->slice[0][byte] = state;
    }
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
        state = state << 8 ^ table->slice[0][state >> 24 ^ packed[i]];
    for (unsigned bit = 0; bit < n % 8; bit++)
        state = crc_step(state, table->polynomial, packed[bytes] >> (7 - bit) & 1u);
    return state;
}

uint32_t crc_bytes(const struct crc_table *table, uint32_t state, const uint8_t *bits, uint64_t n)
{
    uint8_t packed[CHAIN_CHUNK / 8];

    for (uint64_t i = 0; i < n; i += CHAIN_CHUNK) {
        size_t part = chain_part(n - i);

        fecrun_bits_pack(packed, bits + i, part);
        state = crc_packed(table, state, packed, part);
    }
    return state;
}

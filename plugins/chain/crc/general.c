/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/crc/general.h"

#include <fecrun/sdk/bits.h>
#include <string.h>

static uint64_t next(uint64_t state, uint64_t polynomial)
{
    return state << 1 ^ (state >> 63 ? polynomial : 0);
}

void crc_general_make(struct crc_general_table *table, uint64_t polynomial)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t state = (uint64_t)byte << 56;

        for (int i = 0; i < 8; i++)
            state = next(state, polynomial);
        table->slice[0][byte] = state;
    }
    for (int s = 1; s < CRC_GENERAL_SLICES; s++)
        for (unsigned byte = 0; byte < 256; byte++) {
            const uint64_t state = table->slice[s - 1][byte];

            table->slice[s][byte] = state << 8 ^ table->slice[0][state >> 56];
        }
}

uint64_t crc_general_ones(const struct crc_general *crc, uint64_t state, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        state = next(state ^ UINT64_C(1) << 63, crc->polynomial);
    return state;
}

uint64_t crc_general_turn(uint64_t x, unsigned width)
{
    uint64_t turned = 0;

    for (unsigned i = 0; i < width; i++)
        turned |= (x >> i & 1) << (width - 1 - i);
    return turned;
}

/* Eight bytes, the first one on top; each from its last bit on if so told. */
static uint64_t load(const uint8_t *bytes, bool reflect)
{
    uint64_t x;

    memcpy(&x, bytes, sizeof x);
    x = __builtin_bswap64(x);
    if (reflect) {
        x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
        x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
        x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    }
    return x;
}

/* The register after n more bits, and what stands behind whole bytes. */
static uint64_t feed(const struct crc_general *crc, const struct crc_general_table *table,
                     uint64_t state, const uint8_t *packed, uint64_t n)
{
    const uint64_t bytes = n / 8;
    uint64_t i = 0;

    for (; bytes - i >= 8; i += 8) {
        const uint64_t x = state ^ load(packed + i, crc->reflect);

        state = 0;
        for (unsigned s = 0; s < CRC_GENERAL_SLICES; s++)
            state ^= table->slice[s][x >> 8 * s & 255];
    }
    for (; i < bytes; i++) {
        const uint64_t byte = crc->reflect ? crc_general_turn(packed[i], 8) : packed[i];

        state = state << 8 ^ table->slice[0][(state >> 56 ^ byte) & 255];
    }
    for (unsigned bit = 0; bit < n % 8; bit++)
        state = next(state ^ (uint64_t)(packed[bytes] >> (7 - bit) & 1) << 63, crc->polynomial);
    return state;
}

static uint64_t finish(const struct crc_general *crc, uint64_t state)
{
    return state >> (64 - crc->width) ^ crc->change;
}

uint64_t crc_general_packed(const struct crc_general *crc, const struct crc_general_table *table,
                            const uint8_t *packed, uint64_t n)
{
    return finish(crc, feed(crc, table, crc->start, packed, n));
}

uint64_t crc_general_bytes(const struct crc_general *crc, const struct crc_general_table *table,
                           const uint8_t *bits, uint64_t n)
{
    enum { PART = 4096 };
    uint8_t packed[PART / 8];
    uint64_t state = crc->start;

    for (uint64_t i = 0; i < n; i += PART) {
        const size_t part = n - i < PART ? (size_t)(n - i) : PART;

        fecrun_bits_pack(packed, bits + i, part);
        state = feed(crc, table, state, packed, part);
    }
    return finish(crc, state);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: i8 rows of 64 lanes to [item][lane], VEC_BYTES rows at a time as blocks of 16 rows in the
 * 128-bit parts of a vector.
 */
#include "plugins/common/vec/vec_blocks.h"

static FECRUN_ALWAYS_INLINE void pack_block(const void *const *rows, size_t at, size_t items,
                                            uint8_t *to)
{
    vec block[16];

    for (unsigned i = 0; i < 16; i++)
        block[i] = vec_load_rows(rows + i, at);
    vec_i8_transpose(block);
    for (unsigned i = 0; i < items; i++)
        vec_store(to + i * VITERBI_LANES, block[i]);
}

static void pack_i8(const void *const *rows, unsigned lanes, size_t items, void *packed)
{
    for (unsigned lane = 0; lane < lanes; lane += VEC_BYTES) {
        const void *const *part = rows + lane;
        uint8_t *to = (uint8_t *)packed + lane;
        size_t at = 0;

        for (; items - at >= 16; at += 16)
            pack_block(part, at, 16, to + at * VITERBI_LANES);
        if (at < items) { /* not a byte beyond a row may be read */
            uint8_t rest[VEC_BYTES][16] = {{0}};
            const void *copy[VEC_BYTES];
            for (unsigned i = 0; i < VEC_BYTES; i++) {
                memcpy(rest[i], (const uint8_t *)part[i] + at, items - at);
                copy[i] = rest[i];
            }
            pack_block(copy, 0, items - at, to + at * VITERBI_LANES);
        }
    }
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: i8 rows of 64 lanes to [item][lane], V_LANES rows at a time as blocks of 16 rows in the
 * 128-bit parts of a vector. The including file defines, and this file undefines:
 *   vec, V_LANES, V_STORE(p, v)
 *   V_ROWS(rows, at)      16 items of rows[0], rows[16], ... from item `at` on
 *   V_LO(a, b) V_HI(a, b) bytes of the lower or upper halves interleaved, in each 128 bits
 */

/* Four perfect shuffles of 16 rows transpose a block. */
static FECRUN_ALWAYS_INLINE void pack_block(const void *const *rows, size_t at, size_t items,
                                            uint8_t *to)
{
    vec a[16], b[16];

    for (unsigned i = 0; i < 16; i++)
        a[i] = V_ROWS(rows + i, at);
    for (unsigned level = 0; level < 2; level++) {
        for (unsigned i = 0; i < 8; i++) {
            b[2 * i] = V_LO(a[i], a[i + 8]);
            b[2 * i + 1] = V_HI(a[i], a[i + 8]);
        }
        for (unsigned i = 0; i < 8; i++) {
            a[2 * i] = V_LO(b[i], b[i + 8]);
            a[2 * i + 1] = V_HI(b[i], b[i + 8]);
        }
    }
    for (unsigned i = 0; i < items; i++)
        V_STORE(to + i * VITERBI_LANES, a[i]);
}

static void pack_i8(const void *const *rows, unsigned lanes, size_t items, void *packed)
{
    for (unsigned lane = 0; lane < lanes; lane += V_LANES) {
        const void *const *part = rows + lane;
        uint8_t *to = (uint8_t *)packed + lane;
        size_t at = 0;

        for (; items - at >= 16; at += 16)
            pack_block(part, at, 16, to + at * VITERBI_LANES);
        if (at < items) { /* not a byte beyond a row may be read */
            uint8_t rest[V_LANES][16] = {{0}};
            const void *copy[V_LANES];
            for (unsigned i = 0; i < V_LANES; i++) {
                memcpy(rest[i], (const uint8_t *)part[i] + at, items - at);
                copy[i] = rest[i];
            }
            pack_block(copy, 0, items - at, to + at * VITERBI_LANES);
        }
    }
}

#undef vec
#undef V_LANES
#undef V_STORE
#undef V_ROWS
#undef V_LO
#undef V_HI

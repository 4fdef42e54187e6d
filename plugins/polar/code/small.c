/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/small.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

/* Table 5.3.3.3-1: bit i of sequence k is M(i, k). The first six are the first-order Reed-Muller code in
   another order of positions. */
static const uint32_t basis[POLAR_SMALL_MOST_K] = {0xffffffff, 0x4ba5a933, 0x7d910e5a, 0x6d26339c,
                                                   0x71c7c3e0, 0x7e0ffc00, 0x731d8e64, 0x6b44f5b0,
                                                   0x7dc218ec, 0x4da1b746, 0x42f0ffff};

uint32_t polar_small_n(uint32_t k, uint32_t qm)
{
    return k == 1 ? qm : k == 2 ? 3 * qm : POLAR_SMALL_N;
}

/* Tables 5.3.3.1-1 and 5.3.3.2-1: what stands in a symbol's first two bits; the others are x. Of two bits
   c0 and c1, whose sum c2 is 3 here, symbols are c0 c1, c2 c0, c1 c2. */
static void fill_symbols(uint16_t *row, uint32_t k, uint32_t qm)
{
    for (uint32_t i = 0; i < polar_small_n(k, qm); i++) {
        const uint32_t symbol = i / qm, place = i % qm, at = qm == 1 ? i : 2 * symbol + place;

        row[i] = place > 1 ? 0 : k == 1 ? 1 : (uint16_t)(at % 3 + 1);
    }
}

struct polar_code *polar_small_code(uint32_t k, uint32_t qm, struct fecrun_error *err)
{
    struct polar_code *code = calloc(1, sizeof *code + sizeof(struct polar_small));
    struct polar_small *small;

    if (!code) {
        fecrun_no_memory(err);
        return NULL;
    }
    small = (struct polar_small *)(code + 1);
    *code = (struct polar_code){.n = polar_small_n(k, qm), .k = k, .small = small};
    if (k <= 2)
        fill_symbols(small->row, k, qm);
    for (uint32_t i = 0; i < POLAR_SMALL_N && k > 2; i++)
        for (uint32_t b = 0; b < k; b++)
            small->row[i] |= (uint16_t)((basis[b] >> i & 1) << b);
    return code;
}

void polar_small_encode(const struct polar_code *code, const uint8_t *message, uint8_t *word)
{
    uint32_t number = 0;

    for (uint32_t b = 0; b < code->k; b++)
        number |= (uint32_t)message[b] << b;
    for (uint32_t i = 0; i < code->n; i++) {
        const uint32_t row = code->small->row[i];

        word[i] = row ? __builtin_popcount(row & number) & 1 : 1;
    }
}

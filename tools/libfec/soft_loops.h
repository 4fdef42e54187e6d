/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops over symbols, compiled for several instruction sets: FEC_SOFT(name) names each one's. */
#include "tools/libfec/soft.h"

#include <stdlib.h>

enum { MIDDLE = 128, PIECE = 256 };

/* In pieces whose sums fit 16 bits, so that the loop is one of narrow vectors. */
static void add_piece(const uint8_t *symbols, size_t count, uint64_t *sum, uint64_t *said)
{
    uint16_t s = 0, n = 0;

    for (size_t i = 0; i < count; i++) {
        uint8_t far = (uint8_t)abs(symbols[i] - MIDDLE);
        s = (uint16_t)(s + far);
        n = (uint16_t)(n + (far > 1)); /* 127 stands for "nothing", too */
    }
    *sum += s;
    *said += n;
}

void FEC_SOFT(sums)(const uint8_t *symbols, size_t count, uint64_t *sum, uint64_t *said)
{
    *sum = *said = 0;
    for (size_t i = 0; i < count; i += PIECE)
        add_piece(symbols + i, count - i < PIECE ? count - i : PIECE, sum, said);
}

/* The same in 16 bits, which 128 * FEC_MOST_FACTOR + 128 still fits. */
void FEC_SOFT(all)(const uint8_t *restrict symbols, size_t count, int factor, int llr_max,
                   int8_t *restrict llrs)
{
    const int16_t f = (int16_t)factor, most = (int16_t)llr_max, least = (int16_t)-llr_max;

    for (size_t i = 0; i < count; i++) {
        int16_t llr = (int16_t)((int16_t)((int16_t)(MIDDLE - symbols[i]) * f) + 128);
        llr = (int16_t)(llr >> 8);
        llr = llr > most ? most : llr;
        llr = llr < least ? least : llr;
        llrs[i] = (int8_t)llr;
    }
}

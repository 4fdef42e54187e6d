/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/libfec/soft.h"

#include <stdlib.h>

enum { MIDDLE = 128, MOST_FACTOR = 254, PIECE = 4096 };

/* In pieces whose sums fit 32 bits, so that the loop is one of narrow vectors. */
static void add_piece(const uint8_t *symbols, size_t count, uint64_t *sum, uint64_t *said)
{
    uint32_t s = 0, n = 0;

    for (size_t i = 0; i < count; i++) {
        int far = abs(symbols[i] - MIDDLE);
        s += (uint32_t)far;
        n += far > 1; /* 127 stands for "nothing", too */
    }
    *sum += s;
    *said += n;
}

int fec_soft_factor(const uint8_t *symbols, size_t count, int llr_max)
{
    uint64_t sum = 0, said = 0, factor;

    for (size_t i = 0; i < count; i += PIECE)
        add_piece(symbols + i, count - i < PIECE ? count - i : PIECE, &sum, &said);
    if (!said)
        return MOST_FACTOR;
    factor = (256 * 6 * (uint64_t)llr_max * said + 5 * sum) / (10 * sum);
    return factor > MOST_FACTOR ? MOST_FACTOR : (int)factor;
}

int8_t fec_soft(int symbol, int factor, int llr_max)
{
    int llr = ((MIDDLE - symbol) * factor + 128) >> 8;

    return (int8_t)(llr > llr_max ? llr_max : llr < -llr_max ? -llr_max : llr);
}

/* The same in 16 bits, which 128 * MOST_FACTOR + 128 still fits. */
void fec_soft_all(const uint8_t *symbols, size_t count, int factor, int llr_max, int8_t *llrs)
{
    const int16_t f = (int16_t)factor, most = (int16_t)llr_max;

    for (size_t i = 0; i < count; i++) {
        int16_t llr = (int16_t)((int16_t)((int16_t)(MIDDLE - symbols[i]) * f) + 128);
        llr = (int16_t)(llr >> 8);
        llr = llr > most ? most : llr;
        llr = llr < -most ? (int16_t)-most : llr;
        llrs[i] = (int8_t)llr;
    }
}

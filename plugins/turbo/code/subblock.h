/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sub-block interleavers of rate matching, TS 36.212 5.1.4.1.1, and bit collection, 5.1.4.1.2.
 * For the CPU and CUDA.
 *
 * Each stream of D = k + 4 bits is written row by row into R rows of 32 columns, behind ND dummies,
 * and read column by column in the order of Table 5.1.4-1, which is that of the reversed five bits.
 * The third stream is read one place further on, cyclically. The circular buffer w of 3 * 32 R
 * places holds all of stream 0, then those of streams 1 and 2 in turn.
 */
#ifndef TURBO_CODE_SUBBLOCK_H
#define TURBO_CODE_SUBBLOCK_H

#include "plugins/turbo/code/trellis.h"

enum { TURBO_COLUMNS = 32 };

#define TURBO_DUMMY UINT32_MAX

/* Table 5.1.4-1. */
TURBO_FN uint32_t turbo_column(uint32_t j)
{
    return (j & 1) << 4 | (j & 2) << 2 | (j & 4) | (j & 8) >> 2 | (j & 16) >> 4;
}

/* R */
TURBO_FN uint32_t turbo_rows(uint32_t k)
{
    return (k + 4 + TURBO_COLUMNS - 1) / TURBO_COLUMNS;
}

/* Kw, the places of w. */
TURBO_FN uint32_t turbo_buffer(uint32_t k)
{
    return TURBO_STREAMS * TURBO_COLUMNS * turbo_rows(k);
}

/* Item of the word d0 d1 d2 that lies in place x of w, or TURBO_DUMMY. */
TURBO_FN uint32_t turbo_buffer_item(uint32_t k, uint32_t x)
{
    const uint32_t rows = turbo_rows(k), all = TURBO_COLUMNS * rows, dummies = all - (k + 4);
    const uint32_t s = x < all ? 0 : 1 + ((x - all) & 1), i = s ? (x - all) / 2 : x;
    uint32_t y = turbo_column(i / rows) + TURBO_COLUMNS * (i % rows);

    if (s == 2)
        y = y + 1 == all ? 0 : y + 1;
    return y < dummies ? TURBO_DUMMY : turbo_item(k, s, y - dummies);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The bit interleaver undone, for objects of several instruction sets. */
#ifndef FECRUN_BBDEV_SPLIT_H
#define FECRUN_BBDEV_SPLIT_H

#include <rte_common.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How an object stores past the caches: stream() does, and behind fence() it is to be seen. */
struct split_away {
    void (*stream)(int8_t *to, const int8_t *from, size_t n);
    void (*fence)(void);
};

/* Loops that become vectors, as their counters do not wrap; those of five columns do not. */
static void split_2(const int8_t *restrict from, size_t n, int8_t *restrict a, int8_t *restrict b)
{
    for (size_t i = 0; i < n; i++) {
        a[i] = from[2 * i];
        b[i] = from[2 * i + 1];
    }
}

static void split_3(const int8_t *restrict from, size_t n, int8_t *restrict a, int8_t *restrict b,
                    int8_t *restrict c)
{
    for (size_t i = 0; i < n; i++) {
        a[i] = from[3 * i];
        b[i] = from[3 * i + 1];
        c[i] = from[3 * i + 2];
    }
}

static void split_4(const int8_t *restrict from, size_t n, int8_t *restrict to, size_t apart)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 4; j++)
            to[j * apart + i] = from[4 * i + j];
}

static void split_5(const int8_t *from, uint32_t n, int8_t *to, size_t apart)
{
    for (uint32_t i = 0; i < n; i++)
        for (unsigned j = 0; j < 5; j++)
            to[j * apart + i] = from[5 * i + j];
}

enum {
    PIECE = 256, /* symbols; a multiple of 8, so that only the last piece ends within a byte */
    MOST_QM = 10
};

/* Splits n symbols of qm LLRs into columns that are `apart` from each other: even and odd ones first. */
static void split(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, size_t apart)
{
    int8_t halves[2][MOST_QM / 2 * PIECE];

    switch (qm) {
    case 1:
        memcpy(to, from, n);
        break;
    case 2:
        split_2(from, n, to, to + apart);
        break;
    case 3:
        split_3(from, n, to, to + apart, to + 2 * apart);
        break;
    case 4:
        split_4(from, n, to, apart);
        break;
    case 5:
        split_5(from, n, to, apart);
        break;
    default:
        split_2(from, n * (qm / 2), halves[0], halves[1]);
        split(halves[0], n, qm / 2, to, 2 * apart);
        split(halves[1], n, qm / 2, to + apart, 2 * apart);
    }
}

/* Columns are collected so that lines of 64 bytes are mostly whole, while the next symbols come. */
static void deinterleave_away(const int8_t *from, uint32_t n, unsigned qm, int8_t *to,
                              const struct split_away *away)
{
    enum { FEW = 4 * PIECE };
    const uint32_t rows = n / qm;
    _Alignas(64) int8_t columns[MOST_QM * FEW];

    for (uint32_t j = 0; j < rows; j += FEW) {
        const uint32_t some = RTE_MIN(rows - j, (uint32_t)FEW);
        const int8_t *symbols = from + (size_t)j * qm;

        for (uint32_t k = 0; k < FEW * qm; k += 64)
            __builtin_prefetch(symbols + FEW * qm + k);
        for (uint32_t k = 0; k < some; k += PIECE)
            split(symbols + k * qm, RTE_MIN(some - k, (uint32_t)PIECE), qm, columns + k, FEW);
        for (unsigned c = 0; c < qm; c++)
            away->stream(to + c * rows + j, columns + c * FEW, some);
    }
    away->fence();
}

/* away: NULL: the caches may have them. */
static inline void deinterleave(const int8_t *from, uint32_t n, unsigned qm, int8_t *to,
                                const struct split_away *away)
{
    const uint32_t rows = n / qm;

    if (away) {
        deinterleave_away(from, n, qm, to, away);
        return;
    }
    for (uint32_t j = 0; j < rows; j += PIECE)
        split(from + j * qm, RTE_MIN(rows - j, (uint32_t)PIECE), qm, to + j, rows);
}

#endif

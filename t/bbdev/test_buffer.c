/* SPDX-License-Identifier: BSD-2-Clause */
/* The bit interleaver undone, through the caches and past them, against its definition (TS 38.212 5.4.2.2). */
#include "t/lib/tap.h"
#include "tools/bbdev/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 30000, GUARD = 64 };

static uint32_t state = 1;

static uint32_t draw(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * n >> 32);
}

/* Bytes that differ from the definition's, and bytes that were written outside. */
static unsigned wrong_of(const int8_t *from, uint32_t n, unsigned qm, const int8_t *all,
                         uint32_t before, uint32_t size)
{
    const uint32_t rows = n / qm;
    unsigned wrong = 0;

    for (uint32_t i = 0; i < qm; i++)
        for (uint32_t j = 0; j < rows; j++)
            wrong += all[before + i * rows + j] != from[i + j * qm];
    for (uint32_t i = 0; i < size; i++)
        wrong += (i < before || i >= before + n) && all[i] != 99;
    return wrong;
}

static void rounds(const char *name,
                   void (*undo)(const int8_t *, uint32_t, unsigned, int8_t *, int), int away)
{
    static const unsigned orders[] = {1, 2, 4, 6, 8, 10};
    static int8_t from[MOST], all[MOST + 3 * GUARD];

    for (unsigned q = 0; q < 6; q++) {
        unsigned wrong = 0;
        for (unsigned round = 0; round < 200; round++) {
            const unsigned qm = orders[q];
            const uint32_t rows = round < 40 ? 1 + round : 1 + draw(MOST / qm);
            const uint32_t before = GUARD + draw(GUARD);
            for (uint32_t i = 0; i < rows * qm; i++)
                from[i] = (int8_t)(draw(255) - 127);
            memset(all, 99, sizeof all);
            undo(from, rows * qm, qm, all + before, away);
            wrong += wrong_of(from, rows * qm, qm, all, before, sizeof all);
        }
        is_int(wrong, 0, "%s: 200 blocks of %u bits a symbol, at any address", name, orders[q]);
    }
}

int main(void)
{
    rounds("through the caches", bbdev_deinterleave_plain, 0);
    rounds("through the caches, as this CPU can", bbdev_deinterleave, 0);
    rounds("past them", bbdev_deinterleave_plain, 1);
    rounds("past them, as this CPU can", bbdev_deinterleave, 1);
    return done_testing();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Orders: memory, the inverse, what follows from the table, and the loops that move items. */
#include "plugins/frame/code/order.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

int order_make(struct order *order, uint64_t period, struct fecrun_error *err)
{
    *order = (struct order){.period = period, .block = period};
    order->from = calloc(period, sizeof *order->from);
    return order->from ? 0 : fecrun_no_memory(err);
}

void order_free(struct order *order)
{
    free(order->from);
    free(order->cells);
    *order = (struct order){0};
}

/* The period that a place belongs to, and its place there. */
static int64_t period_of(const struct order *order, int64_t from, uint64_t *place)
{
    const int64_t p = (int64_t)order->period;
    const int64_t rest = (from % p + p) % p;

    *place = (uint64_t)rest;
    return (from - rest) / p;
}

int order_invert(struct order *order, struct fecrun_error *err)
{
    int32_t *from = malloc(order->period * sizeof *from);
    uint64_t place;

    if (!from)
        return fecrun_no_memory(err);
    for (uint64_t i = 0; i < order->period; i++) {
        const int64_t other = period_of(order, order->from[i], &place);

        from[place] = (int32_t)((int64_t)i - other * (int64_t)order->period);
    }
    free(order->from);
    order->from = from;
    return 0;
}

int order_check(const struct order *order, uint64_t *again, struct fecrun_error *err)
{
    bool *taken = calloc(order->period, sizeof *taken);
    int status = 0;
    uint64_t place;

    if (!taken)
        return fecrun_no_memory(err);
    for (uint64_t i = 0; !status && i < order->period; i++) {
        period_of(order, order->from[i], &place);
        *again = i;
        status = taken[place];
        taken[place] = true;
    }
    free(taken);
    return status;
}

/* Do items move in groups of so many? */
static bool moves_cells(const struct order *order, unsigned cell)
{
    if (order->block % cell)
        return false;
    for (uint64_t i = 0; i < order->period; i++)
        if (order->from[i] != order->from[i - i % cell] + (int32_t)(i % cell))
            return false;
    return true;
}

/* Short periods cost a call each: several of them are one, too. */
static int repeat(struct order *order, struct fecrun_error *err)
{
    enum { ENOUGH = 1024 };

    const uint64_t times = (ENOUGH + order->block - 1) / order->block;
    int32_t *from = realloc(order->from, times * order->block * sizeof *from);

    if (!from)
        return fecrun_no_memory(err);
    order->from = from;
    order->period = times * order->block;
    for (uint64_t i = order->block; i < order->period; i++)
        from[i] = from[i - order->block] + (int32_t)order->block;
    return 0;
}

int order_finish(struct order *order, struct fecrun_error *err)
{
    if (repeat(order, err))
        return -1;
    order->least = order->most = order->from[0];
    for (uint64_t i = 0; i < order->period; i++) {
        const int32_t from = order->from[i];
        const int64_t way = from - (int64_t)i;

        order->least = from < order->least ? from : order->least;
        order->most = from > order->most ? from : order->most;
        if (i == order->block - 1) {
            order->block_least = order->least;
            order->block_most = order->most;
        }
        order->before = -way > (int64_t)order->before ? (uint64_t)-way : order->before;
        order->after = way > (int64_t)order->after ? (uint64_t)way : order->after;
    }
    for (order->cell = 8; !moves_cells(order, order->cell);)
        order->cell /= 2;
    order->cells = malloc(order->period / order->cell * sizeof *order->cells);
    if (!order->cells)
        return fecrun_no_memory(err);
    for (uint64_t i = 0; i < order->period / order->cell; i++)
        order->cells[i] = order->from[i * order->cell];
    return 0;
}

/* ---- Moving: cells of 1 to 64 bytes --------------------------------------------------------- */

/* `at`: where the period begins; from[] counts items of `step` bytes, a cell has `size`. */
#define GATHER(size, step) \
    static void gather_##size##_##step(const int32_t *from, uint64_t n, const uint8_t *at, \
                                       uint8_t *out) \
    { \
        for (uint64_t i = 0; i < n; i++) \
            memcpy(out + i * (size), at + (int64_t)from[i] * (step), size); \
    }

GATHER(1, 1)
GATHER(2, 1)
GATHER(4, 1)
GATHER(8, 1)
GATHER(2, 2)
GATHER(4, 2)
GATHER(8, 2)
GATHER(16, 2)
GATHER(4, 4)
GATHER(8, 4)
GATHER(16, 4)
GATHER(32, 4)
GATHER(8, 8)
GATHER(16, 8)
GATHER(32, 8)
GATHER(64, 8)

typedef void gather(const int32_t *from, uint64_t n, const uint8_t *at, uint8_t *out);

/* By the logarithms of an item's bytes and of a cell's items. */
static gather *const gathers[4][4] = {
    {gather_1_1, gather_2_1, gather_4_1, gather_8_1},
    {gather_2_2, gather_4_2, gather_8_2, gather_16_2},
    {gather_4_4, gather_8_4, gather_16_4, gather_32_4},
    {gather_8_8, gather_16_8, gather_32_8, gather_64_8},
};

/* Items first .. end-1 of a period where some are missing: those from outside of low .. high-1 are 0. */
static void move_some(const struct order *order, uint64_t first, uint64_t end, const uint8_t *at,
                      uint8_t *out, unsigned bytes, int64_t low, int64_t high)
{
    for (uint64_t i = first; i < end; i++, out += bytes) {
        const int64_t from = order->from[i];

        if (from >= low && from < high)
            memcpy(out, at + from * bytes, bytes);
        else
            memset(out, 0, bytes);
    }
}

/* Where the items are, and which of them there are: the first one has number 0. */
struct place {
    const uint8_t *in;
    int64_t low, high;
    unsigned bytes;
};

/* Places first .. end-1 of the block that begins at item `start`. */
static void move_block(const struct order *order, const struct place *place, int64_t start,
                       uint64_t first, uint64_t end, uint8_t *out)
{
    const uint8_t *at = place->in + start * (int64_t)place->bytes;
    const int64_t low = place->low - start, high = place->high - start;
    gather *const *by_cell = gathers[__builtin_ctz(place->bytes)];

    if (order->block_least < low || order->block_most >= high)
        move_some(order, first, end, at, out, place->bytes, low, high);
    else if (first == 0 && end == order->block)
        by_cell[__builtin_ctz(order->cell)](order->cells, order->block / order->cell, at, out);
    else
        by_cell[0](order->from + first, end - first, at, out);
}

void order_run(const struct order *order, const void *in, void *out, uint64_t n, unsigned bytes,
               uint64_t phase, uint64_t before, uint64_t after)
{
    const struct place place = {in, -(int64_t)before, (int64_t)(n + after), bytes};
    const int64_t block = (int64_t)order->block, period = (int64_t)order->period;
    gather *move = gathers[__builtin_ctz(bytes)][__builtin_ctz(order->cell)];
    uint8_t *to = out;

    for (int64_t start = -(int64_t)phase; start < (int64_t)n;) {
        const uint64_t left = (uint64_t)((int64_t)n - start);
        const uint64_t first = start < 0 ? (uint64_t)-start : 0;
        uint64_t end = left < order->block ? left : order->block;

        if (!first && left >= order->period && start + order->least >= place.low &&
            start + order->most < place.high) {
            move(order->cells, order->period / order->cell, place.in + start * (int64_t)bytes, to);
            end = order->period;
        } else {
            move_block(order, &place, start, first, end, to);
        }
        to += (end - first) * bytes;
        start += end == order->period ? period : block;
    }
}

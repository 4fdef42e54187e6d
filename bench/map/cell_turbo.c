/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of LTE's turbo code. */
#include "bench/map/cell.h"

#include <stdio.h>

#define STEP_NS 130.0 /* of `ref`, a step of both trellises in an iteration */

/* TS 36.212, table 5.1.3-3: 188 sizes. */
static unsigned draw_k(struct draw *draw)
{
    const unsigned i = draw_below(draw, 188);

    if (i < 60)
        return 40 + 8 * i;
    if (i < 92)
        return 528 + 16 * (i - 60);
    if (i < 124)
        return 1056 + 32 * (i - 92);
    return 2112 + 64 * (i - 124);
}

void cell_draw_turbo(struct cell *cell, struct draw *draw)
{
    static const unsigned iterations[] = {4, 5, 6, 8, 8, 10, 20};
    const unsigned k = draw_k(draw);
    const unsigned fillers = draw_chance(draw, 0.15) ? draw_range(draw, 1, k > 128 ? 63 : k / 8)
                                                     : 0;
    const bool crc = k - fillers > 64 && draw_chance(draw, 0.6);
    const bool log_map = draw_chance(draw, 0.2);

    snprintf(cell->stage, sizeof cell->stage, "turbo");
    cell->bits = k - fillers - (crc ? 24 : 0);
    if (crc)
        snprintf(cell->crc, sizeof cell->crc, "crc: 24b");
    if (fillers)
        snprintf(cell->code, sizeof cell->code, "k: %u, fillers: %u", k, fillers);
    else
        snprintf(cell->code, sizeof cell->code, "k: %u", k);
    cell_draw_sent(cell, draw, k - fillers, 3 * k + 12);
    cell->word = 3.0 * k;
    cell->cost = STEP_NS * k * (log_map ? 3 : 1);
    cell->iterations = DRAW_ONE(draw, iterations);
    cell->stops = crc;
    snprintf(cell->decode, sizeof cell->decode, ", algorithm: %s, early_stop: %s",
             log_map ? "log-map" : "max-log", crc ? "crc, crc: 24b" : "none");
}

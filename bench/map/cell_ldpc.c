/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of LDPC codes: 5G NR with rate matching, Wi-Fi, WiMAX, DVB-S2's short frames. */
#include "bench/map/cell.h"

#include <stdio.h>
#include <string.h>

#define EDGE_NS 3.5 /* of `ref`, an edge in an iteration */

/* TS 38.212, table 5.3.2-1: a times a power of two. */
static unsigned draw_z(struct draw *draw)
{
    static const unsigned first[] = {2, 3, 5, 7, 9, 11, 13, 15};
    unsigned z[64], n = 0;

    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        for (unsigned size = first[i]; size <= 384; size *= 2)
            z[n++] = size;
    return z[draw_below(draw, n)];
}

static void draw_nr(struct cell *cell, struct draw *draw)
{
    const unsigned bg = draw_range(draw, 1, 2), z = draw_z(draw);
    const unsigned k = (bg == 1 ? 22 : 10) * z, n = (bg == 1 ? 66 : 50) * z;
    unsigned fillers = 0, used;

    if (draw_chance(draw, 0.3))
        fillers = draw_range(draw, 1, k / (draw_chance(draw, 0.3) ? 2 : 8) + 1);
    cell->bits = k - fillers;
    snprintf(cell->code, sizeof cell->code, "code: nr, bg: %u, z: %u", bg, z);
    if (fillers)
        snprintf(cell->code + strlen(cell->code), sizeof cell->code - strlen(cell->code),
                 ", fillers: %u", fillers);
    cell_draw_sent(cell, draw, cell->bits, n);
    used = cell->coded + 2 * z + fillers < n + 2 * z ? cell->coded + 2 * z + fillers : n + 2 * z;
    cell->word = used;
    cell->cost = EDGE_NS * 5.5 * used;
    if (draw_chance(draw, 0.05))
        snprintf(cell->decode, sizeof cell->decode, ", rows: %u", bg == 1 ? 46 : 42);
}

/* Of a code without rate matching. */
static void whole(struct cell *cell, unsigned n, double edges)
{
    cell->n_sent = 1;
    cell->sent[0].rv = -1;
    cell->coded = n;
    cell->word = n;
    cell->cost = EDGE_NS * edges * n;
}

/* Numbers of bits that have whole symbols, else one bit a symbol. */
static void fit_symbols(struct cell *cell, unsigned n)
{
    if (n % cell->qm)
        cell->qm = n % 2 ? 1 : 2;
}

static void draw_wifi(struct cell *cell, struct draw *draw)
{
    static const char *const rates[] = {"1/2", "2/3", "3/4", "5/6"};
    static const unsigned info[] = {12, 16, 18, 20}; /* of 24 */
    const unsigned n = 648 * draw_range(draw, 1, 3), rate = draw_below(draw, 4);

    snprintf(cell->code, sizeof cell->code, "code: wifi, n: %u, rate: %s", n, rates[rate]);
    cell->bits = n / 24 * info[rate];
    fit_symbols(cell, n);
    whole(cell, n, 3.6);
}

static void draw_wimax(struct cell *cell, struct draw *draw)
{
    static const char *const rates[] = {"1/2", "2/3A", "2/3B", "3/4A", "3/4B", "5/6"};
    static const unsigned info[] = {12, 16, 16, 18, 18, 20};
    const unsigned n = 576 + 96 * draw_range(draw, 0, 18), rate = draw_below(draw, 6);

    snprintf(cell->code, sizeof cell->code, "code: wimax, n: %u, rate: %s", n, rates[rate]);
    cell->bits = n / 24 * info[rate];
    fit_symbols(cell, n);
    whole(cell, n, 3.4);
}

static void draw_dvbs2(struct cell *cell, struct draw *draw)
{
    static const char *const rates[] = {"1/4", "1/3", "2/5", "1/2", "3/5",
                                        "2/3", "3/4", "4/5", "5/6", "8/9"};
    static const unsigned info[] = {9, 15, 18, 20, 27, 30, 33, 35, 37, 40}; /* times 360 */
    const unsigned rate = draw_below(draw, 10);

    snprintf(cell->code, sizeof cell->code, "code: dvbs2, frame: short, rate: %s", rates[rate]);
    cell->bits = 360 * info[rate];
    fit_symbols(cell, 16200);
    whole(cell, 16200, 3.5);
}

void cell_draw_ldpc(struct cell *cell, struct draw *draw)
{
    static const unsigned iterations[] = {5, 8, 10, 10, 20, 20, 50, 100};
    const unsigned kind = draw_below(draw, 16);
    const char *rule = draw_chance(draw, 0.2) ? "offset-min-sum" : "min-sum";
    const char *schedule = draw_chance(draw, 0.1) ? "flooding" : "layered";
    size_t used;

    if (kind < 10)
        draw_nr(cell, draw);
    else if (kind < 12)
        draw_wifi(cell, draw);
    else if (kind < 15)
        draw_wimax(cell, draw);
    else
        draw_dvbs2(cell, draw);
    snprintf(cell->stage, sizeof cell->stage, "ldpc");
    cell->iterations = DRAW_ONE(draw, iterations);
    cell->stops = draw_chance(draw, 0.85);
    used = strlen(cell->decode);
    snprintf(cell->decode + used, sizeof cell->decode - used,
             ", check_rule: %s, schedule: %s, early_stop: %s", rule, schedule,
             cell->stops ? "syndrome" : "none");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of polar codes: plain ones, and 5G NR's control channels. */
#include "bench/map/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAIR_NS 5.5 /* of `ref`, a pair of a stage, of one path */

static unsigned least_power(double n)
{
    unsigned power = 32;

    while (power < n)
        power *= 2;
    return power;
}

static void draw_plain(struct cell *cell, struct draw *draw, unsigned *crc_bits)
{
    static const struct {
        const char *name;
        unsigned bits;
    } crcs[] = {{"none", 0}, {"6", 6}, {"11", 11}, {"16", 16}, {"24c", 24}};
    static const char *const constructions[] = {"nr", "ga", "ga", "bec", "rm"};
    const unsigned n = 32u << draw_range(draw, 0, 7);
    const double rate = draw_even(draw, 0.15, 0.9);
    const char *construction = DRAW_ONE(draw, constructions);
    unsigned crc = draw_below(draw, 5), k = (unsigned)(rate * n);

    if (k < crcs[crc].bits + 8)
        crc = 0;
    if (!strcmp(construction, "nr") && n > 1024)
        construction = "ga";
    if (crcs[crc].bits)
        snprintf(cell->crc, sizeof cell->crc, "crc: %s", crcs[crc].name);
    *crc_bits = crcs[crc].bits;
    cell->bits = k - crcs[crc].bits;
    snprintf(cell->code, sizeof cell->code, "code: plain, n: %u, k: %u, construction: %s", n, k,
             construction);
    if (construction[0] == 'g' || construction[0] == 'b')
        snprintf(cell->code + strlen(cell->code), sizeof cell->code - strlen(cell->code),
                 ", design_snr_db: %.1f",
                 10 * log10((pow(2, 2 * rate) - 1) / 2) + draw_even(draw, 0, 2));
    if (n % cell->qm)
        cell->qm = 2;
    cell->n_sent = 1;
    cell->sent[0].rv = -1;
    cell->coded = n;
    cell->word = n;
}

/* Rate matching of a word whose N follows from K and E. */
static void draw_matched(struct cell *cell, struct draw *draw, unsigned k, unsigned n_max)
{
    const double rate = draw_even(draw, 0.15, 0.9);
    const unsigned e = cell_symbols(cell, fmin(fmax(k / rate, k + 8.0), 8192));

    cell->n_sent = 1;
    cell->sent[0].e = e;
    cell->sent[0].rv = -1;
    cell->coded = e;
    cell->word = fmin(least_power(e), 1u << n_max);
    snprintf(cell->code + strlen(cell->code), sizeof cell->code - strlen(cell->code),
             "code: nr, k: %u, e: %u", k, e);
}

static void draw_uplink(struct cell *cell, struct draw *draw, unsigned *crc_bits)
{
    const bool few = draw_chance(draw, 0.25);
    const unsigned bits = few ? draw_range(draw, 12, 19) : (unsigned)draw_log(draw, 20, 500);

    *crc_bits = few ? 6 : 11;
    cell->bits = bits;
    snprintf(cell->crc, sizeof cell->crc, "crc: %u", *crc_bits);
    draw_matched(cell, draw, bits + *crc_bits, 10);
    if (draw_chance(draw, 0.8))
        snprintf(cell->match, sizeof cell->match, ", channel_interleave: true");
}

static void draw_downlink(struct cell *cell, struct draw *draw, unsigned *crc_bits)
{
    const unsigned bits = draw_range(draw, 12, 140);

    *crc_bits = 24;
    cell->bits = bits;
    snprintf(cell->crc, sizeof cell->crc, "crc: 24c, ones: 24");
    draw_matched(cell, draw, bits + 24, 9);
    snprintf(cell->code + strlen(cell->code), sizeof cell->code - strlen(cell->code),
             ", n_max: 9, input_interleave: true");
}

static void draw_small(struct cell *cell, struct draw *draw)
{
    const unsigned k = draw_range(draw, 3, 11);

    cell->bits = k;
    cell->n_sent = 1;
    cell->sent[0].rv = -1;
    cell->sent[0].e = cell_symbols(cell, draw_even(draw, 32, 128));
    cell->coded = cell->sent[0].e;
    cell->word = 32;
    cell->cost = 32 * 32 * 32;
    snprintf(cell->code, sizeof cell->code, "code: nr-small, k: %u", k);
    snprintf(cell->match, sizeof cell->match, ", k: %u", k);
}

static void draw_decoder(struct cell *cell, struct draw *draw, unsigned crc_bits)
{
    static const unsigned lists[] = {1, 2, 4, 8, 8, 16, 32};
    static const unsigned iterations[] = {10, 20, 35, 50};
    const unsigned algorithm = draw_below(draw, 10), list = DRAW_ONE(draw, lists);
    const unsigned turns = DRAW_ONE(draw, iterations);
    const bool stop = draw_chance(draw, 0.7), adaptive = draw_chance(draw, 0.2);
    const double pairs = cell->word * log2(cell->word) / 2;

    if (algorithm < 2) {
        snprintf(cell->decode, sizeof cell->decode, ", algorithm: sc");
        cell->cost = PAIR_NS * pairs;
    } else if (algorithm < 8) {
        snprintf(cell->decode, sizeof cell->decode, ", algorithm: scl, list: %u%s", list,
                 crc_bits && adaptive ? ", adaptive: true" : "");
        cell->cost = PAIR_NS * 2 * pairs * list;
    } else {
        cell->iterations = turns;
        cell->stops = stop;
        snprintf(cell->decode, sizeof cell->decode, ", algorithm: bp, early_stop: %s",
                 !stop                                ? "none"
                 : crc_bits && draw_chance(draw, 0.5) ? "crc"
                                                      : "gmatrix");
        cell->cost = PAIR_NS * 4 * pairs;
    }
    if (crc_bits)
        snprintf(cell->decode + strlen(cell->decode), sizeof cell->decode - strlen(cell->decode),
                 ", %s", cell->crc);
}

void cell_draw_polar(struct cell *cell, struct draw *draw)
{
    const unsigned kind = draw_below(draw, 10);
    unsigned crc_bits = 0;

    snprintf(cell->stage, sizeof cell->stage, "polar");
    if (kind == 9) {
        draw_small(cell, draw);
        return;
    }
    if (kind < 5)
        draw_plain(cell, draw, &crc_bits);
    else if (kind < 7)
        draw_uplink(cell, draw, &crc_bits);
    else
        draw_downlink(cell, draw, &crc_bits);
    draw_decoder(cell, draw, crc_bits);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What all families' cells have in common: random numbers, the link, the LLRs. */
#include "bench/map/cell.h"

#include <math.h>
#include <string.h>

const char *const family_names[FAMILIES] = {"ldpc", "turbo", "polar", "viterbi"};

/* ---- Random numbers ---- */

static uint64_t next(struct draw *draw)
{
    uint64_t z = draw->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned draw_below(struct draw *draw, unsigned n)
{
    return (unsigned)((next(draw) >> 32) * n >> 32);
}

unsigned draw_range(struct draw *draw, unsigned low, unsigned high)
{
    return low + draw_below(draw, high - low + 1);
}

double draw_even(struct draw *draw, double low, double high)
{
    return low + (high - low) * (double)(next(draw) >> 11) * 0x1p-53;
}

double draw_log(struct draw *draw, double low, double high)
{
    return low * exp(draw_even(draw, 0, log(high / low)));
}

bool draw_chance(struct draw *draw, double p)
{
    return draw_even(draw, 0, 1) < p;
}

/* ---- The link ---- */

unsigned cell_symbols(const struct cell *cell, double bits)
{
    const double symbols = round(bits / cell->qm);

    return (unsigned)(symbols < 1 ? 1 : symbols) * cell->qm;
}

void cell_draw_sent(struct cell *cell, struct draw *draw, unsigned known, unsigned most)
{
    static const int pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const bool two = draw_chance(draw, 0.22);
    const int *pair = DRAW_ONE(draw, pairs);
    const int alone = draw_chance(draw, 0.75) ? 0 : (int)draw_range(draw, 1, 3);
    const bool poor = !two && (alone == 1 || alone == 2); /* without the information bits */
    const double rate = draw_even(draw, two ? 0.3 : 0.2, poor ? 0.6 : 0.95);
    const unsigned e = cell_symbols(cell, fmin(known / rate, 4.0 * most));

    cell->n_sent = two ? 2 : 1;
    for (unsigned i = 0; i < cell->n_sent; i++) {
        cell->sent[i].e = e;
        cell->sent[i].rv = two ? pair[i] : alone;
    }
    cell->coded = e * cell->n_sent;
}

static const struct other {
    const char *name;
    unsigned bits;
} others[] = {{"pi/2-bpsk", 1},
              {"8psk", 3},
              {"16apsk", 4},
              {"32apsk", 5},
              {"1024qam", 10},
              {"points, points: [[1, 0], [0.7, 0.7], [0, 1], [-0.7, 0.7], [0.7, -0.7], [0, -1], "
               "[-0.7, -0.7], [-1, 0]]",
               3}};

static void draw_modulation(struct cell *cell, struct draw *draw)
{
    static const unsigned bits[] = {1, 2, 2, 4, 6, 8};
    struct other other;

    cell->qm = DRAW_ONE(draw, bits);
    if (cell->number < CELL_OTHERS || draw_chance(draw, 0.5))
        return;
    other = DRAW_ONE(draw, others);
    cell->other = other.name;
    cell->qm = other.bits;
}

const char *cell_scheme(const struct cell *cell)
{
    static const char *const names[] = {NULL, "bpsk",  "qpsk", NULL,    "16qam",
                                        NULL, "64qam", NULL,   "256qam"};

    for (size_t i = 0; cell->other && i < sizeof others / sizeof *others; i++)
        if (others[i].name == cell->other && others[i].bits == cell->qm)
            return cell->other;
    return names[cell->qm];
}

static void draw_llr(struct cell *cell, struct draw *draw)
{
    static const double scales[] = {1, 1.5, 2, 3, 4, 4, 6, 8, 8, 8, 12, 16};
    const bool viterbi = cell->family == FAMILY_VITERBI;

    cell->llr = draw_chance(draw, 0.08) ? LLR_F32 : LLR_I8;
    cell->scale = DRAW_ONE(draw, scales);
    if (!viterbi || cell->llr == LLR_F32)
        return;
    if (draw_chance(draw, 0.25)) {
        cell->llr = LLR_I4;
        cell->scale = draw_log(draw, 0.3, 2);
    } else if (draw_chance(draw, 0.5)) {
        cell->max = draw_range(draw, 4, 12);
        cell->scale = draw_log(draw, 0.4, 3);
    }
    cell->scale = round(cell->scale * 100) / 100;
}

void cell_draw(struct cell *cell, uint64_t seed, unsigned number, unsigned attempt,
               enum family family)
{
    static const enum family often[] = {FAMILY_LDPC,  FAMILY_LDPC,   FAMILY_LDPC,  FAMILY_LDPC,
                                        FAMILY_LDPC,  FAMILY_TURBO,  FAMILY_TURBO, FAMILY_POLAR,
                                        FAMILY_POLAR, FAMILY_VITERBI};
    static void (*const draw_code[FAMILIES])(struct cell *, struct draw *) = {
        cell_draw_ldpc, cell_draw_turbo, cell_draw_polar, cell_draw_viterbi};
    struct draw draw = {seed * 0x9e3779b97f4a7c15u ^ (uint64_t)number << 20 ^ attempt};

    next(&draw);
    memset(cell, 0, sizeof *cell);
    cell->number = number;
    cell->seed = next(&draw) >> 40;
    cell->family = DRAW_ONE(&draw, often);
    if (family != FAMILIES)
        cell->family = family;
    draw_modulation(cell, &draw);
    draw_llr(cell, &draw);
    draw_code[cell->family](cell, &draw);
}

/* Too coarse: doc/ldpc.md and doc/turbo.md. Others have no lower limit there: the same is taken. */
bool cell_is_coarse(const struct cell *cell)
{
    if (cell->llr != LLR_I8 || cell->family == FAMILY_VITERBI)
        return false;
    return cell->scale < (cell->qm >= 6 ? 8 : 4);
}

/* Capacity of a Gaussian input, and what a finite constellation and a short code take. */
double cell_guess_db(const struct cell *cell)
{
    const double bits = (double)cell->bits * cell->qm / cell->coded; /* a symbol */
    const double snr = cell->qm == 1 ? (pow(2, 2 * bits) - 1) / 2 : pow(2, bits) - 1;
    const double full = fmin(bits / cell->qm, 1);

    return 10 * log10(snr) + 0.8 + 6 / sqrt(cell->bits) + 2.5 * full * full;
}

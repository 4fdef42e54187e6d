/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of speed.h: codes and links are those of cell.h; streams, soft outputs, more types, batches and devices are
 * added. */
#include "bench/map/speed/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const group_names[GROUPS] = {"ldpc",       "turbo",    "polar sc",
                                         "polar list", "polar bp", "viterbi"};
const char *const group_units[GROUPS] = {"edges",         "bits",    "N log N",
                                         "N log N paths", "N log N", "states"};

/* Units a second of a fast kernel on a large device, to which a batch is fitted, and the time of one. */
static const double group_rates[GROUPS] = {5e12, 2e11, 4e12, 4e12, 8e12, 2e13};
#define CALL_SECONDS 3e-3
#define MOST_BITS 4e8 /* of LLRs in a batch */

/* ---- Work ------------------------------------------------------------------------------------ */

/* Edges of the rows of 38.212's base graphs, from t/data/tables. */
static const uint8_t bg1_edges[] = {19, 19, 19, 19, 3, 8, 9, 7, 10, 9, 7, 8, 7, 6, 7, 7,
                                    6,  6,  6,  6,  6, 6, 5, 5, 6,  5, 5, 4, 5, 5, 5, 5,
                                    5,  5,  5,  5,  5, 4, 5, 5, 4,  5, 4, 5, 5, 4};
static const uint8_t bg2_edges[] = {8, 10, 8, 10, 4, 6, 6, 6, 4, 5, 5, 5, 4, 5,
                                    5, 4,  5, 5,  4, 4, 4, 4, 3, 4, 4, 3, 5, 3,
                                    4, 3,  5, 3,  4, 4, 4, 4, 4, 3, 4, 4, 4, 4};

/* The number behind a name of the code's parameters; 0: it has none. */
static unsigned parameter(const struct cell *cell, const char *name)
{
    const char *at = strstr(cell->code, name);

    return at ? (unsigned)strtoul(at + strlen(name), NULL, 10) : 0;
}

/* Rows of the base graph up to the last column that was sent. Redundancy versions begin at these columns. */
static unsigned nr_rows(const struct cell *cell, unsigned bg, unsigned z)
{
    static const unsigned begin[2][4] = {{0, 17, 33, 56}, {0, 13, 25, 43}};
    const unsigned all = bg == 1 ? 46 : 42, info = bg == 1 ? 22 : 10;
    const unsigned n = bg == 1 ? 66 : 50, fillers = parameter(cell, "fillers: ");
    unsigned end = 0;

    if (strstr(cell->decode, "rows: "))
        return all;
    for (unsigned i = 0; i < cell->n_sent; i++) {
        const unsigned first = begin[bg - 1][cell->sent[i].rv];
        const unsigned skipped = first + 2 < info ? fillers : 0;
        const unsigned last = first * z + cell->sent[i].e + skipped;

        end = last > end ? last : end;
    }
    if (end >= n * z)
        return all;
    end = (end + z - 1) / z + 2;
    return end < info + 4 ? 4 : end - info;
}

static double ldpc_edges(const struct cell *cell)
{
    const unsigned bg = parameter(cell, "bg: "), z = parameter(cell, "z: ");
    const uint8_t *edges = bg == 1 ? bg1_edges : bg2_edges;
    unsigned sum = 0;

    if (!bg)
        return cell->word * (strstr(cell->code, "wimax")  ? 3.4
                             : strstr(cell->code, "wifi") ? 3.6
                                                          : 3.5);
    for (unsigned rows = nr_rows(cell, bg, z), r = 0; r < rows; r++)
        sum += edges[r];
    return (double)sum * z;
}

/* The number of a list's paths. */
static unsigned paths(const struct cell *cell)
{
    const char *at = strstr(cell->decode, "list: ");

    return at ? (unsigned)strtoul(at + 6, NULL, 10) : 1;
}

static void count_polar(struct speed_cell *s)
{
    const struct cell *cell = &s->cell;
    const bool list = strstr(cell->decode, "algorithm: scl") && !strstr(cell->decode, "adaptive");

    s->group = strstr(cell->decode, "algorithm: bp") ? GROUP_POLAR_BP
               : list                                ? GROUP_POLAR_LIST
                                                     : GROUP_POLAR_SC;
    s->work = cell->word * log2(cell->word) * (list ? paths(cell) : 1);
    s->threads = s->group == GROUP_POLAR_BP ? cell->word / 32 : list ? paths(cell) : 0.5;
}

/* After everything else was drawn. */
static void count_work(struct speed_cell *s)
{
    const struct cell *cell = &s->cell;

    switch (cell->family) {
    case FAMILY_LDPC:
        s->group = GROUP_LDPC;
        s->work = ldpc_edges(cell);
        s->threads = parameter(cell, "z: ") ? parameter(cell, "z: ") / 2.0 : cell->word / 48;
        break;
    case FAMILY_TURBO:
        s->group = GROUP_TURBO;
        s->work = cell->word / 3;
        s->threads = s->work < 4096 ? s->work / 64 : 64;
        break;
    case FAMILY_POLAR:
        count_polar(s);
        break;
    default:
        s->group = GROUP_VITERBI;
        s->work = cell->cost / 6;
        s->threads = cell->stream ? cell->bits / 4096.0 : 0.5;
    }
}

/* ---- Drawn --------------------------------------------------------------------------------------- */

/* In place of a word of the decoder's parameters. */
static void replace(struct cell *cell, const char *from, const char *to)
{
    char rest[sizeof cell->decode], *at = strstr(cell->decode, from);

    if (!at)
        return;
    snprintf(rest, sizeof rest, "%s", at + strlen(from));
    snprintf(at, sizeof cell->decode - (size_t)(at - cell->decode), "%s%s", to, rest);
}

static void append(struct cell *cell, const char *more)
{
    const size_t used = strlen(cell->decode);

    snprintf(cell->decode + used, sizeof cell->decode - used, "%s", more);
}

static void vary_ldpc(struct cell *cell, struct draw *draw)
{
    static const unsigned iterations[] = {5, 8, 10, 10, 20};

    cell->iterations = DRAW_ONE(draw, iterations);
    if (draw_chance(draw, 0.4))
        replace(cell, "early_stop: syndrome", "early_stop: none");
    if (draw_chance(draw, 0.12))
        replace(cell, "check_rule: min-sum", "check_rule: sum-product");
    if (draw_chance(draw, 0.12))
        append(cell, ", order: forward");
    if (draw_chance(draw, 0.2))
        cell->soft = draw_chance(draw, 0.6) ? "llr" : "code_llr";
}

/* Pieces of a stream, in tiles. */
static void draw_stream(struct cell *cell, struct draw *draw)
{
    static const struct {
        const char *code;
        unsigned k, n;
    } codes[] = {{"code: ieee80211", 7, 2},
                 {"code: ieee80211", 7, 2},
                 {"code: dvb", 7, 2},
                 {"code: lte_tbcc", 7, 3},
                 {"code: dab", 7, 4},
                 {"code: gsm_xcch", 5, 2},
                 {"code: umts_r2", 9, 2},
                 {"code: umts_r3", 9, 3},
                 {"constraint_length: 6, generators: [0o53, 0o75]", 6, 2},
                 {"constraint_length: 8, generators: [0o247, 0o371]", 8, 2}};
    static const unsigned tiles[] = {504, 1008, 2016, 4032, 8064};
    const unsigned c = draw_below(draw, sizeof codes / sizeof *codes), f = DRAW_ONE(draw, tiles);
    const bool traced = draw_chance(draw, 0.7), any = draw_chance(draw, 0.6);

    snprintf(cell->code, sizeof cell->code, "%s, termination: continuous", codes[c].code);
    snprintf(cell->decode, sizeof cell->decode, ", tile: {f: %u, v1: 48, v2: %u, f0: %u}%s", f,
             traced ? 48 + codes[c].k - 1 : 48, traced ? 8 : 0,
             any ? ", traceback_start: any" : "");
    cell->stream = true;
    cell->puncture[0] = 0;
    cell->qm = 1;
    cell->bits = f * draw_range(draw, 1, 8);
    cell->word = cell->coded = codes[c].n * cell->bits;
    cell->cost = 6.0 * (1u << (codes[c].k - 1)) * cell->bits;
}

static void vary(struct cell *cell, struct draw *draw)
{
    if (cell->family == FAMILY_LDPC)
        vary_ldpc(cell, draw);
    else if (cell->family == FAMILY_VITERBI && draw_chance(draw, 0.5))
        draw_stream(cell, draw);
    else if (cell->family == FAMILY_TURBO && draw_chance(draw, 0.2))
        cell->soft = "llr";
    if (cell->family == FAMILY_TURBO && cell->iterations > 10)
        cell->iterations = 10;
    if (draw_chance(draw, 0.06)) {
        cell->llr = LLR_F32;
    } else if (draw_chance(draw, 0.05)) {
        cell->llr = LLR_I16;
        cell->max = 0;
    }
}

static unsigned draw_batch(const struct speed_cell *s, struct draw *draw)
{
    const unsigned iterations = s->cell.iterations ? s->cell.iterations : 1;
    const double frame = s->work * iterations / group_rates[s->group];
    double most = fmin(CALL_SECONDS / frame, MOST_BITS / (s->cell.word + s->cell.coded));

    most = fmin(fmax(most, 1), 65536);
    /* half of all batches fill a device */
    return (unsigned)(draw_chance(draw, 0.5) ? most : draw_log(draw, 1, most + 0.5));
}

void speed_draw(struct speed_cell *s, uint64_t seed, unsigned number, unsigned attempt)
{
    static const enum family often[] = {FAMILY_LDPC,  FAMILY_LDPC,   FAMILY_LDPC,  FAMILY_LDPC,
                                        FAMILY_TURBO, FAMILY_TURBO,  FAMILY_POLAR, FAMILY_POLAR,
                                        FAMILY_POLAR, FAMILY_VITERBI};
    static const char *const likes[] = {"", "8.0:163", "8.6:99"};
    struct draw draw = {seed << 32 ^ (uint64_t)number << 8 ^ attempt};
    const unsigned i = draw_below(&draw, sizeof often / sizeof *often + 1);

    memset(s, 0, sizeof *s);
    do /* nothing of N = 32 that has kernels of its own */
        cell_draw(&s->cell, seed, number, draw_below(&draw, 1 << 20),
                  i < sizeof often / sizeof *often ? often[i] : FAMILY_VITERBI);
    while (strstr(s->cell.code, "nr-small"));
    s->like = DRAW_ONE(&draw, likes);
    vary(&s->cell, &draw);
    count_work(s);
    s->batch = draw_batch(s, &draw);
    s->esn0_db = cell_guess_db(&s->cell) + 3; /* few errors: the guess is a rough one */
}

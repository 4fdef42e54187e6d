/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of convolutional codes: those of standards, and any generators of K = 3 to 9. */
#include "bench/map/cell.h"

#include <stdio.h>
#include <string.h>

#define STATE_NS 6.0 /* of `ref`, a state of a step */

struct code {
    unsigned k, n;     /* constraint length; bits a step */
    bool half;         /* its standard has patterns for it */
    char row[4][8];    /* of a pattern */
    unsigned take, of; /* of a standard's pattern: its rate; 0: none */
};

static struct code draw_named(struct cell *cell, struct draw *draw)
{
    static const struct {
        const char *name;
        struct code code;
    } named[] = {
        {"ieee80211", {.k = 7, .n = 2, .half = true}},
        {"dvb", {.k = 7, .n = 2, .half = true}},
        {"ccsds", {.k = 7, .n = 2}},
        {"lte_tbcc", {.k = 7, .n = 3}},
        {"umts_r2", {.k = 9, .n = 2}},
        {"umts_r3", {.k = 9, .n = 3}},
        {"cdma_r2", {.k = 9, .n = 2}},
        {"cdma2000_r4", {.k = 9, .n = 4}},
        {"dab", {.k = 7, .n = 4}},
        {"gsm_xcch", {.k = 5, .n = 2}},
        {"gsm_tch_hs", {.k = 7, .n = 3}},
    };
    const unsigned i = draw_below(draw, sizeof named / sizeof *named);

    snprintf(cell->code, sizeof cell->code, "code: %s", named[i].name);
    return named[i].code;
}

/* Each generator sees the newest bit and the oldest. */
static struct code draw_free(struct cell *cell, struct draw *draw)
{
    const struct code code = {.k = draw_range(draw, 3, 9), .n = draw_range(draw, 2, 4)};
    int used = snprintf(cell->code, sizeof cell->code, "constraint_length: %u, generators: [",
                        code.k);

    for (unsigned j = 0; j < code.n; j++)
        used += snprintf(cell->code + used, sizeof cell->code - (size_t)used, "%s0o%o",
                         j ? ", " : "",
                         1u << (code.k - 1) | draw_below(draw, 1u << (code.k - 2)) << 1 | 1);
    snprintf(cell->code + used, sizeof cell->code - (size_t)used, "]");
    return code;
}

/* The first row is whole, so that no step is lost; of the others three bits of five are sent. */
static void draw_pattern(struct cell *cell, struct draw *draw, struct code *code)
{
    const unsigned columns = draw_range(draw, 2, 6);
    int used = snprintf(cell->puncture, sizeof cell->puncture, "pattern: [");

    for (unsigned j = 0; j < code->n; j++) {
        memset(code->row[j], 0, sizeof code->row[j]);
        for (unsigned i = 0; i < columns; i++)
            code->row[j][i] = j && draw_chance(draw, 0.4) ? '0' : '1';
        used += snprintf(cell->puncture + used, sizeof cell->puncture - (size_t)used, "%s\"%s\"",
                         j ? ", " : "", code->row[j]);
    }
    snprintf(cell->puncture + used, sizeof cell->puncture - (size_t)used, "]");
}

static void draw_puncturing(struct cell *cell, struct draw *draw, struct code *code)
{
    static const unsigned rates[] = {2, 3, 5, 7}; /* of one bit more */
    const bool dvb = !strcmp(cell->code, "code: dvb");

    for (unsigned j = 0; j < code->n; j++)
        strcpy(code->row[j], "1");
    if (!draw_chance(draw, 0.35))
        return;
    if (!code->half) {
        draw_pattern(cell, draw, code);
        return;
    }
    code->take = rates[draw_below(draw, dvb ? 4 : 3)];
    code->of = code->take + 1;
    snprintf(cell->puncture, sizeof cell->puncture, "scheme: %s, rate: %u/%u",
             dvb ? "dvb" : "ieee80211", code->take, code->of);
}

/* Bits that are sent of so many steps. */
static unsigned sent(const struct code *code, unsigned steps)
{
    unsigned n = 0;

    if (code->of) /* the first generator's bits or the second's are all sent, of the others some */
        return (steps * code->of + code->take - 1) / code->take;
    for (unsigned j = 0; j < code->n; j++) {
        const size_t columns = strlen(code->row[j]);

        for (unsigned s = 0; s < steps; s++)
            n += code->row[j][s % columns] == '1';
    }
    return n;
}

void cell_draw_viterbi(struct cell *cell, struct draw *draw)
{
    static const char *const terminations[] = {"zero", "zero", "tail-biting", "truncated"};
    struct code code = draw_chance(draw, 0.6) ? draw_named(cell, draw) : draw_free(cell, draw);
    const char *termination = DRAW_ONE(draw, terminations);
    const unsigned tail = termination[0] == 'z' ? code.k - 1 : 0;

    snprintf(cell->stage, sizeof cell->stage, "conv");
    cell->bits = (unsigned)draw_log(draw, 24, 2000);
    draw_puncturing(cell, draw, &code);
    snprintf(cell->code + strlen(cell->code), sizeof cell->code - strlen(cell->code),
             ", termination: %s", termination);
    for (unsigned i = 0; i < 50 && sent(&code, cell->bits + tail) % cell->qm; i++)
        cell->bits++;
    cell->coded = sent(&code, cell->bits + tail);
    if (cell->coded % cell->qm)
        cell->qm = 1;
    cell->n_sent = 1;
    cell->sent[0].rv = -1;
    cell->word = code.n * (cell->bits + tail);
    cell->cost = STATE_NS * (1u << (code.k - 1)) * (cell->bits + tail);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordered statistics of ldpc.syndrome on small random matrices, whose rows need not be independent, against all
 * errors there are.
 */
#include "t/lib/tap.h"

#include "plugins/ldpc/syndrome/syndrome.h"

enum { ROWS = 7, COLS = 12, EDGES = ROWS * COLS, SYNDROMES = 1 << ROWS };

struct small {
    struct ldpc_syndrome d;
    uint32_t row_first[ROWS + 1], col[EDGES], col_first[COLS + 1], edge_of_col[EDGES],
        row_of_col[EDGES];
    float prior[COLS], llr[COLS];
    int64_t weight[COLS];
    uint32_t column[COLS];    /* bit r: row r */
    int64_t least[SYNDROMES]; /* weight of the lightest error; -1: none */
};

static uint32_t state = 1;

static uint32_t draw(uint32_t n)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % n;
}

static void make(struct small *s)
{
    uint32_t n = 0;

    memset(s, 0, sizeof *s);
    for (uint32_t j = 0; j < COLS; j++) {
        s->column[j] = draw(SYNDROMES / 2);
        s->column[j] |= (s->column[j] & 1) << (ROWS - 1); /* the last row is the first one again */
        s->weight[j] = (int64_t)draw(1000) - 100;
        s->llr[j] = (float)draw(8) - 2; /* ties, too */
        s->col_first[j] = n;
        for (uint32_t r = 0; r < ROWS; r++)
            if (s->column[j] >> r & 1)
                s->row_of_col[n++] = r;
    }
    s->col_first[COLS] = n;
    s->d = (struct ldpc_syndrome){.rows = ROWS,
                                  .cols = COLS,
                                  .edges = n,
                                  .col_first = s->col_first,
                                  .row_of_col = s->row_of_col,
                                  .weight = s->weight};
}

static void add(const struct small *s, uint32_t errors, uint32_t *syndrome, int64_t *weight)
{
    *syndrome = 0;
    *weight = 0;
    for (uint32_t j = 0; j < COLS; j++)
        if (errors >> j & 1) {
            *syndrome ^= s->column[j];
            *weight += s->weight[j];
        }
}

static void search(struct small *s)
{
    bool found[SYNDROMES] = {false};

    for (uint32_t errors = 0; errors < 1 << COLS; errors++) {
        uint32_t syndrome;
        int64_t weight;

        add(s, errors, &syndrome, &weight);
        if (!found[syndrome] || weight < s->least[syndrome])
            s->least[syndrome] = weight;
        found[syndrome] = true;
    }
    for (uint32_t i = 0; i < SYNDROMES; i++)
        if (!found[i])
            s->least[i] = INT64_MIN;
}

/* The weight of what OSD finds; INT64_MIN: it says that there is none; INT64_MAX: it has another syndrome. */
static int64_t solve(struct small *s, enum ldpc_osd osd, uint32_t order, uint32_t wanted,
                     void *scratch)
{
    uint8_t syndrome[ROWS], error[COLS];
    uint32_t errors = 0, found;
    int64_t weight;

    s->d.osd = osd;
    s->d.order = order;
    for (uint32_t r = 0; r < ROWS; r++)
        syndrome[r] = wanted >> r & 1;
    if (!ldpc_syndrome_osd(&s->d, s->llr, syndrome, error, scratch))
        return INT64_MIN;
    for (uint32_t j = 0; j < COLS; j++)
        errors |= (uint32_t)error[j] << j;
    add(s, errors, &found, &weight);
    return found == wanted ? weight : INT64_MAX;
}

int main(void)
{
    unsigned wrong = 0, none = 0, heavier = 0, unmet = 0, gained = 0;

    for (unsigned round = 0; round < 40; round++) {
        struct small s;
        void *scratch;

        make(&s);
        search(&s);
        scratch = malloc(ldpc_syndrome_osd_scratch(&s.d));
        if (!scratch)
            return 99;
        for (uint32_t i = 0; i < SYNDROMES; i++) {
            const int64_t zero = solve(&s, LDPC_OSD_0, 0, i, scratch);
            const int64_t sweep = solve(&s, LDPC_OSD_CS, 4, i, scratch);

            wrong += solve(&s, LDPC_OSD_E, 16, i, scratch) != s.least[i];
            none += s.least[i] == INT64_MIN;
            unmet += (s.least[i] == INT64_MIN) != (zero == INT64_MIN) || zero == INT64_MAX ||
                     sweep == INT64_MAX;
            heavier += sweep > zero || sweep < s.least[i];
            gained += sweep < zero;
        }
        free(scratch);
    }
    is_int(
        wrong, 0,
        "all choices outside of the information set: the lightest error there is, of %d syndromes",
        40 * SYNDROMES);
    ok(none >= 40 * SYNDROMES / 2, "... %u of which no error has: OSD says so", none);
    is_int(unmet, 0, "order 0 and the sweep meet each other syndrome");
    is_int(heavier, 0, "the sweep is never heavier than order 0, nor lighter than the lightest");
    ok(gained > 100, "... it is lighter for %u", gained);
    return done_testing();
}

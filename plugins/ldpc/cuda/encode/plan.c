/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the CUDA encoder adds up for a code: block.h.
 *
 * Codes with a dual diagonal (NR's first four rows, Wi-Fi, WiMAX and others of that kind): the sum
 * of all rows has one parity column only, with one rotation; that solves it. Then some row has one
 * unknown column, and so on. Each solution is written as a sum of the rows' information parts and
 * of that first column, so that all can be made at once.
 *
 * DVB-S2: parity bit j is the sum of the information parts of checks 0..j.
 */
#include <fecrun/sdk/params.h>
#include <stdbool.h>
#include <stdlib.h>

#include "plugins/ldpc/code/code.h"
#include "plugins/ldpc/cuda/encode/launch.h"
#include "plugins/ldpc/cuda/encode/block.h"

enum { MAX_ROWS = 32, MAX_TERMS = 256 };

/* Vectors: the rows' information parts, then the first parity column, then the other ones. */
struct term {
    uint32_t vector, shift;
};

struct sum {
    uint32_t n;
    struct term term[MAX_TERMS];
};

struct solver {
    const struct ldpc_code *code;
    uint32_t info_cols;
    uint32_t seed, seed_shift; /* the parity column that the sum of all rows has */
    bool known[MAX_ROWS];
    struct sum parity[MAX_ROWS];
    bool full;
};

static int no_structure(struct fecrun_error *err, const char *why)
{
    return fecrun_fail(err, NULL,
                       "the CUDA encoder takes codes of circulants up to 512 with a "
                       "dual diagonal, and DVB-S2; %s",
                       why);
}

/* ---- table --------------------------------------------------------------------------------- */

static int put(struct ldpc_encode_table *t, uint32_t entry, struct fecrun_error *err)
{
    if (t->n == t->room) {
        size_t room = t->room ? 2 * t->room : 1024;
        uint32_t *more = realloc(t->entry, room * sizeof *more);

        if (!more)
            return fecrun_no_memory(err);
        t->entry = more;
        t->room = room;
    }
    t->entry[t->n++] = entry;
    return 0;
}

/* Room for the places of so many lists, and of what is behind the last one. */
static int put_lists(struct ldpc_encode_table *t, struct ldpc_encode_class *c, uint32_t lists,
                     struct fecrun_error *err)
{
    c->first = (uint32_t)t->n;
    for (uint32_t i = 0; i <= lists; i++)
        if (put(t, 0, err))
            return -1;
    return 0;
}

/* The list with this number begins here; lists come in order. */
static void begin_list(struct ldpc_encode_table *t, const struct ldpc_encode_class *c,
                       uint32_t list)
{
    t->entry[c->first + list] = (uint32_t)t->n;
}

static int put_bits(struct ldpc_encode_table *t, uint32_t first_bit, uint32_t shift,
                    struct fecrun_error *err)
{
    return put(t, first_bit << LDPC_TERM_SHIFT_BITS | shift, err);
}

static int put_vector(struct ldpc_encode_table *t, const struct ldpc_encode_class *c,
                      uint32_t vector, uint32_t shift, struct fecrun_error *err)
{
    return put_bits(t, 32 * ldpc_encode_vector(c, vector), shift, err);
}

/* ---- dual diagonals ------------------------------------------------------------------------ */

/* Adds a term, or takes away an equal one. */
static void add(struct solver *s, struct sum *sum, uint32_t vector, uint32_t shift)
{
    const struct term term = {vector, shift % s->code->z};

    for (uint32_t i = 0; i < sum->n; i++)
        if (sum->term[i].vector == vector && sum->term[i].shift == term.shift) {
            sum->term[i] = sum->term[--sum->n];
            return;
        }
    if (sum->n == MAX_TERMS)
        s->full = true;
    else
        sum->term[sum->n++] = term;
}

static const struct ldpc_edge *edges_of(const struct ldpc_code *code, uint32_t row, uint32_t *n)
{
    *n = code->row_first[row + 1] - code->row_first[row];
    return code->edge + code->row_first[row];
}

static int check_shape(const struct ldpc_code *code, uint32_t info_cols, struct fecrun_error *err)
{
    uint32_t n;

    if (code->z < 2 || code->z > LDPC_ENCODE_MAX_Z)
        return no_structure(err, "this one has others");
    if (code->info || code->place || info_cols + code->rows != code->cols ||
        info_cols * code->z != code->k)
        return no_structure(err, "this one has its parity bits elsewhere");
    if (code->core_rows > MAX_ROWS)
        return no_structure(err, "this one has more than 32 rows");
    for (uint32_t r = 0; r < code->core_rows; r++) {
        const struct ldpc_edge *e = edges_of(code, r, &n);

        for (uint32_t i = 0; i < n; i++)
            if (e[i].col >= info_cols + code->core_rows || e[i].skip != LDPC_NO_LANE)
                return no_structure(err, "this one has none");
    }
    return 0;
}

static int find_seed(struct solver *s, struct fecrun_error *err)
{
    struct sum all = {0};
    uint32_t n;

    for (uint32_t r = 0; r < s->code->core_rows; r++) {
        const struct ldpc_edge *e = edges_of(s->code, r, &n);

        for (uint32_t i = 0; i < n; i++)
            if (e[i].col >= s->info_cols)
                add(s, &all, e[i].col - s->info_cols, e[i].shift);
    }
    if (all.n != 1 || s->full)
        return no_structure(err, "this one has none");
    s->seed = all.term[0].vector;
    s->seed_shift = all.term[0].shift;
    s->known[s->seed] = true;
    add(s, &s->parity[s->seed], s->code->core_rows, 0);
    return 0;
}

/* True: the row's only unknown column was solved. */
static bool solve_row(struct solver *s, uint32_t row)
{
    const uint32_t z = s->code->z;
    const struct ldpc_edge *e, *open = NULL;
    struct sum *sum;
    uint32_t n;

    e = edges_of(s->code, row, &n);
    for (uint32_t i = 0; i < n; i++)
        if (e[i].col >= s->info_cols && !s->known[e[i].col - s->info_cols]) {
            if (open)
                return false;
            open = &e[i];
        }
    if (!open)
        return false;
    sum = &s->parity[open->col - s->info_cols];
    add(s, sum, row, z - open->shift);
    for (uint32_t i = 0; i < n; i++) {
        const struct sum *other;

        if (e[i].col < s->info_cols || &e[i] == open)
            continue;
        other = &s->parity[e[i].col - s->info_cols];
        for (uint32_t k = 0; k < other->n; k++)
            add(s, sum, other->term[k].vector, other->term[k].shift + e[i].shift + z - open->shift);
    }
    s->known[open->col - s->info_cols] = true;
    return true;
}

static int solve(struct solver *s, struct fecrun_error *err)
{
    const uint32_t rows = s->code->core_rows;
    uint32_t solved = 1;
    bool again = true;

    if (find_seed(s, err))
        return -1;
    while (again && !s->full) {
        again = false;
        for (uint32_t r = 0; r < rows; r++)
            if (solve_row(s, r)) {
                again = true;
                solved++;
            }
    }
    return solved == rows && !s->full ? 0 : no_structure(err, "this one has none");
}

/* Of a parity column of the rows that were solved. */
static uint32_t vector_of(const struct solver *s, uint32_t column)
{
    const uint32_t rows = s->code->core_rows;

    return column == s->seed ? rows : rows + 1 + column - (column > s->seed);
}

static int put_rows(const struct solver *s, struct ldpc_encode_table *t,
                    const struct ldpc_encode_class *c, struct fecrun_error *err)
{
    const struct ldpc_code *code = s->code;
    uint32_t n;

    for (uint32_t r = 0; r < code->core_rows; r++) {
        const struct ldpc_edge *e = edges_of(code, r, &n);

        begin_list(t, c, r);
        for (uint32_t i = 0; i < n; i++)
            if (e[i].col < s->info_cols && put_bits(t, e[i].col * code->z, e[i].shift, err))
                return -1;
    }
    return 0;
}

static int put_parities(const struct solver *s, struct ldpc_encode_table *t,
                        const struct ldpc_encode_class *c, struct fecrun_error *err)
{
    const uint32_t rows = s->code->core_rows, z = s->code->z;

    begin_list(t, c, rows);
    for (uint32_t r = 0; r < rows; r++)
        if (put_vector(t, c, r, (z - s->seed_shift) % z, err))
            return -1;
    for (uint32_t column = 0; column < rows; column++) {
        const struct sum *sum = &s->parity[column];

        if (column == s->seed)
            continue;
        begin_list(t, c, vector_of(s, column));
        for (uint32_t i = 0; i < sum->n; i++)
            if (put_vector(t, c, sum->term[i].vector, sum->term[i].shift, err))
                return -1;
    }
    return 0;
}

/* A row with a parity column of its own: that is the sum of its other bits. */
static int put_own(const struct solver *s, struct ldpc_encode_table *t,
                   const struct ldpc_encode_class *c, uint32_t row, struct fecrun_error *err)
{
    const uint32_t z = s->code->z, column = s->info_cols + row;
    const struct ldpc_edge *e, *own = NULL;
    uint32_t n;

    e = edges_of(s->code, row, &n);
    for (uint32_t i = 0; i < n; i++)
        if (e[i].col >= s->info_cols + s->code->core_rows) {
            if (own || e[i].col != column || e[i].skip != LDPC_NO_LANE)
                return no_structure(err, "this one has none");
            own = &e[i];
        }
    if (!own)
        return no_structure(err, "this one has none");
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t shift = (e[i].shift + z - own->shift) % z;

        if (&e[i] == own)
            continue;
        if (e[i].col < s->info_cols
                ? put_bits(t, e[i].col * z, shift, err)
                : put_vector(t, c, vector_of(s, e[i].col - s->info_cols), shift, err))
            return -1;
    }
    return 0;
}

static int put_columns(const struct solver *s, struct ldpc_encode_table *t,
                       const struct ldpc_encode_class *c, struct fecrun_error *err)
{
    const uint32_t core = s->code->core_rows, lists = c->end[LDPC_ENCODE_STEPS - 1];
    int status = 0;

    for (uint32_t column = 0; column < s->code->cols && !status; column++) {
        begin_list(t, c, lists + column);
        if (column < s->info_cols)
            status = put_bits(t, column * s->code->z, 0, err);
        else if (column < s->info_cols + core)
            status = put_vector(t, c, vector_of(s, column - s->info_cols), 0, err);
        else
            status = put_own(s, t, c, column - s->info_cols, err);
    }
    begin_list(t, c, lists + s->code->cols);
    return status;
}

static int plan_diagonal(struct ldpc_encode_table *t, struct ldpc_encode_class *c,
                         const struct ldpc_code *code, struct fecrun_error *err)
{
    const uint32_t info_cols = code->cols - code->rows, rows = code->core_rows;
    struct solver *s;
    int status;

    if (check_shape(code, info_cols, err))
        return -1;
    s = calloc(1, sizeof *s);
    if (!s)
        return fecrun_no_memory(err);
    s->code = code;
    s->info_cols = info_cols;
    c->end[0] = rows;
    c->end[1] = rows + 1;
    c->end[2] = 2 * rows;
    status = solve(s, err) || put_lists(t, c, c->end[2] + code->cols, err) ||
             put_rows(s, t, c, err) || put_parities(s, t, c, err) || put_columns(s, t, c, err);
    free(s);
    return status ? -1 : 0;
}

/* ---- accumulator --------------------------------------------------------------------------- */

static int plan_accumulator(struct ldpc_encode_table *t, struct ldpc_encode_class *c,
                            const struct ldpc_code *code, struct fecrun_error *err)
{
    uint32_t n;

    c->rows = code->rows;
    for (unsigned i = 0; i < LDPC_ENCODE_STEPS; i++)
        c->end[i] = code->rows;
    if (put_lists(t, c, code->rows, err))
        return -1;
    for (uint32_t r = 0; r < code->rows; r++) {
        const struct ldpc_edge *e = edges_of(code, r, &n);

        begin_list(t, c, r);
        for (uint32_t i = 0; i < n; i++)
            if (e[i].col < code->k / code->z && put_bits(t, e[i].col * code->z, e[i].shift, err))
                return -1;
    }
    begin_list(t, c, code->rows);
    return 0;
}

int ldpc_encode_plan(struct ldpc_encode_table *table, struct ldpc_encode_class *c,
                     const struct ldpc_code *code, struct fecrun_error *err)
{
    int status;

    *c = (struct ldpc_encode_class){.z = code->z,
                                    .words = (code->z + 31) / 32,
                                    .bits = code->k - code->fillers,
                                    .k = code->k,
                                    .n = code->n,
                                    .punctured = code->punctured,
                                    .string = code->k / 32 + 2};
    status = code->family == LDPC_DVBS2 ? plan_accumulator(table, c, code, err)
                                        : plan_diagonal(table, c, code, err);
    if (!status && ldpc_encode_words(c) > LDPC_ENCODE_MAX_WORDS)
        return no_structure(err, "this one is too long");
    return status;
}

/* ---- sizes --------------------------------------------------------------------------------- */

uint32_t ldpc_encode_words(const struct ldpc_encode_class *c)
{
    const uint32_t vectors = c->end[LDPC_ENCODE_STEPS - 1] + (c->rows != 0);

    return ldpc_encode_vector(c, vectors);
}

uint32_t ldpc_encode_group(const struct ldpc_encode_class *c)
{
    uint32_t group = 32;

    while (group < LDPC_ENCODE_THREADS &&
           (64 * group < c->n ||
            LDPC_ENCODE_THREADS / group * ldpc_encode_words(c) > LDPC_ENCODE_MAX_WORDS))
        group *= 2;
    return group;
}

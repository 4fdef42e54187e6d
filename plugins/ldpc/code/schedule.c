/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The order of a layered decoder's rows: see code.h.
 *
 * Base row of a lifted code: one group, or, with twins, groups of lanes coloured such that no two
 * of one colour share a bit. Without structure (z = 1) the first group takes each row, in order,
 * that shares no column with those already in it, then the second one of the rows left, and so on.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/code.h"

#define UNSET UINT32_MAX

static void end_group(struct ldpc_schedule *s, uint32_t rows_so_far)
{
    s->first[++s->n_groups] = rows_so_far;
}

/* The order of base rows, 0 to rows - 1. */
struct order {
    uint32_t rows;
    bool reverse;
    const uint32_t *list; /* NULL: first to last, or in reverse */
};

/* Base row in place j of the order. */
static uint32_t in_order(const struct order *order, uint32_t j)
{
    return order->list ? order->list[j] : order->reverse ? order->rows - 1 - j : j;
}

/* ---- lanes that share bits ------------------------------------------------------------------ */

/*
 * Lanes i and i + d share a bit for each of these d: differences of shifts of edges of the row to
 * one column. meets[d] is set for d and z - d. Returns one of them, 0: none.
 */
static uint32_t find_meetings(const struct ldpc_code *c, uint32_t row, bool *meets)
{
    uint32_t any = 0;

    memset(meets, 0, c->z * sizeof *meets);
    for (uint32_t a = c->row_first[row]; a < c->row_first[row + 1]; a++)
        for (uint32_t b = a + 1; b < c->row_first[row + 1] && c->edge[b].col == c->edge[a].col;
             b++) {
            uint32_t d = c->edge[b].shift - c->edge[a].shift;

            meets[d] = meets[c->z - d] = true;
            any = any ? any : d;
        }
    return any;
}

/*
 * Gives the lanes, visited in steps (0, step, 2 step, ..., then from 1 on), the lowest colour that
 * no lane they share a bit with has. Returns the number of colours.
 */
static uint32_t colour_lanes(uint32_t z, const bool *meets, uint32_t step, uint32_t *colour,
                             bool *taken)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < z; i++)
        colour[i] = UNSET;
    for (uint32_t start = 0; start < z; start++)
        for (uint32_t i = start; colour[i] == UNSET; i = (i + step) % z) {
            uint32_t lowest = 0;

            memset(taken, 0, z * sizeof *taken);
            for (uint32_t d = 1; d < z; d++)
                if (meets[d] && colour[(i + d) % z] != UNSET)
                    taken[colour[(i + d) % z]] = true;
            while (taken[lowest])
                lowest++;
            colour[i] = lowest;
            n = lowest + 1 > n ? lowest + 1 : n;
        }
    return n;
}

/* Working memory of put_twin_row(). */
struct lanes {
    bool *meets, *taken;      /* z each */
    uint32_t *colour, *other; /* z each */
};

/* Visits in steps of one distance colour its cycles in 2 or 3; in plain order may do better. */
static void put_twin_row(const struct ldpc_code *c, uint32_t row, struct lanes *l,
                         struct ldpc_schedule *s, uint32_t *used)
{
    uint32_t step = find_meetings(c, row, l->meets);
    uint32_t n = colour_lanes(c->z, l->meets, 1, l->colour, l->taken);

    if (step && colour_lanes(c->z, l->meets, step, l->other, l->taken) < n) {
        uint32_t *swap = l->colour;

        l->colour = l->other;
        l->other = swap;
    }
    n = 0;
    for (uint32_t i = 0; i < c->z; i++)
        n = l->colour[i] + 1 > n ? l->colour[i] + 1 : n;
    for (uint32_t colour = 0; colour < n; colour++) {
        for (uint32_t i = 0; i < c->z; i++)
            if (l->colour[i] == colour)
                s->row[(*used)++] = row * c->z + i;
        end_group(s, *used);
    }
}

static int order_lifted(const struct ldpc_code *c, const struct order *order,
                        struct ldpc_schedule *s, struct fecrun_error *err)
{
    struct lanes l = {calloc(c->z + 1, sizeof *l.meets), calloc(c->z, sizeof *l.taken),
                      calloc(c->z, sizeof *l.colour), calloc(c->z, sizeof *l.other)};
    bool ok = l.meets && l.taken && l.colour && l.other;
    uint32_t used = 0;

    for (uint32_t j = 0; ok && j < order->rows; j++) {
        uint32_t row = in_order(order, j);

        if (c->twins) {
            put_twin_row(c, row, &l, s, &used);
            continue;
        }
        for (uint32_t i = 0; i < c->z; i++)
            s->row[used++] = row * c->z + i;
        end_group(s, used);
    }
    free(l.meets);
    free(l.taken);
    free(l.colour);
    free(l.other);
    return ok ? 0 : fecrun_no_memory(err);
}

/* ---- rows without structure ------------------------------------------------------------------ */

/* Does the row share a column with the group? If not, it is in it from now on. */
static bool join(const struct ldpc_code *c, uint32_t row, uint32_t group, uint32_t *last_group)
{
    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
        if (last_group[c->edge[e].col] == group)
            return false;
    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
        last_group[c->edge[e].col] = group;
    return true;
}

static int order_rows(const struct ldpc_code *c, const struct order *order, struct ldpc_schedule *s,
                      struct fecrun_error *err)
{
    const uint32_t rows = order->rows;
    uint32_t *last_group = malloc(c->cols * sizeof *last_group);
    uint32_t *left = malloc(rows * sizeof *left); /* rows that no group has yet, in order */
    uint32_t n_left = rows, used = 0;

    if (!last_group || !left) {
        free(last_group);
        free(left);
        return fecrun_no_memory(err);
    }
    memset(last_group, 0xff, c->cols * sizeof *last_group);
    for (uint32_t j = 0; j < rows; j++)
        left[j] = in_order(order, j);
    while (n_left) {
        uint32_t keep = 0;

        for (uint32_t j = 0; j < n_left; j++)
            if (join(c, left[j], s->n_groups, last_group))
                s->row[used++] = left[j];
            else
                left[keep++] = left[j];
        n_left = keep;
        end_group(s, used);
    }
    free(last_group);
    free(left);
    return 0;
}

static struct ldpc_schedule *new_schedule(const struct ldpc_code *code, const struct order *order,
                                          struct fecrun_error *err)
{
    struct ldpc_schedule *s = calloc(1, sizeof *s);

    if (s) {
        s->n_rows = order->rows * code->z;
        s->row = malloc(s->n_rows * sizeof *s->row);
        s->first = calloc((size_t)s->n_rows + 1, sizeof *s->first);
    }
    if (!s || !s->row || !s->first) {
        fecrun_no_memory(err);
        ldpc_schedule_free(s);
        return NULL;
    }
    if (code->z > 1 ? order_lifted(code, order, s, err) : order_rows(code, order, s, err)) {
        ldpc_schedule_free(s);
        return NULL;
    }
    return s;
}

struct ldpc_schedule *ldpc_schedule_new(const struct ldpc_code *code, uint32_t rows, bool reverse,
                                        struct fecrun_error *err)
{
    const struct order order = {.rows = rows && rows <= code->rows ? rows : code->rows,
                                .reverse = reverse};

    return new_schedule(code, &order, err);
}

/* Marks it as seen. */
static int check_listed(int64_t row, const struct ldpc_code *code, uint8_t *seen,
                        struct fecrun_error *err)
{
    if (row < 0 || row >= code->rows)
        return fecrun_fail(err, "row_order", "has row %lld; the rows are 0 to %u", (long long)row,
                           code->rows - 1);
    if (seen[row]++)
        return fecrun_fail(err, "row_order", "has row %lld twice", (long long)row);
    return 0;
}

static int read_list(const struct ldpc_code *code, struct order *order, const int64_t *list,
                     size_t n, uint32_t *kept, uint8_t *seen, struct fecrun_error *err)
{
    uint32_t used = 0;

    for (size_t i = 0; i < n; i++) {
        if (check_listed(list[i], code, seen, err))
            return -1;
        if (list[i] < order->rows)
            kept[used++] = (uint32_t)list[i];
    }
    for (uint32_t row = 0; row < order->rows; row++)
        if (!seen[row])
            return fecrun_fail(err, "row_order", "has no row %u; rows 0 to %u are in use", row,
                               order->rows - 1);
    order->list = kept;
    return 0;
}

struct ldpc_schedule *ldpc_schedule_listed(const struct ldpc_code *code, uint32_t rows,
                                           const int64_t *list, size_t n, struct fecrun_error *err)
{
    struct order order = {.rows = rows};
    struct ldpc_schedule *s = NULL;
    uint32_t *kept = calloc(code->rows, sizeof *kept);
    uint8_t *seen = calloc(code->rows, 1);

    if (!kept || !seen)
        fecrun_no_memory(err);
    else if (!read_list(code, &order, list, n, kept, seen, err))
        s = new_schedule(code, &order, err);
    free(kept);
    free(seen);
    return s;
}

void ldpc_schedule_free(struct ldpc_schedule *schedule)
{
    if (!schedule)
        return;
    free(schedule->row);
    free(schedule->first);
    free(schedule);
}

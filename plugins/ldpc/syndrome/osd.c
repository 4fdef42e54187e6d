/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordered statistics decoding of a syndrome, reference.
 *
 * Columns are taken from the likeliest error on. Those that are independent of the ones before them are the
 * information set S; H restricted to S has one solution for each choice of the others, T. OSD-0 chooses none
 * of T. OSD-E tries all choices of the first `order` columns of T. OSD-CS (combination sweep; Roffe, White,
 * Burton, Campbell, arXiv 2005.07016) tries each single column of T, then each pair of the first `order`. The
 * solution with the least weight, the sum of its priors, is taken; of equal ones, the first that was tried.
 */
#include <fecrun/sdk/carve.h>
#include <stdlib.h>

#include "plugins/ldpc/syndrome/syndrome.h"

struct place {
    float llr;
    uint32_t col;
};

struct osd {
    const struct ldpc_syndrome *d;
    uint32_t words;      /* of 64 bits a row: the columns in their order, then the syndrome */
    uint64_t *row;       /* rows x words */
    struct place *order; /* cols */
    uint32_t rank;
    uint32_t *pivot; /* of rows 0..rank-1: place of its column of S */
    uint32_t n_rest;
    uint32_t *rest;           /* places of T */
    uint8_t *solution, *best; /* of rows 0..rank-1: is the column of S an error? */
    uint32_t best_rest[32];
    uint32_t n_best_rest;
    int64_t best_weight;
};

static size_t lay_out(struct osd *o, const struct ldpc_syndrome *d, void *base)
{
    size_t used = 0;

    o->d = d;
    o->words = d->cols / 64 + 1;
    o->row = fecrun_carve(base, &used, (size_t)d->rows * o->words * sizeof *o->row);
    o->order = fecrun_carve(base, &used, d->cols * sizeof *o->order);
    o->pivot = fecrun_carve(base, &used, d->rows * sizeof *o->pivot);
    o->rest = fecrun_carve(base, &used, d->cols * sizeof *o->rest);
    o->solution = fecrun_carve(base, &used, d->rows);
    o->best = fecrun_carve(base, &used, d->rows);
    return used;
}

size_t ldpc_syndrome_osd_scratch(const struct ldpc_syndrome *d)
{
    struct osd o;

    return lay_out(&o, d, NULL);
}

static uint64_t *row_of(const struct osd *o, uint32_t r)
{
    return o->row + (size_t)r * o->words;
}

static bool bit(const struct osd *o, uint32_t r, uint32_t place)
{
    return row_of(o, r)[place / 64] >> place % 64 & 1;
}

static int compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->llr != b->llr)
        return a->llr < b->llr ? -1 : 1;
    return a->col < b->col ? -1 : 1;
}

static void load(struct osd *o, const float *llr, const uint8_t *syndrome)
{
    const struct ldpc_syndrome *d = o->d;

    for (uint32_t j = 0; j < d->cols; j++)
        o->order[j] = (struct place){llr[j], j};
    qsort(o->order, d->cols, sizeof *o->order, compare);
    memset(o->row, 0, (size_t)d->rows * o->words * sizeof *o->row);
    for (uint32_t i = 0; i < d->cols; i++) {
        const uint32_t j = o->order[i].col;

        for (uint32_t k = d->col_first[j]; k < d->col_first[j + 1]; k++)
            row_of(o, d->row_of_col[k])[i / 64] |= (uint64_t)1 << i % 64;
    }
    for (uint32_t r = 0; r < d->rows; r++)
        row_of(o, r)[d->cols / 64] |= (uint64_t)syndrome[r] << d->cols % 64;
}

static void swap_rows(struct osd *o, uint32_t a, uint32_t b)
{
    for (uint32_t w = 0; w < o->words; w++) {
        const uint64_t kept = row_of(o, a)[w];
        row_of(o, a)[w] = row_of(o, b)[w];
        row_of(o, b)[w] = kept;
    }
}

/* Gauss and Jordan: each column of S has its one in its own row only. */
static void eliminate(struct osd *o)
{
    const uint32_t rows = o->d->rows;

    o->rank = o->n_rest = 0;
    for (uint32_t place = 0; place < o->d->cols; place++) {
        uint32_t r = o->rank;

        while (r < rows && !bit(o, r, place))
            r++;
        if (r == rows) {
            o->rest[o->n_rest++] = place;
            continue;
        }
        swap_rows(o, r, o->rank);
        for (uint32_t i = 0; i < rows; i++)
            if (i != o->rank && bit(o, i, place))
                for (uint32_t w = 0; w < o->words; w++)
                    row_of(o, i)[w] ^= row_of(o, o->rank)[w];
        o->pivot[o->rank++] = place;
    }
}

static int64_t weight_at(const struct osd *o, uint32_t place)
{
    return o->d->weight[o->order[place].col];
}

/* Tries the n columns of T that rest[] names. */
static void try(struct osd *o, const uint32_t *rest, uint32_t n)
{
    int64_t weight = 0;

    for (uint32_t k = 0; k < n; k++)
        weight += weight_at(o, rest[k]);
    for (uint32_t r = 0; r < o->rank; r++) {
        o->solution[r] = bit(o, r, o->d->cols);
        for (uint32_t k = 0; k < n; k++)
            o->solution[r] ^= bit(o, r, rest[k]);
        weight += o->solution[r] ? weight_at(o, o->pivot[r]) : 0;
    }
    if (weight >= o->best_weight)
        return;
    o->best_weight = weight;
    memcpy(o->best, o->solution, o->rank);
    if (n)
        memcpy(o->best_rest, rest, n * sizeof *rest);
    o->n_best_rest = n;
}

static void try_all(struct osd *o, uint32_t order)
{
    uint32_t chosen[32];

    for (uint32_t pattern = 1; pattern < (uint32_t)1 << order; pattern++) {
        uint32_t n = 0;

        for (uint32_t k = 0; k < order; k++)
            if (pattern >> k & 1)
                chosen[n++] = o->rest[k];
        try(o, chosen, n);
    }
}

static void sweep(struct osd *o, uint32_t order)
{
    for (uint32_t k = 0; k < o->n_rest; k++)
        try(o, &o->rest[k], 1);
    for (uint32_t i = 0; i < order; i++)
        for (uint32_t k = i + 1; k < order; k++)
            try(o, (const uint32_t[]){o->rest[i], o->rest[k]}, 2);
}

bool ldpc_syndrome_osd(const struct ldpc_syndrome *d, const float *llr, const uint8_t *syndrome,
                       uint8_t *error, void *scratch)
{
    struct osd o;
    uint32_t order;

    lay_out(&o, d, scratch);
    load(&o, llr, syndrome);
    eliminate(&o);
    for (uint32_t r = o.rank; r < d->rows; r++)
        if (bit(&o, r, d->cols))
            return false;
    order = d->order < o.n_rest ? d->order : o.n_rest;
    o.best_weight = INT64_MAX;
    try(&o, NULL, 0);
    if (d->osd == LDPC_OSD_E)
        try_all(&o, order);
    if (d->osd == LDPC_OSD_CS)
        sweep(&o, order);
    memset(error, 0, d->cols);
    for (uint32_t k = 0; k < o.n_best_rest; k++)
        error[o.order[o.best_rest[k]].col] = 1;
    for (uint32_t r = 0; r < o.rank; r++)
        error[o.order[o.pivot[r]].col] = o.best[r];
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordered statistics decoding of a syndrome, with the reference's result.
 *
 * The rows of H are multiplied by T, which is the identity first: each new column of the information set is made a
 * unit vector by row operations, which change T's columns of rows that were chosen before, and that of its own. So a
 * column of T H is the sum of a few of T's columns, and no other column of H is touched. With order 0 the work ends as
 * soon as T s lies in the chosen rows: what would come after that is not in the solution.
 *
 * An instruction set gives block_words(v): bit i is set where word i of *v is not 0,
 * and block_cost(v, cost, blocks): the sum of costs of the bits of v.
 */
#include "plugins/ldpc/syndrome/simd/order.h"

enum { OSD_MOST = 200 }; /* columns outside of the information set of which pairs are tried */

struct osd {
    const struct ldpc_syndrome *d;
    struct order order;
    uint32_t blocks; /* of 512 rows */
    block *inverse;  /* T: its columns, `blocks` each */
    block *chosen;   /* rows that belong to a column of the information set */
    block *goal;     /* T s */
    block *column;   /* of T H */
    block *trial, *best, *kept;
    uint32_t rank;
    uint32_t *row;    /* chosen rows */
    uint32_t *col_of; /* the columns that they belong to */
    uint32_t *rest;   /* columns outside of the information set */
    uint32_t n_rest;
    int64_t *cost; /* of a row: what the weight grows by if its column is inverted */
    int64_t best_cost;
    uint32_t best_rest[32], n_best;
};

static size_t osd_carve(struct osd *o, const struct ldpc_syndrome *d, void *base)
{
    const uint32_t blocks = d->rows / 512 + 1;
    const size_t bytes = blocks * sizeof(block);
    const bool sweep = d->osd > LDPC_OSD_0;
    size_t used = 0;

    o->d = d;
    o->blocks = blocks;
    o->inverse = fecrun_carve(base, &used, d->rows * bytes);
    o->chosen = fecrun_carve(base, &used, bytes);
    o->goal = fecrun_carve(base, &used, bytes);
    o->column = fecrun_carve(base, &used, bytes);
    o->trial = fecrun_carve(base, &used, bytes);
    o->best = fecrun_carve(base, &used, bytes);
    o->kept = fecrun_carve(base, &used, sweep ? OSD_MOST * bytes : 0);
    o->row = fecrun_carve(base, &used, d->rows * sizeof *o->row);
    o->col_of = fecrun_carve(base, &used, d->rows * sizeof *o->col_of);
    o->rest = fecrun_carve(base, &used, sweep ? d->cols * sizeof *o->rest : 0);
    o->cost = fecrun_carve(base, &used, sweep ? 8 * bytes * sizeof *o->cost : 0);
    used += order_carve(&o->order, d->cols, base ? (char *)base + used : NULL);
    return used;
}

static inline uint64_t *osd_word(block *v, uint32_t row)
{
    return (uint64_t *)v + row / 64;
}

static inline bool osd_bit(const block *v, uint32_t row)
{
    return ((const uint64_t *)v)[row / 64] >> row % 64 & 1;
}

static void osd_start(struct osd *o, const float *llr, const uint8_t *syndrome)
{
    const size_t bytes = o->blocks * sizeof(block);

    order_start(&o->order, llr);
    memset(o->inverse, 0, o->d->rows * bytes);
    memset(o->chosen, 0, bytes);
    memset(o->goal, 0, bytes);
    for (uint32_t r = 0; r < o->d->rows; r++) {
        *osd_word(o->inverse + (size_t)r * o->blocks, r) |= (uint64_t)1 << r % 64;
        *osd_word(o->goal, r) |= (uint64_t)syndrome[r] << r % 64;
    }
    o->rank = o->n_rest = 0;
}

/* o->column becomes that of T H. */
static FECRUN_ALWAYS_INLINE void osd_column(const struct osd *o, uint32_t col, uint32_t blocks)
{
    const struct ldpc_syndrome *d = o->d;

    for (uint32_t b = 0; b < blocks; b++) {
        block sum = {0};

        for (uint32_t k = d->col_first[col]; k < d->col_first[col + 1]; k++)
            sum ^= o->inverse[(size_t)d->row_of_col[k] * blocks + b];
        o->column[b] = sum;
    }
}

/* The first of v's rows that is not chosen: true, or false if there is none. */
static FECRUN_ALWAYS_INLINE bool osd_open(const struct osd *o, const block *v, uint32_t blocks,
                                          uint32_t *row)
{
    for (uint32_t b = 0; b < blocks; b++) {
        const block open = v[b] & ~o->chosen[b];
        const unsigned words = block_words(&open);

        if (words) {
            const unsigned word = (unsigned)__builtin_ctz(words);

            *row = 512 * b + 64 * word + (unsigned)__builtin_ctzll(open[word]);
            return true;
        }
    }
    return false;
}

/* v -= column wherever v has this row, except in the row itself. */
static FECRUN_ALWAYS_INLINE void osd_clear(block *v, const block *column, uint32_t row,
                                           uint32_t blocks)
{
    if (osd_bit(v, row))
        for (uint32_t b = 0; b < blocks; b++)
            v[b] ^= column[b];
}

/* The column enters the information set, for a row that it has. */
static FECRUN_ALWAYS_INLINE void osd_choose(struct osd *o, uint32_t col, uint32_t row,
                                            uint32_t blocks)
{
    memcpy(o->inverse + (size_t)row * blocks, o->column, blocks * sizeof(block));
    *osd_word(o->column, row) ^= (uint64_t)1 << row % 64;
    for (uint32_t k = 0; k < o->rank; k++)
        osd_clear(o->inverse + (size_t)o->row[k] * blocks, o->column, row, blocks);
    osd_clear(o->goal, o->column, row, blocks);
    *osd_word(o->chosen, row) |= (uint64_t)1 << row % 64;
    o->row[o->rank] = row;
    o->col_of[o->rank++] = col;
}

/* False: no error has this syndrome. */
static FECRUN_ALWAYS_INLINE bool osd_eliminate_by(struct osd *o, uint32_t blocks)
{
    const bool all = o->d->osd > LDPC_OSD_0;
    uint32_t col, row;
    bool open = osd_open(o, o->goal, blocks, &row);

    while ((all || open) && order_next(&o->order, &col)) {
        if (o->rank < o->d->rows)
            osd_column(o, col, blocks);
        if (o->rank < o->d->rows && osd_open(o, o->column, blocks, &row)) {
            osd_choose(o, col, row, blocks);
            open = osd_open(o, o->goal, blocks, &row);
        } else if (all) {
            o->rest[o->n_rest++] = col;
        }
    }
    return !open;
}

static bool osd_eliminate(struct osd *o)
{
    switch (o->blocks) {
    case 1:
        return osd_eliminate_by(o, 1);
    case 2:
        return osd_eliminate_by(o, 2);
    case 3:
        return osd_eliminate_by(o, 3);
    default:
        return osd_eliminate_by(o, o->blocks);
    }
}

/* ---- The search ---- */

static void osd_costs(struct osd *o)
{
    memset(o->cost, 0, 8 * o->blocks * sizeof(block) * sizeof *o->cost);
    for (uint32_t k = 0; k < o->rank; k++) {
        const int64_t weight = o->d->weight[o->col_of[k]];

        o->cost[o->row[k]] = osd_bit(o->goal, o->row[k]) ? -weight : weight;
    }
}

/* What is tried: the sum of columns of T H in o->trial, and their own weights. */
static void osd_try(struct osd *o, int64_t weight, const uint32_t *rest, uint32_t n)
{
    const int64_t cost = weight + block_cost(o->trial, o->cost, o->blocks);

    if (cost >= o->best_cost)
        return;
    o->best_cost = cost;
    memcpy(o->best, o->trial, o->blocks * sizeof(block));
    memcpy(o->best_rest, rest, n * sizeof *rest);
    o->n_best = n;
}

static void osd_keep(struct osd *o, uint32_t order)
{
    for (uint32_t i = 0; i < order; i++) {
        osd_column(o, o->rest[i], o->blocks);
        memcpy(o->kept + (size_t)i * o->blocks, o->column, o->blocks * sizeof(block));
    }
}

static void osd_add(struct osd *o, uint32_t i)
{
    for (uint32_t b = 0; b < o->blocks; b++)
        o->trial[b] ^= o->kept[(size_t)i * o->blocks + b];
}

static void osd_sweep(struct osd *o, uint32_t order)
{
    const int64_t *weight = o->d->weight;

    for (uint32_t i = 0; i < o->n_rest; i++) {
        osd_column(o, o->rest[i], o->blocks);
        memcpy(o->trial, o->column, o->blocks * sizeof(block));
        osd_try(o, weight[o->rest[i]], &o->rest[i], 1);
    }
    for (uint32_t i = 0; i < order; i++)
        for (uint32_t k = i + 1; k < order; k++) {
            const uint32_t pair[] = {o->rest[i], o->rest[k]};

            memset(o->trial, 0, o->blocks * sizeof(block));
            osd_add(o, i);
            osd_add(o, k);
            osd_try(o, weight[pair[0]] + weight[pair[1]], pair, 2);
        }
}

/* All choices, in the reference's order: from one to the next a few columns change. */
static void osd_try_all(struct osd *o, uint32_t order)
{
    memset(o->trial, 0, o->blocks * sizeof(block));
    for (uint32_t pattern = 1; pattern < (uint32_t)1 << order; pattern++) {
        uint32_t chosen[32], n = 0;
        int64_t weight = 0;

        for (uint32_t i = 0; i < order; i++) {
            if ((pattern ^ (pattern - 1)) >> i & 1)
                osd_add(o, i);
            if (pattern >> i & 1) {
                chosen[n++] = o->rest[i];
                weight += o->d->weight[o->rest[i]];
            }
        }
        osd_try(o, weight, chosen, n);
    }
}

static void osd_search(struct osd *o)
{
    const uint32_t order = o->d->order < o->n_rest ? o->d->order : o->n_rest;

    osd_costs(o);
    osd_keep(o, order);
    o->best_cost = 0;
    if (o->d->osd == LDPC_OSD_E)
        osd_try_all(o, order);
    else
        osd_sweep(o, order);
    for (uint32_t b = 0; b < o->blocks; b++)
        o->goal[b] ^= o->best[b];
}

static size_t osd_scratch(const struct ldpc_syndrome *d)
{
    struct osd o;

    return osd_carve(&o, d, NULL);
}

static bool osd(const struct ldpc_syndrome *d, const float *llr, const uint8_t *syndrome,
                uint8_t *error, void *scratch)
{
    struct osd o;

    osd_carve(&o, d, scratch);
    osd_start(&o, llr, syndrome);
    if (!osd_eliminate(&o))
        return false;
    memset(o.best, 0, o.blocks * sizeof(block));
    o.n_best = 0;
    if (d->osd > LDPC_OSD_0)
        osd_search(&o);
    memset(error, 0, d->cols);
    for (uint32_t i = 0; i < o.n_best; i++)
        error[o.best_rest[i]] = 1;
    for (uint32_t k = 0; k < o.rank; k++)
        error[o.col_of[k]] = osd_bit(o.goal, o.row[k]);
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables that the kernels walk along, and the layout of their memory. */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/ldpc/simd/simd.h"

#define NONE UINT32_MAX
#define MOST_LANES 65536 /* simd.from[] has 16 bits */
#define MOST_WIDTH 64    /* of vectors */

/* What the tables are made from. */
struct survey {
    const struct ldpc_decode *decode;
    const struct ldpc_code *code;
    uint32_t n_rows; /* base rows with edges, in the order of the schedule */
    uint32_t *row;
    uint32_t *degree;         /* of a column, in these rows, */
    uint32_t *last;           /* and the last of these rows that has the column */
    uint32_t *leaf;           /* edge of a base row, or NONE */
    bool *informs;            /* the column has information bits */
    uint32_t *turned;         /* of a column: rotation that it is in */
    struct ldpc_group *group; /* of one row's lanes */
    bool whole;               /* no leaves */
    bool plain;               /* along the lanes is possible */
};

static void survey_free(struct survey *v)
{
    free(v->row);
    free(v->degree);
    free(v->last);
    free(v->leaf);
    free(v->informs);
    free(v->turned);
    free(v->group);
}

static int survey_new(struct survey *v, const struct ldpc_decode *decode)
{
    const struct ldpc_code *code = decode->code;

    *v = (struct survey){.decode = decode, .code = code};
    v->plain = code->z <= MOST_LANES && (!code->twins || code->z >= MOST_WIDTH);
    v->row = calloc(code->rows, sizeof *v->row);
    v->degree = calloc(code->cols, sizeof *v->degree);
    v->last = calloc(code->cols, sizeof *v->last);
    v->leaf = malloc(code->rows * sizeof *v->leaf);
    v->informs = calloc(code->cols, sizeof *v->informs);
    v->turned = calloc(code->cols, sizeof *v->turned);
    v->group = malloc((2 * (size_t)code->z + 2) * sizeof *v->group);
    return v->row && v->degree && v->last && v->leaf && v->informs && v->turned && v->group ? 0
                                                                                            : -1;
}

static void find_rows(struct survey *v, const struct ldpc_schedule *schedule)
{
    uint32_t last = NONE;

    for (uint32_t n = 0; n < schedule->n_rows; n++) {
        uint32_t r = schedule->row[n] / v->code->z;

        if (r != last && v->code->row_first[r] < v->code->row_first[r + 1])
            v->row[v->n_rows++] = r;
        last = r;
    }
}

/* Has the row another edge to the column of edge e? */
static bool is_twin(const struct ldpc_code *c, uint32_t r, uint32_t e)
{
    const uint32_t col = c->edge[e].col;

    return (e > c->row_first[r] && c->edge[e - 1].col == col) ||
           (e + 1 < c->row_first[r + 1] && c->edge[e + 1].col == col);
}

static bool has_twins(const struct ldpc_code *c, uint32_t r)
{
    for (uint32_t e = c->row_first[r]; c->twins && e < c->row_first[r + 1]; e++)
        if (is_twin(c, r, e))
            return true;
    return false;
}

/* At most one edge that one lane does not have, and that is no twin. */
static bool few_skips(const struct ldpc_code *c, uint32_t r)
{
    unsigned skips = 0;

    for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++)
        if (c->edge[e].skip != LDPC_NO_LANE)
            skips += is_twin(c, r, e) ? 2 : 1;
    return skips <= 1;
}

static bool may_be_leaf(const struct survey *v, const struct ldpc_edge *edge)
{
    return v->degree[edge->col] == 1 && !v->informs[edge->col] && edge->shift == 0 &&
           edge->skip == LDPC_NO_LANE;
}

static void look(struct survey *v, const struct ldpc_decode *d)
{
    const struct ldpc_code *c = v->code;

    find_rows(v, d->schedule);
    for (uint64_t i = 0; i < d->bits; i++)
        v->informs[ldpc_info(c, (uint32_t)i) / c->z] = true;
    for (uint32_t n = 0; n < v->n_rows; n++) {
        v->plain = v->plain && few_skips(c, v->row[n]);
        for (uint32_t e = c->row_first[v->row[n]]; e < c->row_first[v->row[n] + 1]; e++) {
            v->degree[c->edge[e].col]++;
            v->last[c->edge[e].col] = v->row[n];
        }
    }
    for (uint32_t n = 0; n < v->n_rows; n++) {
        uint32_t r = v->row[n];

        v->leaf[r] = NONE;
        for (uint32_t e = c->row_first[r]; !v->whole && !has_twins(c, r) && e < c->row_first[r + 1];
             e++)
            if (may_be_leaf(v, &c->edge[e]) && c->row_first[r + 1] - c->row_first[r] > 1)
                v->leaf[r] = e;
    }
}

static uint32_t used_columns(const struct survey *v)
{
    uint32_t used = 0;

    for (uint32_t col = 0; col < v->code->cols; col++)
        if (v->degree[col] || v->informs[col])
            used = col + 1;
    return used;
}

/* ---- along the lanes of a block ------------------------------------------------------------- */

static void along_columns(struct ldpc_simd *s, struct survey *v)
{
    const struct ldpc_code *c = v->code;
    bool *left = v->informs; /* not needed any more */

    memset(left, 0, c->cols * sizeof *left);
    for (uint32_t n = 0; n < v->n_rows; n++)
        for (uint32_t e = c->row_first[v->row[n]]; e < c->row_first[v->row[n] + 1]; e++) {
            if (!is_twin(c, v->row[n], e))
                v->turned[c->edge[e].col] = c->edge[e].shift;
            left[c->edge[e].col] = e != v->leaf[v->row[n]];
        }
    for (uint32_t col = 0; col < c->cols; col++) {
        s->column_of[col] = left[col] ? s->n_columns : NONE;
        if (left[col])
            s->column[s->n_columns++] = (struct ldpc_along_column){col, v->turned[col]};
    }
}

static uint32_t turn(uint32_t from, uint32_t to, uint32_t z)
{
    return to >= from ? to - from : to + z - from;
}

/* Edges of the row that are twins, or that are none. */
static void along_edges(struct ldpc_simd *s, struct survey *v, uint32_t r, bool twins)
{
    const struct ldpc_code *c = v->code;
    struct ldpc_along_row *row = &s->row[s->n_rows];

    for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++) {
        const struct ldpc_edge *edge = &c->edge[e];
        uint32_t at = s->column_of[edge->col];

        if (is_twin(c, r, e) != twins)
            continue;
        if (e == v->leaf[r]) {
            row->leaf = edge->col * c->z;
            continue;
        }
        s->edge[s->edges++] = (struct ldpc_along_edge){
            at, turn(v->turned[edge->col], edge->shift, c->z),
            turn(s->column[at].rotation, edge->shift, c->z)};
        if (!twins)
            v->turned[edge->col] = edge->shift;
        if (edge->skip != LDPC_NO_LANE) {
            row->skip = row->degree;
            row->skip_lane = edge->skip;
        }
        row->degree++;
        row->twins += twins;
    }
}

/* A vector of so many lanes, the parts of which begin at first[]; bit i of lanes[] is lane i of a part. */
static void add_step(struct ldpc_simd *s, struct ldpc_along_row *row, const uint32_t *first,
                     const uint32_t *lanes)
{
    const uint32_t z = s->decode->code->z, width = s->along->width;
    struct ldpc_along_step *step = &s->step[row->step + row->steps];

    *step = (struct ldpc_along_step){.first = {first[0], first[1]}};
    row->parts |= width > LDPC_GROUP && first[1] != first[0] + LDPC_GROUP;
    for (uint32_t i = 0; i < width; i++) {
        const bool has = lanes[i / LDPC_GROUP] >> i % LDPC_GROUP & 1;

        step->lanes[i] = has ? 255 : 0;
        row->parts |= has != (first[0] + i < z);
        if (row->skip != LDPC_NO_SKIP && has &&
            first[i / LDPC_GROUP] + i % LDPC_GROUP == row->skip_lane)
            row->skip_message = ((size_t)row->steps * row->degree + row->skip) * width + i;
    }
    row->steps++;
}

/* A vector of two groups, or one of a group or of part of it. */
static void add_groups(struct ldpc_simd *s, struct ldpc_along_row *row,
                       const struct ldpc_group *two)
{
    const uint32_t width = s->along->width;

    if (width > LDPC_GROUP) {
        const uint32_t next = two[0].first + LDPC_GROUP;

        add_step(s, row, (uint32_t[]){two[0].first, two[1].lanes ? two[1].first : next},
                 (uint32_t[]){two[0].lanes, two[1].lanes});
        return;
    }
    for (uint32_t g = 0; g < 2; g++)
        for (uint32_t at = 0; at < LDPC_GROUP; at += width) {
            const uint32_t first = two[g].first + at;
            const uint32_t lanes = (uint32_t)((two[g].lanes >> at) & ((UINT64_C(1) << width) - 1));

            if (lanes)
                add_step(s, row, (uint32_t[]){first, first}, (uint32_t[]){lanes, 0});
        }
}

/* Vectors of a row with twins. */
static int along_steps(struct ldpc_simd *s, const struct survey *v, uint32_t r)
{
    struct ldpc_along_row *row = &s->row[s->n_rows];
    const uint32_t groups = ldpc_order_lanes(v->code, r, v->group);
    const size_t most = s->n_steps + (size_t)groups * (LDPC_GROUP / s->along->width + 1);
    void *more = realloc(s->step, most * sizeof *s->step);

    if (!more)
        return -1;
    s->step = more;
    row->step = s->n_steps;
    for (uint32_t g = 0; g < groups; g += 2)
        add_groups(s, row, v->group + g);
    s->n_steps += row->steps;
    return 0;
}

/* *from: of from[] used. */
static int along_row(struct ldpc_simd *s, struct survey *v, uint32_t r, size_t *from)
{
    const uint32_t z = v->code->z, width = s->along->width;
    struct ldpc_along_row *row = &s->row[s->n_rows];

    *row = (struct ldpc_along_row){.first = s->edges,
                                   .leaf = LDPC_NO_LEAF,
                                   .kind = ldpc_fixed_kind(v->decode, r),
                                   .skip = LDPC_NO_SKIP,
                                   .from = *from};
    along_edges(s, v, r, false);
    along_edges(s, v, r, true);
    if (row->twins) {
        if (along_steps(s, v, r))
            return -1;
    } else {
        row->steps = (z + width - 1) / width;
        row->skip_message = ((size_t)(row->skip_lane / width) * row->degree + row->skip) * width +
                            row->skip_lane % width;
    }
    s->messages += (size_t)row->steps * row->degree * width;
    *from += (size_t)row->steps * row->degree * (1 + (row->parts && width > LDPC_GROUP));
    s->n_rows++;
    return 0;
}

static void along_from(struct ldpc_simd *s, const struct ldpc_along_row *row)
{
    const uint32_t z = s->decode->code->z, width = s->along->width;
    const uint32_t parts = row->parts && width > LDPC_GROUP ? 2 : 1;
    uint16_t *from = s->from + row->from;

    for (uint32_t v = 0; v < row->steps; v++)
        for (uint32_t j = 0; j < row->degree; j++)
            for (uint32_t part = 0; part < parts; part++) {
                const uint32_t lane = row->twins ? s->step[row->step + v].first[part] : v * width;

                *from++ = (uint16_t)((s->edge[row->first + j].turn + lane) % z);
            }
}

static int along_tables(struct ldpc_simd *s, struct survey *v)
{
    size_t from = 0;

    s->row = calloc(v->n_rows, sizeof *s->row);
    s->edge = calloc(ldpc_edges(v->code), sizeof *s->edge);
    s->column = calloc(v->code->cols, sizeof *s->column);
    s->column_of = calloc(v->code->cols, sizeof *s->column_of);
    if (!s->row || !s->edge || !s->column || !s->column_of)
        return -1;
    along_columns(s, v);
    for (uint32_t n = 0; n < v->n_rows; n++)
        if (along_row(s, v, v->row[n], &from))
            return -1;
    /* where the vectors of all edges begin: cheaper to read than to work out in each iteration */
    s->from = malloc(from * sizeof *s->from + 1);
    if (!s->from)
        return -1;
    for (uint32_t n = 0; n < s->n_rows; n++)
        along_from(s, &s->row[n]);
    return ldpc_simd_pack(s);
}

/* ---- side by side --------------------------------------------------------------------------- */

/* Lifted columns of one lifted row, the leaf last. */
static struct ldpc_lanes_run lanes_row(const struct survey *v, uint32_t r, uint32_t i,
                                       uint32_t *index)
{
    const struct ldpc_code *c = v->code;
    struct ldpc_lanes_run run = {
        .rows = 1, .leaf = v->leaf[r] != NONE, .kind = ldpc_fixed_kind(v->decode, r)};

    for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++)
        if (e != v->leaf[r] && c->edge[e].skip != i)
            index[run.degree++] = LDPC_PLACE *
                                  (c->edge[e].col * c->z + (i + c->edge[e].shift) % c->z);
    if (run.leaf)
        index[run.degree] = LDPC_PLACE * (c->edge[v->leaf[r]].col * c->z + i);
    return run;
}

/* One more lifted row; *used: of index[]. */
static void lanes_add(struct ldpc_simd *s, const struct survey *v, uint32_t r, uint32_t i,
                      size_t *used)
{
    struct ldpc_lanes_run *last = s->n_runs ? &s->run[s->n_runs - 1] : NULL;
    const struct ldpc_lanes_run run = lanes_row(v, r, i, s->index + *used);

    if (!run.degree)
        return;
    if (last && last->degree == run.degree && last->leaf == run.leaf && last->kind == run.kind)
        last->rows++;
    else
        s->run[s->n_runs++] = run;
    s->n_lifted++;
    s->lanes_edges += run.degree;
    *used += run.degree + run.leaf;
}

static int lanes_tables(struct ldpc_simd *s, const struct survey *v)
{
    const uint32_t z = v->code->z, lifted = s->decode->schedule->n_rows;
    size_t used = 0;

    s->run = calloc(lifted, sizeof *s->run);
    s->index = malloc((size_t)ldpc_edges(v->code) * z * sizeof *s->index + 1);
    if (!s->run || !s->index)
        return -1;
    for (uint32_t n = 0; n < v->n_rows; n++) {
        const uint32_t r = v->row[n], groups = ldpc_order_lanes(v->code, r, v->group);

        for (uint32_t i = 0; !groups && i < z; i++)
            lanes_add(s, v, r, i, &used);
        for (uint32_t g = 0; g < groups; g++)
            for (uint32_t left = v->group[g].lanes; left; left &= left - 1)
                lanes_add(s, v, r, v->group[g].first + (uint32_t)__builtin_ctz(left), &used);
    }
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Time of one block along its lanes, in vectors of an edge: a row costs 0.65 vectors (AVX2: 1) more than it
   has, and twins cost 1.8 times as much. A packed row waits for the one before. */
static double along_cost(const struct ldpc_simd *s)
{
    const bool wide = s->along->width > 32;
    double cost = 0;

    for (uint32_t n = 0; n < s->n_rows; n++) {
        const struct ldpc_along_row *row = &s->row[n];

        if (s->packed.slot)
            cost += wide ? 4 + 0.5 * row->steps : 1.4 + 1.6 * row->steps;
        else
            cost += (row->steps + (wide ? 0.65 : 1)) * row->degree * (row->twins ? 1.8 : 1);
    }
    return cost;
}

/* Time of 64 blocks side by side, in the same unit. What does not fit the caches is waited for. */
static double side_cost(const struct ldpc_simd *s)
{
    const double bytes = (double)(s->used + s->lanes_edges) * LDPC_LANES;

    return (double)s->lanes_edges * LDPC_LANES / s->kernel->width *
           fmax(1, bytes / LDPC_NEAR_BYTES);
}

/*
 * From how many blocks on 64 side by side take less time. Blocks that are done early wait for the others, unless there
 * are pools: measured with NR and Wi-Fi where blocks take 3 to 6 of 10 iterations, 1.5 to 1.9 times.
 */
static uint32_t few(const struct ldpc_simd *s, bool wait)
{
    const bool waits = wait && s->decode->early_stop;
    const double share = s->along_share / (waits ? 1.6 : 1);
    const double gain = waits ? 1.16 : 1; /* what is expected of 64 is less certain */

    return LDPC_LANES * share <= gain ? UINT32_MAX : (uint32_t)ceil(1 / share);
}

/* Pools that there is room for. They are worth it where blocks have two chances to leave before the last iteration: to
   decode one more group takes longer than to decode what is left of the others alone. */
static uint32_t count_pools(const struct ldpc_simd *s)
{
    const size_t fit = LDPC_POOL_BYTES / ((s->used + s->lanes_edges) * LDPC_LANES);
    const uint32_t n = fit < LDPC_POOLS ? (uint32_t)fit : LDPC_POOLS;
    uint32_t chances = 0;

    for (uint32_t i = 0; i < n; i++)
        chances += ldpc_pool_leaves(i, n) < s->decode->iterations;
    return chances < 2 ? 0 : n;
}

static void choose(struct ldpc_simd *s)
{
    if (s->run && s->decode->early_stop)
        s->n_pools = count_pools(s);
    s->along_few = s->along_rest = s->n_rows ? UINT32_MAX : 0;
    if (!s->n_rows || !s->run)
        return;
    s->along_share = along_cost(s) / side_cost(s);
    s->along_few = few(s, true);
    s->along_rest = few(s, s->n_pools == 0);
}

/* Columns with one edge, those next to each other together. */
static int find_lone(struct ldpc_simd *s, const struct survey *v)
{
    const uint32_t z = v->code->z;

    s->lone = calloc(v->code->cols, sizeof *s->lone);
    if (!s->lone)
        return -1;
    for (uint32_t col = 0; col < v->code->cols; col++) {
        struct ldpc_lone *last = s->n_lone ? &s->lone[s->n_lone - 1] : NULL;
        const unsigned kind = ldpc_fixed_kind(v->decode, v->last[col]);

        if (v->degree[col] != 1)
            continue;
        if (last && last->first + last->count == col * z && last->kind == kind)
            last->count += z;
        else
            s->lone[s->n_lone++] = (struct ldpc_lone){col * z, z, kind};
    }
    return 0;
}

static void find_longest(struct ldpc_simd *s, const struct survey *v)
{
    for (uint32_t n = 0; n < v->n_rows; n++) {
        uint32_t r = v->row[n];
        uint32_t degree = v->code->row_first[r + 1] - v->code->row_first[r] - (v->leaf[r] != NONE);

        s->max_degree = degree > s->max_degree ? degree : s->max_degree;
    }
}

/* The information bits of DVB-S2 do, its parity bits do not. */
static uint32_t count_straight(const struct ldpc_simd *s)
{
    const struct ldpc_code *code = s->decode->code;
    uint32_t n = 0;

    while (code->place && n < code->n && n < s->used && code->place[n] == n)
        n++;
    return n;
}

int ldpc_simd_plan(struct ldpc_simd *s, enum ldpc_layout layout, struct fecrun_error *err)
{
    struct survey v;
    int status = survey_new(&v, s->decode);

    v.whole = s->whole;
    if (!status) {
        look(&v, s->decode);
        s->used = used_columns(&v) * v.code->z;
        s->straight = count_straight(s);
        find_longest(s, &v);
        status = find_lone(s, &v);
        if (!status && layout == LDPC_LAYOUT_ALONG && !v.plain)
            status = fecrun_fail(
                err, "layout", "block: lanes of this code differ, or are more than %d", MOST_LANES);
    }
    if (!status && layout != LDPC_LAYOUT_ALONG)
        status = lanes_tables(s, &v);
    if (!status && layout != LDPC_LAYOUT_LANES && v.plain)
        status = along_tables(s, &v);
    if (!status)
        choose(s);
    survey_free(&v);
    return status ? fecrun_no_memory(err) : 0;
}

static void *carve(void *base, size_t *used, size_t bytes)
{
    return fecrun_carve(base, used, bytes + LDPC_SLACK);
}

size_t ldpc_along_carve(struct ldpc_along_work *w, const struct ldpc_simd *s, void *base)
{
    const size_t z = s->decode->code->z, whole = (z + 63) & ~(size_t)63;
    size_t used = 0, buffers;

    w->buffer = whole +
                (s->n_steps ? 3 : 1) * LDPC_SLACK; /* simd/double_edges.h: one before, two behind */
    w->leaf_step = whole / 8;
    buffers = w->buffer * (s->n_columns + s->max_degree);
    if (s->packed.slot) {
        w->leaf_step = LDPC_SLACK / 8;
        buffers = (size_t)s->packed.slot * s->n_columns;
    }
    w->frame = carve(base, &used, s->used);
    w->current = carve(base, &used, s->n_columns * sizeof *w->current);
    w->spare = carve(base, &used, s->max_degree * sizeof *w->spare);
    w->message = carve(base, &used, s->messages);
    w->leaf_sign = carve(base, &used, w->leaf_step * s->n_rows);
    w->buffers = carve(base, &used, buffers > s->decode->bits ? buffers : s->decode->bits);
    if (base && s->n_steps)
        w->buffers += LDPC_SLACK;
    w->leaf = carve(base, &used, s->packed.slot ? (size_t)s->along->width * s->n_rows : 0);
    w->long_row = carve(base, &used, (s->max_degree + 1) * 64);
    return used;
}

size_t ldpc_lanes_carve(struct ldpc_lanes_work *w, const struct ldpc_simd *s, void *base)
{
    size_t used = 0;

    w->L = carve(base, &used, (size_t)s->used * LDPC_LANES);
    w->message = carve(base, &used, s->lanes_edges * LDPC_LANES);
    w->leaf_sign = carve(base, &used, s->n_lifted * sizeof *w->leaf_sign);
    w->sign = carve(base, &used, s->used * sizeof *w->sign);
    w->decided = carve(base, &used, s->decode->bits * sizeof *w->decided);
    w->long_row = carve(base, &used, (s->max_degree + 1) * 64);
    w->pools = carve(base, &used, s->n_pools * (s->used + s->lanes_edges) * LDPC_LANES);
    return used;
}

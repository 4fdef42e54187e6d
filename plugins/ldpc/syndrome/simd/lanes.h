/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation of LANES shots side by side. A column has its LLR before and after an iteration; a row's
 * messages, as they are made, are added to the columns. The order of a column's sum is that of rows, as in the
 * reference.
 *
 * An instruction set gives: floats (a vector of LANES), floats_load, floats_store, floats_set, floats_add,
 * floats_sub, floats_min, floats_max, floats_mul, floats_xor, floats_pick(lanes, a, b), floats_not_above_0(v),
 * floats_signs(lanes), floats_sign(v), least_of(least, q) and most_of(least, q) of magnitudes, and for an edge: struct lanes_edge,
 * edge_message(edge, near, far), edge_update(edge, q, least, near, far), which returns the message, and
 * edges_start(edges, n, lanes), where messages of edges that are 0 are not those of rows that are 0.
 */

typedef uint16_t lanes_bits; /* bit i: of lane i */

#define ALL_LANES ((lanes_bits)((1U << LANES) - 1))
#define ROW_AT_ONCE 32 /* entries of a vector of lanes_bits */

struct lanes {
    const struct ldpc_syndrome_simd *s;
    const struct ldpc_syndrome_batch *batch;
    float *before, *after; /* LLRs of columns */
    float *near,
        *far; /* of a row: messages to all others, and to its least one; with the row's sign */
    float *q; /* of a row's edges */
    struct lanes_edge *edge; /* minimum */
    float *message;          /* exact sum: of edges */
    double *x, *left;        /* exact sum: of a row's edges, exp(-|q|), and those before together */
    lanes_bits *error, *changed; /* of columns: decisions; after this iteration */
    lanes_bits *asked, *unmet;   /* of rows: the syndrome; where the decisions do not meet it */
    uint8_t *syndrome, *bits;    /* of one shot */
    float *llr;
    void *osd;
    lanes_bits busy;
    uint64_t next;        /* shot */
    uint64_t shot[LANES]; /* of each lane */
    uint32_t done[LANES]; /* iterations */
    /* With memory: */
    float *gamma;            /* of columns */
    lanes_bits starting;     /* lanes whose leg begins: q is made of the priors */
    uint32_t leg[LANES];     /* which one */
    uint32_t leg_end[LANES]; /* the iteration with which it ends */
    uint32_t found[LANES];   /* solutions */
    int64_t least[LANES];    /* weight of the lightest one ... */
    lanes_bits *best;        /* ... and its errors */
};

static size_t lanes_places(uint32_t n)
{
    return ((size_t)n + ROW_AT_ONCE) / ROW_AT_ONCE * ROW_AT_ONCE;
}

static size_t lanes_carve(struct lanes *w, const struct ldpc_syndrome_simd *s, void *base)
{
    const struct ldpc_syndrome *d = s->d;
    const size_t vector = LANES * sizeof(float);
    const bool exact = d->rule == LDPC_SYNDROME_SUM_PRODUCT;
    size_t used = 0;

    w->s = s;
    w->message = fecrun_carve(base, &used, exact ? d->edges * vector : 0);
    w->x = fecrun_carve(base, &used, exact ? s->widest * LANES * sizeof *w->x : 0);
    w->left = fecrun_carve(base, &used, exact ? s->widest * LANES * sizeof *w->left : 0);
    w->before = fecrun_carve(base, &used, d->cols * vector);
    w->after = fecrun_carve(base, &used, d->cols * vector);
    w->near = fecrun_carve(base, &used, d->rows * vector);
    w->far = fecrun_carve(base, &used, d->rows * vector);
    w->q = fecrun_carve(base, &used, s->widest * vector);
    w->gamma = fecrun_carve(base, &used, d->memory ? d->cols * vector : 0);
    w->best = fecrun_carve(base, &used, d->legs ? d->cols * sizeof *w->best : 0);
    w->edge = fecrun_carve(base, &used, d->edges * sizeof *w->edge);
    w->error = fecrun_carve(base, &used, lanes_places(d->cols) * sizeof *w->error);
    w->changed = fecrun_carve(base, &used, lanes_places(d->cols) * sizeof *w->changed);
    w->asked = fecrun_carve(base, &used, lanes_places(d->rows) * sizeof *w->asked);
    w->unmet = fecrun_carve(base, &used, lanes_places(d->rows) * sizeof *w->unmet);
    w->syndrome = fecrun_carve(base, &used, d->rows);
    w->llr = fecrun_carve(base, &used, d->cols * sizeof *w->llr);
    w->bits = fecrun_carve(base, &used, d->cols);
    w->osd = fecrun_carve(base, &used, d->osd ? osd_scratch(d) : 0);
    return used;
}

static size_t lanes_scratch(const struct ldpc_syndrome_simd *s)
{
    struct lanes w;

    return lanes_carve(&w, s, NULL);
}

/* ---- One iteration ---- */

enum memory { NO_MEMORY, MEMORY, LEG_STARTS };

/* The LLR of a column that a row's edge is made of. */
static FECRUN_ALWAYS_INLINE floats column_in(const struct lanes *w, uint32_t col,
                                             enum memory memory)
{
    const floats before = floats_load(w->before + (size_t)col * LANES);

    return memory == LEG_STARTS ? floats_pick(w->starting, floats_set(w->s->d->prior[col]), before)
                                : before;
}

#include "plugins/ldpc/syndrome/simd/exact.h"

/* q of the row's edges, and what its messages are made of. */
static FECRUN_ALWAYS_INLINE void row_in(const struct lanes *w, uint32_t r, uint32_t first,
                                        uint32_t n, floats *least, enum memory memory)
{
    const uint32_t *col = w->s->col + first;
    const struct lanes_edge *edge = w->edge + first;
    const floats near = floats_load(w->near + (size_t)r * LANES);
    const floats far = floats_load(w->far + (size_t)r * LANES);
    const floats alpha = floats_set(w->s->d->alpha);
    floats least1 = floats_set(LDPC_SYNDROME_LIMIT), least2 = least1;
    floats sign = floats_signs(w->asked[r]);

    for (uint32_t i = 0; i < n; i++) {
        const floats L = column_in(w, col[i], memory);
        const floats q = floats_sub(L, edge_message(&edge[i], near, far));

        floats_store(w->q + (size_t)i * LANES, q);
        sign = floats_xor(sign, q);
        least2 = floats_min(least2, most_of(least1, q));
        least1 = least_of(least1, q);
    }
    sign = floats_sign(sign);
    *least = least1;
    floats_store(w->near + (size_t)r * LANES, floats_xor(floats_mul(alpha, least1), sign));
    floats_store(w->far + (size_t)r * LANES, floats_xor(floats_mul(alpha, least2), sign));
}

/* The edge's message; its column's sum so far is `sum`. */
static FECRUN_ALWAYS_INLINE floats row_out(const struct lanes *w, uint32_t e, uint32_t i,
                                           floats least, floats near, floats far, floats sum,
                                           bool exact)
{
    const floats q = floats_load(w->q + (size_t)i * LANES);

    if (exact)
        return floats_add(sum, floats_load(w->message + (size_t)e * LANES));
    return floats_add(sum, edge_update(&w->edge[e], q, least, near, far));
}

static FECRUN_ALWAYS_INLINE void column_end(const struct lanes *w, uint32_t col, floats sum)
{
    const floats limit = floats_set(LDPC_SYNDROME_LIMIT);
    const floats L = floats_min(floats_max(sum, floats_set(-LDPC_SYNDROME_LIMIT)), limit);

    floats_store(w->after + (size_t)col * LANES, L);
    w->changed[col] = floats_not_above_0(L);
}

/* What a column's sum begins with. */
static FECRUN_ALWAYS_INLINE floats column_begin(const struct lanes *w, uint32_t col,
                                                enum memory memory)
{
    const floats prior = floats_set(w->s->d->prior[col]);

    if (memory == NO_MEMORY)
        return prior;
    return floats_add(prior,
                      floats_mul(floats_load(w->gamma + (size_t)col * LANES),
                                 floats_sub(floats_load(w->before + (size_t)col * LANES), prior)));
}

/* The messages, each added to its column. */
static FECRUN_ALWAYS_INLINE void add_row(const struct lanes *w, uint32_t r, enum memory memory,
                                         bool exact)
{
    const struct ldpc_syndrome_row *row = &w->s->row[r];
    const uint32_t begins = row->begins, goes_on = begins + row->goes_on,
                   ends = goes_on + row->ends, alone = ends + row->alone;
    const uint32_t *col = w->s->col + row->first;
    floats least, near, far;
    uint32_t i = 0;

    least = floats_set(0);
    if (exact)
        exact_row(w, r, row->first, alone, memory);
    else
        row_in(w, r, row->first, alone, &least, memory);
    near = floats_load(w->near + (size_t)r * LANES);
    far = floats_load(w->far + (size_t)r * LANES);
#define ADD(sum) row_out(w, row->first + i, i, least, near, far, sum, exact)
#define AFTER(i) (w->after + (size_t)col[i] * LANES)
    for (; i < begins; i++)
        floats_store(AFTER(i), ADD(column_begin(w, col[i], memory)));
    for (; i < goes_on; i++)
        floats_store(AFTER(i), ADD(floats_load(AFTER(i))));
    for (; i < ends; i++)
        column_end(w, col[i], ADD(floats_load(AFTER(i))));
    for (; i < alone; i++)
        column_end(w, col[i], ADD(column_begin(w, col[i], memory)));
#undef ADD
#undef AFTER
}

/* Decisions that are new change whether rows are met. Returns the lanes in which one is not. */
static lanes_bits find_unmet(const struct lanes *w)
{
    const struct ldpc_syndrome *d = w->s->d;
    lanes_bits unmet = 0;

    for (uint32_t first = 0; first < d->cols; first += ROW_AT_ONCE) {
        lanes_bits *restrict changed = w->changed + first, *restrict error = w->error + first;
        lanes_bits any = 0;

        for (uint32_t i = 0; i < ROW_AT_ONCE; i++) {
            const lanes_bits now = changed[i];

            changed[i] ^= error[i];
            any |= changed[i];
            error[i] = now;
        }
        for (uint32_t j = first; any && j < first + ROW_AT_ONCE && j < d->cols; j++)
            for (uint32_t k = d->col_first[j]; w->changed[j] && k < d->col_first[j + 1]; k++)
                w->unmet[d->row_of_col[k]] ^= w->changed[j];
    }
    for (uint32_t r = 0; r < d->rows; r++)
        unmet |= w->unmet[r];
    return unmet;
}

static FECRUN_ALWAYS_INLINE void add_rows(const struct lanes *w, enum memory memory, bool exact)
{
    for (uint32_t r = 0; r < w->s->d->rows; r++)
        add_row(w, r, memory, exact);
}

static lanes_bits iterate(struct lanes *w)
{
    float *const before = w->before;

    if (w->s->d->rule == LDPC_SYNDROME_SUM_PRODUCT && w->starting)
        add_rows(w, LEG_STARTS, true);
    else if (w->s->d->rule == LDPC_SYNDROME_SUM_PRODUCT)
        add_rows(w, w->s->d->memory ? MEMORY : NO_MEMORY, true);
    else if (w->starting)
        add_rows(w, LEG_STARTS, false);
    else if (w->s->d->memory)
        add_rows(w, MEMORY, false);
    else
        add_rows(w, NO_MEMORY, false);
    w->starting = 0;
    for (uint32_t i = 0; i < w->s->n_empty; i++)
        column_end(w, w->s->empty[i], floats_set(w->s->d->prior[w->s->empty[i]]));
    w->before = w->after;
    w->after = before;
    return find_unmet(w);
}

/* ---- Shots come and go ---- */

static void load_syndrome(const struct lanes *w, uint64_t shot)
{
    const struct fecrun_view *in = w->batch->syndrome;
    const uint8_t *row = fecrun_row(in, shot);

    for (uint32_t r = 0; r < w->s->d->rows; r++)
        w->syndrome[r] = in->type == FECRUN_PACKED ? row[r / 8] >> (7 - r % 8) & 1 : row[r] & 1;
}

static void put_error(const struct lanes *w, uint64_t shot, const uint8_t *error)
{
    const struct fecrun_view *out = w->batch->error;
    const uint32_t cols = w->s->d->cols;
    uint8_t *row = fecrun_row(out, shot);

    if (out->type != FECRUN_PACKED) {
        memcpy(row, error, cols);
        return;
    }
    for (uint32_t j = 0; j < cols / 8; j++) {
        uint64_t bits;

        memcpy(&bits, error + 8 * j, sizeof bits);
        row[j] = (uint8_t)(bits * 0x8040201008040201 >> 56);
    }
    if (cols % 8)
        row[cols / 8] = 0;
    for (uint32_t j = cols & ~7U; j < cols; j++)
        row[j / 8] |= (uint8_t)(error[j] << (7 - j % 8));
}

static void put(const struct lanes *w, uint64_t shot, const uint8_t *error, const float *llr,
                uint32_t iterations, bool met)
{
    const struct fecrun_view *out = w->batch->llr;

    put_error(w, shot, error);
    if (out)
        memcpy(fecrun_row(out, shot), llr, w->s->d->cols * sizeof *llr);
    w->batch->info[shot].iterations = iterations;
    fecrun_frame_checked(&w->batch->info[shot], met);
}

static void clear_messages(const struct lanes *w, lanes_bits lanes)
{
    const struct ldpc_syndrome *d = w->s->d;
    const floats zero = floats_set(0);

    for (uint32_t r = 0; r < d->rows; r++) {
        float *near = w->near + (size_t)r * LANES, *far = w->far + (size_t)r * LANES;

        floats_store(near, floats_pick(lanes, zero, floats_load(near)));
        floats_store(far, floats_pick(lanes, zero, floats_load(far)));
    }
    if (d->rule == LDPC_SYNDROME_SUM_PRODUCT)
        exact_start(w, lanes);
    else
        edges_start(w->edge, d->edges, lanes);
}

/* The shot's first iteration begins with the priors, no messages and no errors. */
static void enter(const struct lanes *w, lanes_bits lanes)
{
    const struct ldpc_syndrome *d = w->s->d;

    for (uint32_t j = 0; j < d->cols; j++) {
        float *L = w->before + (size_t)j * LANES;

        floats_store(L, floats_pick(lanes, floats_set(d->prior[j]), floats_load(L)));
        w->error[j] &= (lanes_bits)~lanes;
    }
    clear_messages(w, lanes);
}

/* The lane's memory strengths in its leg, and where the leg ends. */
static void begin_leg(struct lanes *w, unsigned lane)
{
    const struct ldpc_syndrome *d = w->s->d;

    w->leg_end[lane] = w->done[lane] + (w->leg[lane] ? d->leg_iterations : d->iterations);
    if (!d->memory)
        return;
    ldpc_syndrome_gammas(d, w->leg[lane], w->llr);
    for (uint32_t j = 0; j < d->cols; j++)
        w->gamma[(size_t)j * LANES + lane] = w->llr[j];
}

/* Sets a lane's syndrome; false if it is 0 and has been answered. */
static bool take(struct lanes *w, unsigned lane)
{
    const struct ldpc_syndrome_simd *s = w->s;
    const uint64_t shot = w->next++;
    uint8_t any = 0;

    load_syndrome(w, shot);
    for (uint32_t r = 0; r < s->d->rows; r++)
        any |= w->syndrome[r];
    if (!any && s->zero_met && s->d->solutions < 2) {
        put(w, shot, s->zero_error, s->zero_llr, 1, true);
        return false;
    }
    for (uint32_t r = 0; r < s->d->rows; r++) {
        const lanes_bits others = (lanes_bits) ~(1U << lane);

        w->asked[r] = (lanes_bits)((w->asked[r] & others) | w->syndrome[r] << lane);
        w->unmet[r] = (lanes_bits)((w->unmet[r] & others) | w->syndrome[r] << lane);
    }
    w->shot[lane] = shot;
    w->done[lane] = w->leg[lane] = w->found[lane] = 0;
    begin_leg(w, lane);
    return true;
}

static void fill(struct lanes *w)
{
    lanes_bits entered = 0;

    for (unsigned lane = 0; lane < LANES; lane++)
        while (!((w->busy | entered) >> lane & 1) && w->next < w->batch->frames)
            entered |= (lanes_bits)(take(w, lane) ? 1U << lane : 0);
    if (entered)
        enter(w, entered);
    w->busy |= entered;
}

/* The lane's decisions, a byte each. */
static void copy_lane(const struct lanes *w, const lanes_bits *error, unsigned lane,
                      uint8_t *restrict bits)
{
    const uint32_t n = w->s->d->cols;

    for (uint32_t j = 0; j < n; j++)
        bits[j] = error[j] >> lane & 1;
}

static void leave(struct lanes *w, unsigned lane, bool met)
{
    const struct ldpc_syndrome *d = w->s->d;

    copy_lane(w, w->found[lane] ? w->best : w->error, lane, w->bits);
    if (w->batch->llr || (!met && d->osd))
        for (uint32_t j = 0; j < d->cols; j++)
            w->llr[j] = w->before[(size_t)j * LANES + lane];
    if (!met && d->osd) {
        for (uint32_t r = 0; r < d->rows; r++)
            w->syndrome[r] = w->asked[r] >> lane & 1;
        met = osd(d, w->llr, w->syndrome, w->bits, w->osd);
    }
    put(w, w->shot[lane], w->bits, w->llr, w->done[lane], met);
    w->busy &= (lanes_bits) ~(1U << lane);
}

/* Arrays whose other lanes and places are read before a shot is there. */
static void lanes_start(struct lanes *w)
{
    const struct ldpc_syndrome *d = w->s->d;

    memset(w->edge, 0, d->edges * sizeof *w->edge);
    if (d->rule == LDPC_SYNDROME_SUM_PRODUCT)
        memset(w->message, 0, d->edges * LANES * sizeof *w->message);
    memset(w->error, 0, lanes_places(d->cols) * sizeof *w->error);
    memset(w->changed, 0, lanes_places(d->cols) * sizeof *w->changed);
    memset(w->asked, 0, lanes_places(d->rows) * sizeof *w->asked);
    memset(w->unmet, 0, lanes_places(d->rows) * sizeof *w->unmet);
    w->starting = 0;
    if (d->memory)
        memset(w->gamma, 0, d->cols * LANES * sizeof *w->gamma);
    enter(w, ALL_LANES);
}

/* Keeps the lane's errors if they are lighter than those of earlier legs. */
static void keep_lightest(struct lanes *w, unsigned lane)
{
    const struct ldpc_syndrome *d = w->s->d;
    const lanes_bits own = (lanes_bits)(1U << lane), others = (lanes_bits)~own;
    int64_t weight;

    copy_lane(w, w->error, lane, w->bits);
    weight = ldpc_syndrome_weigh(d, w->bits);
    if (w->found[lane]++ && weight >= w->least[lane])
        return;
    w->least[lane] = weight;
    for (uint32_t j = 0; j < d->cols; j++)
        w->best[j] = (lanes_bits)((w->best[j] & others) | (w->error[j] & own));
}

/* After an iteration. False: the lane goes on with its leg. */
static bool leg_ends(struct lanes *w, unsigned lane, bool met)
{
    return ++w->done[lane] == w->leg_end[lane] || met;
}

/* The lane's shot leaves, or has another leg. Returns the lane's bit if it has one. */
static lanes_bits end_leg(struct lanes *w, unsigned lane, bool met)
{
    const struct ldpc_syndrome *d = w->s->d;

    if (d->legs && met)
        keep_lightest(w, lane);
    if (w->leg[lane] == d->legs || w->found[lane] == d->solutions) {
        leave(w, lane, met || w->found[lane]);
        return 0;
    }
    w->leg[lane]++;
    begin_leg(w, lane);
    return (lanes_bits)(1U << lane);
}

static bool lanes_decode(const struct ldpc_syndrome_simd *s,
                         const struct ldpc_syndrome_batch *batch, void *scratch)
{
    struct lanes w = {.busy = 0};

    lanes_carve(&w, s, scratch);
    w.batch = batch;
    lanes_start(&w);
    for (fill(&w); w.busy; fill(&w)) {
        const lanes_bits unmet = iterate(&w);

        if (batch->cancel && fecrun_cancelled(batch->cancel))
            return false;
        for (unsigned lane = 0; lane < LANES; lane++) {
            const bool met = !(unmet >> lane & 1);

            if (w.busy >> lane & 1 && leg_ends(&w, lane, met))
                w.starting |= end_leg(&w, lane, met);
        }
        if (w.starting)
            clear_messages(&w, w.starting);
    }
    return true;
}

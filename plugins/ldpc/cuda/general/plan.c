/* SPDX-License-Identifier: BSD-2-Clause */
/* Host side of the general decoder (plan.h): tables of codes, and code blocks into thread blocks. */
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <stdlib.h>

#include "plugins/ldpc/cuda/general/plan.h"

enum {
    WARP = 32,
    FEW_THREADS = 384,  /* of a thread block, as the document's: one code block of NR's largest z */
    MORE_THREADS = 512, /* where layers are larger */
    SM_THREADS = 2048,
    BLOCK_OVERHEAD = 1024, /* bytes of shared memory that a thread block takes beside its own */
    NO_LANE = LDPC_GENERAL_MOST_Z + 1
};

static uint32_t round_up(uint32_t x, uint32_t unit)
{
    return (x + unit - 1) / unit * unit;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int out_of_memory(struct fecrun_error *err)
{
    return fecrun_no_memory(err);
}

/* ---- The base graphs of NR ----------------------------------------------------------------- */

static const uint32_t largest_z[LDPC_GENERAL_SETS] = {256, 384, 320, 224, 288, 352, 208, 240};

static uint32_t first_edge(uint32_t bg, uint32_t set)
{
    return bg == 1 ? set * LDPC_GENERAL_BG1_EDGES
                   : LDPC_GENERAL_SETS * LDPC_GENERAL_BG1_EDGES + set * LDPC_GENERAL_BG2_EDGES;
}

static int take_graph(struct ldpc_general_graphs *graphs, const struct ldpc_code *c,
                      struct fecrun_error *err)
{
    uint32_t *edge = graphs->edge + first_edge(c->bg, c->set);
    const uint32_t n = c->bg == 1 ? LDPC_GENERAL_BG1_EDGES : LDPC_GENERAL_BG2_EDGES;

    if (ldpc_edges(c) != n || c->rows > LDPC_GENERAL_MOST_ROWS)
        return fecrun_fail(err, NULL, "base graph %u has %u edges instead of %u", c->bg,
                           ldpc_edges(c), n);
    for (uint32_t e = 0; e < n; e++)
        edge[e] = c->edge[e].col | c->edge[e].shift << 16;
    for (uint32_t r = 0; r <= c->rows; r++)
        graphs->first[c->bg - 1][r] = (uint16_t)c->row_first[r];
    return 0;
}

/* A set's largest z is a multiple of its others, so its shifts hold all the table says of them. */
int ldpc_general_graphs_make(struct ldpc_general_graphs *graphs, struct fecrun_error *err)
{
    memset(graphs, 0, sizeof *graphs);
    for (uint32_t bg = 1; bg <= 2; bg++)
        for (uint32_t set = 0; set < LDPC_GENERAL_SETS; set++) {
            struct ldpc_code *code = ldpc_code_nr(bg, largest_z[set], 0, err);
            int status = code ? take_graph(graphs, code, err) : -1;

            ldpc_code_free(code);
            if (status)
                return -1;
        }
    return 0;
}

/* ---- Tables of other codes ----------------------------------------------------------------- */

static uint32_t message_words(uint32_t weight, uint32_t threshold)
{
    if (weight <= threshold)
        return (weight + 1) / 2;
    if (weight <= LDPC_GENERAL_INDEXED)
        return 2;
    return weight <= LDPC_GENERAL_PAIRED ? 3 : 2 + (weight + 31) / 32;
}

static uint32_t weight_of(const struct ldpc_code *c, uint32_t row)
{
    return c->row_first[row + 1] - c->row_first[row];
}

static bool whole_row(const struct ldpc_code *c, const uint32_t *row, uint32_t count)
{
    if (c->z == 1 || count != c->z || row[0] % c->z)
        return false;
    for (uint32_t i = 1; i < count; i++)
        if (row[i] != row[0] + i)
            return false;
    return true;
}

/* Rows of a group in ascending order of weight, so that a warp's threads do the same. */
static void list_rows(const struct ldpc_code *c, const uint32_t *row, uint32_t count,
                      struct ldpc_general_pair *list)
{
    uint32_t weight = 0, done = 0;

    while (done < count) {
        uint32_t next = UINT32_MAX;

        for (uint32_t i = 0; i < count; i++) {
            const uint32_t w = weight_of(c, row[i] / c->z);

            if (w == weight)
                list[done++] = (struct ldpc_general_pair){row[i] / c->z, row[i] % c->z};
            else if (w > weight && w < next)
                next = w;
        }
        weight = next;
    }
}

static void take_group(struct ldpc_general_tables *t, const struct ldpc_decode *d, uint32_t number,
                       uint32_t threshold)
{
    const struct ldpc_schedule *s = d->schedule;
    const uint32_t *row = s->row + s->first[number];
    const uint32_t count = s->first[number + 1] - s->first[number];
    struct ldpc_general_layer *layer = &t->layer[number];

    layer->count = count;
    for (uint32_t i = 0; i < count; i++)
        layer->words = most(layer->words,
                            message_words(weight_of(d->code, row[i] / d->code->z), threshold));
    if (whole_row(d->code, row, count)) {
        layer->first = row[0] / d->code->z;
        return;
    }
    layer->listed = true;
    layer->first = (uint32_t)t->lists;
    list_rows(d->code, row, count, t->list + t->lists);
    t->lists += count;
}

static int make_tables(struct ldpc_general_tables *t, const struct ldpc_decode *d,
                       uint32_t threshold, struct fecrun_error *err)
{
    const struct ldpc_code *c = d->code;

    t->edges = ldpc_edges(c);
    t->rows = c->rows;
    t->layers = d->schedule->n_groups;
    t->edge = calloc(t->edges + 1, sizeof *t->edge);
    t->row = calloc(t->rows + 1, sizeof *t->row);
    t->layer = calloc(t->layers + 1, sizeof *t->layer);
    t->list = calloc(d->schedule->n_rows + 1, sizeof *t->list);
    if (!t->edge || !t->row || !t->layer || !t->list)
        return out_of_memory(err);
    for (uint32_t e = 0; e < t->edges; e++) {
        const uint32_t skip = c->edge[e].skip == LDPC_NO_LANE ? NO_LANE : c->edge[e].skip;

        t->edge[e] = (struct ldpc_general_pair){c->edge[e].col * c->z,
                                                c->edge[e].shift | skip << 16};
    }
    for (uint32_t r = 0; r < c->rows; r++)
        t->row[r] = (struct ldpc_general_pair){c->row_first[r], weight_of(c, r)};
    for (uint32_t g = 0; g < t->layers; g++)
        take_group(t, d, g, threshold);
    return 0;
}

void ldpc_general_tables_free(struct ldpc_general_tables *t)
{
    free(t->edge);
    free(t->row);
    free(t->layer);
    free(t->list);
    memset(t, 0, sizeof *t);
}

/* ---- Classes ------------------------------------------------------------------------------- */

/* Of what is not negative; at most LDPC_GENERAL_HALF_MOST. */
static uint32_t half_of(double x)
{
    return x > 0 ? least(fecrun_half(x), LDPC_GENERAL_HALF_MOST) : 0;
}

/* To the nearest, within 0..most. */
static uint32_t fixed_of(double x, double limit)
{
    return x >= limit ? (uint32_t)limit : x > 0 ? (uint32_t)(x + 0.5) : 0;
}

void ldpc_general_class_set(struct ldpc_general_class *c, const struct ldpc_decode *d,
                            enum ldpc_general_arithmetic arithmetic)
{
    const bool i16 = arithmetic == LDPC_GENERAL_I16;
    const double beta = d->beta * d->llr_scale;

    c->iterations = d->iterations;
    c->early_stop = d->early_stop;
    c->offset = d->algorithm == LDPC_OMS;
    c->shift = ldpc_alpha_shift(d);
    for (uint32_t n = 0; n < ldpc_alpha_count(d); n++)
        if (c->offset)
            c->factor[n] = i16 ? fixed_of(beta * (1 << LDPC_GENERAL_FRACTION),
                                          LDPC_GENERAL_I16_MOST)
                               : half_of(beta);
        else
            c->factor[n] = i16 ? fixed_of(ldpc_alpha(d, n) * (1 << 15), 1 << 17)
                               : half_of(ldpc_alpha(d, n));
}

static uint32_t threads_of(uint32_t rows, const struct ldpc_general_config *config)
{
    const uint32_t limit = config->threads       ? config->threads
                           : rows <= FEW_THREADS ? FEW_THREADS
                                                 : MORE_THREADS;

    return least(round_up(rows, WARP), limit);
}

static void set_nr(struct ldpc_general_class *c, const struct ldpc_decode *d)
{
    const struct ldpc_code *code = d->code;
    const uint32_t cols = (code->bg == 1 ? 22 : 10) + d->rows;
    const uint32_t extensions = d->rows - code->core_rows;

    c->graph = code->bg - 1;
    c->edges = first_edge(code->bg, code->set);
    c->layers = d->rows;
    c->core_rows = code->core_rows;
    c->reverse = d->reverse;
    c->lifted = cols * code->z;
    c->items = c->lifted - c->punctured;
    c->sign_words = round_up(extensions * ((code->z + 31) / 32), 4);
    for (uint32_t r = 0; r < d->rows; r++)
        c->message_words += code->z * message_words(weight_of(code, r) - (r >= code->core_rows),
                                                    c->threshold);
}

/* Rows of the largest layer. */
static uint32_t set_other(struct ldpc_general_class *c, const struct ldpc_general_tables *t,
                          const struct ldpc_code *code)
{
    uint32_t rows = 1;

    c->layers = (uint32_t)t->layers;
    c->core_rows = code->rows;
    c->lifted = code->cols * code->z;
    c->items = code->n;
    for (size_t l = 0; l < t->layers; l++) {
        rows = most(rows, t->layer[l].count);
        c->message_words += t->layer[l].count * t->layer[l].words;
    }
    return rows;
}

int ldpc_general_class_make(struct ldpc_general_class *c, struct ldpc_general_tables *tables,
                            const struct ldpc_decode *d, const struct ldpc_general_config *config,
                            struct fecrun_error *err)
{
    const struct ldpc_code *code = d->code;
    uint32_t rows = code->z;

    memset(c, 0, sizeof *c);
    memset(tables, 0, sizeof *tables);
    c->z = code->z;
    c->reciprocal = code->z == 1 ? 0 : (uint32_t)((((uint64_t)1 << 32) + code->z - 1) / code->z);
    c->punctured = code->punctured;
    c->bits = (uint32_t)d->bits;
    c->k = code->k;
    c->n = code->n;
    c->threshold = config->threshold;
    if (code->family == LDPC_NR) {
        set_nr(c, d);
    } else {
        if (make_tables(tables, d, c->threshold, err))
            return -1;
        rows = set_other(c, tables, code);
    }
    c->threads = threads_of(rows, config);
    c->llr_words = round_up(c->lifted, 8) / 2;
    c->message_words = round_up(c->message_words, 4);
    ldpc_general_class_set(c, d, config->arithmetic);
    return 0;
}

uint32_t ldpc_general_near(const struct ldpc_general_class *c, enum ldpc_general_home home)
{
    if (home == LDPC_GENERAL_FAR)
        return 0;
    return c->llr_words + c->sign_words + (home == LDPC_GENERAL_SHARED ? c->message_words : 0);
}

uint32_t ldpc_general_far(const struct ldpc_general_class *c, enum ldpc_general_home home)
{
    if (home == LDPC_GENERAL_SHARED)
        return 0;
    return c->message_words + (home == LDPC_GENERAL_FAR ? c->llr_words : 0);
}

/* ---- Thread blocks ------------------------------------------------------------------------- */

static uint32_t most_near(const struct ldpc_general_class *classes, size_t n,
                          enum ldpc_general_home home)
{
    uint32_t words = 0;

    for (size_t i = 0; i < n; i++)
        words = most(words, ldpc_general_near(&classes[i], home));
    return words;
}

static int choose_home(struct ldpc_general_shape *shape, const struct ldpc_general_class *classes,
                       size_t n, bool nr, const struct ldpc_general_config *config,
                       struct fecrun_error *err)
{
    const size_t words = config->limits.shared_block / 4;
    const uint32_t all = most_near(classes, n, LDPC_GENERAL_SHARED);
    const uint32_t llrs = most_near(classes, n, LDPC_GENERAL_GLOBAL);

    if (config->home == LDPC_GENERAL_SHARED && all > words)
        return fecrun_fail(err, "messages",
                           "a code block takes %u KiB of shared memory; the "
                           "device has %zu: global or auto will do",
                           (all + 255) / 256, words / 256);
    if (config->home != LDPC_GENERAL_GLOBAL && all <= words)
        shape->home = LDPC_GENERAL_SHARED;
    else
        shape->home = llrs <= words ? LDPC_GENERAL_GLOBAL : LDPC_GENERAL_FAR;
    if (nr && shape->home == LDPC_GENERAL_FAR)
        return fecrun_fail(err, NULL,
                           "a code block's LLRs take %u KiB of shared memory; the "
                           "device has %zu",
                           (llrs + 255) / 256, words / 256);
    return 0;
}

/* Thread blocks that a multiprocessor holds, as far as memory and threads go. */
static uint32_t resident(const struct ldpc_general_config *config, uint32_t threads, uint32_t words)
{
    const uint32_t by_memory = (uint32_t)(config->limits.shared /
                                          (4 * (size_t)words + BLOCK_OVERHEAD));

    return most(1, least(by_memory, SM_THREADS / threads));
}

static void shape_equal(struct ldpc_general_shape *shape, const struct ldpc_general_class *c,
                        const struct ldpc_general_config *config)
{
    const uint32_t threads = most(config->threads ? config->threads : FEW_THREADS, c->threads);
    const uint32_t near = ldpc_general_near(c, shape->home);
    uint32_t blocks = least(shape->blocks, threads / c->threads);

    if (near)
        blocks = most(1, least(blocks, (uint32_t)(config->limits.shared_block / 4 / near)));
    shape->blocks = blocks;
    shape->threads = blocks * c->threads;
    shape->near = blocks * near;
    shape->far = (uint64_t)blocks * ldpc_general_far(c, shape->home);
}

/*
 * Where the largest code blocks leave a multiprocessor no room for a second thread block, it is
 * made a large one, so that small code blocks of other bins do not have one for themselves.
 */
static void shape_ragged(struct ldpc_general_shape *shape, const struct ldpc_general_class *classes,
                         size_t n, const struct ldpc_general_config *config)
{
    const uint32_t near = most_near(classes, n, shape->home);
    const bool alone = resident(config, FEW_THREADS, near) == 1;
    uint32_t threads = config->threads ? config->threads
                       : alone         ? LDPC_GENERAL_MOST_THREADS
                                       : FEW_THREADS;
    size_t bytes;

    for (size_t i = 0; i < n; i++)
        threads = most(threads, classes[i].threads);
    bytes = config->limits.shared / resident(config, threads, near) - BLOCK_OVERHEAD;
    bytes = bytes < config->limits.shared_block ? bytes : config->limits.shared_block;
    shape->threads = threads;
    shape->near = near ? most(near, (uint32_t)(bytes / 16 * 4)) : 0;
    for (size_t i = 0; i < n; i++) { /* no more than the hungriest ones in all threads */
        const uint64_t far = ldpc_general_far(&classes[i], shape->home);
        const uint64_t words = (far * threads + classes[i].threads - 1) / classes[i].threads;

        shape->far = words > shape->far ? words : shape->far;
    }
    shape->far = (shape->far + 3) / 4 * 4;
}

int ldpc_general_shape_make(struct ldpc_general_shape *shape,
                            const struct ldpc_general_class *classes, size_t n, bool nr,
                            const struct ldpc_general_config *config, uint64_t frames,
                            struct fecrun_error *err)
{
    const uint64_t share = (frames + config->limits.processors - 1) / config->limits.processors;
    uint32_t together;

    memset(shape, 0, sizeof *shape);
    if (config->threads % WARP || config->threads > LDPC_GENERAL_MOST_THREADS)
        return fecrun_fail(err, "threads", "must be a multiple of %d up to %d", WARP,
                           LDPC_GENERAL_MOST_THREADS);
    if (choose_home(shape, classes, n, nr, config, err))
        return -1;
    shape->blocks = LDPC_GENERAL_MOST_THREADS / WARP;
    if (config->blocks)
        shape->blocks = least(shape->blocks, config->blocks);
    else if (share < shape->blocks) /* few of them: all multiprocessors take part */
        shape->blocks = most(1, (uint32_t)share);
    if (n == 1)
        shape_equal(shape, classes, config);
    else
        shape_ragged(shape, classes, n, config);
    together = resident(config, shape->threads, shape->near);
    shape->limit = config->limits.processors * together;
    shape->roomy = together == 1 && shape->threads <= LDPC_GENERAL_ROOMY_THREADS;
    return 0;
}

bool ldpc_general_pack(struct ldpc_general_place *place, struct ldpc_general_frame *frame,
                       const struct ldpc_general_class *c, const struct ldpc_general_shape *shape)
{
    const uint32_t near = ldpc_general_near(c, shape->home);
    const bool full = place->blocks == shape->blocks ||
                      place->thread + c->threads > shape->threads ||
                      place->near + near > shape->near;
    const bool begins = place->blocks == 0 || full;

    if (place->blocks && full)
        *place = (struct ldpc_general_place){.bin = place->bin + 1};
    frame->thread = place->thread;
    frame->near = place->near;
    frame->far = place->far;
    place->thread += c->threads;
    place->near += near;
    place->far += ldpc_general_far(c, shape->home);
    place->blocks++;
    return begins;
}

/* ---- What it takes ---- */

int ldpc_general_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct ldpc_decode *first = args->codes[0];

    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct ldpc_decode *d = args->codes[i];

        if (ldpc_erasures_left(d, "this backend", err) || ldpc_list_left(d, err))
            return -1;
        if (d->rule != LDPC_LAYERED)
            return fecrun_fail(err, "schedule",
                               "this backend decodes in layers only, not by "
                               "flooding");
        if (d->algorithm == LDPC_SPA)
            return fecrun_fail(err, "check_rule",
                               "this backend knows min-sum and offset-min-sum, not sum-product");
        if ((d->code->family == LDPC_NR) != (first->code->family == LDPC_NR))
            return fecrun_fail(err, NULL, "classes of NR and of other codes in one batch");
        if (d->code->family != LDPC_NR && d->code->z > LDPC_GENERAL_MOST_Z)
            return fecrun_fail(err, NULL, "z = %u: this backend's largest is %d", d->code->z,
                               LDPC_GENERAL_MOST_Z);
    }
    return 0;
}

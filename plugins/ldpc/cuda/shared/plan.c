/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a code as the kernels in shared memory take them: plan.h. */
#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ldpc/cuda/shared/plan.h"

enum {
    MOST_COLUMNS = 65535,
    MOST_FLOODED = 56000, /* twice in the shared memory of a thread block */
    MOST_STEPS = 2000,    /* constant memory holds them */
    MOST_EDGES = 1600,    /* of circulants, the same */
    ENOUGH = 1152,        /* threads at work keep a multiprocessor busy */
    MOST_THREADS = 1024,
    SM_REGISTERS = 65536,
    AHEAD = 7,       /* circulants of the next step in registers */
    FORMS = 96,      /* make_form() */
    RESERVED = 1024, /* bytes of shared memory that each thread block takes beside its own */
};

static uint32_t edges_of(const struct ldpc_code *c, uint32_t row)
{
    return c->row_first[row + 1] - c->row_first[row];
}

static uint32_t columns_of(const struct ldpc_decode *d)
{
    return (d->code->cols - d->code->rows + d->rows) * d->code->z;
}

static bool is_qc(const struct ldpc_code *c)
{
    return c->z > 1;
}

static bool lacks_edges(const struct ldpc_decode *d)
{
    for (uint32_t e = 0; e < d->code->row_first[d->rows]; e++)
        if (d->code->edge[e].skip != LDPC_NO_LANE)
            return true;
    return false;
}

static uint32_t heaviest(const struct ldpc_decode *d)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < d->rows; r++)
        most = edges_of(d->code, r) > most ? edges_of(d->code, r) : most;
    return most;
}

const char *ldpc_shared_unfit(const struct ldpc_decode *d)
{
    const struct ldpc_code *c = d->code;
    uint64_t weights = 0;
    uint32_t n = 0;

    if (d->algorithm == LDPC_SPA)
        return "it knows min-sum and offset-min-sum, not sum-product";
    if (d->solve)
        return "it does not solve erasures";
    if (heaviest(d) > LDPC_SHARED_MOST_WEIGHT)
        return "a check of the code has more than 32 bits";
    for (uint32_t r = 0; r < d->rows; r++) {
        if (edges_of(c, r) < 2)
            return "a check of the code has less than two bits";
        n += !(weights >> edges_of(c, r) & 1);
        weights |= UINT64_C(1) << edges_of(c, r);
    }
    if (n > LDPC_SHARED_WEIGHTS)
        return "the code's checks have more than 12 weights";
    if (columns_of(d) > MOST_COLUMNS)
        return "the code has more than 65535 columns";
    if (d->rule == LDPC_FLOODING && columns_of(d) > MOST_FLOODED)
        return "the code's LLRs take more shared memory than a thread block has";
    if (is_qc(c) && c->row_first[d->rows] > MOST_EDGES)
        return "the code has more than 1600 circulants";
    return NULL;
}

/* ---- Form ------------------------------------------------------------------------------------ */

size_t ldpc_shared_bytes(const struct ldpc_shared_form *f)
{
    const size_t unit = (f->wide ? 4 : 2) * (size_t)f->slots;
    const size_t array = ((f->columns + f->spares) * unit + 15) / 16 * 16;

    return (f->flooding ? 2 : 1) * array + 4 * (size_t)f->threads * f->near + LDPC_SHARED_END;
}

uint32_t ldpc_shared_codewords(const struct ldpc_shared_form *f)
{
    return f->wide ? 2 * f->slots : 1;
}

static uint32_t words_of(const struct ldpc_shared_form *f, uint32_t weight)
{
    return f->wide ? (weight + 1) / 2 : (weight + 3) / 4;
}

/* Words of messages of a thread: see add_steps(). */
static uint32_t count_words(const struct ldpc_decode *d, const struct ldpc_shared_form *f)
{
    const struct ldpc_schedule *s = d->schedule;
    uint32_t words = 0;

    for (uint32_t g = 0; g < s->n_groups; g++) {
        uint32_t count[LDPC_SHARED_MOST_WEIGHT + 1] = {0};

        for (uint32_t i = s->first[g]; i < s->first[g + 1]; i++)
            count[edges_of(d->code, s->row[i] / d->code->z)]++;
        for (uint32_t w = 0; w <= LDPC_SHARED_MOST_WEIGHT; w++)
            words += (count[w] + f->rows - 1) / f->rows * words_of(f, w);
    }
    return words;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static int grow(struct ldpc_shared_plan *p, size_t more, struct fecrun_error *err)
{
    uint32_t *table = realloc(p->table, (p->entries + more) * sizeof *table);

    if (!table)
        return fecrun_no_memory(err);
    p->table = table;
    return 0;
}

static uint32_t weight_place(struct ldpc_shared_plan *p, uint32_t weight)
{
    uint32_t i = 0;

    while (i < p->weights && p->weight[i] != weight)
        i++;
    if (i == p->weights)
        p->weight[p->weights++] = weight;
    return i;
}

static struct ldpc_shared_step *add_step(struct ldpc_shared_plan *p, uint32_t weight, uint32_t rows)
{
    struct ldpc_shared_step *s;

    if (p->steps == MOST_STEPS)
        return NULL;
    s = &p->step[p->steps++];
    *s = (struct ldpc_shared_step){.rows = rows, .word = p->form.words};
    p->form.words += words_of(&p->form, weight);
    s->kind = weight | weight_place(p, weight) << 8 |
              (p->form.words <= p->form.near ? LDPC_SHARED_NEAR : 0);
    return s;
}

/* The rows of a group, all of one base row, of which lanes may be missing. */
static int add_circulants(struct ldpc_shared_plan *p, const uint32_t *rows, uint32_t n,
                          struct fecrun_error *err)
{
    const struct ldpc_code *c = p->d->code;
    const uint32_t base = rows[0] / c->z, weight = edges_of(c, base);
    bool skips = false;

    for (uint32_t e = c->row_first[base]; e < c->row_first[base + 1]; e++)
        skips |= c->edge[e].skip != LDPC_NO_LANE;
    if (n != c->z && grow(p, n, err))
        return -1;
    for (uint32_t i = 0; i < n; i += p->form.rows) {
        struct ldpc_shared_step *s = add_step(p, weight,
                                              n - i < p->form.rows ? n - i : p->form.rows);

        if (!s)
            return fecrun_fail(err, NULL, "the code's rows take too many steps");
        s->edge = c->row_first[base];
        s->lane = i;
        s->kind |= skips ? LDPC_SHARED_SKIPS : 0;
        if (n == c->z)
            continue;
        s->kind |= LDPC_SHARED_LISTED;
        s->lane = (uint32_t)p->entries;
        for (uint32_t j = 0; j < s->rows; j++)
            p->table[p->entries++] = rows[i + j] - base * c->z;
    }
    return 0;
}

/* Rows of a code without structure, all of one weight: tables of their columns. */
static int add_listed(struct ldpc_shared_plan *p, const uint32_t *rows, uint32_t n, uint32_t weight,
                      struct fecrun_error *err)
{
    const struct ldpc_code *c = p->d->code;
    const uint32_t pairs = (weight + 1) / 2;

    for (uint32_t i = 0; i < n; i += p->form.rows) {
        const uint32_t some = n - i < p->form.rows ? n - i : p->form.rows;
        struct ldpc_shared_step *s = add_step(p, weight, some);

        if (!s)
            return fecrun_fail(err, NULL, "the code's rows take too many steps");
        if (grow(p, (size_t)pairs * p->form.rows, err))
            return -1;
        memset(p->table + p->entries, 0, (size_t)pairs * p->form.rows * sizeof *p->table);
        s->edge = (uint32_t)p->entries;
        for (uint32_t j = 0; j < some; j++)
            for (uint32_t k = 0; k < weight; k++)
                p->table[p->entries + k / 2 * p->form.rows + j] |=
                    c->edge[c->row_first[rows[i + j]] + k].col << (k % 2 ? 16 : 0);
        p->entries += (size_t)pairs * p->form.rows;
    }
    return 0;
}

/* Of a group, weight by weight. */
static int add_rows(struct ldpc_shared_plan *p, const uint32_t *rows, uint32_t n,
                    struct fecrun_error *err)
{
    uint32_t *same = malloc(n * sizeof *same);
    int status = same ? 0 : fecrun_no_memory(err);

    for (uint32_t weight = 2; !status && weight <= LDPC_SHARED_MOST_WEIGHT; weight++) {
        uint32_t some = 0;

        for (uint32_t i = 0; i < n; i++)
            if (edges_of(p->d->code, rows[i]) == weight)
                same[some++] = rows[i];
        status = add_listed(p, same, some, weight, err);
    }
    free(same);
    return status;
}

/* The base row of a group of circulants. */
static uint32_t base_row(const struct ldpc_shared_plan *p, uint32_t group)
{
    return p->d->schedule->row[p->d->schedule->first[group]] / p->d->code->z;
}

static bool share_column(const struct ldpc_code *c, uint32_t row, uint32_t other)
{
    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
        for (uint32_t f = c->row_first[other]; f < c->row_first[other + 1]; f++)
            if (c->edge[e].col == c->edge[f].col)
                return true;
    return false;
}

/* A step of each part: two groups, or one and none. */
static int add_two(struct ldpc_shared_plan *p, uint32_t group, uint32_t other,
                   struct fecrun_error *err)
{
    const struct ldpc_schedule *s = p->d->schedule;
    const uint32_t first = p->form.words;
    uint32_t most;

    if (p->steps + 2 > MOST_STEPS)
        return fecrun_fail(err, NULL, "the code's rows take too many steps");
    if (add_circulants(p, s->row + s->first[group], s->first[group + 1] - s->first[group], err))
        return -1;
    most = p->form.words;
    p->form.words = first;
    if (other == s->n_groups)
        p->step[p->steps++] = (struct ldpc_shared_step){.word = first, .kind = 2};
    else if (add_circulants(p, s->row + s->first[other], s->first[other + 1] - s->first[other],
                            err))
        return -1;
    p->form.words = most > p->form.words ? most : p->form.words;
    p->step[p->steps - 2].kind |= LDPC_SHARED_SYNC;
    p->step[p->steps - 1].kind |= LDPC_SHARED_SYNC;
    return 0;
}

/* Each group with the next one that shares no column with it; all are single steps. */
static int add_pairs(struct ldpc_shared_plan *p, struct fecrun_error *err)
{
    const uint32_t n = p->d->schedule->n_groups;
    bool *taken = calloc(n, sizeof *taken);
    int status = taken ? 0 : fecrun_no_memory(err);

    for (uint32_t g = 0; !status && g < n; g++) {
        uint32_t other = g + 1;

        if (taken[g])
            continue;
        while (other < n &&
               (taken[other] || share_column(p->d->code, base_row(p, g), base_row(p, other))))
            other++;
        if (other < n)
            taken[other] = true;
        status = add_two(p, g, other, err);
    }
    free(taken);
    return status;
}

static int add_steps(struct ldpc_shared_plan *p, struct fecrun_error *err)
{
    const struct ldpc_schedule *s = p->d->schedule;

    if (p->form.parts == 2)
        return add_pairs(p, err);
    for (uint32_t g = 0; g < s->n_groups; g++) {
        const uint32_t *rows = s->row + s->first[g], n = s->first[g + 1] - s->first[g];

        if (p->form.qc ? add_circulants(p, rows, n, err) : add_rows(p, rows, n, err))
            return -1;
        p->step[p->steps - 1].kind |= LDPC_SHARED_SYNC;
    }
    return 0;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

void ldpc_shared_lay_out(struct ldpc_shared_form *f, const struct ldpc_decode *d, uint32_t in_type,
                         uint32_t out_type)
{
    f->qc = is_qc(d->code);
    f->oms = d->algorithm == LDPC_OMS;
    f->flooding = d->rule == LDPC_FLOODING;
    f->unpacked = out_type == FECRUN_U8;
    f->in_type = in_type;
    f->columns = columns_of(d);
    f->z = d->code->z;
    f->spares = lacks_edges(d) ? f->rows * f->parts : 0;
    f->threads = f->parts * ((f->rows * f->slots + 31) / 32 * 32);
    f->words = count_words(d, f);
    f->near = f->near < f->words ? f->near : f->words;
}

/* Registers of a thread at most: what a row takes, and what is beside it. */
static uint32_t registers_of(const struct ldpc_decode *d)
{
    return 34 + 3 * heaviest(d);
}

/* How much of a multiprocessor's time is spent at work, and for how many codewords at once. */
static double score_of(const struct ldpc_shared_form *f, const struct fecrun_cuda_limits *limits,
                       uint64_t frames)
{
    const uint32_t busy = f->blocks * f->parts * f->rows * f->slots;
    const double banks = f->qc ? 1
                               : 32. / (32 + 0.75 * (32 - f->slots)); /* lanes want the same one */
    const double room = (double)limits->processors * f->blocks * ldpc_shared_codewords(f);

    return (busy < ENOUGH ? busy : ENOUGH) * (0.85 + 0.15 * f->blocks) * (f->wide ? 1.8 : 1) *
           (f->near == f->words ? 1.05 : 1) * banks *
           ((double)frames < room ? (double)frames / room : 1);
}

static bool has_registers(const struct ldpc_shared_form *f, uint32_t registers)
{
    return f->blocks * f->threads * registers <= SM_REGISTERS;
}

static bool possible(const struct ldpc_decode *d, const struct ldpc_shared_form *f,
                     const struct fecrun_cuda_limits *limits)
{
    const size_t bytes = ldpc_shared_bytes(f);

    if (f->parts == 2 && (!f->qc || f->rows < d->code->z))
        return false;
    return f->threads <= MOST_THREADS && bytes <= limits->shared_block &&
           f->blocks * (bytes + RESERVED) <= limits->shared && has_registers(f, registers_of(d)) &&
           ldpc_shared_codewords(f) <= LDPC_SHARED_CODEWORDS && (f->wide || f->slots == 1);
}

/* Rows at once, of so many threads. */
static uint32_t rows_for(const struct ldpc_decode *d, uint32_t slots, uint32_t threads)
{
    const uint32_t most = threads / slots ? threads / slots : 1, z = d->code->z;
    const uint32_t n = is_qc(d->code) ? z : most, steps = (n + most - 1) / most;

    return (n + steps - 1) / steps;
}

/* Words of messages of a thread for which there is shared memory beside the LLRs. */
static uint32_t near_words(const struct ldpc_shared_form *f,
                           const struct fecrun_cuda_limits *limits)
{
    const size_t all = limits->shared / f->blocks, block = all > RESERVED ? all - RESERVED : 0;
    const size_t most = block < limits->shared_block ? block : limits->shared_block;
    const size_t llrs = ldpc_shared_bytes(f);
    const size_t words = llrs < most ? (most - llrs) / (4 * (size_t)f->threads) : 0;

    return words < f->words ? (uint32_t)words : f->words;
}

/* Form i of all that there are. */
static void make_form(struct ldpc_shared_form *f, const struct ldpc_decode *d, uint32_t i,
                      uint32_t in_type, uint32_t out_type, const struct fecrun_cuda_limits *limits)
{
    uint32_t threads;

    *f = (struct ldpc_shared_form){.wide = i & 1,
                                   .blocks = 1 + (i >> 1 & 3),
                                   .parts = 1 + (i >> 3 & 1),
                                   .slots = 1u << (i >> 4)};
    threads = ENOUGH / f->blocks < MOST_THREADS ? ENOUGH / f->blocks : MOST_THREADS;
    f->rows = rows_for(d, f->slots, threads / f->parts);
    ldpc_shared_lay_out(f, d, in_type, out_type);
    f->near = near_words(f, limits);
    f->ahead = has_registers(f, registers_of(d) + 3 * AHEAD) ? AHEAD : 0;
}

const char *ldpc_shared_choose_form(struct ldpc_shared_form *best, const struct ldpc_decode *d,
                                    uint32_t in_type, uint32_t out_type,
                                    const struct fecrun_cuda_limits *limits, uint64_t frames)
{
    const char *problem = ldpc_shared_unfit(d);
    double best_score = 0;

    *best = (struct ldpc_shared_form){0};
    for (uint32_t i = 0; !problem && i < FORMS; i++) {
        struct ldpc_shared_form f;

        make_form(&f, d, i, in_type, out_type, limits);
        if (possible(d, &f, limits) && score_of(&f, limits, frames) > best_score) {
            best_score = score_of(&f, limits, frames);
            *best = f;
        }
    }
    return problem ? problem : best_score > 0 ? NULL : "the code needs more shared memory";
}

int ldpc_shared_plan(struct ldpc_shared_plan *p, const struct ldpc_decode *d,
                     const struct ldpc_shared_form *form, struct fecrun_error *err)
{
    int status;

    *p = (struct ldpc_shared_plan){.d = d, .form = *form};
    p->form.words = 0;
    p->step = calloc(MOST_STEPS, sizeof *p->step);
    status = p->step ? add_steps(p, err) : fecrun_no_memory(err);
    if (status)
        ldpc_shared_plan_free(p);
    return status;
}

void ldpc_shared_plan_free(struct ldpc_shared_plan *p)
{
    free(p->step);
    free(p->table);
    p->step = NULL;
    p->table = NULL;
}

/* ---- What a kernel is told ------------------------------------------------------------------- */

void ldpc_shared_describe(const struct ldpc_shared_plan *p, struct ldpc_shared_work *work)
{
    const struct ldpc_code *c = p->d->code;
    const uint32_t sent = p->form.columns - c->punctured;

    memset(work, 0, sizeof *work);
    work->n = sent < c->n ? sent : c->n;
    work->punctured = c->punctured;
    work->k = c->k;
    work->bits = c->k - c->fillers;
    work->message_words = (uint64_t)p->form.words * p->form.threads;
}

/* A half, of numbers from 2^-14 on. */
static uint32_t half_of(double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent);

    return ((uint32_t)(exponent + 13) << 10) + (uint32_t)nearbyint(ldexp(mantissa, 11));
}

/* What is cut off from messages: row.cuh. */
static const double cut = 35. / 32;

void ldpc_shared_take(const struct ldpc_shared_form *form, struct ldpc_shared_work *work,
                      const struct ldpc_decode *d, const struct fecrun_view *in,
                      const struct fecrun_view *out, struct fecrun_frame_info *info, uint64_t first,
                      uint64_t n)
{
    work->in_stride = in->offset ? fecrun_bytes(form->in_type, d->code->n) : in->stride;
    work->out_stride = out->offset
                           ? fecrun_bytes(form->unpacked ? FECRUN_U8 : FECRUN_PACKED, d->bits)
                           : out->stride;
    work->in = (const char *)in->data + (in->offset ? in->offset[first] : first * in->stride);
    work->out = (uint8_t *)out->data + (out->offset ? out->offset[first] : first * out->stride);
    work->info = info + first;
    work->frames = (uint32_t)n;
    work->aligned = !(((uintptr_t)work->in | work->in_stride) & 3);
    work->iterations = d->iterations;
    work->early_stop = d->early_stop;
    work->beta = (float)(d->beta * d->llr_scale);
    work->alpha_shift = ldpc_alpha_shift(d);
    for (uint32_t k = 0; k < ldpc_alpha_count(d); k++)
        work->alpha[k] = half_of(cut * (form->oms ? 1 : ldpc_alpha(d, k)));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of ldpc.decode: one frame at a time, in the schedule's order, nothing clever. Rows
 * that share no column are taken a few at once, which changes nothing but the speed. LLRs are
 * floats in the input's units; sum-product computes in doubles and natural units.
 */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/common/checks/checks.h"
#include "plugins/ldpc/ref/erasures.h"
#include "plugins/ldpc/plugin.h"

/* Messages are limited, too: min-sum's grow with each iteration once a frame has converged. */
#define LIMIT FECRUN_LLR_MAX_F32

/* Below it the exponential of an LLR is not exact any more, and boxplus is the minimum. */
#define TINY 1e-300

/* Lifted rows at once. */
#define ROWS 16

/* Lifted rows of one base row. */
struct block {
    uint32_t row;       /* base row */
    const uint32_t *at; /* n places in the schedule: row z + lane */
    uint32_t n;
};

struct ref {
    const volatile int *cancel;
    const struct ldpc_decode *d;
    float alpha[LDPC_ALPHA_KINDS];        /* NMS: of the present iteration, by kind of row */
    float *llr;                           /* a lifted column: L */
    float *channel;                       /* flooding: what arrived, */
    float *next;                          /* and the L of the next iteration */
    float *message;                       /* [edge][lane]: r */
    float (*q)[ROWS];                     /* of the present rows: [edge][row] */
    double (*left)[ROWS], (*right)[ROWS]; /* sum-product: exp(-|.|) of edges before and behind */
    void *solver;                         /* erasures */
};

/* ---- memory -------------------------------------------------------------------------------- */

static size_t widest_row(const struct ldpc_decode *d)
{
    size_t most = 0;

    for (uint32_t r = 0; r < d->rows; r++)
        if (d->code->row_first[r + 1] - d->code->row_first[r] > most)
            most = d->code->row_first[r + 1] - d->code->row_first[r];
    return most;
}

/* Lays the arrays out behind `base` (NULL: only counts) and returns their bytes. */
static size_t lay_out(struct ref *ref, const struct ldpc_decode *d, void *base)
{
    const size_t columns = (size_t)d->code->cols * d->code->z * sizeof(float);
    const size_t messages = (size_t)d->code->row_first[d->rows] * d->code->z * sizeof(float);
    const size_t row = widest_row(d);
    const bool flooding = d->rule == LDPC_FLOODING;
    size_t used = 0;

    ref->d = d;
    ref->llr = fecrun_carve(base, &used, columns);
    ref->channel = fecrun_carve(base, &used, flooding ? columns : 0);
    ref->next = fecrun_carve(base, &used, flooding ? columns : 0);
    ref->message = fecrun_carve(base, &used, messages);
    ref->q = fecrun_carve(base, &used, row * sizeof *ref->q);
    ref->left = fecrun_carve(base, &used, (row + 1) * sizeof *ref->left);
    ref->right = fecrun_carve(base, &used, (row + 1) * sizeof *ref->right);
    ref->solver = fecrun_carve(base, &used, d->solve ? ldpc_erasures_scratch(d) : 0);
    return used;
}

/* ---- input and output ---------------------------------------------------------------------- */

static float read_llr(const void *row, uint32_t type, size_t i)
{
    float x;

    if (type == FECRUN_I8)
        return fmaxf((float)((const int8_t *)row)[i], -127);
    if (type == FECRUN_I16)
        return (float)((const int16_t *)row)[i];
    x = ((const float *)row)[i];
    return isnan(x) ? 0 : fminf(fmaxf(x, -LIMIT), LIMIT);
}

/* What was not sent is 0, and fillers are zeros, whatever arrives in their places. */
static void load(struct ref *ref, const void *row, uint32_t type)
{
    const struct ldpc_code *c = ref->d->code;

    memset(ref->llr, 0, (size_t)c->cols * c->z * sizeof *ref->llr);
    memset(ref->message, 0, (size_t)c->row_first[ref->d->rows] * c->z * sizeof *ref->message);
    for (uint32_t i = 0; i < c->n; i++)
        ref->llr[ldpc_place(c, i)] = read_llr(row, type, i);
    for (uint32_t i = c->k - c->fillers; i < c->k; i++)
        ref->llr[ldpc_info(c, i)] = LIMIT;
    if (ref->d->rule == LDPC_FLOODING)
        memcpy(ref->channel, ref->llr, (size_t)c->cols * c->z * sizeof *ref->llr);
}

/* A tie decides 0. */
static void store(const struct ref *ref, uint8_t *row, uint32_t type)
{
    const struct ldpc_decode *d = ref->d;

    if (type == FECRUN_PACKED)
        memset(row, 0, fecrun_bytes(type, d->bits));
    for (uint32_t i = 0; i < d->bits; i++) {
        const unsigned bit = ref->llr[ldpc_info(d->code, i)] < 0;
        if (type == FECRUN_PACKED)
            row[i / 8] |= (uint8_t)(bit << (7 - i % 8));
        else
            row[i] = (uint8_t)bit;
    }
}

/* Largest magnitude of sums, too. */
static float limited(float llr)
{
    return fminf(fmaxf(llr, -LIMIT), LIMIT);
}

static void store_llrs(const struct ref *ref, float *row)
{
    for (uint32_t i = 0; i < ref->d->bits; i++)
        row[i] = limited(ref->llr[ldpc_info(ref->d->code, i)]);
}

/* Fillers are what they were in front of the decoder, whatever wrong checks said of them. */
static void store_word(const struct ref *ref, float *row)
{
    const struct ldpc_code *c = ref->d->code;

    for (uint32_t i = 0; i < c->n; i++)
        row[i] = limited(ref->llr[ldpc_place(c, i)]);
    for (uint32_t i = 0; i < c->fillers; i++)
        row[ldpc_filler_item(c) + i] = LIMIT;
}

/* ---- a few rows ---------------------------------------------------------------------------- */

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Lifted column of an edge in the b-th row of the block; false: that row does not have it. */
static bool find_column(const struct ldpc_code *c, const struct ldpc_edge *edge, uint32_t lane,
                        uint32_t *column)
{
    const uint32_t turned = lane + edge->shift;

    *column = edge->col * c->z + (turned < c->z ? turned : turned - c->z);
    return lane != edge->skip;
}

/* Edges and rows that are not there look like known zeros, which change nothing. */
static void gather(struct ref *ref, const struct block *block)
{
    const struct ldpc_code *c = ref->d->code;
    const uint32_t first = c->row_first[block->row], end = c->row_first[block->row + 1];

    for (uint32_t e = first; e < end; e++) {
        float *q = ref->q[e - first];
        for (uint32_t b = block->n; b < ROWS; b++)
            q[b] = LIMIT;
        for (uint32_t b = 0; b < block->n; b++) {
            const uint32_t lane = block->at[b] - block->row * c->z;
            uint32_t column;
            q[b] = LIMIT;
            if (find_column(c, &c->edge[e], lane, &column))
                q[b] = ref->llr[column] - ref->message[e * c->z + lane];
        }
    }
}

/* q of layered decoding is what L was without the row's message; q[] holds the new messages. */
static void scatter(struct ref *ref, const struct block *block)
{
    const struct ldpc_code *c = ref->d->code;
    const uint32_t first = c->row_first[block->row], end = c->row_first[block->row + 1];
    const bool layered = ref->d->rule == LDPC_LAYERED;

    for (uint32_t e = first; e < end; e++)
        for (uint32_t b = 0; b < block->n; b++) {
            const uint32_t lane = block->at[b] - block->row * c->z;
            float *message = &ref->message[e * c->z + lane];
            uint32_t column;
            if (!find_column(c, &c->edge[e], lane, &column))
                continue;
            if (layered)
                ref->llr[column] = ref->llr[column] - *message + ref->q[e - first][b];
            else
                ref->next[column] += ref->q[e - first][b];
            *message = ref->q[e - first][b];
        }
}

/* Of the n edges of each row: the two smallest |q|, and whether the number of negative q is odd. */
static void find_least(float (*q)[ROWS], size_t n, float *least, float *second, float *sign)
{
    for (size_t b = 0; b < ROWS; b++) {
        least[b] = second[b] = LIMIT;
        sign[b] = 1;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t b = 0; b < ROWS; b++) {
            const float magnitude = fabsf(q[j][b]);
            second[b] = smaller(second[b], larger(least[b], magnitude));
            least[b] = smaller(least[b], magnitude);
            sign[b] = q[j][b] < 0 ? -sign[b] : sign[b];
        }
}

/* Makes the messages of q: of each edge, the smallest |q| of the others, made smaller. */
static void min_sum(struct ref *ref, size_t n, uint32_t row)
{
    const struct ldpc_decode *d = ref->d;
    const float alpha = d->algorithm == LDPC_NMS ? ref->alpha[ldpc_row_kind(d, row)] : 1;
    const float beta = d->algorithm == LDPC_OMS ? (float)(d->beta * d->llr_scale) : 0;
    float least[ROWS], second[ROWS], sign[ROWS];

    find_least(ref->q, n, least, second, sign);
    for (size_t j = 0; j < n; j++)
        for (size_t b = 0; b < ROWS; b++) {
            const float q = ref->q[j][b];
            const float others = fabsf(q) > least[b] ? least[b] : second[b];
            const float magnitude = larger(alpha * others - beta, 0);
            ref->q[j][b] = (q < 0 ? -sign[b] : sign[b]) * magnitude;
        }
}

/*
 * With x = exp(-|q|) the magnitude of q1 boxplus q2 is -ln((x1 + x2) / (1 + x1 x2)): no term
 * cancels another. left[j] is that x of the edges before j, right[j] that of those from j on.
 */
static double boxplus(double x1, double x2)
{
    return (x1 + x2) / (1 + x1 * x2);
}

static void sum_product_row(struct ref *ref, size_t n, size_t b, float least, float second,
                            float sign)
{
    const double scale = ref->d->llr_scale;

    ref->left[0][b] = ref->right[n][b] = 0;
    for (size_t j = 0; j < n; j++)
        ref->left[j + 1][b] = exp(-fabs((double)ref->q[j][b]) / scale);
    for (size_t j = n; j-- > 0;)
        ref->right[j][b] = boxplus(ref->left[j + 1][b], ref->right[j + 1][b]);
    for (size_t j = 1; j < n; j++)
        ref->left[j + 1][b] = boxplus(ref->left[j][b], ref->left[j + 1][b]);
    for (size_t j = 0; j < n; j++) {
        const float q = ref->q[j][b], others = fabsf(q) > least ? least : second;
        const double x = boxplus(ref->left[j][b], ref->right[j + 1][b]);
        const double natural = x < 1 ? -log(x) : 0;
        const float magnitude = x < TINY ? others : (float)(natural * scale);
        ref->q[j][b] = (q < 0 ? -sign : sign) * magnitude;
    }
}

static void sum_product(struct ref *ref, size_t n, size_t rows)
{
    float least[ROWS], second[ROWS], sign[ROWS];

    find_least(ref->q, n, least, second, sign);
    for (size_t b = 0; b < rows; b++)
        sum_product_row(ref, n, b, least[b], second[b], sign[b]);
}

/* The next rows of the schedule from place `at` on, not beyond `end`, the end of their group. */
static struct block next_block(const struct ref *ref, uint32_t at, uint32_t end)
{
    const uint32_t z = ref->d->code->z, *row = ref->d->schedule->row;
    struct block block = {.row = row[at] / z, .at = &row[at], .n = 1};

    while (block.n < ROWS && at + block.n < end && row[at + block.n] / z == block.row)
        block.n++;
    return block;
}

static void do_rows(struct ref *ref, const struct block *block)
{
    const uint32_t *first = &ref->d->code->row_first[block->row];

    gather(ref, block);
    if (ref->d->algorithm == LDPC_SPA)
        sum_product(ref, first[1] - first[0], block->n);
    else
        min_sum(ref, first[1] - first[0], block->row);
    scatter(ref, block);
}

/* ---- one frame ----------------------------------------------------------------------------- */

static void iterate(struct ref *ref)
{
    const struct ldpc_schedule *s = ref->d->schedule;
    const size_t columns = (size_t)ref->d->code->cols * ref->d->code->z;
    float *swap = ref->llr;

    if (ref->d->rule == LDPC_FLOODING)
        memcpy(ref->next, ref->channel, columns * sizeof *ref->next);
    for (uint32_t g = 0; g < s->n_groups; g++)
        for (uint32_t at = s->first[g]; at < s->first[g + 1];) {
            const struct block block = next_block(ref, at, s->first[g + 1]);
            do_rows(ref, &block);
            at += block.n;
        }
    if (ref->d->rule == LDPC_FLOODING) {
        ref->llr = ref->next;
        ref->next = swap;
    }
}

static bool check_holds(const struct ref *ref, uint32_t lifted_row)
{
    const struct ldpc_code *c = ref->d->code;
    const uint32_t row = lifted_row / c->z, lane = lifted_row % c->z;
    bool odd = false;

    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++) {
        uint32_t column;
        if (find_column(c, &c->edge[e], lane, &column))
            odd ^= ref->llr[column] < 0;
    }
    return !odd;
}

static bool all_checks_hold(const struct ref *ref)
{
    const struct ldpc_schedule *s = ref->d->schedule;

    for (uint32_t i = 0; i < s->n_rows; i++)
        if (!check_holds(ref, s->row[i]))
            return false;
    return true;
}

/* Is anything known of the information bits? */
static bool any_known(const struct ref *ref)
{
    for (uint32_t i = 0; i < ref->d->bits; i++)
        if (ref->llr[ldpc_info(ref->d->code, i)] != 0)
            return true;
    return false;
}

static void decode(struct ref *ref, struct fecrun_frame_info *info)
{
    const struct ldpc_decode *d = ref->d;
    const uint32_t shift = ldpc_alpha_shift(d);
    bool converged = false;
    uint32_t done = 0;

    /* A long frame of many iterations takes seconds. */
    while (!converged && done < d->iterations && !fecrun_cancelled(ref->cancel)) {
        for (unsigned kind = 0; kind < LDPC_ALPHA_KINDS; kind++)
            ref->alpha[kind] = (float)ldpc_row_alpha(d, kind, LDPC_ALPHA_PLACE(done, shift));
        iterate(ref);
        done++;
        if (d->early_stop || done == d->iterations)
            converged = all_checks_hold(ref);
    }
    converged = converged && any_known(ref);
    if (!converged && d->solve)
        converged = ldpc_erasures_solve(d, ref->llr, ref->solver);
    info->iterations = done;
    fecrun_frame_checked(info, converged);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    struct ref ref;

    (void)frames;
    return lay_out(&ref, instance, NULL);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct ref ref;

    (void)instance;
    (void)err;
    lay_out(&ref, call->codes[0], call->scratch);
    ref.cancel = call->cancel;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        load(&ref, fecrun_row(in[0], f), in[0]->type);
        decode(&ref, &call->info[f]);
        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        store(&ref, fecrun_row(out[LDPC_OUT], f), out[LDPC_OUT]->type);
        if (out[LDPC_OUT_LLR])
            store_llrs(&ref, fecrun_row(out[LDPC_OUT_LLR], f));
        if (out[LDPC_OUT_CODE_LLR])
            store_word(&ref, fecrun_row(out[LDPC_OUT_CODE_LLR], f));
    }
    return 0;
}

#define FORM(from, to) FECRUN_FORM(FECRUN_IN({.type = from}), LDPC_DECODE_OUT(to))

static const struct fecrun_form *const forms[] = {CHECKS_DECODER_FORMS(FORM)};

const struct fecrun_backend ldpc_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    .name = "ref",
    .summary = "the definition of the result, in plain C and floats",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .create = fecrun_no_instance,
    .scratch = scratch,
    .run = run,
    .destroy = fecrun_no_destroy,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of ldpc.decode: one frame at a time, one row after the other, nothing clever. LLRs
 * are floats in the input's units; sum-product computes a row in doubles and natural units.
 */
#include <fecrun/sdk/params.h>
#include <math.h>

#include "decode.h"
#include "ldpc.h"

/* Messages are limited, too: min-sum's grow with each iteration once a frame has converged. */
#define LIMIT FECRUN_LLR_MAX_F32

/* Below it the exponential of an LLR is not exact any more, and boxplus is the minimum. */
#define TINY 1e-300

struct ref {
    const struct ldpc_decode *d;
    float *llr;     /* a lifted column: L */
    float *channel; /* flooding: what arrived, */
    float *next;    /* and the L of the next iteration */
    float *message; /* [edge][lane]: r */
    /* Of the present row, as many as it has edges: */
    float *q;
    uint32_t *column, *place; /* lifted column, place in message[] */
    double *left, *right;     /* sum-product: exp(-|.|) of the edges before and behind */
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

static size_t take(size_t *used, size_t bytes)
{
    const size_t at = *used;

    *used = (at + bytes + 63) & ~(size_t)63;
    return at;
}

/* Lays the arrays out behind `base` (NULL: only counts) and returns their bytes. */
static size_t lay_out(struct ref *ref, const struct ldpc_decode *d, char *base)
{
    const size_t columns = (size_t)d->code->cols * d->code->z * sizeof(float);
    const size_t messages = (size_t)d->code->row_first[d->rows] * d->code->z * sizeof(float);
    const size_t row = widest_row(d);
    const bool flooding = d->rule == LDPC_FLOODING;
    size_t used = 0, at[9];

    at[0] = take(&used, columns);
    at[1] = take(&used, flooding ? columns : 0);
    at[2] = take(&used, flooding ? columns : 0);
    at[3] = take(&used, messages);
    at[4] = take(&used, row * sizeof *ref->q);
    at[5] = take(&used, row * sizeof *ref->column);
    at[6] = take(&used, row * sizeof *ref->place);
    at[7] = take(&used, (row + 1) * sizeof *ref->left);
    at[8] = take(&used, (row + 1) * sizeof *ref->right);
    if (base)
        *ref = (struct ref){d, (float *)(base + at[0]), (float *)(base + at[1]),
                            (float *)(base + at[2]), (float *)(base + at[3]),
                            (float *)(base + at[4]), (uint32_t *)(base + at[5]),
                            (uint32_t *)(base + at[6]), (double *)(base + at[7]),
                            (double *)(base + at[8])};
    return used;
}

/* ---- input and output ---------------------------------------------------------------------- */

static float read_llr(const void *row, uint32_t type, size_t i)
{
    float x;

    if (type == FECRUN_I8)
        return fmaxf((float)((const int8_t *)row)[i], -127);
    if (type == FECRUN_I16)
        return fmaxf((float)((const int16_t *)row)[i], -32767);
    x = ((const float *)row)[i];
    return isnan(x) ? 0 : fminf(fmaxf(x, -LIMIT), LIMIT);
}

/* What was not sent is 0, and fillers are zeros, whatever arrives in their places. */
static void load(struct ref *ref, const void *row, uint32_t type)
{
    const struct ldpc_code *c = ref->d->code;

    memset(ref->llr, 0, (size_t)c->cols * c->z * sizeof *ref->llr);
    memset(ref->message, 0,
           (size_t)c->row_first[ref->d->rows] * c->z * sizeof *ref->message);
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

/* ---- one row ------------------------------------------------------------------------------- */

/* Fills column[] and place[] of a lifted row; returns how many edges it has. */
static size_t find_row(struct ref *ref, uint32_t lifted_row)
{
    const struct ldpc_code *c = ref->d->code;
    const uint32_t row = lifted_row / c->z, lane = lifted_row % c->z;
    size_t n = 0;

    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++) {
        const struct ldpc_edge *edge = &c->edge[e];
        const uint32_t turned = lane + edge->shift;

        if (edge->skip == lane)
            continue;
        ref->column[n] = edge->col * c->z + (turned < c->z ? turned : turned - c->z);
        ref->place[n++] = e * c->z + lane;
    }
    return n;
}

/* q[] becomes the messages: of each edge, the smallest of the others' magnitudes, made smaller. */
static void min_sum(struct ref *ref, size_t n)
{
    const struct ldpc_decode *d = ref->d;
    const float alpha = d->algorithm == LDPC_NMS ? (float)d->alpha : 1;
    const float beta = d->algorithm == LDPC_OMS ? (float)(d->beta * d->llr_scale) : 0;
    float least = LIMIT, second = LIMIT;
    size_t at = n;
    bool odd = false;

    for (size_t j = 0; j < n; j++) {
        const float magnitude = fabsf(ref->q[j]);
        odd ^= ref->q[j] < 0;
        if (magnitude < least) {
            second = least;
            least = magnitude;
            at = j;
        } else if (magnitude < second) {
            second = magnitude;
        }
    }
    for (size_t j = 0; j < n; j++) {
        const float magnitude = fmaxf(alpha * (j == at ? second : least) - beta, 0);
        ref->q[j] = odd != (ref->q[j] < 0) ? -magnitude : magnitude;
    }
}

/*
 * With x = exp(-|q|) the magnitude of q1 boxplus q2 is -ln((x1 + x2) / (1 + x1 x2)): no term cancels
 * another. left[j] is that x of the edges before j, right[j] that of those from j on.
 */
static double boxplus(double x1, double x2)
{
    return (x1 + x2) / (1 + x1 * x2);
}

static void sum_product(struct ref *ref, size_t n)
{
    const double scale = ref->d->llr_scale;
    double least = LIMIT, second = LIMIT;
    size_t at = n;
    bool odd = false;

    ref->left[0] = ref->right[n] = 0;
    for (size_t j = 0; j < n; j++) {
        const double magnitude = fabs((double)ref->q[j]);
        odd ^= ref->q[j] < 0;
        ref->left[j + 1] = exp(-magnitude / scale);
        if (magnitude < least) {
            second = least;
            least = magnitude;
            at = j;
        } else if (magnitude < second) {
            second = magnitude;
        }
    }
    for (size_t j = n; j-- > 0;)
        ref->right[j] = boxplus(ref->left[j + 1], ref->right[j + 1]);
    for (size_t j = 1; j < n; j++)
        ref->left[j + 1] = boxplus(ref->left[j], ref->left[j + 1]);
    for (size_t j = 0; j < n; j++) {
        const double x = boxplus(ref->left[j], ref->right[j + 1]);
        const double magnitude = x >= 1   ? 0
                                 : x < TINY ? (j == at ? second : least)
                                            : -log(x) * scale;
        ref->q[j] = (float)(odd != (ref->q[j] < 0) ? -magnitude : magnitude);
    }
}

/* Reads L from llr[]; `to` gets the new L, or, of flooding, this row's part of it. */
static void do_row(struct ref *ref, uint32_t lifted_row, float *to)
{
    const size_t n = find_row(ref, lifted_row);

    for (size_t j = 0; j < n; j++)
        ref->q[j] = ref->llr[ref->column[j]] - ref->message[ref->place[j]];
    if (to == ref->llr)
        for (size_t j = 0; j < n; j++)
            to[ref->column[j]] = ref->q[j];
    if (ref->d->algorithm == LDPC_SPA)
        sum_product(ref, n);
    else
        min_sum(ref, n);
    for (size_t j = 0; j < n; j++) {
        ref->message[ref->place[j]] = ref->q[j];
        to[ref->column[j]] += ref->q[j];
    }
}

/* ---- one frame ----------------------------------------------------------------------------- */

static void iterate(struct ref *ref)
{
    const struct ldpc_schedule *s = ref->d->schedule;
    const size_t columns = (size_t)ref->d->code->cols * ref->d->code->z;
    float *swap = ref->llr;

    if (ref->d->rule == LDPC_LAYERED) {
        for (uint32_t i = 0; i < s->n_rows; i++)
            do_row(ref, s->row[i], ref->llr);
        return;
    }
    memcpy(ref->next, ref->channel, columns * sizeof *ref->next);
    for (uint32_t i = 0; i < s->n_rows; i++)
        do_row(ref, s->row[i], ref->next);
    ref->llr = ref->next;
    ref->next = swap;
}

static bool all_checks_hold(struct ref *ref)
{
    const struct ldpc_schedule *s = ref->d->schedule;

    for (uint32_t i = 0; i < s->n_rows; i++) {
        const size_t n = find_row(ref, s->row[i]);
        bool odd = false;
        for (size_t j = 0; j < n; j++)
            odd ^= ref->llr[ref->column[j]] < 0;
        if (odd)
            return false;
    }
    return true;
}

static void decode(struct ref *ref, struct fecrun_frame_info *info)
{
    const struct ldpc_decode *d = ref->d;
    bool converged = false;
    uint32_t done = 0;

    while (!converged && done < d->iterations) {
        iterate(ref);
        done++;
        if (d->early_stop || done == d->iterations)
            converged = all_checks_hold(ref);
    }
    info->iterations = done;
    info->flags &= ~(uint32_t)FECRUN_FAILED;
    info->flags |= FECRUN_CHECKED | (converged ? 0 : FECRUN_FAILED);
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
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        load(&ref, fecrun_row(in[0], f), in[0]->type);
        decode(&ref, &call->info[f]);
        store(&ref, fecrun_row(out[0], f), out[0]->type);
    }
    return 0;
}

#define FORM(from, to) FECRUN_FORM(.in = {{.type = from}}, .out = {{.type = to}})

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_I8, FECRUN_U8),      FORM(FECRUN_I16, FECRUN_U8),
    FORM(FECRUN_F32, FECRUN_U8),     FORM(FECRUN_I8, FECRUN_PACKED),
    FORM(FECRUN_I16, FECRUN_PACKED), FORM(FECRUN_F32, FECRUN_PACKED),
    NULL};

const struct fecrun_backend ldpc_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    .name = "ref",
    .summary = "the definition of the result, in plain C and floats",
    .forms = forms,
    .agreement = FECRUN_EXACT,
    .create = ldpc_no_instance,
    .scratch = scratch,
    .run = run,
    .destroy = ldpc_no_destroy,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* A plain decoder for test_registers.c: a frame of a trial, rounded as the kernels round. */
#ifndef T_LDPC_REGISTERS_PLAIN_H
#define T_LDPC_REGISTERS_PLAIN_H

#include <math.h>

#include "t/ldpc/registers_trial.h"

enum { MOST_EDGES = 20 };

struct plain {
    const struct trial *t;
    double alpha, before; /* factors of this iteration and of the one before */
    double beta;          /* OMS, as a half; SPA, that of sum-product at 0 */
    double fall;          /* SPA */
    double *channel, *llr;
    double *next;              /* flooding: LLRs as they become */
    _Float16 *r;               /* of each edge and lane: as it is read back */
    bool bad_core, bad_others; /* some check that is noted did not hold at its turn */
};

static _Float16 half_of_bits(uint16_t bits)
{
    _Float16 x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint16_t bits_of_half(_Float16 x)
{
    uint16_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* What becomes of a row's messages where two share a word: registers/row.cuh. */
static void squeeze(_Float16 *r, uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        const uint16_t a = bits_of_half(r[i]) & 0xff00, b = bits_of_half(r[i + 1]) >> 8;

        r[i] = half_of_bits(a | b);
        r[i + 1] = half_of_bits((uint16_t)(b << 8 | 0x80));
    }
}

/* Edges of a row that have messages: not that to a column of degree 1. */
static uint32_t messages(const struct ldpc_code *c, uint32_t row)
{
    return c->row_first[row + 1] - c->row_first[row] - (row >= c->core_rows);
}

/* Rows that the kernel has beyond those in use have no shifts, or those in its code. */
static uint32_t column(const struct plain *p, uint32_t row, uint32_t e, uint32_t lane)
{
    const struct ldpc_code *c = p->t->d.code;
    const bool shifted = row < p->t->d.rows || p->t->kernel->z;

    return c->edge[e].col * c->z + (lane + (shifted ? c->edge[e].shift : 0)) % c->z;
}

/* Of all the others: the least |q|, the product of signs. */
static _Float16 message(const double *q, uint32_t n, uint32_t which, double most)
{
    double least = most;
    bool negative = false;

    for (uint32_t i = 0; i < n; i++)
        if (i != which) {
            least = fmin(least, fabs(q[i]));
            negative ^= signbit(q[i]) != 0;
        }
    return (_Float16)(negative ? -least : least);
}

/* Of frame f, whose LLRs may have a unit of their own. */
static void plain_rule(struct plain *p, uint32_t f)
{
    const struct ldpc_decode *d = &p->t->d;
    const double root = sqrt(d->llr_scale), beta = d->beta * d->llr_scale;
    const float *unit = p->t->unit;

    if (d->algorithm == LDPC_SPA) {
        const float x = unit ? fminf((float)root / sqrtf(unit[f]), 128) : (float)root;

        p->beta = unit ? (double)(_Float16)(0.82f * x) : (double)(_Float16)(0.82 * root);
        p->fall = unit ? (double)(_Float16)(0.23f / x) : (double)(_Float16)(0.23 / root);
    } else {
        p->beta = (double)(_Float16)(unit ? fminf((float)beta / unit[f], 128) : beta);
    }
}

/* Sum-product: of two LLRs, as minima.cuh says; each number a half. */
static double plus(const struct plain *p, double a, double b)
{
    const double min = fmin(fabs(a), fabs(b));
    const double x = (double)(_Float16)(fabs(a) + fabs(b));
    const double y = fabs((double)(_Float16)(fabs(a) - fabs(b)));
    const double of_x = fmax((double)(_Float16)(p->beta - p->fall * x), 0);
    const double of_y = fmax((double)(_Float16)(p->beta - p->fall * y), 0);
    const double less = (double)(_Float16)(of_x - of_y), sum = (double)(_Float16)(of_x + of_y);
    const double size = fabs((double)(_Float16)(min + less * sum));

    return !signbit(a) != !signbit(b) ? -size : size;
}

static double plus_all(const struct plain *p, const double *q, uint32_t n)
{
    return n == 1 ? q[0] : plus(p, plus_all(p, q, n / 2), plus_all(p, q + n / 2, n - n / 2));
}

/* Of all but one, by halves: what is outside of a half goes on with what is left of it. */
static _Float16 sum_product(const struct plain *p, const double *q, uint32_t n, uint32_t which,
                            double most)
{
    double outside = 0;

    for (bool first = true; n > 1; first = false) {
        const uint32_t half = n / 2;
        const bool left = which < half;
        const double other = plus_all(p, left ? q + half : q, left ? n - half : half);

        outside = first ? copysign(fmin(fabs(other), most), other) : plus(p, outside, other);
        q += left ? 0 : half;
        which -= left ? 0 : half;
        n = left ? half : n - half;
    }
    return (_Float16)outside;
}

/* Offset min-sum: its magnitude less by beta, at least 0. */
static _Float16 less_offset(const struct plain *p, _Float16 r)
{
    const double x = (double)r;

    return p->t->d.algorithm == LDPC_OMS ? (_Float16)(x - copysign(fmin(fabs(x), p->beta), x)) : r;
}

/* The kernel takes its rows from the last one to the first; others than NR's may have them turned
   round. */
static uint32_t row_of(const struct trial *t, uint32_t kernel_row)
{
    return t->d.reverse || t->d.rule == LDPC_FLOODING ? kernel_row
                                                      : t->kernel->rows - 1 - kernel_row;
}

/* Layouts of NR's are of the code's rows. */
static bool packed(const struct trial *t, uint32_t row)
{
    return ldpc_registers_packed(t->kernel, t->d.code->family == LDPC_NR ? row : row_of(t, row));
}

static bool is_flooding(const struct plain *p)
{
    return p->t->d.rule == LDPC_FLOODING;
}

static void plain_row(struct plain *p, uint32_t row, uint32_t lane)
{
    const struct ldpc_code *c = p->t->d.code;
    const uint32_t first = c->row_first[row], n = messages(c, row);
    const uint32_t all = c->row_first[row + 1] - first;
    const double most = row < c->core_rows ? 512 : INFINITY;
    const bool used = row < p->t->d.rows; /* the kernel's others change nothing but a zero's sign */
    const bool counts = used || !packed(p->t, row);
    const double before = counts ? p->before : 0, alpha = counts ? p->alpha : 0;
    double q[MOST_EDGES];
    _Float16 r[MOST_EDGES];
    bool odd = false;

    for (uint32_t i = 0; i < n; i++)
        q[i] = (_Float16)(p->llr[column(p, row, first + i, lane)] -
                          before * (double)p->r[(first + i) * c->z + lane]);
    if (all > n)
        q[n] = used ? p->channel[column(p, row, first + n, lane)] : 0;
    for (uint32_t i = 0; i < all; i++)
        r[i] = p->t->d.algorithm == LDPC_SPA ? sum_product(p, q, all, i, most)
                                             : less_offset(p, message(q, all, i, most));
    if (packed(p->t, row))
        squeeze(r, n);
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t v = column(p, row, first + i, lane);
        const double sum = is_flooding(p) && i < n ? p->next[v] : q[i];
        const double llr = (_Float16)(sum + alpha * (double)r[i]);

        odd ^= signbit(llr) != 0;
        if (i == n && !used)
            continue;
        (is_flooding(p) ? p->next : p->llr)[v] = llr;
        if (i < n)
            p->r[(first + i) * c->z + lane] = r[i];
    }
    if (row < c->core_rows) /* the last quarter of them that is taken, unless others come behind */
        p->bad_core |= odd && row_of(p->t, row) < (c->core_rows + 3) / 4;
    else if (used)
        p->bad_others |= odd;
}

/* Do the checks of the first rows? */
static bool rows_hold(const struct plain *p, uint32_t rows)
{
    const struct ldpc_code *c = p->t->d.code;

    for (uint32_t i = 0; i < rows * c->z; i++) {
        bool odd = false;

        for (uint32_t e = c->row_first[i / c->z]; e < c->row_first[i / c->z + 1]; e++)
            odd ^= signbit(p->llr[column(p, i / c->z, e, i % c->z)]) != 0;
        if (odd)
            return false;
    }
    return true;
}

static void plain_load(struct plain *p, const int8_t *llr)
{
    const struct ldpc_code *c = p->t->d.code;

    for (uint32_t i = 0; i < c->n; i++)
        p->channel[ldpc_place(c, i)] = llr[i] == -128 ? -127 : llr[i];
    for (uint32_t b = c->k - c->fillers; b < c->k; b++)
        p->channel[b] = 1024;
    memcpy(p->llr, p->channel, (size_t)c->cols * c->z * sizeof *p->llr);
    for (uint32_t row = 0; row < p->t->kernel->rows; row++)
        for (uint32_t lane = 0; lane < c->z; lane++) {
            _Float16 r[MOST_EDGES] = {0};

            if (packed(p->t, row))
                squeeze(r, messages(c, row));
            for (uint32_t i = 0; i < messages(c, row); i++)
                p->r[(c->row_first[row] + i) * c->z + lane] = r[i];
        }
}

static bool plain_known(const struct plain *p)
{
    bool known = false;

    for (uint32_t b = 0; b < p->t->d.bits; b++)
        known |= p->llr[b] != 0;
    return known;
}

/* That of iteration i, the first is 0. */
static double factor(const struct ldpc_decode *d, uint32_t i)
{
    if (d->algorithm != LDPC_NMS)
        return 1;
    return (double)(_Float16)(i ? d->alpha + d->rise * i / (d->iterations - 1) : d->alpha);
}

static void plain_iteration(struct plain *p)
{
    const struct ldpc_code *c = p->t->d.code;
    const size_t bytes = (size_t)c->cols * c->z * sizeof *p->llr;

    memcpy(p->next, p->channel, bytes);
    for (uint32_t row = p->t->kernel->rows; row-- > 0;)
        for (uint32_t lane = 0; lane < c->z; lane++)
            plain_row(p, row_of(p->t, row), lane);
    if (is_flooding(p))
        memcpy(p->llr, p->next, bytes);
}

/* Do all checks hold, as the kernel sees it? */
static bool plain_good(const struct plain *p)
{
    if (is_flooding(p))
        return rows_hold(p, p->t->d.rows);
    return !p->bad_others && rows_hold(p, p->t->d.code->core_rows);
}

/* What comes out at a port: in units of the input, fillers for sure, what no row reaches as it arrived. */
static float plain_soft(const struct plain *p, uint32_t f, unsigned port, uint32_t item)
{
    const struct ldpc_decode *d = &p->t->d;
    const struct ldpc_code *c = d->code;
    const uint32_t v = port == LDPC_SOFT_WORD ? ldpc_place(c, item) : item;
    const bool reached = v / c->z < c->cols - c->rows + d->rows;
    float llr = (float)p->llr[v];

    if (v >= d->bits && v < c->k)
        return FECRUN_LLR_MAX_F32;
    if (p->t->unit && reached)
        llr *= p->t->unit[f];
    return fmaxf(fminf(llr, FECRUN_LLR_MAX_F32), -FECRUN_LLR_MAX_F32);
}

static void plain_give_soft(const struct plain *p, uint32_t f)
{
    const struct trial *t = p->t;

    for (unsigned port = 0; port < LDPC_SOFT_PORTS; port++)
        for (uint32_t i = 0; t->want_soft[port] && i < soft_items(t, port); i++)
            t->want_soft[port][f * t->soft_stride[port] + i] = plain_soft(p, f, port, i);
}

static void plain_decode(const struct trial *t, uint32_t f)
{
    const struct ldpc_decode *d = &t->d;
    const struct ldpc_code *c = d->code;
    const size_t lifted = (size_t)c->cols * c->z;
    struct plain p = {.t = t,
                      .alpha = factor(d, 0),
                      .channel = calloc(lifted, sizeof *p.channel),
                      .llr = get(lifted * sizeof *p.llr),
                      .next = get(lifted * sizeof *p.next),
                      .r = get(ldpc_edges(c) * c->z * sizeof *p.r)};
    struct fecrun_frame_info *info = &t->want_info[f];
    bool good, last;

    plain_rule(&p, f);
    plain_load(&p, t->llr + (size_t)f * c->n);
    info->iterations = 0;
    do {
        p.bad_core = p.bad_others = false;
        p.before = p.alpha;
        p.alpha = factor(d, info->iterations);
        plain_iteration(&p);
        last = ++info->iterations == d->iterations;
        good = plain_good(&p);
    } while (!last && !(d->early_stop && good && (is_flooding(&p) || !p.bad_core)));
    info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                  (good && plain_known(&p) ? 0 : FECRUN_FRAME_FAILED);
    memset(t->want + f * t->out_stride, 0, row_bytes(t));
    for (uint32_t b = 0; b < d->bits; b++)
        if (signbit(p.llr[b]))
            t->want[f * t->out_stride + b / 8] |= (uint8_t)(0x80 >> b % 8);
    plain_give_soft(&p, f);
    free(p.channel);
    free(p.llr);
    free(p.next);
    free(p.r);
}

#endif

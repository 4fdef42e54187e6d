/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/simd/fixed.h"

#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

/* Columns of the base graph with edges in the rows in use: their number, and the last one's + 1. */
static uint32_t columns_in_use(const struct ldpc_decode *d, uint32_t *end)
{
    const struct ldpc_code *code = d->code;
    uint32_t n = 0;

    *end = 0;
    for (uint32_t col = 0; col < code->cols; col++) {
        bool used = false;

        for (uint32_t e = 0; e < code->row_first[d->rows] && !used; e++)
            used = code->edge[e].col == col;
        n += used;
        *end = used ? col + 1 : *end;
    }
    return n;
}

static void choose_mean(struct ldpc_fixed *fixed, const struct ldpc_decode *d)
{
    const struct ldpc_code *code = d->code;
    uint32_t end, columns = columns_in_use(d, &end);
    double sent = (double)columns * code->z - code->punctured - code->fillers;
    uint32_t items = end * code->z > code->punctured ? end * code->z - code->punctured : 0;

    fixed->items = !code->place && items < code->n ? items : code->n;
    fixed->filler = code->k - code->fillers -
                    code->punctured; /* only NR has any, behind column 1 */
    fixed->fillers = code->fillers;
    fixed->mean = (uint32_t)nearbyint(256 * (3 + 27 * fmin((double)d->bits / fmax(sent, 1), 1)));
}

/* low[], high[] and clip, of factor, half and offset. */
static void make_tables(struct ldpc_fixed *fixed)
{
    for (unsigned i = 0; i < 16; i++)
        fixed->low[i] = (uint8_t)((i * fixed->factor + fixed->half) / 256);
    for (unsigned i = 0; i < 4; i++)
        fixed->high[i] = (uint8_t)((16 * i * fixed->factor + 128) / 256);
    fixed->clip = LDPC_FIXED_LEAST;
    while (ldpc_fixed_scaled(fixed, fixed->clip) > LDPC_FIXED_MESSAGE)
        fixed->clip--;
}

static int choose_offset(struct ldpc_fixed *fixed, const struct ldpc_decode *d,
                         struct fecrun_error *err)
{
    const double scale = d->llr_scale > 0 ? d->llr_scale : 1;
    const double times = nearbyint(256 * fmin(LDPC_FIXED_SCALE / scale, LDPC_FIXED_INPUT));
    const double offset = nearbyint(d->beta * LDPC_FIXED_SCALE);

    if (offset < 0 || offset >= LDPC_FIXED_LEAST)
        return fecrun_fail(err, "beta", "backend simd has 0 to %g",
                           (LDPC_FIXED_LEAST - 1) / (double)LDPC_FIXED_SCALE);
    if (times < 8)
        return fecrun_fail(err, "algorithm",
                           "oms of backend simd has %d steps per natural LLR, "
                           "too few for an llr_scale of %g: 128 at most",
                           LDPC_FIXED_SCALE, scale);
    fixed->times = (uint16_t)times;
    fixed->offset = (uint8_t)offset;
    return 0;
}

int ldpc_fixed_init(struct ldpc_fixed *fixed, const struct ldpc_decode *decode,
                    struct fecrun_error *err)
{
    const double factor = nearbyint(decode->alpha * 256);

    *fixed = (struct ldpc_fixed){.factor = 256};
    if (ldpc_erasures_left(decode, "backend simd", err))
        return -1;
    if (decode->algorithm == LDPC_SPA)
        return fecrun_fail(err, "algorithm", "backend simd has nms and oms");
    if (decode->rule != LDPC_LAYERED)
        return fecrun_fail(err, "schedule", "backend simd has layered only");
    if (decode->algorithm == LDPC_OMS) {
        if (choose_offset(fixed, decode, err))
            return -1;
    } else {
        if (factor < 1 || factor > 256)
            return fecrun_fail(err, "alpha", "backend simd has 1/256 to 1");
        fixed->factor = (uint16_t)factor;
        fixed->half = decode->code->family == LDPC_NR ? 0 : 128;
        choose_mean(fixed, decode);
    }
    make_tables(fixed);
    return 0;
}

/* Sums of blocks fit 16 bits, so that the compiler has short lanes to add in. */
static void add_up(const int8_t *llr, uint32_t n, uint64_t *sum, uint64_t *count)
{
    for (uint32_t from = 0; from < n; from += 256) {
        const uint32_t to = n - from < 256 ? n : from + 256;
        uint16_t s = 0, c = 0;

        for (uint32_t i = from; i < to; i++) {
            const uint8_t a = (uint8_t)(llr[i] < 0 ? -llr[i] : llr[i]);
            const uint8_t counts = a != 0 && a < 127;

            s = (uint16_t)(s + (counts ? a : 0));
            c = (uint16_t)(c + counts);
        }
        *sum += s;
        *count += c;
    }
}

struct ldpc_gain ldpc_fixed_gain(const struct ldpc_fixed *fixed, const int8_t *llr)
{
    struct ldpc_gain gain = {.times = fixed->times};
    uint64_t sum = 0, count = 0, most;

    if (fixed->mean) {
        const uint32_t behind = fixed->filler + fixed->fillers;

        add_up(llr, fixed->fillers ? fixed->filler : fixed->items, &sum, &count);
        if (fixed->fillers)
            add_up(llr + behind, fixed->items - behind, &sum, &count);
        if (!count) {
            sum = 127;
            count = 1;
        }
        gain.times = (uint16_t)((fixed->mean * count + sum / 2) / sum);
    }
    most = (LDPC_FIXED_INPUT * 256 + 128 + gain.times - 1) / gain.times;
    gain.most = (uint8_t)(most < 127 ? most : 127);
    return gain;
}

int8_t ldpc_fixed_input(const struct ldpc_gain *gain, int8_t llr)
{
    int a = abs(llr) < gain->most ? abs(llr) : gain->most;

    a = (a * gain->times + 128) / 256;
    a = a < LDPC_FIXED_INPUT ? a : LDPC_FIXED_INPUT;
    return (int8_t)(llr < 0 ? -a : a);
}

uint8_t ldpc_fixed_scaled(const struct ldpc_fixed *fixed, uint8_t m)
{
    int scaled = fixed->low[m % 16] + fixed->high[m / 16];

    return (uint8_t)(scaled > fixed->offset ? scaled - fixed->offset : 0);
}

static int saturated(int x)
{
    return x > 127 ? 127 : x < -128 ? -128 : x;
}

/* Lifted column of edge e in lane i; false: the lane does not have the edge. */
static bool column(const struct ldpc_code *code, uint32_t e, uint32_t i, uint32_t *v)
{
    const struct ldpc_edge *edge = &code->edge[e];

    *v = edge->col * code->z + (i + edge->shift) % code->z;
    return edge->skip != i;
}

/* The two least |q| of the row of lane i, and whether the product of its q is negative. */
static void least(const struct ldpc_code *code, int clip, uint32_t row, uint32_t i, const int8_t *L,
                  const int8_t *message, int *least_two, bool *negative)
{
    uint32_t v;

    least_two[0] = least_two[1] = clip;
    *negative = false;
    for (uint32_t e = code->row_first[row]; e < code->row_first[row + 1]; e++)
        if (column(code, e, i, &v)) {
            int q = saturated(L[v] - message[(size_t)e * code->z + i]), a = abs(q);

            if (a < least_two[0]) {
                least_two[1] = least_two[0];
                least_two[0] = a;
            } else if (a < least_two[1]) {
                least_two[1] = a;
            }
            *negative ^= q < 0;
        }
}

static void update_row(const struct ldpc_code *code, const struct ldpc_fixed *fixed, uint32_t row,
                       uint32_t i, int8_t *L, int8_t *message)
{
    int least_two[2];
    bool negative;
    uint32_t v;

    least(code, fixed->clip, row, i, L, message, least_two, &negative);
    for (uint32_t e = code->row_first[row]; e < code->row_first[row + 1]; e++)
        if (column(code, e, i, &v)) {
            int8_t *r = &message[(size_t)e * code->z + i];
            int q = saturated(L[v] - *r);
            int m = ldpc_fixed_scaled(fixed, (uint8_t)least_two[abs(q) == least_two[0]]);

            *r = (int8_t)(negative != (q < 0) ? -m : m);
            L[v] = (int8_t)saturated(q + *r);
        }
}

static bool all_hold(const struct ldpc_decode *d, const int8_t *L)
{
    const struct ldpc_code *code = d->code;
    uint32_t v;

    for (uint32_t n = 0; n < d->schedule->n_rows; n++) {
        uint32_t row = d->schedule->row[n] / code->z, i = d->schedule->row[n] % code->z;
        bool odd = false;

        for (uint32_t e = code->row_first[row]; e < code->row_first[row + 1]; e++)
            if (column(code, e, i, &v))
                odd ^= L[v] < 0;
        if (odd)
            return false;
    }
    return true;
}

size_t ldpc_fixed_scratch(const struct ldpc_decode *decode)
{
    return (size_t)decode->code->z * (decode->code->cols + ldpc_edges(decode->code));
}

struct ldpc_verdict ldpc_fixed_decode(const struct ldpc_decode *decode,
                                      const struct ldpc_fixed *fixed, const int8_t *llr,
                                      uint8_t *bits, void *scratch)
{
    const struct ldpc_code *code = decode->code;
    int8_t *L = scratch, *message = L + (size_t)code->cols * code->z;
    const struct ldpc_gain gain = ldpc_fixed_gain(fixed, llr);
    struct ldpc_verdict verdict = {0, false};

    memset(scratch, 0, ldpc_fixed_scratch(decode));
    for (uint32_t item = 0; item < code->n; item++)
        L[ldpc_place(code, item)] = ldpc_fixed_input(&gain, llr[item]);
    memset(L + code->k - code->fillers, LDPC_FIXED_INPUT, code->fillers);
    while (verdict.iterations < decode->iterations && !verdict.converged) {
        for (uint32_t n = 0; n < decode->schedule->n_rows; n++)
            update_row(code, fixed, decode->schedule->row[n] / code->z,
                       decode->schedule->row[n] % code->z, L, message);
        verdict.iterations++;
        if (decode->early_stop || verdict.iterations == decode->iterations)
            verdict.converged = all_hold(decode, L);
    }
    for (uint64_t bit = 0; bit < decode->bits; bit++)
        bits[bit] = L[ldpc_info(code, (uint32_t)bit)] < 0;
    return verdict;
}

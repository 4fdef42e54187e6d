/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/simd/fixed.h"

#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

/* The last column of the base graph with edges in the rows in use, + 1. */
static uint32_t columns_reached(const struct ldpc_decode *d)
{
    uint32_t end = 0;

    for (uint32_t e = 0; e < d->code->row_first[d->rows]; e++)
        if (d->code->edge[e].col >= end)
            end = d->code->edge[e].col + 1;
    return end;
}

/* No multiple of 2, 3 or 5, so that bits of all places of a symbol are among those looked at. */
static uint32_t choose_step(uint32_t items)
{
    uint32_t step = 1;

    while (items / step >= LDPC_FIXED_SAMPLE || step % 3 == 0 || step % 5 == 0)
        step += 2;
    return step;
}

/* Units from which on an LLR counts as a known bit: the fewer, the later messages reach their limit.
   Without a factor they grow fastest. */
static uint32_t choose_full(const struct ldpc_decode *d)
{
    if (d->alpha + d->rise / 2 > 0.95)
        return 24;
    return d->code->family == LDPC_NR ? 48 : 36;
}

/* The same of a frame with less than half of its information bits: more where few columns are fillers. */
static uint32_t choose_poor(const struct ldpc_decode *d, uint32_t full)
{
    const uint32_t k = d->code->k;
    const int units = (int)(160 * (uint64_t)(k - d->code->fillers) / k) - 40;

    if (d->code->family != LDPC_NR || full != 48)
        return full;
    return units < 48 ? 48 : units > 80 ? 80 : (uint32_t)units;
}

/* A factor that the user gave may be as large as makes L fall from its limit in the second iteration already, and
   without an early stop what has been decoded has to stay so. */
static uint32_t choose_late(const struct ldpc_decode *d)
{
    return (d->quick && d->early_stop) || d->algorithm == LDPC_OMS ? +LDPC_FIXED_LATE
                                                                   : +LDPC_FIXED_SOON;
}

/* Of a frame, from its first on: those that rows in use reach. */
static uint32_t items_in_use(const struct ldpc_decode *d)
{
    const struct ldpc_code *code = d->code;
    const uint32_t reached = columns_reached(d) * code->z;
    const uint32_t items = reached > code->punctured ? reached - code->punctured : 0;

    return !code->place && items < code->n ? items : code->n;
}

static void choose_items(struct ldpc_fixed *fixed, const struct ldpc_decode *d)
{
    const struct ldpc_code *code = d->code;

    fixed->items = items_in_use(d);
    fixed->filler = code->k - code->fillers -
                    code->punctured; /* only NR has any, behind column 1 */
    fixed->fillers = code->fillers;
    fixed->step = choose_step(fixed->items);
    fixed->bits = (uint32_t)d->bits;
    fixed->late = choose_late(d);
    fixed->full = choose_full(d);
    fixed->poor = choose_poor(d, fixed->full);
    fixed->least = fixed->full / (code->family == LDPC_NR ? 4 : 8);
    fixed->info = code->family == LDPC_NR ? LDPC_FIXED_INFO : 0;
}

/* `bits` is that of NMS. */
static uint8_t most_message(const struct ldpc_fixed *fixed, bool nr)
{
    return fixed->bits && nr ? LDPC_FIXED_NR_MESSAGE : LDPC_FIXED_MESSAGE;
}

/*
 * With a factor of the user's below WEAK / 256 the row's largest message is so small that `lone` would take away what
 * the extension of NR says. So it does not sink below WEAK_LONE, and all rows round to the nearest. z = 32, all rows,
 * QPSK at 4 dB, wrong words of 60, in floating point, before and so: BG1 with alpha 0.15 33, 60, 50, with 0.2 6, 39, 7;
 * BG2 12, 52, 20 and 0, 5, 0.
 */
enum { WEAK = 103, WEAK_LONE = 24 };

static bool is_weak(const struct ldpc_decode *d, double alpha)
{
    return d->algorithm == LDPC_NMS && !d->quick && alpha * 256 < WEAK;
}

/* Of factor and offset, where whole numbers need no rounding; then clip. */
static void make_tables(const struct ldpc_fixed *fixed, struct ldpc_phase *phase,
                        const struct ldpc_decode *d)
{
    const bool nr = d->code->family == LDPC_NR;

    for (unsigned kind = 0; kind < fixed->kinds; kind++) {
        const uint16_t factor = phase->factor[kind / LDPC_FIXED_ROUNDINGS];
        struct ldpc_table *table = &phase->table[kind];

        table->half = (nr && kind % LDPC_FIXED_ROUNDINGS == LDPC_FIXED_CORE) ||
                              is_weak(d, factor / 256.0)
                          ? 128
                          : 96;
        for (unsigned i = 0; i < 16; i++)
            table->low[i] = (uint8_t)((i * factor + table->half) / 256);
        for (unsigned i = 0; i < 4; i++)
            table->high[i] = (uint8_t)((16 * i * factor + 128) / 256);
    }
    phase->clip = LDPC_FIXED_LEAST; /* core rows have the larger messages */
    while (ldpc_fixed_scaled(fixed, phase, LDPC_FIXED_CORE, phase->clip) > most_message(fixed, nr))
        phase->clip--;
}

static int choose_factors(struct ldpc_fixed *fixed, const struct ldpc_decode *d,
                          struct fecrun_error *err)
{
    const uint32_t count = ldpc_alpha_count(d);

    fixed->kinds = d->by_row ? +LDPC_FIXED_KINDS : +LDPC_FIXED_ROUNDINGS;
    for (uint32_t n = 0; n < count; n++) {
        for (unsigned kind = 0; kind < fixed->kinds / LDPC_FIXED_ROUNDINGS; kind++) {
            const double alpha = ldpc_row_alpha(d, kind, n);
            const double factor = d->algorithm == LDPC_OMS ? 256 : nearbyint(alpha * 256);

            if (factor < 1 || factor > 256)
                return fecrun_fail(err, "alpha", "backend simd has 1/256 to 1");
            fixed->phase[n].factor[kind] = (uint16_t)factor;
        }
        make_tables(fixed, &fixed->phase[n], d);
    }
    return 0;
}

enum { LEAST_TIMES = 8 }; /* of a gain: less is too coarse */

enum { FINEST = 64 }; /* units per natural LLR */

/* OMS: units per natural LLR; scale: those of the input. */
static unsigned choose_units(const struct ldpc_decode *d, double scale)
{
    const uint32_t items = items_in_use(d);
    const double beta = d->beta * LDPC_FIXED_RANGE;
    const uint32_t most = d->code->family == LDPC_NR ? +LDPC_FIXED_NR_SHORT : +LDPC_FIXED_SHORT;
    const bool brief = d->code->n <= most && (double)d->bits >= 0.3 * (items - d->code->fillers);
    unsigned units = brief && beta == nearbyint(beta) &&
                             scale <= 256.0 * LDPC_FIXED_RANGE / LEAST_TIMES
                         ? +LDPC_FIXED_RANGE
                         : +LDPC_FIXED_SCALE;

    /* Where the input is known to end a little above beta, nothing would be left of it. Wi-Fi 648 1/2, LLRs up to
       0.625, 8 dB, wrong words of 60: 51 with RANGE units, 0 so and in floating point. */
    while (d->llr_max > d->beta * scale && 2 * units * d->beta < LDPC_FIXED_LEAST - 1 &&
           units < FINEST && floor(d->llr_max * units / scale + 0.5) <= round(d->beta * units))
        units *= 2;
    return units;
}

static int choose_offset(struct ldpc_fixed *fixed, const struct ldpc_decode *d,
                         struct fecrun_error *err)
{
    const double scale = d->llr_scale > 0 ? d->llr_scale : 1;
    const unsigned units = choose_units(d, scale);
    const double times = nearbyint(256 * fmin(units / scale, LDPC_FIXED_INPUT));
    const double offset = nearbyint(d->beta * units);

    if (offset < 0 || offset >= LDPC_FIXED_LEAST)
        return fecrun_fail(err, "beta", "backend simd has 0 to %g",
                           (LDPC_FIXED_LEAST - 1) / (double)LDPC_FIXED_SCALE);
    if (times < LEAST_TIMES)
        return fecrun_fail(err, "check_rule",
                           "offset-min-sum of backend simd has %d steps per natural LLR, "
                           "too few for an llr_scale of %g: 128 at most",
                           LDPC_FIXED_SCALE, scale);
    fixed->times = (uint16_t)times;
    fixed->offset = (uint8_t)offset;
    return 0;
}

enum { LONE_ITERATION = 3 }; /* the first one is 0 */

/* A unit less than what the row can say once the first iterations are over. */
static void choose_lone(struct ldpc_fixed *fixed, const struct ldpc_decode *d)
{
    const uint32_t last = ldpc_alpha_count(d) - 1;
    const struct ldpc_phase *phase = &fixed->phase[last < LONE_ITERATION ? last : LONE_ITERATION];

    for (unsigned kind = 0; kind < fixed->kinds; kind++) {
        const int most = ldpc_fixed_scaled(fixed, phase, kind, phase->clip);
        const int open = LDPC_FIXED_KNOWN - LDPC_FIXED_NR_MESSAGE;
        const int weak = is_weak(d, phase->factor[kind / LDPC_FIXED_ROUNDINGS] / 256.0);
        const int lone = (most < open ? most : open) - 1, least = weak ? WEAK_LONE : 1;

        fixed->lone[kind] = (uint8_t)(lone > least ? lone : least);
    }
}

int ldpc_fixed_init(struct ldpc_fixed *fixed, const struct ldpc_decode *decode,
                    struct fecrun_error *err)
{
    *fixed = (struct ldpc_fixed){.shift = ldpc_alpha_shift(decode)};
    if (ldpc_erasures_left(decode, "backend simd", err))
        return -1;
    if (decode->algorithm == LDPC_SPA)
        return fecrun_fail(err, "check_rule", "backend simd has min-sum and offset-min-sum");
    if (decode->rule != LDPC_LAYERED)
        return fecrun_fail(err, "schedule", "backend simd has layered only");
    if (decode->algorithm == LDPC_OMS) {
        if (choose_offset(fixed, decode, err))
            return -1;
    } else {
        choose_items(fixed, decode);
    }
    if (choose_factors(fixed, decode, err))
        return -1;
    choose_lone(fixed, decode);
    return 0;
}

uint8_t ldpc_fixed_scaled(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                          unsigned kind, uint8_t m)
{
    const struct ldpc_table *table = &phase->table[kind];
    int scaled = table->low[m % 16] + table->high[m / 16];

    return (uint8_t)(scaled > fixed->offset ? scaled - fixed->offset : 0);
}

static int saturated(int x)
{
    return x > 127 ? 127 : x < -128 ? -128 : x;
}

/* What the others say, of an L with the row's own message. */
static int without(int L, int message, bool late)
{
    return late && abs(L) >= LDPC_FIXED_KNOWN ? L : saturated(L - message);
}

/* Lifted column of edge e in lane i; false: the lane does not have the edge. */
static bool column(const struct ldpc_code *code, uint32_t e, uint32_t i, uint32_t *v)
{
    const struct ldpc_edge *edge = &code->edge[e];

    *v = edge->col * code->z + (i + edge->shift) % code->z;
    return edge->skip != i;
}

/* The two least |q| of the row of lane i, and whether the product of its q is negative. */
static void least(const struct ldpc_code *code, int clip, bool late, uint32_t row, uint32_t i,
                  const int8_t *L, const int8_t *message, int *least_two, bool *negative)
{
    uint32_t v;

    least_two[0] = least_two[1] = clip;
    *negative = false;
    for (uint32_t e = code->row_first[row]; e < code->row_first[row + 1]; e++)
        if (column(code, e, i, &v)) {
            int q = without(L[v], message[(size_t)e * code->z + i], late), a = abs(q);

            if (a < least_two[0]) {
                least_two[1] = least_two[0];
                least_two[0] = a;
            } else if (a < least_two[1]) {
                least_two[1] = a;
            }
            *negative ^= q < 0;
        }
}

static void update_row(const struct ldpc_decode *decode, const struct ldpc_fixed *fixed,
                       const struct ldpc_phase *phase, bool late, uint32_t row, uint32_t i,
                       int8_t *L, int8_t *message)
{
    const struct ldpc_code *code = decode->code;
    const unsigned kind = ldpc_fixed_kind(decode, row);
    int least_two[2];
    bool negative;
    uint32_t v;

    least(code, phase->clip, late, row, i, L, message, least_two, &negative);
    for (uint32_t e = code->row_first[row]; e < code->row_first[row + 1]; e++)
        if (column(code, e, i, &v)) {
            int8_t *r = &message[(size_t)e * code->z + i];
            int q = without(L[v], *r, late);
            int m = ldpc_fixed_scaled(fixed, phase, kind,
                                      (uint8_t)least_two[abs(q) == least_two[0]]);

            *r = (int8_t)(negative != (q < 0) ? -m : m);
            L[v] = (int8_t)saturated(q + *r);
        }
}

/* A base row's lanes, in their order. group[]: room for them. */
static void update_lanes(const struct ldpc_decode *decode, const struct ldpc_fixed *fixed,
                         const struct ldpc_phase *phase, bool late, uint32_t row, int8_t *L,
                         int8_t *message, struct ldpc_group *group)
{
    const uint32_t groups = ldpc_order_lanes(decode->code, row, group);

    for (uint32_t i = 0; !groups && i < decode->code->z; i++)
        update_row(decode, fixed, phase, late, row, i, L, message);
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t left = group[g].lanes; left; left &= left - 1)
            update_row(decode, fixed, phase, late, row,
                       group[g].first + (uint32_t)__builtin_ctz(left), L, message);
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

/* Is anything known of the information bits? */
static bool any_known(const struct ldpc_decode *d, const int8_t *L)
{
    for (uint64_t bit = 0; bit < d->bits; bit++)
        if (L[ldpc_info(d->code, (uint32_t)bit)])
            return true;
    return false;
}

/* L and messages, then groups of a row's lanes. */
static size_t before_groups(const struct ldpc_decode *decode)
{
    return ((size_t)decode->code->z * (decode->code->cols + ldpc_edges(decode->code)) + 7) / 8 * 8;
}

size_t ldpc_fixed_scratch(const struct ldpc_decode *decode)
{
    return before_groups(decode) + (2 * (size_t)decode->code->z + 2) * sizeof(struct ldpc_group);
}

/* Edges of rows in use to the column; *row: of the last one. */
static uint32_t degree_of(const struct ldpc_decode *decode, uint32_t col, uint32_t *row)
{
    const struct ldpc_code *code = decode->code;
    uint32_t degree = 0;

    for (uint32_t r = 0; r < decode->rows; r++)
        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++)
            if (code->edge[e].col == col) {
                degree++;
                *row = r;
            }
    return degree;
}

static void limit_lone(const struct ldpc_decode *decode, const struct ldpc_fixed *fixed, int8_t *L)
{
    const uint32_t z = decode->code->z;

    for (uint32_t col = 0; col < decode->code->cols; col++) {
        uint32_t row = 0;

        if (degree_of(decode, col, &row) != 1)
            continue;
        for (uint32_t i = 0; i < z; i++) {
            const int most = fixed->lone[ldpc_fixed_kind(decode, row)];
            int8_t *llr = &L[(size_t)col * z + i];

            *llr = (int8_t)(*llr > most ? most : *llr < -most ? -most : *llr);
        }
    }
}

struct ldpc_verdict ldpc_fixed_decode(const struct ldpc_decode *decode,
                                      const struct ldpc_fixed *fixed, const int8_t *llr,
                                      uint8_t *bits, void *scratch)
{
    const struct ldpc_code *code = decode->code;
    int8_t *L = scratch, *message = L + (size_t)code->cols * code->z;
    struct ldpc_group *group = (void *)(L + before_groups(decode));
    const struct ldpc_gain gain = ldpc_fixed_gain(fixed, llr, NULL);
    struct ldpc_verdict verdict = {0, false};

    memset(scratch, 0, ldpc_fixed_scratch(decode));
    for (uint32_t item = 0; item < code->n; item++)
        L[ldpc_place(code, item)] = ldpc_fixed_input(&gain, llr[item]);
    limit_lone(decode, fixed, L);
    memset(L + code->k - code->fillers, LDPC_FIXED_INPUT, code->fillers);
    while (verdict.iterations < decode->iterations && !verdict.converged) {
        const struct ldpc_phase *phase = ldpc_fixed_phase(fixed, verdict.iterations);
        const bool late = verdict.iterations >= fixed->late;

        for (uint32_t n = 0; n < decode->schedule->n_rows; n += code->z)
            update_lanes(decode, fixed, phase, late, decode->schedule->row[n] / code->z, L, message,
                         group);
        verdict.iterations++;
        if (decode->early_stop || verdict.iterations == decode->iterations)
            verdict.converged = all_hold(decode, L);
    }
    verdict.converged = verdict.converged && any_known(decode, L);
    for (uint64_t bit = 0; bit < decode->bits; bit++)
        bits[bit] = L[ldpc_info(code, (uint32_t)bit)] < 0;
    return verdict;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of one port's LLRs. All that is said of information is of levels: LLRs of about one
 * magnitude, and how many of their signs are right. A decoder that believes `factor` times an LLR of
 * size L learns 1 - log2(1 + exp(-+factor L)) bits where the sign is right or wrong (the generalised
 * mutual information); the best factor makes up for any wrong scale, but not for what was clipped.
 */
#include "tools/fecrun/doctor/doctor.h"

#include <fecrun/sdk/sample.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 8192
#define FRAMES_TO_TELL 16 /* a place that holds the same in so many frames always does */
#define WRONG_TO_TELL 30  /* wrong signs: the slope is known to a fifth */
#define SURE 5.0          /* standard deviations beyond chance */

/* ---- Places that say nothing: punctured, or fillers and shortened bits ---- */

enum spot { PLACE_USED, PLACE_PUNCTURED, PLACE_KNOWN };

static bool certain(const struct doctor_samples *s, double llr)
{
    return s->limit > 0 ? llr >= s->limit : llr >= (double)FECRUN_LLR_MAX_F32;
}

static enum spot place_of(const struct doctor_samples *s, size_t item)
{
    bool zero = true, known = true;

    for (size_t f = 0; f < s->frames && (zero || known); f++) {
        const float llr = s->llr[f * s->items + item];

        zero = zero && llr == 0;
        known = known && certain(s, (double)llr) && !(s->bit && s->bit[f * s->items + item]);
    }
    return zero ? PLACE_PUNCTURED : known ? PLACE_KNOWN : PLACE_USED;
}

static uint8_t *find_places(const struct doctor_samples *s)
{
    uint8_t *places = calloc(s->items + 1, 1);

    for (size_t i = 0; places && s->frames >= FRAMES_TO_TELL && i < s->items; i++)
        places[i] = (uint8_t)place_of(s, i);
    return places;
}

/* ---- Counting ---- */

struct counting {
    const struct doctor_samples *samples;
    struct doctor_numbers *numbers;
    uint8_t *places;
    double scale;
    double largest; /* that is not certain; as at the port */
};

static bool is_number(float llr)
{
    return llr == llr;
}

/* No decoder tells larger ones apart. */
static double clipped(float llr)
{
    const double most = (double)FECRUN_LLR_MAX_F32, x = (double)llr;

    return x > most ? most : x < -most ? -most : x;
}

static void count_one(struct counting *c, float llr, double *sum)
{
    const struct doctor_samples *s = c->samples;
    const double size = fabs(clipped(llr));

    c->numbers->n++;
    c->numbers->bad += !is_number(llr);
    c->numbers->zero += llr == 0;
    c->numbers->limited += s->limit > 0 && size >= s->limit;
    if (is_number(llr))
        *sum += size;
    if (is_number(llr) && size < (double)FECRUN_LLR_MAX_F32 && size > c->largest)
        c->largest = size;
}

static void count_all(struct counting *c)
{
    const struct doctor_samples *s = c->samples;
    double sum = 0;

    for (size_t k = 0; k < s->frames * s->items; k++) {
        const uint8_t place = c->places[k % s->items];

        c->numbers->punctured += place == PLACE_PUNCTURED;
        c->numbers->known += place == PLACE_KNOWN;
        if (place == PLACE_USED)
            count_one(c, s->llr[k], &sum);
    }
    c->numbers->mean_size = c->numbers->n ? sum / (double)c->numbers->n / c->scale : 0;
}

static void count_bins(struct counting *c)
{
    const struct doctor_samples *s = c->samples;
    const double end = c->largest > 0 ? c->largest : 1;

    c->numbers->histogram_end = end;
    for (size_t k = 0; k < s->frames * s->items; k++) {
        double at = (clipped(s->llr[k]) / end + 1) / 2 * DOCTOR_BINS;

        if (c->places[k % s->items] != PLACE_USED || !is_number(s->llr[k]))
            continue;
        at = fmin(fmax(at, 0), DOCTOR_BINS - 1);
        c->numbers->histogram[(int)at][s->bit ? s->bit[k] : 0]++;
    }
}

/* ---- Levels ---- */

/* Integers keep theirs where there are not too many. The last level is of those that are certain. */
static size_t level_of(double size, double step)
{
    const double at = size / step + 0.5;

    if (size >= (double)FECRUN_LLR_MAX_F32)
        return LEVELS;
    return at < LEVELS - 1 ? (size_t)at : LEVELS - 1;
}

static bool is_integer(uint32_t type)
{
    return type == FECRUN_I4 || type == FECRUN_I8 || type == FECRUN_I16;
}

static void fill_level(struct counting *c, struct doctor_level *level, size_t k)
{
    const struct doctor_samples *s = c->samples;
    const double llr = clipped(s->llr[k]);
    const double right = llr == 0 ? 0.5 : (llr < 0) == (s->bit[k] == 1);

    level->size += fabs(llr) / c->scale;
    level->right += right;
    level->wrong += 1 - right;
    level->limited = s->limit > 0 && fabs(llr) >= s->limit;
}

static int make_levels(struct counting *c, struct doctor_levels *levels)
{
    const struct doctor_samples *s = c->samples;
    const bool exact = is_integer(s->type) && c->largest < LEVELS - 1;
    const double step = exact ? 1 : c->largest > 0 ? c->largest / (LEVELS - 2) : 1;
    size_t n = 0;

    *levels = (struct doctor_levels){.level = calloc(LEVELS + 1, sizeof *levels->level)};
    if (!levels->level)
        return -1;
    for (size_t k = 0; k < s->frames * s->items; k++)
        if (c->places[k % s->items] == PLACE_USED && is_number(s->llr[k]))
            fill_level(c, &levels->level[level_of(fabs(clipped(s->llr[k])), step)], k);
    for (size_t i = 0; i <= LEVELS; i++) {
        struct doctor_level level = levels->level[i];
        const double count = level.right + level.wrong;

        if (count <= 0)
            continue;
        level.size /= count; /* it was the sum */
        levels->level[n++] = level;
        levels->total += count;
    }
    levels->n = n;
    return 0;
}

void doctor_levels_free(struct doctor_levels *levels)
{
    free(levels->level);
    *levels = (struct doctor_levels){0};
}

/* ---- Information ---- */

/* ln(1 + exp(x)) */
static double soft_plus(double x)
{
    return x > 30 ? x : log1p(exp(x));
}

double doctor_information(const struct doctor_levels *levels, double factor)
{
    double sum = 0;

    for (size_t i = 0; i < levels->n; i++) {
        const struct doctor_level *level = &levels->level[i];
        const double x = factor * level->size;

        sum += level->right * soft_plus(-x) + level->wrong * soft_plus(x);
    }
    return levels->total > 0 ? 1 - sum / levels->total / M_LN2 : 0;
}

/* Which signs are wrong beyond what a factor says; falls as it rises. */
static double excess(const struct doctor_levels *levels, double factor, bool limited)
{
    double sum = 0;

    for (size_t i = 0; i < levels->n; i++) {
        const struct doctor_level *level = &levels->level[i];
        const double wrong = 1 / (1 + exp(factor * level->size));

        if (limited || !level->limited)
            sum += level->size * ((level->right + level->wrong) * wrong - level->wrong);
    }
    return sum;
}

/* The factor that makes LLRs true, of either sign. limited: do those at the limit count? */
static double best_factor(const struct doctor_levels *levels, bool limited)
{
    const double sign = excess(levels, 0, limited) < 0 ? -1 : 1;
    double low = 0, high = 1e-6;

    for (int i = 0; i < 60 && sign * excess(levels, sign * high, limited) > 0; i++)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(sign * excess(levels, sign * middle, limited) > 0 ? &low : &high) = middle;
    }
    return sign * (low + high) / 2;
}

/* E exp(-a L), or its derivative by a. */
static double chernoff(const struct doctor_levels *levels, double a, bool derivative)
{
    double sum = 0;

    for (size_t i = 0; i < levels->n; i++) {
        const struct doctor_level *level = &levels->level[i];
        const double x = a * level->size, by = derivative ? level->size : 1;

        sum += (derivative ? -by : by) * level->right * exp(-x);
        if (level->wrong > 0)
            sum += by * level->wrong * exp(x);
    }
    return sum / levels->total;
}

/* The convex function's least value is where its derivative goes through 0. */
static double exponent(const struct doctor_levels *levels)
{
    double low = 0, high = 1e-6;

    if (!(chernoff(levels, 0, true) < 0))
        return 0;
    for (int i = 0; i < 60 && chernoff(levels, high, true) < 0; i++)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(chernoff(levels, middle, true) < 0 ? &low : &high) = middle;
    }
    return -log(chernoff(levels, low, false));
}

struct doctor_worth doctor_worth(const struct doctor_levels *levels)
{
    return (struct doctor_worth){
        .information = doctor_information(levels, best_factor(levels, true)),
        .exponent = exponent(levels)};
}

int doctor_quantised(const struct doctor_levels *levels, double scale, double most,
                     struct doctor_worth *worth, struct diag *diag)
{
    const size_t n = (size_t)fmin(most, 1e6) + 1;
    struct doctor_levels to = {.total = levels->total, .level = calloc(n, sizeof *to.level)};

    if (!to.level)
        return diag_no_memory(diag);
    for (size_t i = 0; i < levels->n; i++) {
        const double size = fmin(nearbyint(scale * levels->level[i].size), (double)(n - 1));
        struct doctor_level *level = &to.level[(size_t)size];

        level->size = size;
        level->right += levels->level[i].right;
        level->wrong += levels->level[i].wrong;
    }
    for (size_t i = 0; i < n; i++)
        if (to.level[i].right + to.level[i].wrong > 0)
            to.level[to.n++] = to.level[i];
    *worth = doctor_worth(&to);
    doctor_levels_free(&to);
    return 0;
}

/* LLRs at the limit say "at least", and certain ones nothing of a scale. */
static void measure_slope(const struct doctor_levels *levels, struct doctor_numbers *numbers)
{
    double fisher = 0, wrong = 0, right = 0;

    numbers->slope = numbers->slope_error = NAN;
    for (size_t i = 0; i < levels->n; i++)
        if (!levels->level[i].limited && levels->level[i].size > 0 &&
            levels->level[i].size < (double)FECRUN_LLR_MAX_F32) {
            wrong += levels->level[i].wrong;
            right += levels->level[i].right;
        }
    if (wrong < WRONG_TO_TELL || right < WRONG_TO_TELL)
        return;
    numbers->slope = best_factor(levels, false);
    for (size_t i = 0; i < levels->n; i++) {
        const struct doctor_level *level = &levels->level[i];
        const double x = numbers->slope * level->size;

        if (!level->limited && fabs(x) < 300)
            fisher += (level->right + level->wrong) * level->size * level->size /
                      ((1 + exp(x)) * (1 + exp(-x)));
    }
    numbers->slope_error = fisher > 0 ? 1 / sqrt(fisher) : NAN;
}

static void measure_signs(const struct doctor_levels *levels, struct doctor_numbers *numbers)
{
    double right = 0, wrong = 0;

    for (size_t i = 0; i < levels->n; i++)
        if (levels->level[i].size > 0) {
            right += levels->level[i].right;
            wrong += levels->level[i].wrong;
        }
    numbers->right = right + wrong > 0 ? right / (right + wrong) : NAN;
    numbers->as_is = doctor_information(levels, 1);
    numbers->worth = doctor_worth(levels);
}

/* ---- Which bit does an LLR follow? ---- */

/* Of LLR j of each `period`: how often its sign agrees with bit k, out of how many. */
static double agreement(const struct counting *c, unsigned period, unsigned j, unsigned k,
                        double *count)
{
    const struct doctor_samples *s = c->samples;
    uint64_t agree = 0, n = 0;

    for (size_t f = 0; f < s->frames; f++)
        for (size_t i = 0; i + period <= s->items; i += period) {
            const float llr = s->llr[f * s->items + i + j];

            if (c->places[i + j] != PLACE_USED || llr == 0 || !is_number(llr))
                continue;
            agree += (llr < 0) == (s->bit[f * s->items + i + k] == 1);
            n++;
        }
    *count = (double)n;
    return n ? (double)agree / (double)n : 0.5;
}

static void set_follows(struct doctor_numbers *numbers, unsigned j, unsigned bit, double beyond,
                        double chance)
{
    numbers->follows[j] = bit;
    numbers->told[j] = fabs(beyond) > chance;
    numbers->inverted[j] = numbers->told[j] && beyond < 0;
}

/* Beyond half of all; *chance: what that may be without any relation. */
static double own_agreement(const struct counting *c, unsigned period, unsigned j, double *chance)
{
    double n;
    const double own = agreement(c, period, j, j, &n) - 0.5;

    *chance = SURE * 0.5 / sqrt(n > 0 ? n : 1);
    return own;
}

static void follow_own(struct counting *c, unsigned period, unsigned j)
{
    double chance;
    const double own = own_agreement(c, period, j, &chance);

    set_follows(c->numbers, j, j, own, chance);
}

/* Its own bit unless another one fits far better. */
static void follow(struct counting *c, unsigned period, unsigned j)
{
    double n, chance, best = own_agreement(c, period, j, &chance);
    unsigned at = j;

    for (unsigned k = 0; k < period; k++) {
        const double other = agreement(c, period, j, k, &n) - 0.5;
        if (fabs(other) > fabs(best) + chance) {
            best = other;
            at = k;
        }
    }
    set_follows(c->numbers, j, at, best, chance);
}

/* Noise makes LLRs of large constellations follow a second bit; only an exchange is an order. */
static bool is_exchange(const struct doctor_numbers *numbers)
{
    unsigned seen = 0;

    for (unsigned j = 0; j < numbers->period; j++)
        seen |= 1u << numbers->follows[j];
    return seen == (1u << numbers->period) - 1;
}

/* Where no symbol is known, bytes may be the other way round. */
static void measure_order(struct counting *c)
{
    const struct doctor_samples *s = c->samples;
    unsigned period = s->period > 1 ? s->period : DOCTOR_PERIOD;

    period = period <= DOCTOR_PERIOD && s->items % period == 0 ? period : 1;
    c->numbers->period = period;
    for (unsigned j = 0; j < period; j++)
        follow(c, period, j);
    for (unsigned j = 0; !is_exchange(c->numbers) && j < period; j++)
        follow_own(c, period, j);
}

/* ---- All of it ---- */

int doctor_measure(const struct doctor_samples *samples, struct doctor_numbers *numbers,
                   struct doctor_levels *levels, struct diag *diag)
{
    struct counting c = {.samples = samples,
                         .numbers = numbers,
                         .places = find_places(samples),
                         .scale = samples->scale > 0 ? samples->scale : 1};
    int status = 0;

    *numbers = (struct doctor_numbers){0};
    *levels = (struct doctor_levels){0};
    numbers->right = numbers->slope = numbers->slope_error = NAN;
    numbers->as_is = numbers->worth.information = numbers->worth.exponent = NAN;
    if (!c.places)
        return diag_no_memory(diag);
    count_all(&c);
    count_bins(&c);
    if (samples->bit)
        status = make_levels(&c, levels) ? diag_no_memory(diag) : 0;
    if (samples->bit && !status) {
        measure_signs(levels, numbers);
        measure_slope(levels, numbers);
        measure_order(&c);
    }
    free(c.places);
    return status;
}

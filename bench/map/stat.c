/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The frame error rate over Es/N0 is close to a normal distribution's tail: each frame has an Es/N0 up
 * from which it is decoded. So rates become places on the dB axis by the inverse of that distribution.
 * Variances of paired counts are the delta method's; half a frame is added to each of the four counts, so
 * that counts of 0 have an interval, too.
 */
#include "bench/map/stat.h"

#include <math.h>

struct paired stat_pair(const struct trial *a, const struct trial *b, size_t frames)
{
    struct paired pairs = {.frames = frames};

    for (size_t f = 0; f < frames; f++) {
        const bool a_wrong = a->frame[f] & FRAME_WRONG, b_wrong = b->frame[f] & FRAME_WRONG;

        pairs.both += a_wrong && b_wrong;
        pairs.only_a += a_wrong && !b_wrong;
        pairs.only_b += !a_wrong && b_wrong;
    }
    return pairs;
}

double stat_normal(double x)
{
    return erfc(-x * 0.7071067811865476) / 2;
}

double stat_probit(double p)
{
    double low = -9, high = 9;

    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;

        if (stat_normal(middle) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static double density(double x)
{
    return exp(-x * x / 2) * 0.3989422804014327;
}

/* probit(rate of b) - probit(rate of a) */
static struct mean between(const struct paired *pairs)
{
    const double n = (double)pairs->frames + 2, both = ((double)pairs->both + 0.5) / n;
    const double a = both + ((double)pairs->only_a + 0.5) / n;
    const double b = both + ((double)pairs->only_b + 0.5) / n;
    const double za = stat_probit(a), zb = stat_probit(b), da = density(za), db = density(zb);
    const double variance = a * (1 - a) / (da * da) + b * (1 - b) / (db * db) -
                            2 * (both - a * b) / (da * db);

    return (struct mean){zb - za, sqrt(fmax(variance, 0) / n)};
}

struct slope stat_slope(const struct paired *pairs, double step_db)
{
    const struct mean z = between(pairs);

    /* A slope that may as well be none says nothing about dB. */
    return (struct slope){.known = z.mean < -2 * z.sd && pairs->both + pairs->only_a >= 8,
                          .per_db = -z.mean / step_db,
                          .sd = z.sd / step_db};
}

struct gap stat_gap(const struct paired *pairs, const struct slope *slope)
{
    const struct mean z = between(pairs);
    const double db = z.mean / slope->per_db, relative = slope->sd / slope->per_db;

    if (!slope->known)
        return (struct gap){0};
    return (struct gap){
        .known = true,
        .db = db,
        .sd = sqrt(z.sd * z.sd / (slope->per_db * slope->per_db) + db * db * relative * relative)};
}

double stat_low(const struct gap *gap, double deviations)
{
    return gap->known ? gap->db - deviations * gap->sd : -INFINITY;
}

double stat_high(const struct gap *gap, double deviations)
{
    return gap->known ? gap->db + deviations * gap->sd : INFINITY;
}

/* Of the sum and the sum of squares of n values. */
static struct mean mean_of(double sum, double squares, size_t n)
{
    const double mean = sum / (double)n;

    return (struct mean){mean, sqrt(fmax(squares / (double)n - mean * mean, 0) / (double)n)};
}

static int more_failed(unsigned flags)
{
    return ((flags & FRAME_FAILED) != 0) - ((flags & FRAME_WRONG) != 0);
}

struct mean stat_failed(const struct trial *a, const struct trial *b, size_t frames)
{
    double sum = 0, squares = 0;

    for (size_t f = 0; f < frames; f++) {
        const double more = more_failed(b->frame[f]) - more_failed(a->frame[f]);

        sum += more;
        squares += more * more;
    }
    return mean_of(sum, squares, frames);
}

struct mean stat_iterations(const struct trial *a, const struct trial *b, size_t frames,
                            double most)
{
    double sum = 0, squares = 0;

    for (size_t f = 0; f < frames; f++) {
        const double more = b->iterations[f] - most * a->iterations[f];

        sum += more;
        squares += more * more;
    }
    return mean_of(sum, squares, frames);
}

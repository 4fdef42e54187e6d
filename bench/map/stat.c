/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The frame error rate over Es/N0 is close to a normal distribution's tail: each frame has an Es/N0 up
 * from which it is decoded. So rates become places on the dB axis by the inverse of that distribution.
 * Variances of paired counts are the delta method's; half a frame is added to each of the four counts, so
 * that counts of 0 have an interval, too.
 */
#include "bench/map/stat.h"

#include <math.h>

static bool is_wrong(const struct trial *trial, size_t frame)
{
    return trial->frame[frame] & FRAME_WRONG;
}

struct paired stat_pair(const struct trial *a, const struct trial *b, size_t frames)
{
    struct paired pairs = {.frames = frames};

    for (size_t f = 0; f < frames; f++) {
        const bool a_wrong = is_wrong(a, f), b_wrong = is_wrong(b, f);

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

/* probit(rate of b) - probit(rate of a), and what a wrong frame of each adds to its probit. */
struct step {
    struct mean z;
    double a_weight, b_weight;
};

static struct step between(const struct paired *pairs)
{
    const double n = (double)pairs->frames + 2, both = ((double)pairs->both + 0.5) / n;
    const double a = both + ((double)pairs->only_a + 0.5) / n;
    const double b = both + ((double)pairs->only_b + 0.5) / n;
    const double za = stat_probit(a), zb = stat_probit(b);
    const double wa = 1 / density(za), wb = 1 / density(zb);
    const double variance = a * (1 - a) * wa * wa + b * (1 - b) * wb * wb -
                            2 * (both - a * b) * wa * wb;

    return (struct step){{zb - za, sqrt(fmax(variance, 0) / n)}, wa, wb};
}

struct slope stat_slope(const struct trial *below, const struct trial *at, size_t frames,
                        double step_db)
{
    const struct paired pairs = stat_pair(at, below, frames);
    const struct step step = between(&pairs);

    /* A slope that may as well be none says nothing about dB. */
    return (struct slope){.known = step.z.mean > 2 * step.z.sd && pairs.both + pairs.only_b >= 8,
                          .per_db = step.z.mean / step_db,
                          .sd = step.z.sd / step_db,
                          .step_db = step_db,
                          .frames = frames,
                          .below = below,
                          .at = at,
                          .below_weight = step.b_weight,
                          .at_weight = step.a_weight};
}

/* Of a frame's part in the step from a to b, and of that in the slope: luck in `ref` changes both. */
static double covariance(const struct trial *a, const struct trial *b, size_t frames,
                         const struct step *step, const struct slope *slope)
{
    const size_t n = frames < slope->frames ? frames : slope->frames;
    double sum_x = 0, sum_y = 0, sum_xy = 0;

    for (size_t f = 0; f < n; f++) {
        const double x = is_wrong(b, f) * step->b_weight - is_wrong(a, f) * step->a_weight;
        const double y = is_wrong(slope->below, f) * slope->below_weight -
                         is_wrong(slope->at, f) * slope->at_weight;

        sum_x += x;
        sum_y += y;
        sum_xy += x * y;
    }
    return sum_xy / (double)n - sum_x / (double)n * (sum_y / (double)n);
}

struct gap stat_gap(const struct trial *a, const struct trial *b, size_t frames,
                    const struct slope *slope)
{
    const struct paired pairs = stat_pair(a, b, frames);
    const struct step step = between(&pairs);
    const double db = step.z.mean / slope->per_db;
    double common, variance;

    if (!slope->known)
        return (struct gap){0};
    common = covariance(a, b, frames, &step, slope) / (double)frames / slope->step_db;
    variance = step.z.sd * step.z.sd + db * db * slope->sd * slope->sd - 2 * db * common;
    return (struct gap){true, db, sqrt(fmax(variance, step.z.sd * step.z.sd / 16)) / slope->per_db};
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

/* Of a frame that nobody checks there is nothing to say. */
static int more_failed(unsigned flags)
{
    if (!(flags & FRAME_CHECKED))
        return 0;
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

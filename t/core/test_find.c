/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for an error rate, on curves that are known. */
#include "run/sweep/find.h"

#include "t/lib/tap.h"

#include <fecrun/sdk/stats.h>
#include <math.h>
#include <stdint.h>

enum { TRIALS = 400, ERRORS = 100, PLACES = 3001, STRIDE = 50 };

static uint64_t state = 88172645463325252u;

static double draw(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return ((double)(state >> 11) + 0.5) / (double)((uint64_t)1 << 53);
}

/* Places are 0.02 dB from -30 dB on; the curve is 0.01 at `center` dB, and bends as waterfalls do. */
static double curve(size_t at, double center, double decades)
{
    const double db = -30 + 0.02 * (double)at - center;
    const double exponent = -2 - decades * db - 0.15 * decades * db * fabs(db);

    return exponent > -0.05 ? 0.89 : pow(10, exponent);
}

/* Frames until the errors are there or so many are through: from wrong one to wrong one. */
static struct find_point measure(size_t at, double p, double wanted)
{
    const uint64_t most = (uint64_t)(2 * ERRORS / wanted);
    struct find_point point = {.at = at};
    uint64_t frames = 0, errors = 0;

    while (errors < ERRORS) {
        const double gap = 1 + floor(log(draw()) / log1p(-p));
        if ((double)frames + gap > (double)most) {
            frames = most;
            break;
        }
        frames += (uint64_t)gap;
        errors++;
    }
    fecrun_interval(errors, frames, 0.95, &point.low, &point.high);
    point.rate = find_rate((double)errors / (double)frames, errors, errors == ERRORS);
    return point;
}

static struct found search(double center, double decades, double wanted, size_t start, size_t *n)
{
    struct find find = {.rate = wanted, .count = PLACES, .start = start, .walk = STRIDE};
    size_t at;

    while (find_next(&find, &at)) {
        const struct find_point point = measure(at, curve(at, center, decades), wanted);
        find_add(&find, &point);
    }
    *n = find.n;
    return find_result(&find);
}

static void try_curve(double decades)
{
    unsigned held = 0, sure = 0;
    double points = 0, off = 0, wide = 0;

    for (unsigned t = 0; t < TRIALS; t++) {
        const double center = 1 + 2 * draw(), truth = (center + 30) / 0.02;
        size_t n;
        const struct found found = search(center, decades, 0.01, 1500, &n);

        held += found.known && found.low <= truth && truth <= found.high;
        sure += found.sure;
        points += (double)n / TRIALS;
        off += (found.at - truth) / TRIALS;
        wide += (found.high - found.low) / 2 / TRIALS;
    }
    diag("%g decades a dB: held %u, sure %u of %u, %.1f points, off by %.3f, +-%.2f", decades, held,
         sure, TRIALS, points, off, wide);
    /* three standard deviations of 400 and 0.95 are 13 */
    ok(held >= 380 - 13, "%g decades a dB: its interval holds it in 95 of 100", decades);
    ok(fabs(off) < 0.2, "in the middle");
    if (decades >= 1)
        ok(sure == TRIALS && points < 30, "to one step, with not too many points");
}

static void try_ends(void)
{
    struct find find = {.rate = 0.01, .count = 11, .start = 5, .walk = 2};
    struct found found;
    size_t at, n;

    found = search(40, 1, 0.01, 1500, &n);
    ok(!found.known && found.above, "a curve that stays above");
    found = search(-45, 1, 0.01, 1500, &n);
    ok(!found.known && found.below, "one that lies below");
    found = search(-10, 1, 0.01, 1500, &n);
    ok(found.known && fabs(found.at - 1000) < 3, "it walks down, too");
    ok(!find_result(&find).known, "nothing is known at first");
    ok(find_next(&find, &at) && at == 5, "it begins at the start");
    /* a wall between two places */
    while (find_next(&find, &at)) {
        const struct find_point wall = at <= 6 ? (struct find_point){at, 1, 0.96, 1}
                                               : (struct find_point){at, 0, 0, 0.0037};
        find_add(&find, &wall);
    }
    found = find_result(&find);
    ok(found.known && found.sure && found.low == 6 && found.high == 7 && find.n < 8,
       "a wall is between two places");
}

int main(void)
{
    try_ends();
    try_curve(0.3);
    try_curve(1);
    try_curve(3);
    try_curve(10);
    return done_testing();
}

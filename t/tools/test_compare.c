/* SPDX-License-Identifier: BSD-2-Clause */
/* What compare says about counts: its level, what it finds, the gap between two curves. */
#include "tools/fecrun/cmd_compare.h"

#include <math.h>

#include "tools/fecrun/cmd_compare_stats.h"
#include "t/lib/tap.h"

enum { TRIALS = 2000, POINTS = 4, DISCORDANT = 60 };

static uint64_t state = 88172645463325252u;

static double draw(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / (double)((uint64_t)1 << 53);
}

/* How often of TRIALS two decoders are found different, of whose discordant frames B has that share. */
static int found(double share)
{
    int n = 0;

    for (int t = 0; t < TRIALS; t++) {
        struct compared points[POINTS] = {0};

        for (int i = 0; i < POINTS; i++) {
            points[i].pairs.frames = 1000;
            for (int k = 0; k < DISCORDANT; k++)
                *(draw() < share ? &points[i].pairs.only_b : &points[i].pairs.only_a) += 1;
        }
        n += !compare_equally_good(points, POINTS);
    }
    return n;
}

static void try_level(void)
{
    const int equal = found(0.5), worse = found(0.65);

    diag("found different: %d of %d equal, %d unequal", equal, TRIALS, worse);
    ok(equal <= 20 + 14, "equal decoders are called different once in 100 trials at most");
    ok(worse > TRIALS * 95 / 100, "65 of 100 discordant frames on one side are found");
}

/* Sums of binomial coefficients, by hand. */
static void try_test(void)
{
    ok(compare_paired(0, 0) == 1 && compare_paired(7, 7) == 1, "no difference: p = 1");
    ok(fabs(compare_paired(0, 5) - 2.0 / 32) < 1e-12, "0 and 5: 2 / 32");
    ok(fabs(compare_paired(8, 2) - 2.0 * (45 + 10 + 1) / 1024) < 1e-12, "8 and 2: 112 / 1024");
    ok(compare_paired(2, 8) == compare_paired(8, 2), "two-sided");
    ok(compare_paired(600000, 600100) > 0.9 && compare_paired(600000, 610000) < 1e-15,
       "large numbers, too");
}

/* ---- Two runs that know nothing of each other ---- */

static const struct {
    struct compare_two two;
    double p;
} fisher[] = {
    /* twice the smaller tail of SciPy's hypergeometric distribution */
    {{{100, 100}, {165, 135}}, 0.01879471334},
    {{{100, 100}, {80060, 58065}}, 0.0278015158},
    {{{3, 9}, {10, 12}}, 0.09121219338},
    {{{0, 7}, {50, 60}}, 0.02427310661},
    {{{1000000, 1005000}, {2000000000, 2000000000}}, 0.0004135172025},
    {{{50, 40}, {50, 50}}, 0.001186839345},
    {{{0, 0}, {50, 50}}, 1},
    {{{50, 60}, {50, 60}}, 1},
};

/* Frames until ERRORS of them are wrong, as a run's stop rule has it. */
static uint64_t frames_for(int errors, double rate)
{
    double frames = 0;

    for (int k = 0; k < errors; k++)
        frames += 1 + floor(log(draw() + 1e-300) / log1p(-rate));
    return (uint64_t)frames;
}

/* How often of TRIALS two curves are called different, the second one's rates being that much larger. */
static int found_apart(double factor)
{
    static const double rates[POINTS] = {0.5, 0.1, 0.01, 0.001};
    int n = 0;

    for (int t = 0; t < TRIALS; t++) {
        struct compare_two all[POINTS];
        double least = 1;

        for (int i = 0; i < POINTS; i++) {
            const double rate = rates[i] * (factor > 1 && i == 0 ? 1.2 : factor);
            all[i] = (struct compare_two){{100, 100},
                                          {frames_for(100, rates[i]), frames_for(100, rate)}};
            least = fmin(least, compare_unpaired(&all[i]));
        }
        n += !compare_is_level(compare_strata(all, POINTS), least, POINTS);
    }
    return n;
}

static void try_unpaired(void)
{
    int equal, worse;
    double low, high;

    for (size_t i = 0; i < sizeof fisher / sizeof *fisher; i++) {
        const struct compare_two *two = &fisher[i].two;
        const struct compare_two other = {{two->errors[1], two->errors[0]},
                                          {two->trials[1], two->trials[0]}};

        ok(fabs(compare_unpaired(two) / fisher[i].p - 1) < 1e-6 &&
               fabs(compare_unpaired(&other) / fisher[i].p - 1) < 1e-6,
           "Fisher: %g, in either order", fisher[i].p);
    }
    compare_ratio(&(struct compare_two){{100, 100}, {1000000, 500000}}, 0.95, &low, &high);
    ok(low < 2 && high > 2 && low > 1.5 && high < 2.7, "a ratio of 2 is within %g .. %g", low,
       high);
    compare_ratio(&(struct compare_two){{0, 5}, {1000, 1000}}, 0.95, &low, &high);
    ok(low > 0 && isinf(high), "over nothing there is no upper end");
    equal = found_apart(1);
    worse = found_apart(1.5);
    diag("two results called different: %d of %d equal, %d unequal", equal, TRIALS, worse);
    ok(equal <= 20 + 14, "equal results are called different once in 100 trials at most");
    ok(worse > TRIALS * 95 / 100, "half as many frame errors again are found");
}

static struct compared at(double db, uint64_t a, uint64_t b)
{
    return (struct compared){.ebn0_db = db, .pairs = {.frames = 10000, .only_a = a, .only_b = b}};
}

static void try_gap(void)
{
    /* a decade a dB, B half a dB behind: through 0.1 at 1 dB and 1.5 dB */
    const struct compared points[] = {at(0, 10000, 10000), at(1, 1000, 3162), at(2, 100, 316)};
    struct gap gap = compare_gap(points, 3, 0.1);

    ok(gap.known && fabs(gap.db - 0.5) < 1e-3, "half a dB: %g", gap.db);
    gap = compare_gap(points, 3, 0.05);
    ok(gap.known && fabs(gap.db - 0.5) < 1e-3, "at another rate, too: %g", gap.db);
    ok(!compare_gap(points, 3, 1e-3).known, "where a curve does not reach the rate: not known");
    ok(!compare_gap(points, 1, 0.1).known, "one point is no curve");
}

int main(void)
{
    try_test();
    try_level();
    try_gap();
    try_unpaired();
    return done_testing();
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/schedule/stats.h"
#include "t/lib/tap.h"

#include <fecrun/sdk/stats.h>
#include <math.h>

static void near(double got, double want, double tolerance, const char *format, uint64_t k,
                 uint64_t n)
{
    bool pass = want == 0 ? got == 0 : fabs(got - want) <= tolerance * fabs(want);

    ok(pass, format, k, n);
    if (!pass)
        diag("got %.17g, want %.17g", got, want);
}

struct known {
    uint64_t errors, trials;
    double low, high;
};

/* Computed with mpmath at 60 digits; 95 %. */
static const struct known known[] = {
    {0, 10, 0.0, 0.308497107818761},
    {1, 1, 0.025, 1.0},
    {0, 1, 0.0, 0.975},
    {5, 100, 0.0164318791820522, 0.112834911105463},
    {1, 10, 0.00252857854446178, 0.445016117028195},
    {10, 10, 0.691502892181239, 1.0},
    {9, 10, 0.554983882971805, 0.997471421455538},
    {50, 100, 0.398321129503301, 0.601678870496699},
    {100, 1000000, 8.13647087416014e-5, 0.000121625478571245},
    {1, 1000000000000000, 2.53178079842899e-17, 5.57164339093889e-15},
    {100, 1000000000000000, 8.13639912509239e-14, 1.21626793792425e-13},
    {3, 9007199254740992, 6.86864035532421e-17, 9.733628425204e-16},
    {100000, 10000000, 0.0099384230568477, 0.0100618608901823},
    {1000000, 1000000000, 0.000998041960675846, 0.00100196092881979},
    {2000001, 4000000, 0.499510134152041, 0.500490365847597},
    {3000000, 1000000000, 0.00299661127733245, 0.00300339160017079},
    {10000000, 1000000000000000, 9.99380299691523e-9, 1.00061998977005e-8},
    {999999, 1000000, 0.999994428369345, 0.999999974682192},
    {9007199254740892, 9007199254740992, 0.999999999999986, 0.999999999999991},
    {999999995000000, 1000000000000000, 0.999999994995615, 0.999999995004382},
};

static void test_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct known *k = &known[i];
        double low, high;

        fecrun_interval(k->errors, k->trials, 0.95, &low, &high);
        near(low, k->low, 1e-9, "low end of %" PRIu64 " in %" PRIu64, k->errors, k->trials);
        near(high, k->high, 1e-9, "high end of %" PRIu64 " in %" PRIu64, k->errors, k->trials);
    }
}

static void test_edges(void)
{
    double low, high, more_low, more_high;

    fecrun_interval(0, 0, 0.95, &low, &high);
    ok(low == 0 && high == 1, "no trials");
    fecrun_interval(3, 2, 0.95, &low, &high);
    fecrun_interval(2, 2, 0.95, &more_low, &more_high);
    ok(low == more_low && high == 1, "more errors than trials");
    fecrun_interval(10, 100, 0.95, &low, &high);
    fecrun_interval(10, 100, 0.99, &more_low, &more_high);
    ok(more_low < low && more_high > high, "more confidence, more width");
    for (uint64_t n = 1; n <= 40; n++) {
        for (uint64_t k = 0; k <= n; k++) {
            double l, h, ml, mh;

            fecrun_interval(k, n, 0.95, &l, &h);
            fecrun_interval(n - k, n, 0.95, &ml, &mh);
            if (!(l <= (double)k / (double)n && h >= (double)k / (double)n) ||
                fabs(l - (1 - mh)) > 1e-13 || fabs(h - (1 - ml)) > 1e-13)
                ok(false, "%" PRIu64 " of %" PRIu64 ": %g .. %g", k, n, l, h);
        }
    }
    ok(true, "symmetry, and the ratio lies inside");
    /* Where one method takes over from the other. */
    fecrun_interval(1999999, 1000000000, 0.95, &low, &high);
    fecrun_interval(2000002, 1000000000, 0.95, &more_low, &more_high);
    ok(more_low > low && fabs((more_low - low) / 3e-9 - 1) < 1e-3, "no step in the low end");
    ok(more_high > high && fabs((more_high - high) / 3e-9 - 1) < 1e-3, "no step in the high end");
}

struct clustered {
    struct stats_clusters counts;
    double low, high;
};

/* Computed with SciPy's quantiles of the beta distribution and of Student's t; 95 %. */
static const struct clustered clustered[] = {
    {{100, 5, 6400, 64, 820}, 0.00172357239906, 0.0312458697311},
    {{1000, 100, 500000, 1500, 45000}, 0.00223550957225, 0.00394103916901},
    {{1000, 3, 500000, 30, 302}, 2.10775284599e-07, 0.000473936211831},
    {{2000, 1900, 200000, 10000, 60000}, 0.049023395021, 0.0509903880263},
};

static void test_clustered(void)
{
    struct stats_clusters counts = {1000, 0, 64000, 0, 0};
    double low, high, bits_low, bits_high;

    for (size_t i = 0; i < sizeof clustered / sizeof clustered[0]; i++) {
        const struct clustered *c = &clustered[i];

        stats_clustered(&c->counts, 0.95, &low, &high);
        near(low, c->low, 1e-6, "low end of %" PRIu64 " in %" PRIu64, c->counts.errors,
             c->counts.trials);
        near(high, c->high, 1e-6, "high end of %" PRIu64 " in %" PRIu64, c->counts.errors,
             c->counts.trials);
    }
    stats_clustered(&counts, 0.95, &low, &high);
    fecrun_interval(0, 1000, 0.95, &bits_low, &bits_high);
    ok(low == 0 && high == bits_high, "without errors: that of the clusters");
    counts = (struct stats_clusters){1000, 1000, 64000, 32000, 32 * 32000};
    stats_clustered(&counts, 0.95, &low, &high);
    fecrun_interval(32000, 64000, 0.95, &bits_low, &bits_high);
    ok(low == bits_low && high == bits_high, "no variance: no narrower than that of bits");
    counts = (struct stats_clusters){1, 1, 64, 3, 9};
    stats_clustered(&counts, 0.95, &low, &high);
    ok(low == 0 && high == 1, "one cluster says nothing of their variance");
    counts = (struct stats_clusters){1000, 2, 64000, 100, STATS_UNKNOWN};
    stats_clustered(&counts, 0.95, &low, &high);
    ok(isnan(low) && isnan(high), "squares that are not known");
    ok(stats_add_squares(STATS_UNKNOWN - 2, 1) == STATS_UNKNOWN - 1 &&
           stats_add_squares(STATS_UNKNOWN - 1, 1) == STATS_UNKNOWN &&
           stats_add_squares(1, STATS_UNKNOWN) == STATS_UNKNOWN &&
           stats_add_squares(3, UINT64_MAX) == STATS_UNKNOWN,
       "too large a sum is not known, in any order");
}

int main(void)
{
    test_known();
    test_edges();
    test_clustered();
    return done_testing();
}

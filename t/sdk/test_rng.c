/* SPDX-License-Identifier: BSD-2-Clause */
/* core/sdk: the random words, the Gaussian samples made of them, and the bit helpers. */
#include "t/lib/tap.h"
#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/gauss.h>
#include <fecrun/sdk/rng.h>

#include <math.h>

/* Known answers of Random123's kat_vectors, philox4x32 with 10 rounds. */
static void test_known_answers(void)
{
    struct fecrun_rng zero = {0, 0, 0};
    struct fecrun_rng ones = {UINT64_MAX, UINT32_MAX, UINT32_MAX};
    struct fecrun_rng pi = {0x299f31d0a4093822u, 0x03707344, 0x8a2e};
    philox4x32_ctr_t x = fecrun_rng_block(&zero, 0, 0);

    ok(x.v[0] == 0x6627e8d5 && x.v[1] == 0xe169c58d && x.v[2] == 0xbc57ac4c && x.v[3] == 0x9b00dbd8,
       "Philox, all zero");
    x = fecrun_rng_block(&ones, UINT64_MAX, UINT32_MAX);
    ok(x.v[0] == 0x408f276d && x.v[1] == 0x41c83b0e && x.v[2] == 0xa20bc7c6 && x.v[3] == 0x6d5451fd,
       "Philox, all ones");
    x = fecrun_rng_block(&pi, 0x131985a308d3u, 0x243f6a88);
    ok(x.v[0] == 0xd16cfe09 && x.v[1] == 0x94fdcceb && x.v[2] == 0x5001e420 && x.v[3] == 0x24126ea1,
       "Philox: block, frame, stage, point and seed in their places");
}

static void test_words(void)
{
    struct fecrun_rng rng = {42, 7, 3};
    uint32_t words[4 * 37];
    bool same = true;

    fecrun_rng_words(&rng, 5, UINT32_MAX - 9, words, 37);
    for (uint32_t b = 0; b < 37; b++) {
        philox4x32_ctr_t x = fecrun_rng_block(&rng, 5, UINT32_MAX - 9 + b);

        same = same && memcmp(words + 4 * b, x.v, 16) == 0;
    }
    ok(same, "many blocks at once are the same words");
}

/* Against libm, over words of all sizes; small differences only. */
static void test_formula(void)
{
    double radius_error = 0, angle_error = 0;

    for (uint64_t w = 0; w <= UINT32_MAX; w += 1 + w / 4096) {
        double want = sqrt(-2 * log((w + 0.5) / 4294967296.0));
        double got = fecrun_gauss_radius((uint32_t)w);

        /* Near u = 1 the word itself is rounded, to steps of 2^-24. */
        if (w < 4000000000u)
            radius_error = fmax(radius_error, fabs(got - want) / want);
    }
    for (uint64_t w = 0; w <= UINT32_MAX; w += 65521) {
        double quadrant = (double)(w >> 30);
        double angle = M_PI / 2 * (quadrant + (int32_t)(w << 2) / 4294967296.0);
        float c, s;

        fecrun_gauss_angle((uint32_t)w, &c, &s);
        angle_error = fmax(angle_error, fmax(fabs(c - cos(angle)), fabs(s - sin(angle))));
    }
    ok(radius_error < 1e-6, "radius: relative error %g", radius_error);
    ok(angle_error < 2e-7, "sine and cosine: error %g", angle_error);
    ok(fabs(fecrun_gauss_radius(0) - 6.7637) < 1e-4, "the largest radius is 6.76");
    ok(fecrun_gauss_radius(UINT32_MAX) == 0, "the smallest radius is 0");
}

/* The same bits on all machines and compilers: a hash of the first samples of a frame. */
static void test_fingerprint(void)
{
    enum { N = 100003 };
    static float x[N];
    struct fecrun_rng rng = {1, 2, 3};
    uint64_t hash = 0xcbf29ce484222325u;
    float part[10];

    fecrun_gauss(&rng, 4, 0, x, N);
    for (int i = 0; i < N; i++)
        hash = (hash ^ fecrun_float_bits(x[i])) * 0x100000001b3u;
    is_int(hash, 2023607595610323546, "100003 samples have the bits they always had");
    fecrun_gauss(&rng, 4, 1028, part, 10);
    ok(memcmp(part, x + 1028, sizeof part) == 0, "a part of a frame is that part");
}

enum { BINS = 500 };

struct moments {
    double n, sum[5];
    double bins[BINS];
    double over4, over5;
};

static void add_sample(struct moments *m, double x, bool all)
{
    double a = fabs(x), power = x;

    m->over4 += a > 4;
    m->over5 += a > 5;
    if (!all)
        return;
    for (int k = 1; k <= 4; k++, power *= x)
        m->sum[k] += power;
    m->bins[(int)fmin(BINS - 1, BINS * 0.5 * erfc(-x * M_SQRT1_2))]++;
    m->n++;
}

/* Bounds are five standard deviations of the estimate. */
static void test_distribution(void)
{
    enum { FRAMES = 200, ALL = 20, N = 500000 };
    static float x[N];
    static struct moments m;
    struct fecrun_rng rng = {2026, 0, 1};
    double total = (double)FRAMES * N, chi2 = 0, p4 = erfc(4 * M_SQRT1_2), p5 = erfc(5 * M_SQRT1_2);

    for (int f = 0; f < FRAMES; f++) {
        fecrun_gauss(&rng, (uint64_t)f, 0, x, N);
        for (int i = 0; i < N; i++)
            add_sample(&m, x[i], f < ALL);
    }
    for (int i = 0; i < BINS; i++)
        chi2 += pow(m.bins[i] - m.n / BINS, 2) / (m.n / BINS);
    ok(fabs(m.sum[1] / m.n) < 5 / sqrt(m.n), "mean %g", m.sum[1] / m.n);
    ok(fabs(m.sum[2] / m.n - 1) < 5 * sqrt(2 / m.n), "variance %g", m.sum[2] / m.n);
    ok(fabs(m.sum[3] / m.n) < 5 * sqrt(15 / m.n), "third moment %g", m.sum[3] / m.n);
    ok(fabs(m.sum[4] / m.n - 3) < 5 * sqrt(96 / m.n), "fourth moment %g", m.sum[4] / m.n);
    ok(fabs(chi2 - (BINS - 1)) < 5 * sqrt(2.0 * (BINS - 1)), "chi-square %g of %d bins", chi2,
       BINS);
    ok(fabs(m.over4 - total * p4) < 5 * sqrt(total * p4), "%.0f samples above 4 sigma, %.1f due",
       m.over4, total * p4);
    ok(fabs(m.over5 - total * p5) < 5 * sqrt(total * p5), "%.0f samples above 5 sigma, %.1f due",
       m.over5, total * p5);
}

static void test_bits(void)
{
    enum { N = 4099 };
    static uint8_t a[N], b[N], back[N], pa[N / 8 + 1], pb[N / 8 + 1];
    struct fecrun_rng rng = {9, 9, 9};
    bool good = true;

    for (int i = 0; i < N; i++) {
        philox4x32_ctr_t x = fecrun_rng_block(&rng, 0, (uint32_t)i);

        a[i] = x.v[0] & 1;
        b[i] = x.v[1] & 1;
    }
    for (size_t n = 0; n <= N; n += n < 70 ? 1 : 251) {
        uint64_t want = 0;

        memset(pa, 0xff, sizeof pa);
        fecrun_bits_pack(pa, a, n);
        fecrun_bits_pack(pb, b, n);
        fecrun_bits_unpack(back, pa, n);
        good = good && memcmp(a, back, n) == 0;
        good = good && (n % 8 == 0 || (pa[n / 8] & (0xff >> n % 8)) == 0);
        for (size_t i = 0; i < n; i++) {
            want += a[i] != b[i];
            good = good && (pa[i / 8] >> (7 - i % 8) & 1) == a[i];
        }
        good = good && fecrun_bits_differ_u8(a, b, n) == want;
        good = good && fecrun_bits_differ_packed(pa, pb, n) == want;
    }
    ok(good, "pack, unpack and count of all lengths");
    is_int(fecrun_bits_check(a, N), N, "bits are 0 or 1");
    a[1003] = 2;
    is_int(fecrun_bits_check(a, N), 1003, "a 2 is found");
}

int main(void)
{
    test_known_answers();
    test_words();
    test_formula();
    test_fingerprint();
    test_distribution();
    test_bits();
    return done_testing();
}

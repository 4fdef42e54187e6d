/* SPDX-License-Identifier: BSD-2-Clause */
/* Losses from paired counts: of frames whose Es/N0 of success is drawn, so that the loss is known. */
#include "bench/map/stat.h"
#include "t/lib/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static double uniform(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double gauss(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Published quantiles of the normal distribution. */
static void test_probit(void)
{
    ok(fabs(stat_probit(0.975) - 1.959963984540054) < 1e-9, "97.5 %%");
    ok(fabs(stat_probit(0.1) + 1.281551565544600) < 1e-9, "10 %%");
    ok(fabs(stat_probit(0.001) + 3.090232306167813) < 1e-9, "0.1 %%");
    ok(fabs(stat_normal(1) - 0.841344746068543) < 1e-12, "the share below 1");
}

/* ---- Drawn frames ---- */

struct trials {
    struct trial below, a, b;
};

struct truth {
    size_t frames;
    double fer, per_db, loss_db;
    double alike; /* correlation of the two decoders' limits */
    double step_db;
};

static void make(struct trial *trial, size_t frames)
{
    trial->frame = calloc(frames, sizeof *trial->frame);
    trial->iterations = calloc(frames, sizeof *trial->iterations);
    trial->n = frames;
    if (!trial->frame || !trial->iterations)
        abort();
}

static void drop(struct trial *trial)
{
    free(trial->frame);
    free(trial->iterations);
}

/* A frame is right from its limit on: for b the same normal distribution, loss_db higher. */
static void draw(struct trials *t, const struct truth *truth)
{
    const double at = -stat_probit(truth->fer);

    for (size_t f = 0; f < truth->frames; f++) {
        const double a = gauss();
        const double b = truth->alike * a + sqrt(1 - truth->alike * truth->alike) * gauss() +
                         truth->loss_db * truth->per_db;

        t->below.frame[f] = a > at - truth->step_db * truth->per_db ? FRAME_WRONG : 0;
        t->a.frame[f] = a > at ? FRAME_WRONG : 0;
        t->b.frame[f] = b > at ? FRAME_WRONG : 0;
    }
}

/* Of 400 experiments, in how many is the true loss in the 95 % interval? 380 +- 4.4 if all is right. */
static void covers(const struct truth *truth, int least, const char *what)
{
    enum { EXPERIMENTS = 400 };
    struct trials t = {0};
    int inside = 0, known = 0;
    double sum = 0;

    state = 1;
    make(&t.below, truth->frames);
    make(&t.a, truth->frames);
    make(&t.b, truth->frames);
    for (int i = 0; i < EXPERIMENTS; i++) {
        struct slope slope;
        struct gap gap;

        draw(&t, truth);
        slope = stat_slope(&t.below, &t.a, truth->frames / 2, truth->step_db);
        gap = stat_gap(&t.a, &t.b, truth->frames, &slope);
        known += gap.known;
        sum += gap.known ? gap.db : 0;
        inside += gap.known && stat_low(&gap, 1.96) <= truth->loss_db &&
                  stat_high(&gap, 1.96) >= truth->loss_db;
    }
    ok(known == EXPERIMENTS && inside >= least && inside <= 395,
       "%s: the interval holds the loss in %d of 400, known in %d, mean %.4f", what, inside, known,
       sum / EXPERIMENTS);
    ok(fabs(sum / EXPERIMENTS - truth->loss_db) < 0.1 * truth->loss_db + 0.004, "%s: no bias",
       what);
    drop(&t.below);
    drop(&t.a);
    drop(&t.b);
}

/* ---- Counts ---- */

static void test_counts(void)
{
    uint8_t a[] = {4, 5, 7, 6, 4, 5, 7, 1}, b[] = {5, 5, 4, 4, 6, 4, 7, 0};
    uint16_t turns_a[] = {1, 2, 3, 4, 1, 1, 1, 1}, turns_b[] = {2, 4, 6, 8, 2, 2, 2, 2};
    const struct trial first = {.frame = a, .iterations = turns_a, .n = 8};
    const struct trial second = {.frame = b, .iterations = turns_b, .n = 8};
    const struct paired pairs = stat_pair(&first, &second, 8);

    ok(pairs.both == 2 && pairs.only_a == 3 && pairs.only_b == 1, "wrong frames in pairs");
    /* failed - wrong: of a 0 -1 0 1 0 -1 0, of b -1 -1 0 0 1 0 0; the last is not checked */
    ok(fabs(stat_failed(&first, &second, 8).mean) < 1e-12, "failed beyond wrong, in the mean");
    ok(fabs(stat_failed(&first, &second, 8).sd - sqrt(4.0 / 8 / 8)) < 1e-12, "its deviation");
    ok(fabs(stat_iterations(&first, &second, 8, 1.5).mean - 0.5 * 14 / 8) < 1e-12, "iterations");
}

static void test_unknown(void)
{
    uint8_t none[64] = {0}, many[64] = {0};
    const struct trial right = {.frame = none, .n = 64}, wrong = {.frame = many, .n = 64};
    struct slope slope = stat_slope(&right, &right, 64, 0.2);
    struct gap gap;

    memset(many, FRAME_WRONG, 32);
    gap = stat_gap(&right, &wrong, 64, &slope);
    ok(!slope.known && !gap.known && stat_high(&gap, 1.96) == INFINITY,
       "without errors there is no slope, and no loss is known");
    slope = stat_slope(&wrong, &wrong, 64, 0.2);
    ok(!slope.known, "nor where errors do not become fewer");
}

int main(void)
{
    test_probit();
    covers(&(struct truth){1000, 0.1, 4, 0.05, 0.9, 0.19}, 368, "a tenth, 0.05 dB");
    covers(&(struct truth){300, 0.1, 8, 0.05, 0.95, 0.095}, 365, "300 frames, a steep curve");
    covers(&(struct truth){1000, 0.1, 4, 0.4, 0.7, 0.19}, 368, "0.4 dB");
    covers(&(struct truth){1000, 0.1, 1, 0, 0.99, 0.76}, 368, "none");
    covers(&(struct truth){10000, 0.001, 3, 0.1, 0.95, 0.17}, 362, "a thousandth, 0.1 dB");
    test_counts();
    test_unknown();
    return done_testing();
}

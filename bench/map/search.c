/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Twelve frames or so at a time, the same ones with the same noise: up or down until about half of them are
 * wrong, then twice where a fitted curve has a tenth of them.
 */
#include "bench/map/search.h"

#include <math.h>
#include <string.h>

#define FRONT_NS 25.0               /* a coded bit, up to its LLR */
#define RANGE_DB 14.0               /* around the guess */
#define TENTH (-1.2815515655446004) /* stat_probit(0.1) */

double search_cost(const struct cell *cell, double iterations)
{
    return FRONT_NS * cell->coded + cell->cost * (cell->iterations ? iterations : 1);
}

/* ---- The curve ---- */

/* A place on the curve in deviations of the normal distribution, no further out than counts tell. */
static double place(const struct tried *tried, double tenth, double per_db)
{
    return fmin(fmax(TENTH - per_db * (tried->db - tenth), -6), 6);
}

/* Logarithm of the likelihood of what was counted, with a weak belief in a common slope. */
static double likelihood(const struct search *search, double tenth, double per_db)
{
    const double belief = log(per_db / 4) / 0.9;
    double sum = -belief * belief / 2;

    for (unsigned i = 0; i < search->n; i++) {
        const struct tried *t = &search->tried[i];
        const double z = place(t, tenth, per_db);

        sum += (double)t->wrong * log(stat_normal(z)) +
               (double)(t->frames - t->wrong) * log(stat_normal(-z));
    }
    return sum;
}

/* The likeliest place of a tenth with this slope: where the likelihood, which has one maximum, does not
   rise any more. */
static double likeliest(const struct search *search, double per_db)
{
    double low = INFINITY, high = -INFINITY;

    for (unsigned i = 0; i < search->n; i++) {
        low = fmin(low, search->tried[i].db - 8);
        high = fmax(high, search->tried[i].db + 8);
    }
    for (int step = 0; step < 32; step++) {
        const double middle = (low + high) / 2;
        double rise = 0;

        for (unsigned i = 0; i < search->n; i++) {
            const struct tried *t = &search->tried[i];
            const double z = place(t, middle, per_db), p = stat_normal(z);

            rise += ((double)t->wrong - (double)t->frames * p) * exp(-z * z / 2) / (p * (1 - p));
        }
        *(rise > 0 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* By golden section over the logarithm of the slope. */
static void fit(struct search *search)
{
    const double golden = 0.6180339887498949;
    double low = log(0.2), high = log(60), left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double at_left = likelihood(search, likeliest(search, exp(left)), exp(left));
    double at_right = likelihood(search, likeliest(search, exp(right)), exp(right));

    for (int step = 0; step < 24; step++) {
        if (at_left > at_right) {
            high = right, right = left, at_right = at_left;
            left = high - golden * (high - low);
            at_left = likelihood(search, likeliest(search, exp(left)), exp(left));
        } else {
            low = left, left = right, at_left = at_right;
            right = low + golden * (high - low);
            at_right = likelihood(search, likeliest(search, exp(right)), exp(right));
        }
    }
    search->per_db = exp((low + high) / 2);
    search->tenth_db = likeliest(search, search->per_db);
}

void search_add(struct search *search, double db, size_t frames, size_t wrong)
{
    if (search->n == SEARCH_TRIED)
        memmove(search->tried, search->tried + 1, --search->n * sizeof *search->tried);
    search->tried[search->n++] = (struct tried){db, frames, wrong};
    fit(search);
}

static double rounded(double db)
{
    return round(db * 1000) / 1000;
}

double search_db(const struct search *search, double fer)
{
    return rounded(search->tenth_db + (TENTH - stat_probit(fer)) / search->per_db);
}

/* ---- Frames ---- */

/* Counts wrong frames; -1: failed. */
static int try(struct search *search, const struct cell *cell, double db, size_t frames,
               struct fecrun_message *message)
{
    const struct variant variant = {.esn0_db = rounded(db), .backend = "ref"};
    struct trial trial;
    struct counts counts;
    int status;

    if (trial_open(&trial, cell, &variant, message))
        return -1;
    status = trial_need(&trial, frames, message);
    if (!status) {
        counts = trial_count(&trial, frames);
        search->spent += (double)frames * search_cost(cell, counts.iterations / (double)frames);
        search->tried[search->n++] = (struct tried){variant.esn0_db, frames, counts.wrong};
        status = (int)counts.wrong;
    }
    trial_close(&trial);
    return status;
}

/* Two neighbours, of which the lower has half of its frames wrong and the upper has not. 1: none. */
static int bracket(struct search *search, const struct cell *cell, size_t frames, double *low,
                   double *high, struct fecrun_message *message)
{
    const double guess = cell_guess_db(cell);
    double db = guess, step = 1;
    int wrong = try(search, cell, db, frames, message);
    const bool up = wrong >= 0 && 2 * (size_t)wrong >= frames;

    for (int moves = 0; wrong >= 0 && up == (2 * (size_t)wrong >= frames); moves++) {
        if (fabs(db - guess) > RANGE_DB)
            return 1;
        *(up ? low : high) = db;
        step = moves < 3 ? 1 : 2;
        db += up ? step : -step;
        wrong = try(search, cell, db, frames, message);
    }
    *(up ? high : low) = db;
    return wrong < 0 ? -1 : 0;
}

static size_t frames_for(double budget, double cost, size_t least, size_t most)
{
    const double frames = budget / cost;

    return frames < (double)least ? least : frames > (double)most ? most : (size_t)frames;
}

int search_run(struct search *search, const struct cell *cell, double budget,
               struct fecrun_message *message)
{
    const double cost = search_cost(cell, cell->iterations);
    const size_t few = frames_for(budget / 2 / 8, cost, 6, 16);
    const size_t many = frames_for(budget / 2 / 3, cost, 12, 80);
    double low = 0, high = 0;
    int status;

    memset(search, 0, sizeof *search);
    if ((status = bracket(search, cell, few, &low, &high, message)))
        return status;
    while (high - low > 0.3) {
        const double middle = (low + high) / 2;
        const int wrong = try(search, cell, middle, few, message);

        if (wrong < 0)
            return -1;
        *(2 * (size_t)wrong >= few ? &low : &high) = middle;
    }
    for (int i = 0; i < 6; i++) {
        const struct tried *last = &search->tried[search->n - 1];
        const double rate = (double)last->wrong / (double)last->frames;

        if (i >= 3 && rate > 0.06 && rate < 0.17)
            break;
        fit(search);
        if (try(search, cell, search_db(search, i ? 0.1 : 0.2), many, message) < 0)
            return -1;
    }
    fit(search);
    /* A floor above the rate that is wanted: errors that Es/N0 does not mend. */
    return search_db(search, 0.1) > cell_guess_db(cell) + RANGE_DB ? 1 : 0;
}

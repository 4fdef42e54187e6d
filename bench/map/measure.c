/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One cell: the Es/N0 where `ref` with float LLRs loses a tenth of its frames, and one where it loses a
 * thousandth; there all decoders on the same frames, until each one's loss is known or the cell's effort
 * is used up. Effort is counted in iterations of `ref` on coded bits, not in time, so that counts do not
 * depend on the machine.
 */
#include "bench/map/map.h"
#include "bench/map/search.h"

#include <math.h>
#include <string.h>

const double map_fer[MAP_POINTS] = {0.1, 0.001};
const unsigned map_more[MAP_MORE] = {20, 50, 100};
const char *const fault_names[FAULTS] = {"loss", "failed", "iterations", "more"};

#define SURE 3.0       /* standard deviations: beyond a limit, and not by chance */
#define ENOUGH_DB 0.02 /* half of a 95 % interval */

enum { ATTEMPTS = 60, LEAST_FRAMES = 64, LEAST_WRONG = 20, LOW_FRAMES = 4000, MOST_FRAMES = 60000 };

/* All decoders of a cell at one Es/N0. */
struct field {
    const struct cell *cell;
    struct trial ref;   /* float LLRs */
    struct trial below; /* the same, with more noise */
    struct trial same;  /* the cell's LLRs; closed where these are floats */
    struct trial own[MAP_BACKENDS];
    struct fecrun_message *message;
};

static const struct trial *same_of(const struct field *field)
{
    return field->same.prepared ? &field->same : &field->ref;
}

static void close_field(struct field *field)
{
    trial_close(&field->ref);
    trial_close(&field->below);
    trial_close(&field->same);
    for (unsigned b = 0; b < MAP_BACKENDS; b++)
        trial_close(&field->own[b]);
}

/* Backends that do not take the cell say why. */
static int open_field(struct field *field, struct result *result, const struct options *options,
                      double esn0_db, double step_db)
{
    struct variant variant = {.esn0_db = esn0_db, .backend = "ref"};

    if (trial_open(&field->ref, field->cell, &variant, field->message))
        return -1;
    variant.esn0_db -= step_db;
    if (trial_open(&field->below, field->cell, &variant, field->message))
        return -1;
    variant.esn0_db = esn0_db;
    variant.quantized = true;
    if (field->cell->llr != LLR_F32 &&
        trial_open(&field->same, field->cell, &variant, field->message))
        return -1;
    for (unsigned b = 0; b < options->n_backends; b++) {
        variant.backend = options->backend[b];
        result->backend[b].taken = !trial_open(&field->own[b], field->cell, &variant,
                                               field->message);
        if (!result->backend[b].taken)
            snprintf(result->backend[b].reason, MAP_REASON, "%.*s", MAP_REASON - 1,
                     field->message->text);
    }
    return 0;
}

/* ---- Frames, until losses are known ---- */

static bool known(const struct gap *gap, double limit, double enough)
{
    return gap->known && (1.96 * gap->sd <= enough || stat_high(gap, 2.58) < limit ||
                          stat_low(gap, 2.58) > limit);
}

static void judge(struct judged *judged, const struct field *field, unsigned b,
                  const struct slope *slope, double most_iterations, size_t frames)
{
    const struct trial *own = &field->own[b], *same = same_of(field);

    judged->measured = true;
    judged->frames = frames;
    judged->own = trial_count(own, frames);
    judged->same = trial_count(same, frames);
    judged->decoder = stat_gap(same, own, frames, slope);
    judged->total = stat_gap(&field->ref, own, frames, slope);
    judged->failed = stat_failed(same, own, frames);
    judged->slower = stat_iterations(same, own, frames, most_iterations);
    judged->iterations = judged->same.iterations > 0
                             ? judged->own.iterations / judged->same.iterations
                             : 0;
}

/* A look at all decoders after so many frames. 1: all is known. */
static int look(struct field *field, struct result *result, unsigned p,
                const struct options *options, size_t frames, double step_db)
{
    struct point_result *point = &result->point[p];
    bool settled = true;

    if (trial_need(&field->ref, frames, field->message) ||
        (field->same.prepared && trial_need(&field->same, frames, field->message)))
        return -1;
    /* The slope need not be known as well as the rates. */
    if (trial_count(&field->below, field->below.n).wrong < 60 &&
        trial_need(&field->below, frames, field->message))
        return -1;
    point->ref = trial_count(&field->ref, frames);
    point->slope = stat_slope(&field->below, &field->ref, field->below.n, step_db);
    for (unsigned b = 0; b < options->n_backends; b++) {
        struct judged *judged = &result->backend[b].at[p];

        if (!result->backend[b].taken)
            continue;
        if (trial_need(&field->own[b], frames, field->message))
            return -1;
        judge(judged, field, b, &point->slope, options->limits.iterations, frames);
        settled = settled && known(&judged->decoder, options->limits.loss, ENOUGH_DB) &&
                  known(&judged->total, options->limits.loss, 2 * ENOUGH_DB);
    }
    return settled && point->ref.wrong >= LEAST_WRONG;
}

static double field_cost(const struct field *field)
{
    const struct counts ref = trial_count(&field->ref, field->ref.n);

    return search_cost(field->cell, ref.iterations / (double)ref.frames);
}

static int fill_field(struct field *field, struct result *result, unsigned p,
                      const struct options *options, double budget, double step_db)
{
    const double trials = field->same.prepared ? 2.5 : 1.5;
    size_t frames = p ? LOW_FRAMES : LEAST_FRAMES, most = MOST_FRAMES;
    int status;

    for (;;) {
        status = look(field, result, p, options, frames, step_db);
        if (status || frames >= most)
            break;
        most = (size_t)fmin(budget / (trials * field_cost(field)), MOST_FRAMES);
        frames += frames / 2;
        if (frames > most)
            frames = most;
        if (frames <= field->ref.n)
            break;
    }
    result->spent += trials * field_cost(field) * (double)field->ref.n;
    return status < 0 ? -1 : 0;
}

/* ---- More iterations ---- */

/* Are those that only b gets wrong too many for chance, against those that only a does? */
static bool is_worse(const struct paired *pairs)
{
    const double more = (double)pairs->only_b - (double)pairs->only_a;

    return more >= 3 && more > SURE * sqrt((double)(pairs->only_a + pairs->only_b));
}

static int more_iterations(struct more *more, const struct cell *cell, double esn0_db,
                           const char *backend, size_t frames, struct fecrun_message *message)
{
    struct trial trial[MAP_MORE] = {{0}};
    int status = 0;

    for (unsigned i = 0; i < MAP_MORE && !status; i++) {
        const struct variant variant = {
            .esn0_db = esn0_db, .quantized = true, .backend = backend, .iterations = map_more[i]};

        status = trial_open(&trial[i], cell, &variant, message) ||
                 trial_need(&trial[i], frames, message);
        if (status)
            break;
        more->wrong[i] = trial_count(&trial[i], frames).wrong;
        if (i) {
            const struct paired pairs = stat_pair(&trial[0], &trial[i], frames);

            more->worse = more->worse || is_worse(&pairs);
        }
    }
    more->frames = status ? 0 : frames;
    for (unsigned i = 0; i < MAP_MORE; i++)
        trial_close(&trial[i]);
    return status ? -1 : 0;
}

static int measure_more(struct result *result, const struct options *options, double budget,
                        struct fecrun_message *message)
{
    const struct point_result *point = &result->point[0];
    const struct counts *ref = &point->ref;
    const double mean = ref->iterations / (double)ref->frames;
    const double rate = (double)ref->wrong / (double)ref->frames;
    /* Frames that are wrong take all iterations; others as many as they take now, about. */
    const double turns = result->cell.stops ? 3 * mean + rate * (20 + 50 + 100) : 20 + 50 + 100;
    const double most = budget / (search_cost(&result->cell, turns / 3) * 3);
    const size_t frames = (size_t)fmin(fmin(most, (double)ref->frames), 2000);

    if (result->cell.family != FAMILY_LDPC || frames < 16)
        return 0;
    result->spent += (double)frames * 3 * search_cost(&result->cell, turns / 3);
    if (more_iterations(&result->more, &result->cell, point->esn0_db, "ref", frames, message))
        return -1;
    for (unsigned b = 0; b < options->n_backends; b++)
        if (result->backend[b].taken &&
            more_iterations(&result->backend[b].more, &result->cell, point->esn0_db,
                            options->backend[b], frames, message))
            return -1;
    return 0;
}

/* ---- A cell ---- */

/* How much more noise the slope is taken from: three times as many errors at a tenth, five times as many
   at a thousandth. */
static double step_of(const struct search *search, unsigned p)
{
    const double step = (stat_probit(p ? 0.005 : 0.3) - stat_probit(map_fer[p])) / search->per_db;

    return fmin(fmax(round(step * 1000) / 1000, 0.02), 4);
}

static int measure_point(struct result *result, unsigned p, const struct options *options,
                         struct search *search, double budget, struct fecrun_message *message)
{
    struct field field = {.cell = &result->cell, .message = message};
    struct point_result *point = &result->point[p];
    const double step_db = step_of(search, p);
    int status;

    point->esn0_db = search_db(search, map_fer[p]);
    status = open_field(&field, result, options, point->esn0_db, step_db) ||
             fill_field(&field, result, p, options, budget, step_db);
    if (!status) {
        const struct counts below = trial_count(&field.below, field.below.n);

        point->measured = true;
        point->slope.below = point->slope.at = NULL;
        search_add(search, point->esn0_db, point->ref.frames, point->ref.wrong);
        search_add(search, point->esn0_db - step_db, below.frames, below.wrong);
    }
    close_field(&field);
    return status ? -1 : 0;
}

/* Counts some frames of `ref` where a thousandth should be lost; -1: failed. */
static int try_low(struct result *result, double esn0_db, double *budget,
                   struct fecrun_message *message)
{
    const struct variant at = {.esn0_db = esn0_db, .backend = "ref"};
    struct trial trial;
    int status;

    if (trial_open(&trial, &result->cell, &at, message))
        return -1;
    status = trial_need(&trial, LOW_FRAMES, message);
    if (!status) {
        const struct counts counts = trial_count(&trial, LOW_FRAMES);
        const double cost = LOW_FRAMES * search_cost(&result->cell, counts.iterations / LOW_FRAMES);

        result->spent += cost;
        *budget -= cost;
        status = (int)counts.wrong;
    }
    trial_close(&trial);
    return status;
}

/* Goes down from where a tenth is lost to where a thousandth is: the curve's end need not be what its
   upper part promises. */
static int approach(struct result *result, struct search *search, double *budget,
                    struct fecrun_message *message)
{
    double esn0_db = search_db(search, map_fer[1]);

    search->n = 0;
    search_add(search, result->point[0].esn0_db, result->point[0].ref.frames,
               result->point[0].ref.wrong);
    for (int i = 0; i < 3; i++, esn0_db = search_db(search, map_fer[1])) {
        const int wrong = try_low(result, esn0_db, budget, message);

        if (wrong < 0)
            return -1;
        /* From two places on that have errors the upper part counts no more. */
        if (search->n == 2 && wrong && search->tried[1].wrong) {
            search->tried[0] = search->tried[1];
            search->n = 1;
        }
        search_add(search, esn0_db, LOW_FRAMES, (size_t)wrong);
        if (wrong >= 2 && wrong <= 10)
            break;
    }
    return 0;
}

/* The second point costs at least as many frames as let one see ten errors. */
static int measure_low(struct result *result, const struct options *options, struct search *search,
                       struct fecrun_message *message)
{
    const struct counts *ref = &result->point[0].ref;
    double budget = options->effort - result->spent;
    const double cost = 2.5 * search_cost(&result->cell, ref->iterations / (double)ref->frames);

    if (budget < cost * 10000)
        return 0;
    if (approach(result, search, &budget, message))
        return -1;
    return measure_point(result, 1, options, search, budget, message);
}

static void judge_limits(struct result *result, const struct options *options)
{
    const struct limits *limits = &options->limits;
    const double loss = cell_is_coarse(&result->cell) ? limits->coarse : limits->loss;

    for (unsigned b = 0; b < options->n_backends; b++) {
        struct backend_result *own = &result->backend[b];

        own->beyond[FAULT_MORE] = own->more.worse;
        for (unsigned p = 0; p < MAP_POINTS; p++) {
            struct judged *j = &own->at[p];

            if (!j->measured)
                continue;
            j->beyond[FAULT_LOSS] = stat_low(&j->decoder, SURE) > loss;
            j->beyond[FAULT_FAILED] = j->failed.mean > limits->failed &&
                                      j->failed.mean > SURE * j->failed.sd;
            j->beyond[FAULT_ITERATIONS] = j->slower.mean > SURE * j->slower.sd;
            for (enum fault f = 0; f < FAULTS; f++)
                own->beyond[f] = own->beyond[f] || j->beyond[f];
        }
    }
}

/* 0: this cell can be used. 1: another one is to be drawn. -1: message. */
static int try_cell(struct result *result, const struct options *options, struct search *search,
                    struct fecrun_message *message)
{
    const struct variant guess = {
        .esn0_db = cell_guess_db(&result->cell), .backend = "ref", .quantized = true};
    struct trial trial;
    const int status = trial_open(&trial, &result->cell, &guess, message);

    if (status)
        return message->status == 1 ? -1 : 1;
    trial_close(&trial);
    return search_run(search, &result->cell, 0.15 * options->effort, message);
}

void measure_cell(struct result *result, const struct options *options, unsigned number)
{
    struct fecrun_message message = {.size = sizeof message};
    struct search search;
    int status = 1;

    memset(result, 0, sizeof *result);
    for (unsigned attempt = 0; status == 1 && attempt < ATTEMPTS; attempt++) {
        cell_draw(&result->cell, options->seed, number, attempt, options->family);
        result->attempts = attempt;
        status = try_cell(result, options, &search, &message);
    }
    if (!status) {
        result->spent = search.spent;
        status = measure_point(result, 0, options, &search, 0.45 * options->effort, &message) ||
                 measure_more(result, options, 0.2 * options->effort, &message) ||
                 measure_low(result, options, &search, &message);
    }
    if (status) {
        result->status = status;
        snprintf(result->error, sizeof result->error, "%s%.*s",
                 status == 1 ? "no cell could be used; the last message: " : "", 400, message.text);
    }
    judge_limits(result, options);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/walk.h"

#include "run/schedule/stats.h"

#include <math.h>
#include <string.h>

#define PATIENCE 2 /* times the frames that the errors take at the wanted rate */

static double value_at(const struct pipeline_sweep *sweep, double at)
{
    double first = 0, last = 0;

    conf_float(sweep->values[0], &first);
    conf_float(sweep->values[sweep->count - 1], &last);
    return sweep->count > 1 ? first + (last - first) / (double)(sweep->count - 1) * at : first;
}

static bool is_search(const struct walk *walk)
{
    return walk->last && walk->last->find_rate > 0;
}

/* A search anew, for the present values of the other sweeps. Returns where it starts. */
static size_t begin_search(struct walk *walk)
{
    const struct pipeline_sweep *sweep = walk->last;
    const double step = value_at(sweep, 1) - value_at(sweep, 0);

    walk->share = 1;
    walk->find = (struct find){.rate = sweep->find_rate,
                               .count = sweep->count,
                               .start = sweep->find_start,
                               .walk = step > 0 && step < 1 ? (size_t)lround(1 / step) : 1};
    return sweep->find_start;
}

size_t walk_begin(struct walk *walk, const struct session *session)
{
    *walk = (struct walk){.last = pipeline_walk(session->pipeline)};
    return is_search(walk) ? begin_search(walk) : 0;
}

void walk_limits(const struct walk *walk, struct run_limits *limits)
{
    double most;

    if (!is_search(walk) || !limits->frame_errors)
        return;
    most = ceil(PATIENCE * (double)limits->frame_errors * walk->share / walk->last->find_rate);
    if (most < 0x1p48 && (!limits->frames || most < (double)limits->frames))
        limits->frames = (uint64_t)most;
}

void result_ber_interval(const struct result_point *point, double *low, double *high)
{
    const struct run_counts *counts = &point->counts;
    const struct stats_clusters clusters = {.clusters = counts->frames,
                                            .hit = counts->frame_errors,
                                            .trials = counts->bits,
                                            .errors = counts->bit_errors,
                                            .squares = counts->squares};

    stats_clustered(&clusters, 0.95, low, high);
}

/* A search gets what the point came to, whose place on its grid is `at`. */
static void note(struct walk *walk, const struct result_point *point, size_t at)
{
    const struct run_counts *counts = &point->counts;
    const double fer = (double)counts->frame_errors / (double)counts->frames;
    const double ber = (double)counts->bit_errors / (double)counts->bits;
    const bool by_errors = point->stop && !strcmp(point->stop, "frame_errors");
    struct find_point to = {.at = at};

    to.rate = find_rate(walk->last->find_ber ? ber : fer, counts->frame_errors, by_errors);
    if (walk->last->find_ber)
        result_ber_interval(point, &to.low, &to.high);
    else
        stats_interval(counts->frame_errors, counts->frames, 0.95, &to.low, &to.high);
    if (walk->last->find_ber && fer > 0)
        walk->share = ber / fer;
    find_add(&walk->find, &to);
}

static void say(const struct walk *walk, const struct pipeline *pipeline, size_t number,
                struct result_found *to)
{
    struct found found = find_result(&walk->find);

    found.at = value_at(walk->last, found.at);
    found.low = value_at(walk->last, found.low);
    found.high = value_at(walk->last, found.high);
    *to = (struct result_found){.sweep = walk->last,
                                .others = {.n = pipeline->n_sweeps - 1,
                                           .sweeps = pipeline->sweeps,
                                           .at = number / walk->last->count},
                                .points = walk->find.n,
                                .found = found};
}

int walk_next(struct walk *walk, const struct session *session, const struct result_point *point,
              size_t *number, struct result_found *found, struct diag *diag)
{
    const struct pipeline_sweep *last = walk->last;
    const struct run_counts *counts = &point->counts;
    const size_t at = last ? *number % last->count : 0, base = *number - at;
    size_t next;

    if (last && !(counts->counted && counts->frames && counts->bits))
        return diag_fail_at(diag, DIAG_USAGE, last->mark,
                            "sweep.%s.%s: %s wants error rates, but no sink of this file counts "
                            "errors",
                            last->stage, last->param, pipeline_walk_name(last));
    if (is_search(walk)) {
        note(walk, point, at);
        if (find_next(&walk->find, &next))
            return *number = base + next, 1;
        say(walk, session->pipeline, *number, found);
        *number = base + last->count + begin_search(walk);
    } else if (last && (double)counts->frame_errors / (double)counts->frames <= last->until_fer) {
        *number = base + last->count;
    } else {
        ++*number;
    }
    return *number < session_points(session);
}

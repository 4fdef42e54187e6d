/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/sweep_impl.h"

#include "run/schedule/stats.h"

#include <fecrun/sdk/stats.h>
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

/* A search anew, for the present values of the other sweeps. */
static void begin_search(struct walk *walk)
{
    const struct pipeline_sweep *sweep = walk->last;
    const double step = value_at(sweep, 1) - value_at(sweep, 0);

    if (!sweep || !(sweep->find_rate > 0))
        return;
    walk->share = 1;
    walk->find = (struct find){.rate = sweep->find_rate,
                               .count = sweep->count,
                               .start = sweep->find_start,
                               .walk = step > 0 && step < 1 ? (size_t)lround(1 / step) : 1};
    walk->number += sweep->find_start;
}

void walk_begin(struct walk *walk, const struct session *session)
{
    *walk = (struct walk){.session = session,
                          .last = pipeline_walk(session->pipeline),
                          .points = session_points(session),
                          .fer = NAN,
                          .share = 1};
    if (walk->last)
        begin_search(walk);
}

void walk_limits(const struct walk *walk, struct run_limits *limits)
{
    double most;

    if (!walk->last || !(walk->last->find_rate > 0) || !limits->frame_errors)
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

void walk_note(struct walk *walk, const struct result_point *point)
{
    const struct run_counts *counts = &point->counts;
    const bool known = counts->counted && counts->frames && counts->bits;
    const double fer = known ? (double)counts->frame_errors / (double)counts->frames : NAN;
    const double ber = known ? (double)counts->bit_errors / (double)counts->bits : NAN;
    const bool by_errors = point->stop && !strcmp(point->stop, "frame_errors");
    struct find_point *to = &walk->point;

    walk->fer = fer;
    if (!known || !walk->last || !(walk->last->find_rate > 0))
        return;
    to->rate = find_rate(walk->last->find_ber ? ber : fer, counts->frame_errors, by_errors);
    if (walk->last->find_ber)
        result_ber_interval(point, &to->low, &to->high);
    else
        fecrun_interval(counts->frame_errors, counts->frames, 0.95, &to->low, &to->high);
    if (walk->last->find_ber && fer > 0)
        walk->share = ber / fer;
}

static void say(const struct walk *walk, struct result_found *to)
{
    const struct found found = find_result(&walk->find);

    *to = (struct result_found){.sweep = walk->last,
                                .others = {.n = walk->session->pipeline->n_sweeps - 1,
                                           .sweeps = walk->session->pipeline->sweeps,
                                           .at = walk->number / walk->last->count},
                                .points = walk->find.n,
                                .known = found.known,
                                .value = value_at(walk->last, found.at),
                                .low = value_at(walk->last, found.low),
                                .high = value_at(walk->last, found.high),
                                .sure = found.sure,
                                .above = found.above,
                                .below = found.below};
}

int walk_next(struct walk *walk, struct result_found *found, struct diag *diag)
{
    const struct pipeline_sweep *last = walk->last;
    const size_t at = last ? walk->number % last->count : 0, base = walk->number - at;

    found->sweep = NULL;
    if (last && isnan(walk->fer))
        return diag_fail_at(diag, DIAG_USAGE, last->mark,
                            "sweep.%s.%s: %s wants error rates, but no sink of this file counts "
                            "errors",
                            last->stage, last->param, pipeline_walk_name(last));
    if (last && last->find_rate > 0) {
        size_t next;
        walk->point.at = at;
        find_add(&walk->find, &walk->point);
        if (find_next(&walk->find, &next))
            return walk->number = base + next, 1;
        say(walk, found);
        walk->number = base + last->count;
        begin_search(walk);
    } else if (last && walk->fer <= last->until_fer) {
        walk->number = base + last->count;
    } else {
        walk->number++;
    }
    return walk->number < walk->points;
}

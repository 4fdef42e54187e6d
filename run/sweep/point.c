/* SPDX-License-Identifier: BSD-2-Clause */
/* What follows from a point's counts. */
#include "run/sweep/sweep_impl.h"

#include "run/schedule/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

void result_count(struct result_point *point, const struct run_counts *counts)
{
    point->counts = *counts;
    if (counts->blocks)
        point->iterations_mean = (double)counts->iterations / (double)counts->blocks;
    if (!point->split)
        point->counts.blocks = point->counts.block_errors = point->counts.blocks_judged = 0;
}

/* One ratio for the table only if all classes of blocks have it. */
void point_snr(const struct shape *shape, struct result_point *result)
{
    double eb, es;

    plan_snr(shape->plans[0], &result->ebn0_db, &result->esn0_db);
    for (size_t c = 1; c < shape->n_classes; c++) {
        plan_snr(shape->plans[c], &eb, &es);
        if (!(fabs(eb - result->ebn0_db) < 1e-9))
            result->ebn0_db = NAN;
        if (!(fabs(es - result->esn0_db) < 1e-9))
            result->esn0_db = NAN;
    }
}

#define TEXT_SIZE 256

/* Swept parameters and their canonical values, as the point's plan has them: values stand behind
   the n names. free() it; NULL: out of memory. */
const char **point_names(const struct shape *shape)
{
    const struct plan *plan = shape->plans[0];
    const size_t n = shape->point.n;
    const char **names = calloc(n + 1, 2 * (sizeof *names + TEXT_SIZE));
    char *text = (char *)(names + 2 * n);

    for (size_t i = 0; names && i < n; i++, text += 2 * TEXT_SIZE) {
        const struct pipeline_sweep *s = &shape->point.sweeps[i];
        const struct param_set *set = plan->stages[graph_find(plan->graph, s->stage)].params;
        snprintf(text, TEXT_SIZE, "%s.%s", s->stage, s->param);
        names[i] = text;
        names[n + i] = param_text(set, (size_t)param_index(set, s->param), text + TEXT_SIZE,
                                  TEXT_SIZE);
    }
    return names;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* run --stats: the time of each stage. */
#ifndef FECRUN_TOOL_RUN_STATS_H
#define FECRUN_TOOL_RUN_STATS_H

#include "core/batch/times.h"
#include "run/sweep/point.h"

#include <jansson.h>
#include <stdio.h>

/* Of all points so far. */
struct run_stats {
    struct times times;
    double seconds, thread_seconds; /* by the clock; and times the threads */
    uint64_t frames, info_bits;     /* all that went through, counted or not */
    unsigned workers;
    char *backends[GRAPH_MAX_STAGES]; /* the present ones; "in ID": absorbed */
};

/* -1: out of memory. */
int run_stats_add(struct run_stats *stats, const struct result_point *point);
/* The same of one point: {"stages":[...], "copies":[...], "rest_seconds":} */
json_t *run_stats_json(const struct result_point *point);
/* A table of at most 80 columns. */
void run_stats_print(const struct run_stats *stats, const struct graph *graph, FILE *out);
void run_stats_free(struct run_stats *stats);

#endif

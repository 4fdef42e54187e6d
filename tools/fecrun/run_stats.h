/* SPDX-License-Identifier: BSD-2-Clause */
/* run --stats: the time of each stage. */
#ifndef FECRUN_TOOL_RUN_STATS_H
#define FECRUN_TOOL_RUN_STATS_H

#include "core/batch/times.h"
#include "run/sweep/point.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>

struct times {
    struct stage_time stages[GRAPH_MAX_STAGES];
};

/* Of all points so far. */
struct run_stats {
    pthread_mutex_t lock; /* of `now` */
    struct times now;     /* since the last point */
    struct times times;
    double seconds, thread_seconds; /* by the clock; and times the threads */
    uint64_t frames, info_bits;     /* all that went through, counted or not */
    unsigned workers;
    char *backends[GRAPH_MAX_STAGES]; /* the present ones; "in ID": absorbed */
};

void run_stats_begin(struct run_stats *stats);
/* times_watch.took; data: the stats. */
void run_stats_took(void *data, size_t stage, const struct stage_time *time);
/* A point has ended: its times are added. -1: out of memory. */
int run_stats_add(struct run_stats *stats, const struct result_point *point);
/* The times of a point: {"stages":[...], "copies":[...], "rest_seconds":} */
json_t *run_stats_json(const struct times *times, const struct result_point *point);
/* A table of at most 80 columns. */
void run_stats_print(const struct run_stats *stats, const struct graph *graph, FILE *out);
void run_stats_free(struct run_stats *stats);

#endif

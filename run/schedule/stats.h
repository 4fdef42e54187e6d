/* SPDX-License-Identifier: BSD-2-Clause */
/* Intervals of errors that come in clusters. */
#ifndef FECRUN_RUN_SCHEDULE_STATS_H
#define FECRUN_RUN_SCHEDULE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Counts of things that come in clusters: errors among the bits of frames. Clusters are of about the
   same size and know nothing of each other. */
struct stats_clusters {
    uint64_t clusters, hit; /* hit: those with at least one error */
    uint64_t trials, errors;
    uint64_t squares; /* sum over the clusters of their errors squared; STATS_UNKNOWN: not known */
};

#define STATS_UNKNOWN ((uint64_t)INT64_MAX)

/* a + b, or STATS_UNKNOWN where one is that, or the sum too large. In any order the same. */
uint64_t stats_add_squares(uint64_t a, uint64_t b);

/*
 * Interval of errors / trials by the clusters' own variance (Korn and Graubard 1998): Clopper-Pearson
 * of as many independent trials as have it, fewer where few clusters were hit. Without errors: of the
 * clusters, for a cluster has at least as large a share of being hit as a trial. NaN: not known.
 */
void stats_clustered(const struct stats_clusters *counts, double confidence, double *low,
                     double *high);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers about counts. */
#ifndef FECRUN_RUN_SCHEDULE_STATS_H
#define FECRUN_RUN_SCHEDULE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Clopper-Pearson interval of a proportion: `errors` of `trials`, two-sided confidence (0.95).
   trials 0: [0, 1]; more errors than trials count as all. Accurate to 1e-9 relative up to
   trials = 2^53. */
void stats_interval(uint64_t errors, uint64_t trials, double confidence, double *low, double *high);

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

/* McNemar's exact test, two-sided: of a + b frames that only one of two decoders got right, a or more
   extreme numbers went to the first with this probability, were both equally good. */
double stats_paired(uint64_t a, uint64_t b);

/* Errors of two runs that know nothing of each other. */
struct stats_two {
    uint64_t errors[2], trials[2];
};

/* Fisher's exact test, two-sided: were both rates the same, so unequal a split of the errors would have
   this probability. Conservative where both runs saw the same frames. */
double stats_unpaired(const struct stats_two *two);
/* Interval of the second rate over the first; exact for small rates, too wide for large ones. */
void stats_ratio(const struct stats_two *two, double confidence, double *low, double *high);
/* Cochran's test of several such pairs, each of its own rate: are those of one side larger? */
double stats_strata(const struct stats_two *strata, size_t n);

/* Quantile q (0..1) of n sorted values, linear between neighbours; 0 if n is 0. */
double stats_quantile(const double *sorted, uint64_t n, double q);

#endif

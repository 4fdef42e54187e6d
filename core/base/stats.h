/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers about counts. */
#ifndef FECRUN_BASE_STATS_H
#define FECRUN_BASE_STATS_H

#include <stdint.h>

/* Clopper-Pearson interval of a proportion: `errors` of `trials`, two-sided confidence (0.95).
   trials 0: [0, 1]; more errors than trials count as all. Accurate to 1e-9 relative up to
   trials = 2^53. */
void stats_interval(uint64_t errors, uint64_t trials, double confidence, double *low, double *high);

/* McNemar's exact test, two-sided: of a + b frames that only one of two decoders got right, a or more
   extreme numbers went to the first with this probability, were both equally good. */
double stats_paired(uint64_t a, uint64_t b);

/* Quantile q (0..1) of n sorted values, linear between neighbours; 0 if n is 0. */
double stats_quantile(const double *sorted, uint64_t n, double q);

#endif

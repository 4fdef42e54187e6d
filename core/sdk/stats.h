/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics of counted errors. */
#ifndef FECRUN_SDK_STATS_H
#define FECRUN_SDK_STATS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clopper-Pearson interval of a proportion: `errors` of `trials`, two-sided confidence (0.95).
   trials 0: [0, 1]; more errors than trials count as all. Accurate to 1e-9 relative up to
   trials = 2^53. */
void fecrun_interval(uint64_t errors, uint64_t trials, double confidence, double *low,
                     double *high);

/* Regularized incomplete beta function I_x(a, b). Of integers from 1: the probability of at least a
   successes in a+b-1 trials. */
double fecrun_beta(double a, double b, double x);

/* The x with I_x(a, b) = p. */
double fecrun_beta_quantile(double a, double b, double p);

/* Probability of k of n, 0 <= k <= n, where one is of probability x and y = 1 - x. */
double fecrun_binomial(double k, double n, double x, double y);

#ifdef __cplusplus
}
#endif

#endif

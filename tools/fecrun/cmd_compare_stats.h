/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Statistical tests of two runs: the probability of such unequal counts if both are equally good.
 */
#ifndef FECRUN_TOOL_CMD_COMPARE_STATS_H
#define FECRUN_TOOL_CMD_COMPARE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* McNemar's exact test, two-sided: of a + b frames that only one of two decoders got right, a or more
   extreme numbers went to the first with this probability, were both equally good. */
double compare_paired(uint64_t a, uint64_t b);

/* Errors of two runs that know nothing of each other. */
struct compare_two {
    uint64_t errors[2], trials[2];
};

/* Fisher's exact test, two-sided: were both rates the same, so unequal a split of the errors would have
   this probability. Conservative where both runs saw the same frames. */
double compare_unpaired(const struct compare_two *two);
/* Interval of the second rate over the first; exact for small rates, too wide for large ones. */
void compare_ratio(const struct compare_two *two, double confidence, double *low, double *high);
/* Cochran's test of several such pairs, each of its own rate: are those of one side larger? */
double compare_strata(const struct compare_two *strata, size_t n);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where does a curve fall through an error rate? Points of a grid are tried until that is known to one
 * step of it. Which ones follows from the counts alone. No pipeline, no files, no clock.
 */
#ifndef FECRUN_RUN_SWEEP_FIND_H
#define FECRUN_RUN_SWEEP_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIND_MOST = 100 }; /* points of one search */

struct find_point {
    size_t at;              /* place on the grid */
    double rate, low, high; /* with its 95 % interval; rate 0: no error yet */
};

struct find {
    double rate;  /* wanted */
    size_t count; /* places of the grid */
    size_t start; /* where to begin */
    size_t walk;  /* places to go at once until there are points on both sides */
    size_t n;
    struct find_point points[FIND_MOST]; /* by place */
};

/* What to take for a rate that was measured, errors / n, if n ended with the last error: on average its
   logarithm is that of the true rate. */
double find_rate(double rate, uint64_t errors, bool ended_by_errors);

/* Counts of one more point, a new one. */
void find_add(struct find *find, const struct find_point *point);

/* The next place to try; false: the search is over. */
bool find_next(const struct find *find, size_t *at);

/* What is known now. */
struct found {
    bool known;           /* there are points on both sides */
    double at, low, high; /* in steps of the grid; 95 % */
    bool sure;            /* to one step */
    bool above, below;    /* not known: the rate is larger, or smaller, as far as the grid goes */
};
struct found find_result(const struct find *find);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the results of `bench`. */
#ifndef FECRUN_TOOL_CMD_BENCH_H
#define FECRUN_TOOL_CMD_BENCH_H

#include "tools/fecrun/bench/bench.h"

#include <jansson.h>
#include <stdio.h>

/* The point of a sweep that is timed. */
struct benched {
    size_t point, points;
    json_t *set; /* its swept values */
    double ebn0_db, esn0_db;
};

enum bench_knee { KNEE_UNKNOWN = -1, KNEE_NO, KNEE_YES };

/* {"type":"bench", ...}; NULL without memory. */
json_t *bench_json(const struct bench_result *r, const struct benched *at, enum bench_knee knee);

void bench_print_head(FILE *out, const struct bench_result *r, const struct benched *at);
void bench_print_row(FILE *out, const struct bench_result *r);
/* What share of the machine's limits was reached. */
void bench_print_limits(FILE *out, const struct bench_result *r);

#endif

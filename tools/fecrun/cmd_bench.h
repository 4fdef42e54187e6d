/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the results of `bench`. */
#ifndef FECRUN_TOOL_CMD_BENCH_H
#define FECRUN_TOOL_CMD_BENCH_H

#include "tools/fecrun/bench/bench.h"
#include "tools/fecrun/cli.h"

#include <jansson.h>
#include <stdio.h>

/* The point of a sweep that is timed. */
struct benched {
    size_t point, points;
    json_t *set; /* its swept values */
    double ebn0_db, esn0_db;
};

struct batches;

/* What the verb works with. */
struct benching {
    const struct cli *cli;
    struct session *session;
    size_t stage;
    struct result *result;
    const struct batches *batches;
    volatile int *cancel;
    struct benched at;
    FILE *table; /* wrapped at that many columns; 0: not wrapped */
    int columns;
    size_t rows; /* of the table, of this point */
};

/* --latency: checks --rate and --seconds, and the options that say nothing about single frames. */
int bench_latency_check(const struct cli *cli, const struct session *session, struct diag *diag);
/* A row for each rate. */
int bench_latency_rows(struct benching *b, struct diag *diag);

enum bench_knee { KNEE_UNKNOWN = -1, KNEE_NO, KNEE_YES };

/* The number, or null. */
json_t *bench_json_real(bool known, double value);
/* {"type":"bench", ...}; NULL without memory. */
json_t *bench_json(const struct bench_result *r, const struct benched *at, enum bench_knee knee);

void bench_print_head(FILE *out, const struct bench_result *r, const struct benched *at);
void bench_print_row(FILE *out, const struct bench_result *r);
/* The row's last columns: error rates and frames that were compared. */
void bench_print_check(FILE *out, const struct bench_result *r);
/* "STAGE on DEVICE, backend NAME", and what its frames are. */
void bench_print_what(FILE *out, const struct bench_result *r);
void bench_print_point(FILE *out, const struct bench_result *r, const struct benched *at);
/* What share of the machine's limits was reached. */
void bench_print_limits(FILE *out, const struct bench_result *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Results on the terminal, as JSON lines and as CSV (INTERFACE: results). */
#ifndef FECRUN_RESULT_H
#define FECRUN_RESULT_H

#include "diag.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Counters of one user class of `blocks:`. */
struct result_class {
    const char *cell, *user;
    uint64_t frames, bits, bit_errors, frame_errors;
};

struct result_point {
    size_t n_set;
    const char *const *set_names;  /* swept parameters */
    const char *const *set_values; /* canonical text */
    double ebn0_db, esn0_db;       /* NaN: no such thing in this pipeline */
    bool counted;                  /* a sink.errors counted; else the error fields are null */
    bool checked;                  /* frames carry a check; else undetected is null */
    uint64_t frames, bits, bit_errors, frame_errors, undetected, failed;
    double iterations_mean;
    uint64_t iterations_max;       /* 0: no iterative decoder; both are then null */
    double seconds;
    const char *stop;              /* frame_errors | frames | seconds | end | signal */
    size_t n_classes;
    const struct result_class *classes;
    json_t *backends; /* as in the run's line; borrowed; NULL: those */
};

struct result_options {
    const char *json; /* path, "-" or NULL */
    const char *csv;  /* path, "-" or NULL */
    bool quiet;       /* no table */
};

struct result;

/* Opens temporary files beside the named ones; the table goes to stdout, or to stderr when stdout
   carries JSON or CSV. */
int result_open(struct result **result, const struct result_options *options, struct diag *diag);
/* Samples go to stdout, so the table goes to stderr. */
void result_spare_stdout(struct result *result);
/* The first JSON line; `run` is {"type":"run", ...}, stolen. */
int result_run(struct result *result, json_t *run, struct diag *diag);
int result_point(struct result *result, const struct result_point *point, struct diag *diag);
/* Any other one-line object (bench); stolen. */
int result_line(struct result *result, json_t *line, struct diag *diag);
/* {"type":"end","status":status}; flushes, renames into place. Frees result in every case. */
int result_close(struct result *result, int status, struct diag *diag);

#endif

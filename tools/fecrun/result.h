/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes results on the terminal, as JSON lines and as CSV. */
#ifndef FECRUN_TOOL_RESULT_H
#define FECRUN_TOOL_RESULT_H

#include "run/sweep/find.h"
#include "tools/fecrun/run_stats.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct result_options {
    const char *json;  /* path, "-" or NULL */
    const char *csv;   /* path, "-" or NULL */
    bool quiet;        /* no table */
    const char *html;  /* a page; path or NULL */
    const char *label; /* of the run in the page */
};

struct result;

/* Opens temporary files beside the named ones; the table goes to stdout, or to stderr when stdout
   carries JSON or CSV. */
int result_open(struct result **result, const struct result_options *options, struct diag *diag);
/* Samples go to stdout, so the table goes to stderr. */
void result_spare_stdout(struct result *result);
/* Are JSON lines written, for the user or the page? */
bool result_takes_lines(const struct result *result);
/* The first JSON line; `run` is {"type":"run", ...}, stolen. */
int result_run(struct result *result, json_t *run, struct diag *diag);
/* The same with the rows of the pipeline's `blocks:`, which may be a million. *cancel not 0 ends it: -1, and nothing
   stays. */
int result_head(struct result *result, json_t *run, const struct pipeline *pipeline,
                const volatile int *cancel, struct diag *diag);
/* times: of --stats, else NULL. backends: where they are not those of the run's line; else NULL. */
int result_point(struct result *result, const struct result_point *point, const struct times *times,
                 json_t *backends, struct diag *diag);
/* What a search of a sweep found. */
struct result_found {
    const struct pipeline_sweep *sweep; /* that was searched, for its find_rate */
    struct point others;                /* with the present values of the other sweeps */
    size_t points;                      /* that were run */
    struct found found;                 /* in the sweep's unit, not in steps */
};
/* A line {"type":"found", ...}, not for CSV, and one below the table. */
int result_found(struct result *result, const struct result_found *found, struct diag *diag);
/* The table of --stats. */
int result_stats(struct result *result, const struct run_stats *stats, const struct graph *graph,
                 struct diag *diag);
/* Any other one-line object (bench); stolen. */
int result_line(struct result *result, json_t *line, struct diag *diag);
/*
 * {"type":"end","status":status}; puts the files in place. A failed run must not replace what a former
 * one gave: its points go to NAME.partial, which the text of `why` then says; without any there is no
 * file. why: the run's error, or NULL. Frees result in every case.
 */
int result_close(struct result *result, int status, struct diag *why, struct diag *diag);

#endif

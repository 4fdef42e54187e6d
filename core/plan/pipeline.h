/* SPDX-License-Identifier: BSD-2-Clause */
/* A pipeline as its user describes it: stages by name, values that change, stop rules. */
#ifndef FECRUN_PLAN_PIPELINE_H
#define FECRUN_PLAN_PIPELINE_H

#include "core/value/conf.h"

#include <stdint.h>

struct pipeline_stage {
    const char *name;    /* "viterbi.decode" */
    const char *id;      /* id:, else the name; unique */
    const char *backend; /* own backend:, else NULL */
    struct mark backend_mark;
    const char *from; /* from:, the stage or port that feeds input 0; else NULL */
    struct mark from_mark;
    struct conf_node *params;     /* map, with the values of --set, too */
    const struct conf_node *tune; /* map or NULL */
    struct mark mark;
};

/* A swept parameter: NAME is STAGE.PARAM (id of the stage); values as text. --set of the same
   parameter leaves one value, so that results still say which point it was. */
struct pipeline_sweep {
    const char *stage, *param;
    char **values;
    size_t count;
    bool zipped; /* its values go with those of the sweep before, one with one */
    double
        until_fer; /* auto: values behind the first one with no larger FER are left out; 0: none */
    double find_rate;  /* find: only those values are run that tell where this rate is; 0: none */
    bool find_ber;     /* a bit error rate, else of frames */
    size_t find_start; /* number of the value to begin with */
    struct mark mark;
};

/* One row of `blocks:`: count frames of one user, with sizes that override parameters. */
struct pipeline_block {
    const char *cell, *user; /* "" when the column is missing */
    uint64_t count;          /* 1 .. 1e9 */
    char **sizes; /* text of an integer, one for each entry of pipeline.block_columns; NULL */
    struct mark mark;
    struct mark *marks; /* of the sizes; NULL: unknown */
};

struct pipeline {
    struct conf *conf;       /* owns all that is pointed at below, but for sweeps */
    struct conf_place place; /* base_dir: the file's directory; "." for standard input */
    uint64_t seed;
    uint64_t batch;           /* 0: the planner chooses */
    uint32_t in_flight;       /* default 3 */
    bool low_latency;         /* latency: low; else auto, the default */
    const char *backend;      /* --backend, else top-level backend; NULL: the planner chooses */
    struct mark backend_mark; /* of the file's backend:, or "--backend NAME" without a line */
    size_t n_stages;
    struct pipeline_stage *stages;
    size_t n_sweeps;
    struct pipeline_sweep *sweeps; /* several: the product, last one fastest, but for zipped ones */
    size_t n_blocks;
    struct pipeline_block *blocks;
    const char *blocks_file; /* the CSV file that has the rows; NULL: none has */
    struct mark blocks_mark; /* where it is named */
    size_t n_block_columns;
    char **block_columns;       /* names of the size columns, such as "e" */
    struct mark *column_marks;  /* where they are named */
    uint64_t stop_frame_errors; /* 0: not given */
    uint64_t stop_frames;
    double stop_seconds;
    bool stop_given; /* any of the three was given */
};

#endif

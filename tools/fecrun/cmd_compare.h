/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two runs of the same frames, and prints the result. */
#ifndef FECRUN_TOOL_CMD_COMPARE_H
#define FECRUN_TOOL_CMD_COMPARE_H

#include <stdio.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/sweep/sweep.h"
#include "tools/fecrun/cli.h"

/* Of the frames of one point, or of all. */
struct pairs {
    uint64_t frames;
    uint64_t same;                 /* as many wrong bits, the same verdict */
    uint64_t both, only_a, only_b; /* wrong frames */
};

/* One point of the sweep, in both runs. */
struct compared {
    size_t n_set;
    char **set; /* "NAME=value" */
    double ebn0_db;
    struct pairs pairs;
    double seconds[2];
    uint64_t bits;
};

/* What both backends' curves say at one frame error rate. */
struct gap {
    double fer;
    bool known; /* both curves cross it */
    double db;  /* what B needs more than A */
};

/* Is one better than the other? At a level of 1 %: half of it for the sum of all points, half for
   the points alone (Bonferroni). */
bool compare_equally_good(const struct compared *points, size_t n);
void compare_add(struct pairs *sum, const struct pairs *pairs);
/* Between the two points that enclose the rate, linear in its logarithm. */
struct gap compare_gap(const struct compared *points, size_t n, double fer);

/* A curve, one point after the other. */
struct curve_point {
    double db, fer;
};
/* Where it falls through the rate first; NaN: nowhere. */
double compare_crossing(const struct curve_point *points, size_t n, double fer);

/* At a level of 1 %, see compare_equally_good(): half of it for all points together, half for each. */
bool compare_is_level(double p_all, double p_least, size_t n);

/* A frame that the two do not have alike. */
struct differing {
    size_t point;
    uint64_t frame;
};
/* --dump: can it be? */
int compare_dump_check(const struct session *session, struct diag *diag);
/* To DIR/pointN/; frames by points. */
int compare_dump(const struct session *session, const char *dir, const struct differing *frames,
                 size_t n, struct diag *diag);

/* Two result files instead of two backends. */
int compare_files(const struct cli *cli, double fer, struct diag *diag);

/* names: of A and B */
json_t *compare_json_point(const struct compared *point, const char *const names[2]);
json_t *compare_json_end(const struct pairs *all, const struct gap *gap, bool equally_good,
                         const char *const names[2]);
void compare_print_head(FILE *out, const char *a, const char *b);
void compare_print_point(FILE *out, const struct compared *point);
void compare_print_end(FILE *out, const struct pairs *all, const struct gap *gap, bool equally_good,
                       size_t points);

#endif

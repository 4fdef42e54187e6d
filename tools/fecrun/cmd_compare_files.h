/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a result file for `compare`, and lists the defects of two of them. */
#ifndef FECRUN_TOOL_CMD_COMPARE_FILES_H
#define FECRUN_TOOL_CMD_COMPARE_FILES_H

#include "core/base/diag.h"

#include <jansson.h>
#include <stdbool.h>

/* One result file of run or merge. Zero it, set path, and free it with result_file_free(). */
struct result_file {
    const char *path;
    json_t *run;    /* its first line of type run; NULL: there is none */
    json_t *points; /* an array of its lines of type point */
    json_t *end;    /* its last line, if that is of type end; else NULL */
    size_t cut;     /* number of a last line that is not complete; 0: there is none */
};

/*
 * Reads a file. cut_allowed: a last line that is not complete becomes file->cut; else it is an error.
 * Returns 0, or -1 if the file cannot be read or is no result of run or merge. Lines may be missing.
 */
int result_file_read(struct result_file *file, bool cut_allowed, struct diag *diag);
void result_file_free(struct result_file *file);

/* Returns the first point of the file with these swept values (numbers to 9 digits), or NULL. */
const json_t *result_file_point(const struct result_file *file, const json_t *set);

/* What was found that keeps a comparison from being accepted. Each is told on stderr when it is found. */
struct defects {
    bool strict; /* --accept: they are errors; else warnings */
    bool exact;  /* --accept exact: both files must be of the same frames */
    size_t n;
};

/*
 * Tells what is missing in each of the two files: the end line, the end of the last line, points that the
 * other file has, frames of a point; and which settings make them incomparable: swept parameters, and
 * with `exact` the seed and the stop rules. Files without a run line or points are allowed.
 */
void defects_find(struct defects *defects, const struct result_file file[2]);

#endif

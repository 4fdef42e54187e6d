/* SPDX-License-Identifier: BSD-2-Clause */
/* What the result*.c files share. */
#ifndef FECRUN_RESULT_IMPL_H
#define FECRUN_RESULT_IMPL_H

#include "result.h"

#include <stdio.h>

/* A file that appears under its name when it is complete, or a stream that is just written to. */
struct output {
    FILE *stream;    /* NULL: not wanted */
    char *path;      /* as the user wrote it */
    char *target;    /* what the temporary is renamed to; NULL: no temporary */
    char *temporary;
    bool failed;
};

int output_open(struct output *output, const char *path, struct diag *diag);
/* Ends a line: what was printed is pushed out, and errors are found. */
int output_flush(struct output *output, struct diag *diag);
/* Renames into place, or drops the file after a failure. Once more is fine. */
int output_close(struct output *output, struct diag *diag);

/* An object as a row of CSV; the first one makes the header, nested keys are joined by dots. */
struct csv {
    size_t n;
    char **names;
};

int csv_row(struct csv *csv, FILE *stream, const json_t *object);
void csv_free(struct csv *csv);

/* The table for people; the first point chooses the columns. */
struct table;

struct table *table_new(void);
void table_row(struct table *table, FILE *stream, const struct result_point *point);
void table_free(struct table *table);

#endif

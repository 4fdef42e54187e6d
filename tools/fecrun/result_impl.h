/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the result*.c files. */
#ifndef FECRUN_TOOL_RESULT_IMPL_H
#define FECRUN_TOOL_RESULT_IMPL_H

#include "tools/fecrun/result.h"
#include <fecrun/sdk/replace.h>

#include <stdio.h>

/* A file that appears under its name when it is complete, or a stream that is just written to. Lines
   are printed to memory first: of a long one stdio would write parts early, and the reason why that
   failed would be gone at the end of the line. */
struct output {
    FILE *stream; /* the line that is being printed; NULL: not wanted */
    FILE *file;
    char *line;
    size_t size, room;
    char *path; /* as the user wrote it */
    struct fecrun_replace place;
    bool failed;
};

int output_open(struct output *output, const char *path, struct diag *diag);
/* The same for a file in a directory that the user names, under a name that he does not: what is there must be
   a regular file, and no link to one elsewhere. */
int output_open_own(struct output *output, const char *path, struct diag *diag);
/* To a file that is open, which stays so. */
int output_to(struct output *output, FILE *file, const char *name, struct diag *diag);
/* Ends a line: what was printed is pushed out, and errors are found. */
int output_flush(struct output *output, struct diag *diag);
/* What is in the file is worth keeping if the program ends before it is closed. */
void output_keep(struct output *output);
/* For that end: gives file i of those the name NAME.partial and returns that; NULL: no more. May be
   called in a signal handler. */
const char *output_rescue(size_t i);
/* Puts the file in place, its name with that suffix; drops it after a failure. Once more is fine. */
int output_close(struct output *output, const char *suffix, struct diag *diag);

/* --html, see result_page.c. */
struct page_output {
    struct output output; /* no stream: not wanted */
    FILE *lines;          /* the JSON lines if they have no file of their own */
    const char *read, *label;
    char name[32];
};

struct html_request;
/* Must `option`'s file be a page by its name? */
int page_check_name(const char *option, const char *path, struct diag *diag);
/* Reads the request's files and writes the page. */
int page_put(struct output *output, const struct html_request *request, struct diag *diag);
/* json: the output of JSON lines, which is opened here if there is none. */
int page_open(struct page_output *page, const struct result_options *options, struct output *json,
              struct diag *diag);
/* Writes the page of what is in the JSON file now; whole: of a run that did not fail. Once more is fine. */
int page_close(struct page_output *page, bool whole, struct diag *diag);

/* How wide is what people see? COLUMNS of the environment, or the terminal; 0: neither. */
int output_columns(FILE *file);

/* An object as a row of CSV; the first one makes the header, nested keys are joined by dots. */
struct csv {
    size_t n;
    char **names;
};

int csv_row(struct csv *csv, FILE *stream, const json_t *object);
void csv_free(struct csv *csv);

enum { RESULT_DIGITS = 12 }; /* of real numbers */

/* ,"users":[...] of a point. -1: out of memory, or as the stream says. */
int rows_put_users(FILE *stream, const struct result_point *point);
/* ,"blocks":[...] of a pipeline. Also ends if *cancel. */
int rows_put_blocks(FILE *stream, const struct pipeline *pipeline, const volatile int *cancel);

/* What a search found, as an object (NULL: no memory) and in words. */
json_t *found_json(const struct result_found *found);
void found_print(FILE *stream, const struct result_found *found);

/* A swept value, as a number or truth value if it is one. */
json_t *result_value(const char *text);
/* JSON is UTF-8; what is none (a user's name in a CSV file) loses the bytes in question. */
json_t *result_text(const char *text);

/* The table for people; the first point chooses the columns. */
struct table;

/* most: columns of the terminal; 0: lines may be as long as they like. */
struct table *table_new(int most);
/* -1: out of memory. */
int table_row(struct table *table, FILE *stream, const struct result_point *point);
void table_free(struct table *table);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What is measured of a cell, and how it is reported. */
#ifndef FECRUN_MAP_MAP_H
#define FECRUN_MAP_MAP_H

#include <stdio.h>

#include "bench/map/stat.h"

enum { MAP_BACKENDS = 4, MAP_POINTS = 2, MAP_MORE = 3, MAP_REASON = 256 };

/* What may be beyond a limit. */
enum fault {
    FAULT_LOSS,       /* against `ref` on the same LLRs */
    FAULT_FAILED,     /* frames that are failed beyond those that are wrong */
    FAULT_ITERATIONS, /* more in the mean */
    FAULT_MORE,       /* more errors with more iterations */
    FAULTS
};
extern const char *const fault_names[FAULTS];

struct limits {
    double loss, coarse; /* dB */
    double failed;       /* share of frames */
    double iterations;   /* factor */
};

struct options {
    uint64_t seed;
    unsigned cells;
    long cell;          /* this one alone; -1: all */
    enum family family; /* FAMILIES: all */
    unsigned n_backends;
    const char *backend[MAP_BACKENDS];
    unsigned threads;
    double minutes; /* no cell begins after them; 0: no end */
    double effort;  /* ns of a cell, as the cells' cost counts them */
    unsigned rows;  /* of the table */
    bool print, quiet;
    struct limits limits;
    const char *json, *page, *reasons;
    const char *command; /* as it is to be repeated: "map", and the options that change cells */
};

/* One backend at one point. */
struct judged {
    bool measured;
    size_t frames;
    struct counts own, same;   /* its own, and those of `ref` on the same LLRs */
    struct gap decoder, total; /* against `ref` on the same LLRs, and on float LLRs */
    struct mean failed;        /* excess, see stat_failed() */
    struct mean slower;        /* iterations beyond the limit, see stat_iterations() */
    double iterations;         /* its mean over that of `ref` on the same LLRs; 0: has none */
    bool beyond[FAULTS];
};

/* Errors with 20, 50 and 100 iterations. */
struct more {
    size_t frames; /* 0: not looked at */
    size_t wrong[MAP_MORE];
    bool worse; /* 50 or 100 are worse than 20, and not by chance */
};

struct backend_result {
    bool taken;
    char reason[MAP_REASON]; /* why not */
    struct judged at[MAP_POINTS];
    struct more more;
    bool beyond[FAULTS]; /* at any point */
};

struct point_result {
    bool measured;
    double esn0_db;
    struct counts ref; /* float LLRs */
    struct slope slope;
};

struct result {
    struct cell cell;
    unsigned attempts; /* cells that were drawn before it and could not be used */
    int status;        /* not 0: error says why */
    char error[512];
    struct point_result point[MAP_POINTS];
    struct more more; /* of `ref` on the cell's LLRs */
    struct backend_result backend[MAP_BACKENDS];
    double spent; /* ns, as the cells' cost counts them */
};

extern const double map_fer[MAP_POINTS]; /* the rates that points are to have */
extern const unsigned map_more[MAP_MORE];

/* Draws the cell and measures all of it. The result depends on seed, number, effort and backends'
   arithmetic alone. */
void measure_cell(struct result *result, const struct options *options, unsigned number);

/* The table, worst first; the number of cells that are beyond a limit without a reason. */
unsigned report_table(FILE *out, const struct options *options, struct result *const *results,
                      unsigned n);
/* Cells that backends do not take, a line a reason. */
void report_not_taken(FILE *out, const struct options *options, struct result *const *results,
                      unsigned n);
/* A line a cell. 0, or -1: errno says why. */
int report_json(const struct options *options, struct result *const *results, unsigned n);
/* A page in Markdown. 0, or -1. */
int report_page(const struct options *options, struct result *const *results, unsigned n);

/* Rows of table and page: a backend at a point. */
struct row {
    const struct result *result;
    unsigned backend, point;
};
/* All that were measured, worst first; free() it. NULL: out of memory. */
struct row *report_rows(struct result *const *results, unsigned n, unsigned n_backends,
                        unsigned *n_rows);
/* Does the row have this fault? What a cell has as a whole is its first point's. */
bool report_beyond(const struct row *row, enum fault fault);
/* Are there faults of the cell without a reason, those of `ref` included? */
bool report_unexplained(const struct options *options, const struct result *result);
/* The line that repeats a cell. */
void report_command(const struct options *options, const struct result *result, char *text,
                    size_t size);

/* Reads reasons; 0, or -1 with a message on stderr. path NULL: none. */
int reasons_read(const char *path);
/* The reason of a fault of a backend, or of "ref", in a cell; NULL: none is known. */
const char *reason_of(enum fault fault, const char *backend, const struct result *result);
void reasons_free(void);

#endif

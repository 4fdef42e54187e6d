/* SPDX-License-Identifier: BSD-2-Clause */
/* A figure made from result files: error-rate curves, or bars of `bench`. */
#ifndef FECRUN_TOOL_FIGURE_H
#define FECRUN_TOOL_FIGURE_H

#include "core/base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum figure_kind { FIGURE_NONE, FIGURE_CURVES, FIGURE_BARS };
enum figure_x { FIGURE_EBN0, FIGURE_ESN0, FIGURE_PARAM };

/* A point without errors is an arrow from its bound down to this part of it. */
#define FIGURE_ARROW 0.4

/* Without errors `y` is 0 and only `hi`, the upper end of its 95 % interval, can be drawn. */
struct figure_point {
    double x, y, lo, hi;
    double frames, frame_errors, bit_errors; /* NaN: not known */
};

struct figure_series {
    char *label;
    size_t group, member; /* of --group, and which one of it; else 0 and the series' number */
    size_t n;
    struct figure_point *points; /* in the order of x */
};

struct figure_bar {
    char *label;
    double gbps, end_to_end_gbps; /* of information bits; NaN: not measured */
    double p50_us, p99_us;        /* latency of a call; NaN likewise */
};

/* What no code can beat: bits a channel use of `dims` real dimensions, in frames of `bits` information bits
   (0: not known). */
struct figure_limit {
    double rate, bits;
    unsigned dims;
};

struct figure {
    enum figure_kind kind;
    bool ber; /* curves of bit errors, else of frame errors */
    enum figure_x axis;
    char *x_name; /* FIGURE_PARAM: the swept parameter */
    size_t n_series;
    struct figure_series *series;
    size_t n_groups;
    char **groups;    /* values of --group */
    char *bars_title; /* what the labels had in common; NULL: nothing */
    size_t n_bars;
    struct figure_bar *bars;
    size_t n_limits;
    struct figure_limit *limits;
};

struct figure_files {
    const char *const *paths;
    const char *const *labels; /* --label, of the files in turn, up to a NULL */
    const char *group; /* --group: the swept parameter whose values get a colour each; NULL: none */
    size_t n;
    bool ber; /* bit error rates */
};

/* Reads result files (of run, merge or bench). x is the parameter that varies within a file. */
int figure_read(struct figure *figure, const struct figure_files *files, struct diag *diag);
void figure_free(struct figure *figure);

/* Eb/N0 in dB below which nothing can be decoded. */
double figure_limit_db(const struct figure_limit *limit);
/* Is it the first limit with its rate and dimensions? */
bool figure_limit_first(const struct figure *figure, size_t i);
/*
 * Frame error rate of the best code of the limit's length at an Eb/N0, for Gaussian inputs: the normal
 * approximation Q((n C - k + log2(n) / 2) / sqrt(n V)) of Polyanskiy, Poor and Verdu, "Channel coding rate in
 * the finite blocklength regime", 2010. n counts real dimensions; C and V are those of one.
 */
double figure_normal(const struct figure_limit *limit, double ebn0_db);
/* Eb/N0 in dB at which figure_normal() is `fer`. */
double figure_normal_db(const struct figure_limit *limit, double fer);
/* Names of both for a legend; text, of at least 96 bytes, is returned. */
const char *figure_limit_name(const struct figure *figure, size_t i, char *text, size_t size);
const char *figure_normal_name(const struct figure *figure, size_t i, char *text, size_t size);
/* Bit error rate of BPSK without a code. */
double figure_uncoded(double ebn0_db);
/* "Eb/N0, dB": mathematics as gnuplot's text or as TeX. */
const char *figure_x_label(const struct figure *figure, bool tex);

struct figure_drawing {
    const char *terminal; /* gnuplot's, with its options */
    const char *output;   /* NULL: standard output */
    bool text;            /* of letters: no powers */
    bool guides;          /* uncoded BPSK, limits */
    const char *title;    /* NULL: none */
    double size[2];       /* width and height, cm, for pgfplots; 0: its own */
    double x[2], y[2];    /* ranges of the axes; both ends 0: what the points need */
};

/* What the axes of curves show. x spans decades where all of it is positive, as a probability is. */
struct figure_axes {
    double x[2], y[2];
    bool log_x;
};
/* Where the curve of figure_normal() is drawn: Eb/N0 of step k, 0 to FIGURE_STEPS. */
#define FIGURE_STEPS 40
double figure_normal_x(const struct figure_limit *limit, const struct figure_axes *axes, int k);
void figure_axes(const struct figure *figure, const struct figure_drawing *drawing,
                 struct figure_axes *axes);
/* x of the arrow of a point without errors: aside, where other series have one at the same place. */
double figure_arrow_x(const struct figure *figure, const struct figure_axes *axes, size_t series,
                      size_t point);

/* gnuplot's commands with the data inline. */
void figure_gnuplot(const struct figure *figure, const struct figure_drawing *drawing, FILE *out);
/* Lines of text that bars are as high as, or the legend of curves may be. */
size_t figure_lines(const struct figure *figure);
/* A tikzpicture for pgfplots with the data inline. */
void figure_pgfplots(const struct figure *figure, const struct figure_drawing *drawing, FILE *out);

#endif

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
};

struct figure_series {
    char *label;
    size_t n;
    struct figure_point *points; /* in the order of x */
};

struct figure_bar {
    char *label;
    double gbps, end_to_end_gbps; /* of information bits; NaN: not measured */
    double p50_us, p99_us;        /* latency of a call; NaN likewise */
};

/* The Shannon limit of a rate: bits a channel use of `dims` real dimensions. */
struct figure_limit {
    double rate;
    unsigned dims;
};

struct figure {
    enum figure_kind kind;
    bool ber; /* curves of bit errors, else of frame errors */
    enum figure_x axis;
    char *x_name; /* FIGURE_PARAM: the swept parameter */
    size_t n_series;
    struct figure_series *series;
    char *bars_title; /* what the labels had in common; NULL: nothing */
    size_t n_bars;
    struct figure_bar *bars;
    size_t n_limits;
    struct figure_limit *limits;
};

/* Adds what the result files (of run, merge or bench) hold. ber: bit error rates. */
int figure_read(struct figure *figure, const char *const *paths, size_t n, bool ber,
                struct diag *diag);
void figure_free(struct figure *figure);

/* Eb/N0 in dB below which nothing can be decoded. */
double figure_limit_db(const struct figure_limit *limit);
/* Bit error rate of BPSK without a code. */
double figure_uncoded(double ebn0_db);
/* The least and largest x, and the smallest y > 0 that is drawn, as a power of ten. */
void figure_range(const struct figure *figure, double *lo, double *hi, double *floor);
/* Is x a quantity that spans decades, as a probability does? */
bool figure_log_x(const struct figure *figure);
/* "Eb/N0, dB": mathematics as gnuplot's text or as TeX. */
const char *figure_x_label(const struct figure *figure, bool tex);

struct figure_drawing {
    const char *terminal; /* gnuplot's, with its options */
    const char *output;   /* NULL: standard output */
    bool text;            /* of letters: no powers */
    bool guides;          /* uncoded BPSK, Shannon limits */
};

/* gnuplot's commands with the data inline. */
void figure_gnuplot(const struct figure *figure, const struct figure_drawing *drawing, FILE *out);
/* Lines of text that bars are as high as. */
size_t figure_lines(const struct figure *figure);
/* A tikzpicture for pgfplots with the data inline. */
void figure_pgfplots(const struct figure *figure, bool guides, FILE *out);

#endif

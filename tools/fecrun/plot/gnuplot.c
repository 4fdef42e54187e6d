/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A figure as commands for gnuplot 5. Curves differ in points and dashes as well as in colour, so that
 * they can be told apart in grey and on a terminal.
 */
#include "tools/fecrun/plot/figure.h"

#include <math.h>
#include <string.h>

/* Colours of Okabe and Ito, which people with any kind of colour vision tell apart. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#56B4E9", "#E69F00", "#000000"};
static const int marks[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* In single quotes; names of files and values may hold anything. */
static void quote(FILE *out, const char *text)
{
    putc('\'', out);
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            putc('\'', out);
        putc((unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p, out);
    }
    putc('\'', out);
}

static void head(const struct figure_drawing *drawing, FILE *out)
{
    fprintf(out, "set terminal %s\n", drawing->terminal);
    if (drawing->output) {
        fputs("set output ", out);
        quote(out, drawing->output);
        putc('\n', out);
    }
    fputs("set encoding utf8\nset grid\n", out);
}

/* x y lo hi; a point without errors has its upper end only. */
static void data(const struct figure_series *series, size_t number, FILE *out)
{
    fprintf(out, "$s%zu << EOD\n", number);
    for (size_t k = 0; k < series->n; k++)
        if (series->points[k].y > 0)
            fprintf(out, "%.10g %.6e %.6e %.6e\n", series->points[k].x, series->points[k].y,
                    series->points[k].lo, series->points[k].hi);
    fprintf(out, "EOD\n$z%zu << EOD\n", number);
    for (size_t k = 0; k < series->n; k++)
        if (!(series->points[k].y > 0))
            fprintf(out, "%.10g %.6e\n", series->points[k].x, series->points[k].hi);
    fputs("EOD\n", out);
}

static bool any_zero(const struct figure_series *series)
{
    for (size_t k = 0; k < series->n; k++)
        if (!(series->points[k].y > 0))
            return true;
    return false;
}

static bool any_errors(const struct figure_series *series)
{
    for (size_t k = 0; k < series->n; k++)
        if (series->points[k].y > 0)
            return true;
    return false;
}

/* A curve with its intervals; a line that ends in an arrow where only a bound is known. */
static void curve(const struct figure_series *series, size_t i, bool first, FILE *out)
{
    const char *colour = colours[i % COUNT(colours)];
    const int mark = marks[i % COUNT(marks)];
    const char *comma = first ? "" : ", \\\n    ";

    if (any_errors(series)) {
        fprintf(out, "%s$s%zu using 1:2:3:4 with yerrorbars lc rgb '%s' lw 1 pt 0 notitle", comma,
                i, colour);
        fprintf(out,
                ", \\\n    $s%zu using 1:2 with linespoints lc rgb '%s' lw 1.6 dt %zu pt %d ps 0.7 "
                "title ",
                i, colour, i % 5 + 1, mark);
        quote(out, series->label);
        comma = ", \\\n    ";
    }
    if (any_zero(series)) {
        fprintf(out, "%s$z%zu using 1:2:(0):($2*(%g-1)) with vectors head filled lc rgb '%s' ",
                comma, i, FIGURE_ARROW, colour);
        if (any_errors(series)) {
            fputs("notitle", out);
        } else {
            fputs("title ", out);
            quote(out, series->label);
        }
    }
}

static void limits(const struct figure *figure, FILE *out)
{
    for (size_t i = 0; i < figure->n_limits; i++) {
        const double db = figure_limit_db(&figure->limits[i]);

        fprintf(out,
                "set arrow from first %.4f, graph 0 to first %.4f, graph 1 nohead dt 3 lc "
                "rgb '#666666'\n"
                "set label 'Shannon limit, %.3g bit a use' at first %.4f, graph 0.98 right rotate "
                "by 90 "
                "offset character 0.7,0 font ',10' tc rgb '#666666'\n",
                db, db, figure->limits[i].rate, db);
    }
}

static void curves(const struct figure *figure, bool guides, FILE *out)
{
    double lo, hi, floor_;
    const bool snr = figure->axis == FIGURE_EBN0;

    figure_range(figure, &lo, &hi, &floor_);
    for (size_t i = 0; guides && snr && i < figure->n_limits; i++)
        lo = fmin(lo, figure_limit_db(&figure->limits[i]));
    for (size_t i = 0; i < figure->n_series; i++)
        data(&figure->series[i], i, out);
    fputs("set logscale y\nset format y '10^{%L}'\nset mytics 10\n", out);
    fputs("set xlabel ", out);
    quote(out, figure_x_label(figure, false));
    fprintf(out, " noenhanced\nset ylabel '%s error rate, 95 %% intervals'\n",
            figure->ber ? "bit" : "frame");
    fprintf(out, "set yrange [%g:1]\nset xrange [%.10g:%.10g]\n", floor_,
            lo - (hi - lo) / 40 - 1e-9, hi + (hi - lo) / 40 + 1e-9);
    fputs("set key bottom left box opaque noenhanced\n", out);
    if (guides && snr)
        limits(figure, out);
    fputs("plot ", out);
    for (size_t i = 0; i < figure->n_series; i++)
        curve(&figure->series[i], i, i == 0, out);
    if (guides && snr && figure->ber)
        fputs(", \\\n    0.5 * erfc(sqrt(10 ** (x / 10))) with lines dt 3 lc rgb '#666666' title "
              "'BPSK without a code'",
              out);
    putc('\n', out);
}

static bool any_bar(const struct figure *figure, size_t at)
{
    for (size_t i = 0; i < figure->n_bars; i++)
        if (isfinite(*(const double *)((const char *)&figure->bars[i] + at)))
            return true;
    return false;
}

static void bar_data(const struct figure *figure, FILE *out)
{
    fputs("$bars << EOD\n", out);
    for (size_t i = 0; i < figure->n_bars; i++) {
        const double v[] = {figure->bars[i].gbps, figure->bars[i].end_to_end_gbps,
                            figure->bars[i].p50_us, figure->bars[i].p99_us};

        for (size_t k = 0; k < COUNT(v); k++) {
            if (isfinite(v[k]))
                fprintf(out, "%.8g ", v[k]);
            else
                fputs("NaN ", out);
        }
        putc('"', out);
        for (const char *p = figure->bars[i].label; *p; p++)
            putc((unsigned char)*p < ' ' || *p == '"' ? ' ' : *p, out);
        fputs("\"\n", out);
    }
    fputs("EOD\n", out);
}

static void bars(const struct figure *figure, FILE *out)
{
    const bool end = any_bar(figure, offsetof(struct figure_bar, end_to_end_gbps));
    const bool latency = any_bar(figure, offsetof(struct figure_bar, p50_us));

    bar_data(figure, out);
    fputs("set style data histograms\nset style histogram clustered gap 1\n"
          "set style fill solid 0.8 border -1\nset boxwidth 0.9\n"
          "set xtics rotate by 35 right noenhanced font ',10'\nset yrange [0:*]\n"
          "set key outside top center horizontal\n",
          out);
    if (latency || figure->bars_title)
        fputs(latency ? "set multiplot layout 1,2" : "set", out);
    if (figure->bars_title) {
        fputs(" title ", out);
        quote(out, figure->bars_title);
        fputs(" noenhanced", out);
    }
    putc('\n', out);
    fputs("set ylabel 'Gb/s of information bits'\n"
          "plot $bars using 1:xtic(5) lc rgb '#0072B2' title 'the stage'",
          out);
    if (end)
        fputs(", $bars using 2 lc rgb '#E69F00' fs pattern 4 title 'with copies'", out);
    if (latency)
        fputs("\nset ylabel 'microseconds a call'\nset logscale y\nset yrange [*:*]\n"
              "plot $bars using 3:xtic(5) lc rgb '#009E73' title 'median', "
              "$bars using 4 lc rgb '#CC79A7' fs pattern 4 title '99 %'\nunset multiplot",
              out);
    putc('\n', out);
}

void figure_gnuplot(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    head(drawing, out);
    if (figure->kind == FIGURE_BARS)
        bars(figure, out);
    else
        curves(figure, drawing->guides, out);
}

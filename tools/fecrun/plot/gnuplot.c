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
static void data(const struct figure *figure, const struct figure_axes *axes, size_t number,
                 FILE *out)
{
    const struct figure_series *series = &figure->series[number];

    fprintf(out, "$s%zu << EOD\n", number);
    for (size_t k = 0; k < series->n; k++)
        if (series->points[k].y > 0)
            fprintf(out, "%.10g %.6e %.6e %.6e\n", series->points[k].x, series->points[k].y,
                    series->points[k].lo, series->points[k].hi);
    fprintf(out, "EOD\n$z%zu << EOD\n", number);
    for (size_t k = 0; k < series->n; k++)
        if (!(series->points[k].y > 0))
            fprintf(out, "%.10g %.6e\n", figure_arrow_x(figure, axes, number, k),
                    series->points[k].hi);
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
static void curve(const struct figure *figure, size_t i, bool first, FILE *out)
{
    const struct figure_series *series = &figure->series[i];
    const char *colour = colours[(figure->n_groups ? series->group : i) % COUNT(colours)];
    const int mark = marks[series->member % COUNT(marks)];
    const char *comma = first ? "" : ", \\\n    ";

    if (any_errors(series)) {
        fprintf(out, "%s$s%zu using 1:2:3:4 with yerrorbars lc rgb '%s' lw 1 pt 0 notitle", comma,
                i, colour);
        fprintf(out,
                ", \\\n    $s%zu using 1:2 with linespoints lc rgb '%s' lw 1.6 dt %zu pt %d ps 1.1 "
                "title ",
                i, colour, series->member % 5 + 1, mark);
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

/* Their data; each in its own grey. */
static void limit_data(const struct figure *figure, const struct figure_axes *axes, FILE *out)
{
    for (size_t i = 0; i < figure->n_limits; i++) {
        const struct figure_limit *limit = &figure->limits[i];

        if (figure_limit_first(figure, i))
            fprintf(out, "$l%zu << EOD\n%.4f %.6e\n%.4f %.6e\nEOD\n", i, figure_limit_db(limit),
                    axes->y[0], figure_limit_db(limit), axes->y[1]);
        if (figure->ber || !(limit->bits > 0))
            continue;
        fprintf(out, "$n%zu << EOD\n", i);
        for (int k = 0; k <= FIGURE_STEPS; k++) {
            const double db = figure_normal_x(limit, axes, k);
            fprintf(out, "%.4f %.6e\n", db, figure_normal(limit, db));
        }
        fputs("EOD\n", out);
    }
}

static const char *const greys[] = {"#555555", "#999999", "#333333", "#777777"};

static void limits(const struct figure *figure, FILE *out)
{
    char text[96];

    for (size_t i = 0; i < figure->n_limits; i++) {
        const char *grey = greys[i % COUNT(greys)];

        if (figure_limit_first(figure, i))
            fprintf(out, ", \\\n    $l%zu using 1:2 with lines dt 3 lw 1.6 lc rgb '%s' title '%s'",
                    i, grey, figure_limit_name(figure, i, text, sizeof text));
        if (!figure->ber && figure->limits[i].bits > 0)
            fprintf(out, ", \\\n    $n%zu using 1:2 with lines dt 4 lw 1.6 lc rgb '%s' title '%s'",
                    i, grey, figure_normal_name(figure, i, text, sizeof text));
    }
}

/* Outside, where no curve is, whichever way they go; many of them in two columns, if these fit. */
static void legend(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    const bool guides = drawing->guides && figure->axis == FIGURE_EBN0 && figure->n_limits;
    size_t widest = guides ? 42 : 0, entries = figure->n_series + (guides ? 2 : 0);

    for (size_t i = 0; i < figure->n_series; i++)
        widest = strlen(figure->series[i].label) > widest ? strlen(figure->series[i].label)
                                                          : widest;
    fputs("set key outside above left Left reverse vertical noenhanced", out);
    if (entries > 5 && widest < 30)
        fprintf(out, " maxrows %zu", (entries + 2) / 2);
    else
        fprintf(out, " maxcols 1");
    putc('\n', out);
}

static void axes_of(const struct figure *figure, const struct figure_drawing *drawing,
                    const struct figure_axes *axes, FILE *out)
{
    fprintf(out, "set logscale y\nset format y '%s'\nset mytics 10\n",
            drawing->text ? "%h" : "10^{%L}");
    fputs("set xlabel ", out);
    quote(out, figure_x_label(figure, false));
    fprintf(out, " noenhanced\nset ylabel '%s error rate, 95 %% intervals'\n",
            figure->ber ? "bit" : "frame");
    fprintf(out, "set yrange [%g:%g]\n%sset xrange [%.10g:%.10g]\n", axes->y[0], axes->y[1],
            axes->log_x ? "set logscale x\n" : "", axes->x[0], axes->x[1]);
    if (drawing->title) {
        fputs("set title ", out);
        quote(out, drawing->title);
        fputs(" noenhanced\n", out);
    }
    legend(figure, drawing, out);
}

static void curves(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    const bool guides = drawing->guides && figure->axis == FIGURE_EBN0;
    struct figure_axes axes;

    figure_axes(figure, drawing, &axes);
    for (size_t i = 0; i < figure->n_series; i++)
        data(figure, &axes, i, out);
    if (guides)
        limit_data(figure, &axes, out);
    axes_of(figure, drawing, &axes, out);
    fputs("plot ", out);
    for (size_t i = 0; i < figure->n_series; i++)
        curve(figure, i, i == 0, out);
    if (guides)
        limits(figure, out);
    if (guides && figure->ber)
        fputs(", \\\n    0.5 * erfc(sqrt(10 ** (x / 10))) with lines dt 3 lc rgb '#666666' title "
              "'BPSK without a code'",
              out);
    putc('\n', out);
}

/* ---- Bars: a row for each, labels at their left, two panels one above the other ---- */

struct panel {
    size_t first, second; /* offsets of struct figure_bar's two numbers */
    const char *axis, *names[2], *colours[2];
    bool log;
};

static const struct panel panels[] = {
    {offsetof(struct figure_bar, gbps),
     offsetof(struct figure_bar, end_to_end_gbps),
     "Gb/s of information bits",
     {"the stage", "with copies"},
     {"#0072B2", "#E69F00"},
     false},
    {offsetof(struct figure_bar, p50_us),
     offsetof(struct figure_bar, p99_us),
     "latency of a call, microseconds",
     {"median", "99 %"},
     {"#009E73", "#CC79A7"},
     true},
};

static double bar_value(const struct figure *figure, size_t i, size_t at)
{
    return *(const double *)(const void *)((const char *)&figure->bars[i] + at);
}

/* How many bars have that number, and between what they lie. */
static size_t bar_range(const struct figure *figure, const struct panel *panel, size_t at,
                        double *least, double *most)
{
    size_t n = 0;

    for (size_t i = 0; i < figure->n_bars; i++) {
        const double value = bar_value(figure, i, at);

        if (!isfinite(value) || (panel->log && value <= 0))
            continue;
        *least = fmin(*least, value);
        *most = fmax(*most, value);
        n++;
    }
    return n;
}

static bool panel_drawn(const struct figure *figure, const struct panel *panel)
{
    double least = 0, most = 0;

    return bar_range(figure, panel, panel->first, &least, &most) ||
           bar_range(figure, panel, panel->second, &least, &most);
}

/* Value, and from where to where the bar reaches down its row. */
static void bar_data(const struct figure *figure, const struct panel *panel, FILE *out)
{
    for (int k = 0; k < 2; k++) {
        const size_t at = k ? panel->second : panel->first;

        fprintf(out, "$p%zu%c << EOD\n", (size_t)(panel - panels), 'a' + k);
        for (size_t i = 0; i < figure->n_bars; i++) {
            const double value = bar_value(figure, i, at);

            if (isfinite(value) && (value > 0 || !panel->log))
                fprintf(out, "%.8g %.2f %.2f\n", value, (double)i - (k ? 0 : 0.4),
                        (double)i + (k ? 0.4 : 0));
        }
        fputs("EOD\n", out);
    }
}

static void panel_axes(const struct figure *figure, const struct panel *panel, bool text, FILE *out)
{
    double least = HUGE_VAL, most = 0, from = 0;

    bar_range(figure, panel, panel->first, &least, &most);
    bar_range(figure, panel, panel->second, &least, &most);
    if (panel->log)
        from = pow(10, floor(log10(least / 1.5)));
    fputs("set xlabel ", out);
    quote(out, panel->axis);
    fprintf(out, "\n%sset logscale x\nset xrange [%.8g:%.8g]\n", panel->log ? "" : "un", from,
            panel->log ? from * pow(most / from, 1.2)
            : most > 0 ? 1.15 * most
                       : 1);
    fprintf(out, "set format x '%s'\nfrom = %.8g\n", panel->log && !text ? "10^{%L}" : "%h", from);
}

static void panel_plot(const struct figure *figure, const struct panel *panel, FILE *out)
{
    const size_t number = (size_t)(panel - panels);
    const char *lead = "plot ";

    for (int k = 0; k < 2; k++) {
        double least = 0, most = 0;

        if (!bar_range(figure, panel, k ? panel->second : panel->first, &least, &most))
            continue;
        fprintf(out,
                "%s$p%zu%c using (from):2:(from):1:2:3 with boxxyerror fs %s border -1 lc rgb "
                "'%s' title '%s'",
                lead, number, 'a' + k, k ? "pattern 4" : "solid 0.8", panel->colours[k],
                panel->names[k]);
        lead = ", \\\n    ";
        fprintf(out,
                "%s$p%zu%c using 1:(($2+$3)/2):(digits($1)) with labels left offset "
                "character 0.5,0 notitle",
                lead, number, 'a' + k);
    }
    putc('\n', out);
}

static void bar_labels(const struct figure *figure, FILE *out)
{
    size_t widest = 0;

    fputs("set ytics scale 0 noenhanced (", out);
    for (size_t i = 0; i < figure->n_bars; i++) {
        widest = strlen(figure->bars[i].label) > widest ? strlen(figure->bars[i].label) : widest;
        fputs(i ? ", " : "", out);
        quote(out, figure->bars[i].label);
        fprintf(out, " %zu", i);
    }
    fprintf(out, ")\nset lmargin %zu\nset rmargin 7\nset yrange [%.1f:-0.5]\n", widest + 2,
            (double)figure->n_bars - 0.5);
}

static void bars(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    const char *title = drawing->title ? drawing->title : figure->bars_title;
    size_t n = 0;

    for (size_t i = 0; i < COUNT(panels); i++)
        if (panel_drawn(figure, &panels[i])) {
            bar_data(figure, &panels[i], out);
            n++;
        }
    fputs("set key outside above left Left reverse\nset grid noytics\n", out);
    fputs("digits(x) = x < 1000 ? sprintf('%.3g', x) : sprintf('%.0f', x)\n", out);
    bar_labels(figure, out);
    if (n > 1 || title)
        fprintf(out, "set %s", n > 1 ? "multiplot layout 2,1" : "");
    if (title) {
        fputs(" title ", out);
        quote(out, title);
        fputs(" noenhanced", out);
    }
    putc('\n', out);
    for (size_t i = 0; i < COUNT(panels); i++)
        if (panel_drawn(figure, &panels[i])) {
            panel_axes(figure, &panels[i], drawing->text, out);
            panel_plot(figure, &panels[i], out);
        }
    if (n > 1)
        fputs("unset multiplot\n", out);
}

size_t figure_lines(const struct figure *figure)
{
    size_t lines = 0;

    if (figure->kind == FIGURE_CURVES)
        return figure->n_series + 2 * figure->n_limits;
    for (size_t i = 0; i < COUNT(panels); i++)
        if (panel_drawn(figure, &panels[i]))
            lines += 2 * figure->n_bars + 7;
    return lines + (figure->bars_title != NULL);
}

void figure_gnuplot(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    head(drawing, out);
    if (figure->kind == FIGURE_BARS)
        bars(figure, drawing, out);
    else
        curves(figure, drawing, out);
}

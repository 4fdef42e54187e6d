/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a figure for LaTeX: \usepackage{pgfplots}, then \input{FILE.tex}. */
#include "tools/fecrun/plot/figure.h"

#include <math.h>
#include <string.h>

static void escape(FILE *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (strchr("#$%&_{}", *p))
            fprintf(out, "\\%c", *p);
        else if (strchr("\\^~", *p))
            fprintf(out, "\\char`\\%c ", *p);
        else
            putc((unsigned char)*p < ' ' ? ' ' : *p, out);
    }
}

/* As in gnuplot.c. */
static const char *const colours[] = {"0072B2", "D55E00", "009E73", "CC79A7",
                                      "56B4E9", "E69F00", "000000"};
static const char *const marks[] = {"*", "square*", "triangle*", "diamond*", "o", "square"};
static const char *const dashes[] = {"solid", "dashed", "dashdotted", "densely dashed"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void define_colours(FILE *out)
{
    for (size_t i = 0; i < COUNT(colours); i++)
        fprintf(out, "\\definecolor{fecrun%zu}{HTML}{%s}\n", i, colours[i]);
}

static void options(const struct figure *figure, size_t i, FILE *out)
{
    const struct figure_series *s = &figure->series[i];

    fprintf(out, "fecrun%zu, %s, mark=%s, mark options={solid}",
            (figure->n_groups ? s->group : i) % COUNT(colours), dashes[s->member % COUNT(dashes)],
            marks[s->member % COUNT(marks)]);
}

/* A point without errors is an arrow down from its bound. */
static void arrows(const struct figure *figure, const struct figure_axes *axes, size_t i, FILE *out)
{
    const struct figure_series *s = &figure->series[i];

    for (size_t k = 0; k < s->n; k++) {
        const double x = figure_arrow_x(figure, axes, i, k), hi = s->points[k].hi;

        if (!(s->points[k].y > 0))
            fprintf(
                out, "\\draw[-stealth, fecrun%zu] (axis cs:%.10g,%.6e) -- (axis cs:%.10g,%.6e);\n",
                (figure->n_groups ? s->group : i) % COUNT(colours), x, hi, x, FIGURE_ARROW * hi);
    }
}

static void series(const struct figure *figure, const struct figure_axes *axes, size_t i, FILE *out)
{
    const struct figure_series *s = &figure->series[i];

    fputs("\\addplot[", out);
    options(figure, i, out);
    fputs(", error bars/.cd, y dir=both, y explicit] table[x=x, y=y, y error plus=up, "
          "y error minus=down] {\nx y up down\n",
          out);
    for (size_t k = 0; k < s->n; k++) {
        const struct figure_point *p = &s->points[k];

        if (p->y > 0)
            fprintf(out, "%.10g %.6e %.6e %.6e\n", p->x, p->y, p->hi - p->y, p->y - p->lo);
        else
            fprintf(out, "%% no errors at %.10g: below %.3e\n", p->x, p->hi);
    }
    fputs("};\n\\addlegendentry{", out);
    escape(out, s->label);
    fputs("}\n", out);
    arrows(figure, axes, i, out);
}

static void guide_lines(const struct figure *figure, const struct figure_axes *axes, FILE *out)
{
    char text[96];

    for (size_t i = 0; i < figure->n_limits; i++) {
        const struct figure_limit *limit = &figure->limits[i];
        const double db = figure_limit_db(limit);

        if (figure_limit_first(figure, i))
            fprintf(out,
                    "\\addplot[gray, densely dotted, no marks] coordinates {(%.4f,%g) "
                    "(%.4f,%g)};\n\\addlegendentry{%s}\n",
                    db, axes->y[0], db, axes->y[1],
                    figure_limit_name(figure, i, text, sizeof text));
        if (figure->ber || !(limit->bits > 0))
            continue;
        fputs("\\addplot[gray, dashdotted, no marks] table {\n", out);
        for (int k = 0; k <= FIGURE_STEPS; k++) {
            const double x = figure_normal_x(limit, axes, k);
            fprintf(out, "%.4f %.6e\n", x, figure_normal(limit, x));
        }
        fprintf(out, "};\n\\addlegendentry{%s}\n",
                figure_normal_name(figure, i, text, sizeof text));
    }
}

static void uncoded(double lo, double hi, FILE *out)
{
    fputs("\\addplot[densely dotted, no marks] table {\n", out);
    for (int i = 0; i <= 40; i++)
        fprintf(out, "%.6g %.6e\n", lo + (hi - lo) * i / 40,
                figure_uncoded(lo + (hi - lo) * i / 40));
    fputs("};\n\\addlegendentry{BPSK without a code}\n", out);
}

/* Title and size, of all kinds of figures. */
static void frame(const char *title, const struct figure_drawing *drawing, FILE *out)
{
    if (title) {
        fputs(", title={", out);
        escape(out, title);
        putc('}', out);
    }
    if (drawing->size[0] > 0)
        fprintf(out, ", width=%gcm, height=%gcm", drawing->size[0], drawing->size[1]);
}

static void curves(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    struct figure_axes axes;
    const char *kind;

    figure_axes(figure, drawing, &axes);
    kind = axes.log_x ? "loglog" : "semilogy";
    fprintf(out,
            "\\begin{%saxis}[grid=both, legend style={at={(0,-0.18)}, anchor=north west}, legend "
            "cell align=left,\n"
            "  xlabel={",
            kind);
    if (figure->axis == FIGURE_PARAM)
        escape(out, figure->x_name);
    else
        fputs(figure_x_label(figure, true), out);
    fprintf(out, "}, ylabel={%s error rate}, xmin=%.10g, xmax=%.10g, ymin=%g, ymax=%g",
            figure->ber ? "bit" : "frame", axes.x[0], axes.x[1], axes.y[0], axes.y[1]);
    frame(drawing->title, drawing, out);
    fputs("]\n", out);
    for (size_t i = 0; i < figure->n_series; i++)
        series(figure, &axes, i, out);
    if (drawing->guides && figure->axis == FIGURE_EBN0) {
        guide_lines(figure, &axes, out);
        if (figure->ber)
            uncoded(axes.x[0], axes.x[1], out);
    }
    fprintf(out, "\\end{%saxis}\n", kind);
}

static void bar_plot(const struct figure *figure, const char *name, size_t at, FILE *out)
{
    fputs("\\addplot table {\n", out);
    for (size_t i = 0; i < figure->n_bars; i++) {
        const double value = *(const double *)(const void *)((const char *)&figure->bars[i] + at);

        if (isfinite(value))
            fprintf(out, "%zu %.8g\n", i, value);
    }
    fprintf(out, "};\n\\addlegendentry{%s}\n", name);
}

static void bars(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    bool ends = false;

    fputs("\\begin{axis}[ybar, ymin=0, ylabel={Gb/s of information bits}, xtick={", out);
    for (size_t i = 0; i < figure->n_bars; i++) {
        ends |= isfinite(figure->bars[i].end_to_end_gbps);
        fprintf(out, "%s%zu", i ? "," : "", i);
    }
    fputs("}, xticklabels={", out);
    for (size_t i = 0; i < figure->n_bars; i++) {
        fputs(i ? ",{" : "{", out);
        escape(out, figure->bars[i].label);
        putc('}', out);
    }
    fputs("}, xticklabel style={rotate=35, anchor=east}, enlarge x limits={abs=0.6}, "
          "legend style={at={(1.02,1)}, anchor=north west}",
          out);
    frame(drawing->title ? drawing->title : figure->bars_title, drawing, out);
    fputs("]\n", out);
    bar_plot(figure, "the stage", offsetof(struct figure_bar, gbps), out);
    if (ends)
        bar_plot(figure, "with copies", offsetof(struct figure_bar, end_to_end_gbps), out);
    fputs("\\end{axis}\n", out);
}

void figure_pgfplots(const struct figure *figure, const struct figure_drawing *drawing, FILE *out)
{
    fputs("% \\usepackage{pgfplots}\n\\begin{tikzpicture}\n", out);
    if (figure->kind == FIGURE_BARS) {
        bars(figure, drawing, out);
    } else {
        define_colours(out);
        curves(figure, drawing, out);
    }
    fputs("\\end{tikzpicture}\n", out);
}

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

static void series(const struct figure_series *s, FILE *out)
{
    fputs("\\addplot+[error bars/.cd, y dir=both, y explicit] table[x=x, y=y, y error plus=up, "
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
}

static void guide_lines(const struct figure *figure, FILE *out)
{
    for (size_t i = 0; i < figure->n_limits; i++)
        fprintf(out,
                "\\draw[densely dotted] ({axis cs:%.4f,0}|-{rel axis cs:0,0}) -- ({axis "
                "cs:%.4f,0}|-{rel axis cs:0,1}); %% Shannon limit, %.3g bit a use\n",
                figure_limit_db(&figure->limits[i]), figure_limit_db(&figure->limits[i]),
                figure->limits[i].rate);
}

static void uncoded(double lo, double hi, FILE *out)
{
    fputs("\\addplot[densely dotted, no marks] table {\n", out);
    for (int i = 0; i <= 40; i++)
        fprintf(out, "%.6g %.6e\n", lo + (hi - lo) * i / 40,
                figure_uncoded(lo + (hi - lo) * i / 40));
    fputs("};\n\\addlegendentry{BPSK without a code}\n", out);
}

static void curves(const struct figure *figure, bool guides, FILE *out)
{
    double lo, hi, floor_;

    figure_range(figure, &lo, &hi, &floor_);
    fprintf(out,
            "\\begin{%saxis}[grid=both, legend style={at={(0,1.02)}, anchor=south west}, legend "
            "cell align=left,\n"
            "  xlabel={",
            figure_log_x(figure) ? "loglog" : "semilogy");
    if (figure->axis == FIGURE_PARAM)
        escape(out, figure->x_name);
    else
        fputs(figure_x_label(figure, true), out);
    fprintf(out, "}, ylabel={%s error rate}, ymin=%g, ymax=1]\n", figure->ber ? "bit" : "frame",
            floor_);
    for (size_t i = 0; i < figure->n_series; i++)
        series(&figure->series[i], out);
    if (guides && figure->axis == FIGURE_EBN0) {
        guide_lines(figure, out);
        if (figure->ber)
            uncoded(lo, hi, out);
    }
    fprintf(out, "\\end{%saxis}\n", figure_log_x(figure) ? "loglog" : "semilogy");
}

static void bars(const struct figure *figure, FILE *out)
{
    fputs("\\begin{axis}[ybar, ymin=0, ylabel={Gb/s of information bits}, xtick=data, "
          "xticklabels={",
          out);
    for (size_t i = 0; i < figure->n_bars; i++) {
        fputs(i ? ",{" : "{", out);
        escape(out, figure->bars[i].label);
        putc('}', out);
    }
    fputs("}, xticklabel style={rotate=35, anchor=east}]\n\\addplot table {\n", out);
    for (size_t i = 0; i < figure->n_bars; i++)
        if (isfinite(figure->bars[i].gbps))
            fprintf(out, "%zu %.8g\n", i, figure->bars[i].gbps);
    fputs("};\n\\end{axis}\n", out);
}

void figure_pgfplots(const struct figure *figure, bool guides, FILE *out)
{
    fputs("% \\usepackage{pgfplots}\n\\begin{tikzpicture}\n", out);
    if (figure->kind == FIGURE_BARS)
        bars(figure, out);
    else
        curves(figure, guides, out);
    fputs("\\end{tikzpicture}\n", out);
}

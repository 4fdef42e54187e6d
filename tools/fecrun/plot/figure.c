/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/plot/figure.h"

#include <math.h>
#include <stdio.h>

/* C = dims / 2 log2(1 + 2 Es / (dims N0)), solved for Eb = Es / rate. */
double figure_limit_db(const struct figure_limit *limit)
{
    const double half = limit->dims / 2.0;

    return 10 * log10(half * (pow(2, limit->rate / half) - 1) / limit->rate);
}

double figure_uncoded(double ebn0_db)
{
    return 0.5 * erfc(sqrt(pow(10, ebn0_db / 10)));
}

bool figure_limit_first(const struct figure *figure, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (fabs(figure->limits[k].rate - figure->limits[i].rate) < 1e-4 &&
            figure->limits[k].dims == figure->limits[i].dims)
            return false;
    return true;
}

double figure_normal(const struct figure_limit *limit, double ebn0_db)
{
    const double n = limit->bits / limit->rate * limit->dims;
    const double snr = 2 * limit->rate * pow(10, ebn0_db / 10) / limit->dims;
    const double capacity = log2(1 + snr) / 2;
    const double dispersion = snr * (snr + 2) / (2 * (snr + 1) * (snr + 1)) * M_LOG2E * M_LOG2E;
    const double over = (n * capacity - limit->bits + log2(n) / 2) / sqrt(n * dispersion);

    return 0.5 * erfc(over / M_SQRT2);
}

double figure_normal_db(const struct figure_limit *limit, double fer)
{
    double lo = -40, hi = 80;

    for (int i = 0; i < 60; i++) {
        const double middle = (lo + hi) / 2;

        *(figure_normal(limit, middle) > fer ? &lo : &hi) = middle;
    }
    return hi;
}

double figure_normal_x(const struct figure_limit *limit, const struct figure_axes *axes, int k)
{
    const double from = figure_normal_db(limit, 0.999), to = figure_normal_db(limit, axes->y[0]);

    return from + (to - from) * k / FIGURE_STEPS;
}

const char *figure_limit_name(const struct figure *figure, size_t i, char *text, size_t size)
{
    snprintf(text, size, "Shannon limit, %.3g bit a use", figure->limits[i].rate);
    return text;
}

const char *figure_normal_name(const struct figure *figure, size_t i, char *text, size_t size)
{
    const struct figure_limit *limit = &figure->limits[i];

    snprintf(text, size, "normal approximation, %.0f bits in %.0f uses", limit->bits,
             limit->bits / limit->rate);
    return text;
}

static void add_points(const struct figure *figure, double x[2], double *least)
{
    for (size_t i = 0; i < figure->n_series; i++)
        for (size_t k = 0; k < figure->series[i].n; k++) {
            const struct figure_point *p = &figure->series[i].points[k];
            const double y = p->y > 0 ? p->y : FIGURE_ARROW * p->hi;

            x[0] = fmin(x[0], p->x);
            x[1] = fmax(x[1], p->x);
            *least = y > 0 ? fmin(*least, y) : *least;
        }
}

/* Some room at both sides; a point alone stands in the middle. */
static void widen(struct figure_axes *axes)
{
    double *x = axes->x;
    const double room = axes->log_x   ? pow(x[1] / x[0], 1 / 40.0)
                        : x[1] > x[0] ? (x[1] - x[0]) / 40
                                      : fmax(1, fabs(x[0]) / 10);

    x[0] = axes->log_x ? x[0] / room : x[0] - room;
    x[1] = axes->log_x ? x[1] * room : x[1] + room;
}

void figure_axes(const struct figure *figure, const struct figure_drawing *drawing,
                 struct figure_axes *axes)
{
    const bool own_x = drawing->x[0] < drawing->x[1], own_y = drawing->y[0] < drawing->y[1];
    double least = 0.1; /* a decade at least, even if every frame is wrong */

    *axes = (struct figure_axes){.x = {INFINITY, -INFINITY}, .y = {0, 1}};
    add_points(figure, axes->x, &least);
    for (size_t i = 0; drawing->guides && figure->axis == FIGURE_EBN0 && i < figure->n_limits; i++)
        for (int end = 0; end < 2; end++)
            axes->x[end] = (end ? fmax : fmin)(axes->x[end], figure_limit_db(&figure->limits[i]));
    axes->y[0] = pow(10, floor(log10(least)));
    for (int i = 0; i < 2; i++) {
        axes->x[i] = own_x ? drawing->x[i] : axes->x[i];
        axes->y[i] = own_y ? drawing->y[i] : axes->y[i];
    }
    axes->log_x = figure->axis == FIGURE_PARAM && axes->x[0] > 0 && axes->x[1] >= 10 * axes->x[0];
    if (!own_x)
        widen(axes);
}

static bool has_arrow(const struct figure_series *series, double x)
{
    for (size_t k = 0; k < series->n; k++)
        if (series->points[k].x == x && !(series->points[k].y > 0))
            return true;
    return false;
}

double figure_arrow_x(const struct figure *figure, const struct figure_axes *axes, size_t series,
                      size_t point)
{
    const double x = figure->series[series].points[point].x;
    double before = 0, all = 0, aside;

    for (size_t i = 0; i < figure->n_series; i++) {
        const bool here = has_arrow(&figure->series[i], x);

        all += here;
        before += here && i < series;
    }
    aside = 0.01 * (before - (all - 1) / 2); /* of the axis */
    return axes->log_x ? x * pow(axes->x[1] / axes->x[0], aside)
                       : x + aside * (axes->x[1] - axes->x[0]);
}

const char *figure_x_label(const struct figure *figure, bool tex)
{
    switch (figure->axis) {
    case FIGURE_EBN0:
        return tex ? "$E_b/N_0$, dB" : "Eb/N0, dB";
    case FIGURE_ESN0:
        return tex ? "$E_s/N_0$, dB" : "Es/N0, dB";
    default:
        return figure->x_name;
    }
}

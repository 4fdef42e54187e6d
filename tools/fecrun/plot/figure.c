/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/plot/figure.h"

#include <math.h>

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

void figure_range(const struct figure *figure, double *lo, double *hi, double *floor_)
{
    double least = 1;

    *lo = INFINITY;
    *hi = -INFINITY;
    for (size_t i = 0; i < figure->n_series; i++)
        for (size_t k = 0; k < figure->series[i].n; k++) {
            const struct figure_point *p = &figure->series[i].points[k];
            const double y = p->y > 0 ? p->y : FIGURE_ARROW * p->hi;

            *lo = fmin(*lo, p->x);
            *hi = fmax(*hi, p->x);
            least = y > 0 ? fmin(least, y) : least;
        }
    *floor_ = pow(10, floor(log10(least)));
}

bool figure_log_x(const struct figure *figure)
{
    double lo, hi, floor_;

    figure_range(figure, &lo, &hi, &floor_);
    return figure->axis == FIGURE_PARAM && lo > 0 && hi >= 10 * lo;
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

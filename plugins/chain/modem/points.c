/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of points that the user gives: read, checked and scaled to mean energy 1. */
#include "plugins/chain/modem/modem.h"

#include <math.h>

/* A number without exponent or with one, in any locale; *text moves behind it and the blanks that follow. */
static bool read_number(const char **text, double *value)
{
    const char *at = *text;
    const bool negative = *at == '-';
    double x = 0, scale = 1;
    int exponent = 0, digits = 0;

    at += *at == '-' || *at == '+';
    for (; *at >= '0' && *at <= '9'; at++, digits++)
        x = 10 * x + (*at - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++, digits++) {
            x = 10 * x + (*at - '0');
            scale *= 10;
        }
    if (digits && (*at == 'e' || *at == 'E')) {
        const bool small = at[1] == '-';

        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (*at < '0' || *at > '9')
            return false;
        for (; *at >= '0' && *at <= '9' && exponent < 1000; at++)
            exponent = 10 * exponent + (*at - '0');
        exponent = small ? -exponent : exponent;
    }
    if (!digits || (*at && *at != ' '))
        return false;
    *value = (negative ? -x : x) / scale * pow(10, exponent);
    for (*text = at; **text == ' ';)
        ++*text;
    return isfinite(*value);
}

static int read_points(struct chain_scheme *scheme, const struct fecrun_value *value,
                       struct fecrun_error *err)
{
    for (size_t i = 0; i < value->count; i++) {
        const char *text = value->strings[i];

        if (!read_number(&text, &scheme->point[i][0]) ||
            !read_number(&text, &scheme->point[i][1]) || *text)
            return fecrun_fail(err, "points", "item %zu must be two numbers [re, im], is `%.40s`",
                               i + 1, value->strings[i]);
    }
    return 0;
}

/* Half the smallest distance; -1 and *err where two points are the same. */
static int find_unit(struct chain_scheme *scheme, unsigned n, struct fecrun_error *err)
{
    scheme->unit = INFINITY;
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = 0; b < a; b++) {
            const double re = scheme->point[a][0] - scheme->point[b][0];
            const double im = scheme->point[a][1] - scheme->point[b][1];

            scheme->unit = fmin(scheme->unit, re * re + im * im);
            if (scheme->unit < 1e-12)
                return fecrun_fail(err, "points", "items %u and %u are the same point", b + 1,
                                   a + 1);
        }
    scheme->unit = sqrt(scheme->unit) / 2;
    return 0;
}

int chain_points_read(struct chain_scheme *scheme, const struct fecrun_value *value,
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    const size_t n = value->count;
    double energy = 0, largest = 0;

    if (!value->given)
        return fecrun_fail(err, "points", "missing: scheme points needs [[re, im], ...]");
    if (n < 2 || n > CHAIN_MOST_POINTS || n & (n - 1))
        return fecrun_fail(err, "points", "has %zu points: a power of two from 2 to %d is allowed",
                           n, CHAIN_MOST_POINTS);
    if (read_points(scheme, value, err))
        return -1;
    for (size_t i = 0; i < 2 * n; i++)
        largest = fmax(largest, fabs(scheme->point[i / 2][i % 2]));
    for (size_t i = 0; i < 2 * n; i++)
        energy += pow(scheme->point[i / 2][i % 2] / largest, 2);
    if (!(largest > 1e-100 && largest < 1e100))
        return fecrun_fail(err, "points", "the largest number must be between 1e-100 and 1e100");
    for (size_t i = 0; i < 2 * n; i++)
        scheme->point[i / 2][i % 2] /= largest * sqrt(energy / (double)n);
    while (1u << scheme->bits < n)
        scheme->bits++;
    if (fabs(largest * sqrt(energy / (double)n) - 1) > 1e-3)
        snprintf(plan->note, sizeof plan->note, "points divided by %.4g: their mean energy is 1",
                 largest * sqrt(energy / (double)n));
    return find_unit(scheme, (unsigned)n, err);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/find.h"

#include <math.h>

#define Z 1.959963984540054 /* of 95 % */
#define NEAR 4.0            /* rates within this factor of the wanted one make the line */

/* n is then about Gamma(k) / p, whose logarithm is log k - 1/(2k) - log p on average. The other kind needs
   nothing: it weighs as its errors, so what is too small weighs less. */
double find_rate(double rate, uint64_t errors, bool ended_by_errors)
{
    return ended_by_errors && errors ? rate * (1 - 0.5 / (double)errors) : rate;
}

void find_add(struct find *find, const struct find_point *point)
{
    size_t i = find->n++;

    for (; i > 0 && find->points[i - 1].at > point->at; i--)
        find->points[i] = find->points[i - 1];
    find->points[i] = *point;
}

static bool is_tried(const struct find *find, size_t at)
{
    for (size_t i = 0; i < find->n; i++)
        if (find->points[i].at == at)
            return true;
    return false;
}

/* ---- Both sides ---- */

/* The last point above the rate, and the one behind it; false: there are not both. */
static bool bracket(const struct find *find, const struct find_point **a,
                    const struct find_point **b)
{
    *a = *b = NULL;
    for (size_t i = 0; i < find->n; i++)
        if (find->points[i].rate > find->rate)
            *a = &find->points[i];
    for (size_t i = find->n; i-- > 0 && (!*a || &find->points[i] > *a);)
        *b = &find->points[i];
    return *a && *b;
}

/* Between the two, linear in the logarithm of the rate; halfway where one side has no errors. */
static double between(const struct find *find, const struct find_point *a,
                      const struct find_point *b)
{
    const double from = (double)a->at, to = (double)b->at;

    if (!(b->rate > 0))
        return (from + to) / 2;
    return from + (to - from) * log(a->rate / find->rate) / log(a->rate / b->rate);
}

/* ---- A line through the points near the rate ---- */

struct line {
    double weight, x, y; /* sum of the weights, means */
    double xx, xy;       /* about the means */
};

static bool weigh(const struct find *find, const struct find_point *point, double *weight,
                  double *y)
{
    double sigma;

    if (!(point->rate > 0 && point->low > 0))
        return false;
    sigma = log(point->high / point->low) / (2 * Z);
    *weight = 1 / (sigma * sigma);
    *y = log(point->rate / find->rate);
    return fabs(*y) <= log(NEAR);
}

/* false: they make no falling line. */
static bool fit(const struct find *find, struct line *line)
{
    double weight, y;

    *line = (struct line){0};
    for (size_t i = 0; i < find->n; i++)
        if (weigh(find, &find->points[i], &weight, &y)) {
            line->weight += weight;
            line->x += weight * (double)find->points[i].at;
            line->y += weight * y;
        }
    line->x /= line->weight;
    line->y /= line->weight;
    for (size_t i = 0; i < find->n; i++)
        if (weigh(find, &find->points[i], &weight, &y)) {
            const double dx = (double)find->points[i].at - line->x;
            line->xx += weight * dx * dx;
            line->xy += weight * dx * (y - line->y);
        }
    return line->xx > 0 && line->xy < 0;
}

/* Where the line may be 0, by Fieller: |y + slope d| is no more than Z of its deviations there. false:
   anywhere, for the slope is not known yet. */
static bool cross(const struct line *line, struct found *found)
{
    const double slope = line->xy / line->xx;
    const double a = slope * slope - Z * Z / line->xx, b = slope * line->y;
    const double c = line->y * line->y - Z * Z / line->weight;
    const double root = sqrt(b * b - a * c);

    if (!(a > 0 && root >= 0))
        return false;
    found->at = line->x - line->y / slope;
    found->low = line->x + (-b - root) / a;
    found->high = line->x + (-b + root) / a;
    found->sure = root / a <= 1;
    return true;
}

struct found find_result(const struct find *find)
{
    const struct find_point *a, *b;
    struct found found = {0}, crossing = {.known = true};
    struct line line;

    if (!bracket(find, &a, &b)) {
        found.above = a && a->at + 1 == find->count;
        found.below = !a && find->n && find->points[0].at == 0;
        return found;
    }
    found = (struct found){
        .known = true, .at = between(find, a, b), .low = (double)a->at, .high = (double)b->at};
    found.sure = b->at - a->at == 1 && a->low > find->rate && b->high < find->rate;
    if (!found.sure && fit(find, &line) && cross(&line, &crossing))
        return crossing;
    return found;
}

/* ---- Where next ---- */

/* From the start to the side where the curve must be. */
static bool walk(const struct find *find, bool up, size_t *at)
{
    const size_t last = find->count - 1;

    if (!find->n) {
        *at = find->start < last ? find->start : last;
    } else if (up) {
        const size_t from = find->points[find->n - 1].at;
        *at = last - from > find->walk ? from + find->walk : last;
    } else {
        const size_t from = find->points[0].at;
        *at = from > find->walk ? from - find->walk : 0;
    }
    return !is_tried(find, *at);
}

/* The place that is nearest to x and was not tried. */
static bool nearest(const struct find *find, double x, size_t *at)
{
    const double middle = fmin(fmax(round(x), 0), (double)(find->count - 1));

    for (size_t d = 0; d < FIND_MOST; d++) {
        const double up = middle + (double)d, down = middle - (double)d;
        if (up < (double)find->count && !is_tried(find, *at = (size_t)up))
            return true;
        if (down >= 0 && !is_tried(find, *at = (size_t)down))
            return true;
    }
    return false;
}

bool find_next(const struct find *find, size_t *at)
{
    const struct find_point *a, *b;
    struct found found;
    struct line line;

    if (find->n == FIND_MOST)
        return false;
    if (!bracket(find, &a, &b))
        return walk(find, a != NULL, at);
    found = find_result(find);
    if (found.sure)
        return false;
    if (fit(find, &line) || b->at - a->at == 1)
        return nearest(find, found.at, at);
    /* strictly between them; in the middle now and then, for a curve that bends keeps one side */
    return nearest(find,
                   find->n % 3 == 0 ? (double)(a->at + b->at) / 2
                                    : fmin(fmax(found.at, (double)a->at + 1), (double)b->at - 1),
                   at);
}

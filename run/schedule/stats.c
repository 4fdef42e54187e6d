/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/schedule/stats.h"

#include <math.h>
#include <stdbool.h>

/* ln(n!) minus Stirling's formula; with lgamma the leading digits would cancel for large n. */
static double stirling_error(double n)
{
    double nn = n * n;
    int sign;

    if (n < 16)
        return lgamma_r(n + 1, &sign) - (n + 0.5) * log(n) + n - 0.5 * log(2 * M_PI);
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / nn) / nn) / nn) / n;
}

/* x ln(x/m) + m - x, without cancellation where x is near m (C. Loader, "Fast and accurate
   computation of binomial probabilities", 2000). */
static double deviance(double x, double m)
{
    double v, term, sum;

    if (fabs(x - m) >= 0.1 * (x + m))
        return x * log(x / m) + m - x;
    v = (x - m) / (x + m);
    sum = (x - m) * v;
    term = 2 * x * v;
    for (int j = 1; j < 1000; j++) {
        double last = sum;

        term *= v * v;
        sum += term / (2 * j + 1);
        if (sum == last)
            break;
    }
    return sum;
}

/* x^a y^b / B(a, b), y = 1 - x. */
static double power(double a, double b, double x, double y)
{
    const double n = a + b;
    const double exponent = stirling_error(n) - stirling_error(a) - stirling_error(b) -
                            deviance(a, n * x) - deviance(b, n * y);

    return exp(exponent) * sqrt(a * (b / n) / (2 * M_PI));
}

double stats_binomial(double k, double n, double x, double y)
{
    if (k <= 0)
        return exp(n * log(y));
    if (k >= n)
        return exp(n * log(x));
    return power(k, n - k, x, y) * n / k / (n - k);
}

/* Temme's uniform expansion, DLMF 8.18.9, to its second term: the error of the probability is
   about min(a, b)^-1.5. */
static double large(double a, double b, double x)
{
    double n = a + b, mean = a / n;
    double half = deviance(a, n * x) + deviance(b, n * (1 - x)); /* n eta^2 / 2 */
    double eta = copysign(sqrt(2 * half / n), x - mean);
    double c0;

    if (fabs(eta) < 1e-12)
        return 0.5;
    c0 = 1 / eta - sqrt(mean * (1 - mean)) / (x - mean);
    return 0.5 * erfc(-eta * sqrt(n / 2)) + exp(-half) / sqrt(2 * M_PI * n) * c0;
}

/* I_x(a, b) for x < a / (a + b), y = 1 - x: the even part of the continued fraction DLMF 8.17.22, by
   Lentz's method. Where x is near 1 all differences are of y, so nothing cancels. */
static double lower_beta(double a, double b, double x, double y)
{
    double value = a * (a * y - b * x + 1) / (a + 1), c = value, d = 0, step = 0;

    for (int m = 1; m < 100000 && fabs(step - 1) > 1e-16; m++) {
        const double n = a + 2 * m - 1;
        const double over = (a + m - 1) / n * ((a + b + m - 1) / n) * m * (b - m) * x * x;
        const double under = m + m * (b - m) * x / n +
                             (a + m) / (n + 2) * (a * y - b * x + 1 + m * (1 + y));

        d = 1 / (under + over * d);
        c = under + over / c;
        step = c * d;
        value *= step;
    }
    return power(a, b, x, y) / value;
}

double stats_beta(double a, double b, double x)
{
    double y = 1 - x;

    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    /* From here on the fraction would take long, and is not needed. */
    if (fmin(a, b) > 2e6)
        return large(a, b, x);
    return x < a / (a + b) ? lower_beta(a, b, x, y) : 1 - lower_beta(b, a, y, x);
}

/* The x with I_x(a, b) = p. Where the mean is above a half, 1 - x is found instead: it is the
   smaller of the two, and so the one that can be known exactly. */
static double beta_quantile(double a, double b, double p)
{
    double mean = a / (a + b), low = 0, high = 2 * mean;

    if (mean > 0.5)
        return 1 - beta_quantile(b, a, 1 - p);
    while (high < 1 && stats_beta(a, b, high) < p)
        high *= 2;
    high = fmin(high, 1);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double middle = low + (high - low) / 2;

        if (stats_beta(a, b, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

/* Clopper-Pearson, also of counts that are no integers: 0 < k < n. */
static void effective_interval(double k, double n, double tail, double *low, double *high)
{
    *low = beta_quantile(k, n - k + 1, tail);
    *high = beta_quantile(k + 1, n - k, 1 - tail);
}

void stats_interval(uint64_t errors, uint64_t trials, double confidence, double *low, double *high)
{
    double tail = (1 - confidence) / 2;
    double k, n = (double)trials;

    *low = 0;
    *high = 1;
    if (trials == 0)
        return;
    if (errors > trials)
        errors = trials;
    k = (double)errors;
    /* The two ends have closed forms: (1-high)^n = tail, low^n = tail. */
    if (errors == 0)
        *high = -expm1(log(tail) / n);
    else if (errors == trials)
        *low = exp(log(tail) / n);
    else
        effective_interval(k, n, tail, low, high);
}

uint64_t stats_add_squares(uint64_t a, uint64_t b)
{
    return a < STATS_UNKNOWN - (b < STATS_UNKNOWN ? b : STATS_UNKNOWN) ? a + b : STATS_UNKNOWN;
}

/* Student's t squared: t^2 / (d + t^2) has the distribution Beta(1/2, d/2). */
static double student_squared(double confidence, double d)
{
    const double x = beta_quantile(0.5, d / 2, confidence);

    return d * x / (1 - x);
}

void stats_clustered(const struct stats_clusters *c, double confidence, double *low, double *high)
{
    const double n = (double)c->clusters, trials = (double)c->trials, errors = (double)c->errors;
    const double p = errors / trials, hit = (double)c->hit;
    double variance, effective;

    *low = 0;
    *high = 1;
    if (!c->errors || c->clusters < 2) {
        if (!c->errors)
            stats_interval(0, c->clusters, confidence, low, high);
        return;
    }
    *low = *high = NAN;
    if (c->squares >= STATS_UNKNOWN || c->errors >= c->trials)
        return;
    variance = ((double)c->squares - errors / n * errors) * n / (n - 1) / trials / trials;
    effective = p * (1 - p) / variance;
    /* The variance is known from those that were hit. */
    effective *= student_squared(confidence, 1e9) / student_squared(confidence, fmax(hit - 1, 1));
    if (!(variance > 0 && effective < trials))
        effective = trials;
    effective_interval(p * effective, effective, (1 - confidence) / 2, low, high);
}

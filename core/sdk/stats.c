/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* lgamma_r, M_PI */
#endif
#include <fecrun/sdk/stats.h>

#include <math.h>

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

double fecrun_binomial(double k, double n, double x, double y)
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

double fecrun_beta(double a, double b, double x)
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
double fecrun_beta_quantile(double a, double b, double p)
{
    double mean = a / (a + b), low = 0, high = 2 * mean;

    if (mean > 0.5)
        return 1 - fecrun_beta_quantile(b, a, 1 - p);
    while (high < 1 && fecrun_beta(a, b, high) < p)
        high *= 2;
    high = fmin(high, 1);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double middle = low + (high - low) / 2;

        if (fecrun_beta(a, b, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

void fecrun_interval(uint64_t errors, uint64_t trials, double confidence, double *low, double *high)
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
    else {
        *low = fecrun_beta_quantile(k, n - k + 1, tail);
        *high = fecrun_beta_quantile(k + 1, n - k, 1 - tail);
    }
}

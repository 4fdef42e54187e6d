/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/stats.h"

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

/* Probability of k successes in n trials of probability p, q = 1 - p; 0 < p < 1. */
static double binomial(double k, double n, double p, double q)
{
    double exponent;

    if (k >= n)
        return exp(n * log(p));
    if (k <= 0)
        return exp(n * log1p(-p));
    exponent = stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
               deviance(n - k, n * q);
    return exp(exponent) * sqrt(n / (2 * M_PI * k * (n - k)));
}

/* Probability of at least k successes, k above the mean: all terms are positive and fall. */
static double upper_tail(double k, double n, double p, double q)
{
    double term = binomial(k, n, p, q), sum = term;

    for (; k < n && term > 1e-17 * sum; k++) {
        term *= (n - k) * p / ((k + 1) * q);
        sum += term;
    }
    return sum;
}

/* Of at most k, k below the mean. */
static double lower_tail(double k, double n, double p, double q)
{
    double term = binomial(k, n, p, q), sum = term;

    for (; k > 0 && term > 1e-17 * sum; k--) {
        term *= k * q / ((n - k + 1) * p);
        sum += term;
    }
    return sum;
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

/* Regularized incomplete beta function I_x(a, b) of integers from 1: the probability of at least a
   successes in a+b-1 trials. */
static double beta_cdf(double a, double b, double x)
{
    double y = 1 - x;

    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    /* From here on the sums would take long, and are not needed. */
    if (fmin(a, b) > 2e6)
        return large(a, b, x);
    if (x < a / (a + b))
        return upper_tail(a, a + b - 1, x, y);
    return 1 - lower_tail(a - 1, a + b - 1, x, y);
}

/* The x with I_x(a, b) = p. Where the mean is above a half, 1 - x is found instead: it is the
   smaller of the two, and so the one that can be known exactly. */
static double beta_quantile(double a, double b, double p)
{
    double mean = a / (a + b), low = 0, high = 2 * mean;

    if (mean > 0.5)
        return 1 - beta_quantile(b, a, 1 - p);
    while (high < 1 && beta_cdf(a, b, high) < p)
        high *= 2;
    high = fmin(high, 1);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double middle = low + (high - low) / 2;

        if (beta_cdf(a, b, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
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
    else if (errors < trials)
        *high = beta_quantile(k + 1, n - k, 1 - tail);
    if (errors == trials)
        *low = exp(log(tail) / n);
    else if (errors > 0)
        *low = beta_quantile(k, n - k + 1, tail);
}

double stats_paired(uint64_t a, uint64_t b)
{
    const double n = (double)a + (double)b, high = (double)(a > b ? a : b);
    const double p = a == b ? 1 : 2 * upper_tail(high, n, 0.5, 0.5);

    return p < 1 ? p : 1;
}

double stats_quantile(const double *sorted, uint64_t n, double q)
{
    double place, below;
    uint64_t i;

    if (n == 0)
        return 0;
    place = fmin(fmax(q, 0), 1) * (double)(n - 1);
    below = floor(place);
    i = (uint64_t)below;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]);
}

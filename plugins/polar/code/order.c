/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/order.h"

#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

/* ---- Gaussian approximation ------------------------------------------------------------------ */

/*
 * ln phi(x) of density evolution: phi is 1 - E tanh(L / 2) of an LLR L of mean x and variance 2 x.
 * Three pieces, as usual since Chung (2001) and Ha (2004); they meet to three digits.
 */
static const double NEAR = 0.867861, FAR = 10;

static double ln_phi_far(double x)
{
    return 0.5 * log(3.141592653589793 / x) + log1p(-10 / (7 * x)) - x / 4;
}

static double ln_phi(double x)
{
    if (x < NEAR)
        return x * (0.0564 * x - 0.4856);
    if (x < FAR)
        return 0.0218 - 0.4527 * pow(x, 0.86);
    return ln_phi_far(x);
}

/* The last piece has no closed form: Newton's steps, until they only change the last digits. */
static double inverse_far(double y)
{
    double x = fmax(FAR, -4 * y), step = x;

    for (int i = 0; i < 60 && fabs(step) > 1e-15 * x; i++) {
        step = (ln_phi_far(x) - y) / (-0.5 / x + 10 / (x * (7 * x - 10)) - 0.25);
        x = fmax(FAR, x - step);
    }
    return x;
}

static double inverse_ln_phi(double y)
{
    if (y > ln_phi(NEAR))
        return -2 * y / (0.4856 + sqrt(0.4856 * 0.4856 + 4 * 0.0564 * y));
    if (y > 0.0218 - 0.4527 * pow(FAR, 0.86))
        return pow((0.0218 - y) / 0.4527, 1 / 0.86);
    return inverse_far(y);
}

/* The mean behind a check of two LLRs of this mean: 1 - (1 - phi)^2, in logarithms. */
static double check_mean(double mean)
{
    const double ln = ln_phi(mean), rest = -expm1(ln);

    return inverse_ln_phi(rest < 0.5 ? log1p(-rest * rest) : ln + log1p(rest));
}

/* ---- Sorting --------------------------------------------------------------------------------- */

struct place {
    double quality;
    uint32_t at;
};

static int compare(const void *one, const void *other)
{
    const struct place *a = one, *b = other;

    if (a->quality != b->quality)
        return a->quality < b->quality ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

/* place[]: n of them, in the memory of the caller. */
static void sort(struct place *place, uint32_t n, uint16_t *order)
{
    qsort(place, n, sizeof *place, compare);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (uint16_t)place[i].at;
}

/*
 * The quality of position i, by its bits from the highest on: a 0 is the worse of two, the check, and
 * a 1 the better one.
 */
static void evolve(struct place *place, uint32_t stages, double channel, double (*worse)(double),
                   double (*better)(double))
{
    const uint32_t n = 1u << stages;

    place[0].quality = channel;
    for (uint32_t half = n / 2; half; half /= 2)
        for (uint32_t i = 0; i < n; i += 2 * half) {
            const double q = place[i].quality;

            place[i].quality = worse(q);
            place[i + half].quality = better(q);
        }
    for (uint32_t i = 0; i < n; i++)
        place[i].at = i;
}

static double twice(double mean)
{
    return 2 * mean;
}

/*
 * Of erasures with probability z: quality is t = ln(1 - z) - ln z, which tells the best and the worst
 * ones apart, too. With -ln z = softplus(t) and -ln(1 - z) = softplus(-t): a check has (1 - z)^2, the
 * better one z^2.
 */
static double softplus(double t)
{
    return t > 0 ? t + log1p(exp(-t)) : log1p(exp(t));
}

static double bec_better(double t)
{
    const double z = exp(-softplus(t));

    return 2 * softplus(t) - softplus(-t) + log1p(z);
}

static double bec_worse(double t)
{
    return -bec_better(-t);
}

/* By the weight of rows of G. */
static void weigh(struct place *place, uint32_t stages)
{
    for (uint32_t i = 0; i < 1u << stages; i++)
        place[i] = (struct place){__builtin_popcount(i), i};
}

int polar_order_make(uint32_t stages, enum polar_construction construction, double es_n0,
                     uint16_t *order, struct fecrun_error *err)
{
    const uint32_t n = 1u << stages;
    struct place *place = malloc(n * sizeof *place);

    if (!place)
        return fecrun_no_memory(err);
    if (construction == POLAR_BY_RM)
        weigh(place, stages);
    else if (construction == POLAR_BY_GA)
        evolve(place, stages, 4 * es_n0, check_mean, twice);
    else
        evolve(place, stages, log(expm1(es_n0)), bec_worse, bec_better);
    sort(place, n, order);
    free(place);
    return 0;
}

struct polar_code *polar_plain_code(uint32_t stages, uint32_t k, const uint16_t *order,
                                    struct fecrun_error *err)
{
    struct polar_code *code = polar_code_new(stages, k);
    uint32_t at = 0;

    if (!code) {
        fecrun_no_memory(err);
        return NULL;
    }
    for (uint32_t i = code->n - k; i < code->n; i++)
        code->kind[order[i]] = POLAR_MESSAGE;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->kind[i] == POLAR_MESSAGE)
            code->position[at++] = (uint16_t)i;
    return code;
}

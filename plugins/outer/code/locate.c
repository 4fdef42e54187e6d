/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "plugins/outer/code/locate.h"

/* lambda times 1 - X x for each erasure. */
static void erasure_locator(const struct gf *field, const uint16_t *erased, uint32_t erasures,
                            uint16_t *lambda)
{
    lambda[0] = 1;
    for (uint32_t e = 0; e < erasures; e++)
        for (uint32_t i = e + 1; i > 0; i--)
            lambda[i] ^= gf_mul(field, lambda[i - 1], erased[e]);
}

/* What syndrome r is away from the value that lambda makes of those before it. */
static uint16_t discrepancy(const struct gf *field, const uint16_t *s, uint32_t r,
                            const uint16_t *lambda, uint32_t length)
{
    uint16_t d = s[r];

    for (uint32_t i = 1; i <= length && i <= r; i++)
        d ^= gf_mul(field, lambda[i], s[r - i]);
    return d;
}

/* lambda += factor x^shift before, which has that degree. */
static void add_shifted(const struct gf *field, uint16_t *lambda, uint16_t factor, uint32_t shift,
                        const uint16_t *before, uint32_t degree)
{
    for (uint32_t i = 0; i <= degree; i++)
        lambda[i + shift] ^= gf_mul(field, factor, before[i]);
}

static uint32_t degree_of(const uint16_t *p, uint32_t most)
{
    while (!p[most]) /* p[0] is not 0 */
        most--;
    return most;
}

/*
 * `before` is the locator before `length` last grew, `over` the discrepancy that it had, `shift` the steps since
 * then. The degree of a locator is at most its length, which is at most `parity`.
 */
bool outer_locate(const struct gf *field, const uint16_t *s, uint32_t parity,
                  const uint16_t *erased, uint32_t erasures, struct outer_locator *locator)
{
    uint16_t before[OUTER_MOST_PARITY + 1], kept[OUTER_MOST_PARITY + 1], over = 1;
    uint16_t *lambda = locator->lambda;
    uint32_t length = erasures, degree = erasures, shift = 1;

    memset(lambda, 0, (parity + 1) * sizeof *lambda);
    erasure_locator(field, erased, erasures, lambda);
    memcpy(before, lambda, (degree + 1) * sizeof *before);
    for (uint32_t r = erasures; r < parity; r++, shift++) {
        const uint16_t d = discrepancy(field, s, r, lambda, length);
        const bool longer = d && 2 * length <= r + erasures;

        if (!d)
            continue;
        if (longer)
            memcpy(kept, lambda, (length + 1) * sizeof *kept);
        add_shifted(field, lambda, gf_div(field, d, over), shift, before, degree);
        if (!longer)
            continue;
        degree = degree_of(kept, length);
        memcpy(before, kept, (degree + 1) * sizeof *before);
        length = r + 1 + erasures - length;
        over = d;
        shift = 0;
    }
    locator->degree = degree_of(lambda, parity);
    return locator->degree == length && 2 * length <= parity + erasures;
}

/* The value at x of a polynomial of n coefficients. */
static uint16_t value_at(const struct gf *field, const uint16_t *p, uint32_t n, uint16_t x)
{
    uint16_t sum = 0;

    while (n > 0)
        sum = gf_mul(field, sum, x) ^ p[--n];
    return sum;
}

/* x times the derivative: the odd powers, in characteristic 2. */
static uint16_t odd_part_at(const struct gf *field, const uint16_t *p, uint32_t degree, uint16_t x)
{
    const uint16_t square = gf_mul(field, x, x);
    uint16_t sum = 0;

    for (uint32_t i = (degree - 1) | 1; i < degree + 1; i -= 2)
        sum = gf_mul(field, sum, square) ^ p[i];
    return gf_mul(field, sum, x);
}

void outer_values(const struct gf *field, const uint16_t *s, uint32_t parity, int64_t first,
                  const struct outer_locator *locator, const uint16_t *x, uint16_t *value)
{
    const uint32_t degree = locator->degree;
    uint16_t omega[OUTER_MOST_PARITY] = {
        0}; /* s lambda modulo x^parity; its degree is below lambda's */

    for (uint32_t i = 0; i < degree && i < parity; i++)
        for (uint32_t j = 0; j <= i; j++)
            omega[i] ^= gf_mul(field, locator->lambda[j], s[i - j]);
    for (uint32_t e = 0; e < degree; e++) {
        const int64_t log = field->log[x[e]];
        const uint16_t inverse = gf_power(field, -log);
        const uint16_t above = value_at(field, omega, degree, inverse);
        const uint16_t below = odd_part_at(field, locator->lambda, degree, inverse);

        value[e] = gf_mul(field, gf_div(field, above, below), gf_power(field, -log * first));
    }
}

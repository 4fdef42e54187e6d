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

void outer_values(const struct gf *field, const uint16_t *s, uint32_t parity, uint32_t first,
                  const struct outer_locator *locator, const uint16_t *x, uint16_t *value)
{
    const uint32_t degree = locator->degree;
    uint16_t omega[OUTER_MOST_PARITY] = {
        0}; /* s lambda modulo x^parity; its degree is below lambda's */

    for (uint32_t i = 0; i < degree && i < parity; i++)
        omega[i] = outer_omega(field, s, locator->lambda, i);
    for (uint32_t e = 0; e < degree; e++)
        value[e] = outer_value(field, omega, locator->lambda, degree, first, field->log[x[e]]);
}

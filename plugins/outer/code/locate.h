/* SPDX-License-Identifier: BSD-2-Clause */
/* The locator of the wrong symbols of a word, from its syndromes. */
#ifndef OUTER_LOCATE_H
#define OUTER_LOCATE_H

#include "plugins/outer/code/field.h"

#define OUTER_MOST_PARITY 256 /* syndromes of a word */

/*
 * Polynomials are arrays of coefficients, lowest power first. With the field's base b, symbol i of a word of
 * n has the locator b^(n - 1 - i), and syndrome j is the word's value at b^(first root + j).
 */
struct outer_locator {
    uint32_t degree;                        /* of all below, erasures included */
    uint16_t lambda[OUTER_MOST_PARITY + 1]; /* product of 1 - X x over the locators X */
};

/*
 * Berlekamp-Massey (Massey 1969), begun with the locator of the erasures (Blahut 1983). s: `parity`
 * syndromes. erased: locators of `erasures` symbols, at most `parity`, all different.
 * Returns false where no locator of at most (parity + erasures) / 2 symbols fits.
 */
bool outer_locate(const struct gf *field, const uint16_t *s, uint32_t parity,
                  const uint16_t *erased, uint32_t erasures, struct outer_locator *locator);

/* Coefficient i, below the locator's degree, of its product with the syndromes. */
FECRUN_INLINE uint16_t outer_omega(const struct gf *field, const uint16_t *s,
                                   const uint16_t *lambda, uint32_t i)
{
    uint16_t sum = 0;

    for (uint32_t j = 0; j <= i; j++)
        sum ^= gf_mul(field, lambda[j], s[i - j]);
    return sum;
}

/*
 * The value of a wrong symbol by Forney's rule (1965). omega: `degree` coefficients. first: the power of the first
 * root, at most 65535. log: the logarithm of the symbol's locator, a root of lambda.
 */
FECRUN_INLINE uint16_t outer_value(const struct gf *field, const uint16_t *omega,
                                   const uint16_t *lambda, uint32_t degree, uint32_t first,
                                   uint32_t log)
{
    const uint16_t inverse = field->exp[field->order - log];
    const uint16_t square = gf_mul(field, inverse, inverse);
    uint16_t above = 0, below = 0;

    for (uint32_t i = degree; i-- > 0;)
        above = gf_mul(field, above, inverse) ^ omega[i];
    for (uint32_t i = (degree - 1) | 1; i < degree + 1;
         i -= 2) /* the odd powers: x times the derivative */
        below = gf_mul(field, below, square) ^ lambda[i];
    below = gf_mul(field, below, inverse);
    return gf_mul(field, gf_div(field, above, below),
                  field->exp[field->order - log * first % field->order]);
}

/*
 * Values of the wrong symbols, whose locators x[] are the degree of `locator`. Those of erasures may be 0.
 * first: the power of the first root.
 */
void outer_values(const struct gf *field, const uint16_t *s, uint32_t parity, uint32_t first,
                  const struct outer_locator *locator, const uint16_t *x, uint16_t *value);

#endif

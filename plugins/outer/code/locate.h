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

/*
 * Values of the wrong symbols by Forney's rule (1965), whose locators are the degree of `locator`. Those of
 * erasures may be 0. first: the power of the first root.
 */
void outer_values(const struct gf *field, const uint16_t *s, uint32_t parity, int64_t first,
                  const struct outer_locator *locator, const uint16_t *x, uint16_t *value);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Finite fields GF(2^m) by tables of powers and logarithms. */
#ifndef OUTER_FIELD_H
#define OUTER_FIELD_H

#include <fecrun/sdk/device.h>
#include <stddef.h>

#define GF_LEAST_M 3
#define GF_MOST_M 16

/*
 * An element is a polynomial in x, modulo the field's polynomial: bit i is the coefficient of x^i. Powers
 * and logarithms are those of `base`, a primitive element.
 */
struct gf {
    unsigned m;
    uint32_t polynomial; /* with x^m: x^8 + x^4 + x^3 + x^2 + 1 is 0x11d */
    uint32_t order;      /* 2^m - 1, the number of elements but 0 */
    uint16_t *exp;       /* exp[i] = base^i for i below 2 order */
    uint16_t *log;       /* of 1 to order; log[0] is not used */
};

/* Items of uint16_t that the tables of a field take. */
static inline size_t gf_table_items(unsigned m)
{
    return (size_t)3 << m;
}

/* a times x. */
static inline uint32_t gf_times_x(uint32_t a, unsigned m, uint32_t polynomial)
{
    return (a << 1) ^ (a >> (m - 1) & 1 ? polynomial : 0);
}

/* Is it of degree m, and are all elements but 0 powers of x? */
bool gf_primitive(unsigned m, uint32_t polynomial);

/* The primitive polynomial that is taken where none is given: the first one in numerical order. */
uint32_t gf_default(unsigned m);

/*
 * Makes a field in tables of gf_table_items(m) items, which have to outlive it. base is x^step; step
 * has no divisor in common with 2^m - 1, and the polynomial is primitive.
 */
void gf_make(struct gf *field, unsigned m, uint32_t polynomial, uint32_t step, uint16_t *tables);

FECRUN_INLINE uint16_t gf_mul(const struct gf *field, uint16_t a, uint16_t b)
{
    return a && b ? field->exp[field->log[a] + field->log[b]] : 0;
}

/* a / b; b is not 0. */
FECRUN_INLINE uint16_t gf_div(const struct gf *field, uint16_t a, uint16_t b)
{
    return a ? field->exp[field->log[a] + field->order - field->log[b]] : 0;
}

/* base^power, for any power of at most 2^62. */
FECRUN_INLINE uint16_t gf_power(const struct gf *field, int64_t power)
{
    const int64_t rest = power % (int64_t)field->order;

    return field->exp[rest < 0 ? rest + field->order : rest];
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/code/field.h"

bool gf_primitive(unsigned m, uint32_t polynomial)
{
    const uint32_t order = (1u << m) - 1;
    uint32_t a = 1;

    if (polynomial >> m != 1 || !(polynomial & 1))
        return false;
    for (uint32_t i = 1; i < order; i++) {
        a = gf_times_x(a, m, polynomial);
        if (a == 1)
            return false;
    }
    return gf_times_x(a, m, polynomial) == 1;
}

uint32_t gf_default(unsigned m)
{
    static const uint32_t polynomials[GF_MOST_M + 1] = {
        [3] = 0xb,     [4] = 0x13,    [5] = 0x25,    [6] = 0x43,    [7] = 0x83,
        [8] = 0x11d,   [9] = 0x211,   [10] = 0x409,  [11] = 0x805,  [12] = 0x1053,
        [13] = 0x201b, [14] = 0x402b, [15] = 0x8003, [16] = 0x1002d};

    return polynomials[m];
}

void gf_make(struct gf *field, unsigned m, uint32_t polynomial, uint32_t step, uint16_t *tables)
{
    const uint32_t order = (1u << m) - 1;
    uint32_t a = 1, at = 0;

    field->m = m;
    field->polynomial = polynomial;
    field->order = order;
    field->exp = tables;
    field->log = tables + ((size_t)2 << m);
    for (uint32_t p = 0; p < order; p++) {
        field->log[a] = (uint16_t)p;
        field->exp[p] = (uint16_t)a;
        a = gf_times_x(a, m, polynomial);
    }
    if (step % order != 1) { /* base^i is x^(step i) */
        for (uint32_t i = 0; i < order; i++) {
            field->exp[order + i] = field->exp[at];
            at = (uint32_t)(((uint64_t)at + step) % order);
        }
        for (uint32_t i = 0; i < order; i++) {
            field->exp[i] = field->exp[order + i];
            field->log[field->exp[i]] = (uint16_t)i;
        }
    }
    for (uint32_t i = 0; i < order; i++)
        field->exp[order + i] = field->exp[i];
}

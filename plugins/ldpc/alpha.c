/* SPDX-License-Identifier: BSD-2-Clause */
/* `alpha: auto`, the factor of normalised min-sum: doc/ldpc.md says how the values were found. */
#include "decode.h"

struct knot {
    uint32_t rows;
    double alpha;
};

static const struct knot bg1[] = {{5, 0.8}, {13, 0.75}, {24, 0.7}, {46, 0.65}, {0, 0}};
static const struct knot bg2[] = {{5, 0.8}, {13, 0.75}, {42, 0.7}, {0, 0}};

/* Straight lines between the knots. */
static double between(const struct knot *knot, uint32_t rows)
{
    if (rows <= knot->rows)
        return knot->alpha;
    for (; knot[1].rows; knot++)
        if (rows <= knot[1].rows)
            return knot->alpha + (knot[1].alpha - knot->alpha) * (double)(rows - knot->rows) /
                                     (double)(knot[1].rows - knot->rows);
    return knot->alpha;
}

double ldpc_alpha_auto(const struct ldpc_code *code, uint32_t rows, enum ldpc_rule rule)
{
    (void)rule;
    if (code->family != LDPC_NR)
        return 0.75;
    return between(code->bg == 1 ? bg1 : bg2, rows);
}

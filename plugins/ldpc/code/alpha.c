/* SPDX-License-Identifier: BSD-2-Clause */
/* `alpha: auto`, the factor of normalised min-sum: doc/ldpc.md says how the values were found. */
#include "plugins/ldpc/code/code.h"

struct knot {
    double at, alpha;
};

/* At so many rows of the base graph. */
static const struct knot bg1[] = {{4, 0.8},   {7, 0.76},  {13, 0.71}, {24, 0.69},
                                  {35, 0.65}, {46, 0.64}, {0, 0}};
static const struct knot bg2[] = {{4, 0.86},  {5, 0.84},  {7, 0.79}, {13, 0.75},
                                  {22, 0.71}, {42, 0.67}, {0, 0}};

/* At a code rate. */
static const struct knot dvbs2[] = {{0.25, 0.95}, {0.5, 0.84}, {0.75, 0.83}, {0, 0}};
static const struct knot others[] = {{0.5, 0.82}, {0.75, 0.76}, {0, 0}};

/* Straight lines between the knots. */
static double between(const struct knot *knot, double x)
{
    if (x <= knot->at)
        return knot->alpha;
    for (; knot[1].at > 0; knot++)
        if (x <= knot[1].at)
            return knot->alpha +
                   (knot[1].alpha - knot->alpha) * (x - knot->at) / (knot[1].at - knot->at);
    return knot->alpha;
}

/* Of either schedule: flooding wants the same. */
double ldpc_alpha_auto(const struct ldpc_code *code, uint32_t rows)
{
    if (code->family == LDPC_NR)
        return between(code->bg == 1 ? bg1 : bg2, rows);
    return between(code->family == LDPC_DVBS2 ? dvbs2 : others, (double)code->k / code->n);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* `alpha: auto`, the factor of normalised min-sum: doc/ldpc.md says how the values were found. */
#include <string.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/code.h"

/* ---- codes with a name ---------------------------------------------------------------------- */

enum { ANY = 0 };

static const struct named {
    enum ldpc_family family;
    uint32_t n; /* or ANY length */
    const char *rate;
    double alpha;
} named[] = {
    {LDPC_WIFI, ANY, "1/2", 0.83},    {LDPC_WIFI, ANY, "2/3", 0.76},
    {LDPC_WIFI, ANY, "3/4", 0.75},    {LDPC_WIFI, ANY, "5/6", 0.77},
    {LDPC_WIMAX, ANY, "1/2", 0.82},   {LDPC_WIMAX, ANY, "2/3A", 0.8},
    {LDPC_WIMAX, ANY, "2/3B", 0.77},  {LDPC_WIMAX, ANY, "3/4A", 0.74},
    {LDPC_WIMAX, ANY, "3/4B", 0.76},  {LDPC_WIMAX, ANY, "5/6", 0.78},
    {LDPC_DVBS2, 16200, "1/4", 0.92}, {LDPC_DVBS2, 16200, "1/3", 0.89},
    {LDPC_DVBS2, 16200, "2/5", 0.86}, {LDPC_DVBS2, 16200, "1/2", 0.88},
    {LDPC_DVBS2, 16200, "3/5", 0.76}, {LDPC_DVBS2, 16200, "2/3", 0.86},
    {LDPC_DVBS2, 16200, "3/4", 0.85}, {LDPC_DVBS2, 16200, "4/5", 0.84},
    {LDPC_DVBS2, 16200, "5/6", 0.83}, {LDPC_DVBS2, 16200, "8/9", 0.81},
    {LDPC_DVBS2, 64800, "1/4", 0.95}, {LDPC_DVBS2, 64800, "1/3", 0.92},
    {LDPC_DVBS2, 64800, "2/5", 0.87}, {LDPC_DVBS2, 64800, "1/2", 0.83},
    {LDPC_DVBS2, 64800, "3/5", 0.76}, {LDPC_DVBS2, 64800, "2/3", 0.86},
    {LDPC_DVBS2, 64800, "3/4", 0.85}, {LDPC_DVBS2, 64800, "4/5", 0.84},
    {LDPC_DVBS2, 64800, "5/6", 0.83}, {LDPC_DVBS2, 64800, "8/9", 0.8},
    {LDPC_DVBS2, 64800, "9/10", 0.8},
};

double ldpc_alpha_named(enum ldpc_family family, uint32_t n, const char *rate)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].family == family && (named[i].n == ANY || named[i].n == n) &&
            !strcmp(named[i].rate, rate))
            return named[i].alpha;
    return 0;
}

/* ---- others --------------------------------------------------------------------------------- */

struct knot {
    double at, alpha;
};

/* With so many rows of the base graph. */
static const struct knot bg1[] = {{4, 0.8},   {7, 0.76},  {13, 0.71}, {24, 0.69},
                                  {35, 0.65}, {46, 0.64}, {0, 0}};
static const struct knot bg2[] = {{4, 0.86},  {5, 0.84},  {7, 0.79}, {13, 0.75},
                                  {22, 0.71}, {42, 0.67}, {0, 0}};

/* At a code rate. */
static const struct knot files[] = {{0.5, 0.82}, {0.75, 0.76}, {0, 0}};

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

/*
 * A row of the extension whose own column was not received says nothing, so it is those with one that
 * count. Where BG1 lacks parity of its core, the few rows of the extension that there are want larger
 * messages.
 */
static double alpha_nr(const struct ldpc_code *code, uint32_t rows, const bool *received)
{
    const uint32_t core = code->core_rows, first_parity = code->cols - code->rows;
    double live = 0, alpha;
    bool whole = true;

    for (uint32_t r = 0; r < rows; r++)
        if (r >= core)
            live += !received || received[first_parity + r];
        else
            whole = whole && (!received || received[first_parity + r]);
    alpha = between(code->bg == 1 ? bg1 : bg2, core + live);
    return whole || code->bg != 1 || live > 36 ? alpha : alpha + 0.1 * (1 - live / 36);
}

/* Of either schedule: flooding wants the same. */
double ldpc_alpha_auto(const struct ldpc_code *code, uint32_t rows, const bool *received)
{
    if (code->family == LDPC_NR)
        return alpha_nr(code, rows, received);
    return code->alpha > 0 ? code->alpha : between(files, (double)code->k / code->n);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `alpha: auto`, the factor of normalised min-sum. doc/ldpc.md has the values,
 * bench/notebook/ldpc.md their origin.
 */
#include <string.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/code.h"

/* ---- DVB-S2 ----------------------------------------------------------------------------------- */

/* The first iteration's; both lengths want the same. */
static const struct {
    const char *rate;
    double first;
} dvbs2[] = {
    {"1/4", 0.8}, {"1/3", 0.75}, {"2/5", 0.7}, {"1/2", 0.75}, {"3/5", 0.45}, {"2/3", 0.7},
    {"3/4", 0.7}, {"4/5", 0.7},  {"5/6", 0.7}, {"8/9", 0.7},  {"9/10", 0.7},
};

double ldpc_alpha_dvbs2(const char *rate)
{
    for (size_t i = 0; i < sizeof dvbs2 / sizeof *dvbs2; i++)
        if (!strcmp(dvbs2[i].rate, rate))
            return dvbs2[i].first;
    return 0;
}

/* ---- NR --------------------------------------------------------------------------------------- */

/* With so many rows of the base graph. */
static const struct knot {
    double rows, first;
} knots[] = {{4, 0.65}, {13, 0.5}, {46, 0.43}};

/* Straight lines between the knots. */
static double first_of(double rows)
{
    const struct knot *k = rows < knots[1].rows ? knots : knots + 1;

    return k[0].first + (k[1].first - k[0].first) * (rows - k[0].rows) / (k[1].rows - k[0].rows);
}

static bool all_received(const bool *received, uint32_t from, uint32_t to)
{
    for (uint32_t c = from; c < to; c++)
        if (!received[c])
            return false;
    return true;
}

/* Columns of the row that were not received. Fillers are known. */
static uint32_t missing_in(const struct ldpc_code *code, uint32_t row, const bool *received)
{
    const uint32_t known = (code->k - code->fillers) / code->z,
                   first_parity = code->cols - code->rows;
    uint32_t missing = 0;

    for (uint32_t e = code->row_first[row]; e < code->row_first[row + 1]; e++) {
        const uint32_t col = code->edge[e].col;

        missing += !received[col] && (col < known || col >= first_parity);
    }
    return missing;
}

/*
 * Information bits were not received, nor `gone` of the extension's columns. What a row says of one bit of which
 * nothing is known is as good as ever; the more of them it has, the longer its messages are made of others that
 * are guesses, and the smaller they should be at first.
 */
static struct ldpc_alphas alpha_missing(const struct ldpc_code *code, const bool *received,
                                        uint32_t gone)
{
    struct ldpc_alphas alpha = {.first = 0.4 + (gone < 32 ? gone / 128. : 0.25),
                                .last = 0.8,
                                .by_row = true,
                                .row_first = 0.6,
                                .row_last = 0.8};

    for (uint32_t r = 0; r < code->rows; r++) {
        const uint32_t missing = missing_in(code, r, received), most = LDPC_ALPHA_KINDS;

        alpha.kind[r] = (uint8_t)(missing == 0 ? 0 : missing < most ? missing - 1 : most - 1);
    }
    return alpha;
}

/*
 * A row of the extension whose own column was not received says nothing, so it is those with one that
 * count. Where BG1 lacks parity of its core, the few rows of the extension that there are want larger
 * messages; where information bits are missing, which have a long way to come, all want smaller ones, the
 * more rows there are.
 */
static struct ldpc_alphas alpha_nr(const struct ldpc_code *code, uint32_t rows,
                                   const bool *received)
{
    const uint32_t core = code->core_rows, first_parity = code->cols - code->rows;
    const uint32_t sent = (code->k - code->fillers) / code->z, hidden = code->punctured / code->z;
    struct ldpc_alphas alpha = {.last = 0.9};
    uint32_t live = 0;

    for (uint32_t r = core; r < rows; r++)
        live += !received || received[first_parity + r];
    alpha.first = first_of(core + live);
    if (!received)
        return alpha;
    if (!all_received(received, hidden, sent))
        return alpha_missing(code, received, code->rows - core - live);
    if (code->bg == 1 && live < 36 && !all_received(received, first_parity, first_parity + core))
        alpha.first += 0.15 * (1 - live / 36.);
    return alpha;
}

/* Of either schedule: flooding wants the same. */
struct ldpc_alphas ldpc_alpha_auto(const struct ldpc_code *code, uint32_t rows,
                                   const bool *received)
{
    if (code->family == LDPC_NR)
        return alpha_nr(code, rows, received);
    if (code->family == LDPC_DVBS2)
        return (struct ldpc_alphas){.first = code->alpha, .last = 1};
    if (code->family == LDPC_CCSDS)
        return (struct ldpc_alphas){.first = 0.6, .last = 0.9};
    return (struct ldpc_alphas){.first = 0.65, .last = 0.95};
}

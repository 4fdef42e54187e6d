/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/nr.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

enum { LEAST_K_PARITY = 18, MOST_K_PARITY = 25, PARITIES = 3, WEIGHED = 192 };

static uint32_t log2_ceil(uint32_t x)
{
    uint32_t n = 0;

    while ((uint64_t)1 << n < x)
        n++;
    return n;
}

uint32_t polar_nr_stages(const struct polar_nr *nr)
{
    uint32_t by_e = log2_ceil(nr->e), by_k = log2_ceil(8 * nr->k), n;

    /* n1: the next smaller N serves if E is little above it and the rate is low */
    if (by_e && 8 * nr->e <= 9u << (by_e - 1) && 16 * nr->k < 9 * nr->e)
        by_e--;
    n = by_e < by_k ? by_e : by_k;
    n = n < nr->n_max ? n : nr->n_max;
    return n > POLAR_LEAST_STAGES ? n : POLAR_LEAST_STAGES;
}

/* Uplink control of 18 to 25 bits has parity bits; the downlink's blocks are longer. */
static uint32_t parities(const struct polar_nr *nr)
{
    return !nr->input_interleave && nr->k >= LEAST_K_PARITY && nr->k <= MOST_K_PARITY ? PARITIES
                                                                                      : 0;
}

int polar_nr_check(const struct polar_nr *nr, struct fecrun_error *err)
{
    const uint32_t n = 1u << polar_nr_stages(nr), more = parities(nr);

    if (nr->input_interleave && nr->k > POLAR_NR_MOST_INTERLEAVED)
        return fecrun_fail(err, "k", "is %u; with input_interleave there are 1 to %d bits", nr->k,
                           POLAR_NR_MOST_INTERLEAVED);
    if (nr->k + more > nr->e)
        return fecrun_fail(err, "e",
                           "is %u and has no room for the K = %u bits%s: at least %u are "
                           "allowed",
                           nr->e, nr->k, more ? " and 3 bits of parity" : "", nr->k + more);
    if (nr->k + more > n)
        return fecrun_fail(err, "k", "is %u and N = %u with n_max: %u; at most %u are allowed",
                           nr->k, n, nr->n_max, n - more);
    return 0;
}

/* 5.4.1.1: what is not sent, and what puncturing makes useless. */
static void freeze(const struct polar_nr *nr, uint32_t n, bool *never)
{
    const uint32_t e = nr->e;
    uint32_t first = 0;

    for (uint32_t i = 0; i < n; i++)
        never[i] = false;
    if (e >= n)
        return;
    if (!polar_nr_punctures(nr->k, e)) {
        for (uint32_t i = e; i < n; i++)
            never[polar_nr_interleaved(n, i)] = true;
        return;
    }
    for (uint32_t i = 0; i < n - e; i++)
        never[polar_nr_interleaved(n, i)] = true;
    /* T of them: ceil(3 N / 4 - E / 2), or ceil(9 N / 16 - E / 4) */
    if (4 * e >= 3 * n)
        first = (3 * n - 2 * e + 3) / 4;
    else
        first = (9 * n - 4 * e + 15) / 16;
    for (uint32_t i = 0; i < first; i++)
        never[i] = true;
}

static uint32_t weight(uint32_t row)
{
    return 1u << __builtin_popcount(row);
}

/*
 * `chosen` are the most reliable K + 3 positions, the most reliable one first. The last ones are of
 * parity; with E - K + 3 > 192 one of them instead is the row of least weight, the most reliable of
 * such, among the first K.
 */
static void set_parities(struct polar_code *code, const struct polar_nr *nr, const uint16_t *chosen)
{
    const uint32_t all = code->k + code->parities;
    const uint32_t weighed = code->parities && nr->e + PARITIES > nr->k + WEIGHED;
    uint32_t best = 0;

    for (uint32_t i = all - (code->parities - weighed); i < all; i++)
        code->kind[chosen[i]] = POLAR_PARITY;
    for (uint32_t i = 1; i < code->k && weighed; i++)
        if (weight(chosen[i]) < weight(chosen[best]))
            best = i;
    if (weighed)
        code->kind[chosen[best]] = POLAR_PARITY;
}

/* 5.3.1.1: bit k of the interleaved ones is bit Pi(k) of the message. */
static void set_positions(struct polar_code *code, bool interleaved)
{
    const uint32_t skip = POLAR_NR_MOST_INTERLEAVED - (interleaved ? code->k : 0);
    uint32_t at = 0, m = 0;

    for (uint32_t i = 0; i < code->n; i++) {
        if (code->kind[i] != POLAR_MESSAGE)
            continue;
        while (interleaved && polar_nr_interleaver[m] < skip)
            m++;
        code->position[interleaved ? polar_nr_interleaver[m] - skip : at] = (uint16_t)i;
        at++;
        m++;
    }
}

struct polar_code *polar_nr_code(const struct polar_nr *nr, struct fecrun_error *err)
{
    uint32_t stages, count = 0, all;
    uint16_t chosen[POLAR_NR_MOST_N];
    bool never[POLAR_NR_MOST_N];
    struct polar_code *code;

    if (polar_nr_check(nr, err))
        return NULL;
    stages = polar_nr_stages(nr);
    all = nr->k + parities(nr);
    freeze(nr, 1u << stages, never);
    for (uint32_t i = POLAR_NR_MOST_N; i-- > 0 && count < all;)
        if (polar_nr_sequence[i] < 1u << stages && !never[polar_nr_sequence[i]])
            chosen[count++] = polar_nr_sequence[i];
    if (count < all) {
        fecrun_fail(err, "e", "is %u, which leaves %u of N = %u positions for %u bits", nr->e,
                    count, 1u << stages, all);
        return NULL;
    }
    code = polar_code_new(stages, nr->k);
    if (!code) {
        fecrun_no_memory(err);
        return NULL;
    }
    code->parities = parities(nr);
    for (uint32_t i = 0; i < all; i++)
        code->kind[chosen[i]] = POLAR_MESSAGE;
    set_parities(code, nr, chosen);
    set_positions(code, nr->input_interleave);
    return code;
}

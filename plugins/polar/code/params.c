/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/params.h"

#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/polar/code/nr.h"
#include "plugins/polar/code/order.h"
#include "plugins/polar/code/small.h"

const char *const polar_families[] = {
    [POLAR_NR] = "nr", [POLAR_PLAIN] = "plain", [POLAR_NR_SMALL] = "nr-small", NULL};

static const char *const constructions[] = {
    [POLAR_BY_NR] = "nr",     [POLAR_BY_GA] = "ga", [POLAR_BY_BEC] = "bec",
    [POLAR_BY_FILE] = "file", [POLAR_BY_RM] = "rm", NULL};

const struct fecrun_param polar_code_param[POLAR_N_CODE_PARAMS] = {
    [POLAR_P_CODE] = {.size = sizeof(struct fecrun_param),
                      .name = "code",
                      .type = FECRUN_VALUE_CHOICE,
                      .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SHARED,
                      .choices = polar_families,
                      .help =
                          "5G NR control information, TS 38.212 5.3.1; its small blocks of 1 to "
                          "11 bits, 5.3.3; or plain, by n, k and construction"},
    [POLAR_P_K] = {.size = sizeof(struct fecrun_param),
                   .name = "k",
                   .type = FECRUN_VALUE_INT,
                   .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                   .unit = "bits",
                   .imin = 1,
                   .imax = POLAR_MOST_N,
                   .help = "bits of the block K, CRC included"},
    [POLAR_P_E] = {.size = sizeof(struct fecrun_param),
                   .name = "e",
                   .type = FECRUN_VALUE_INT,
                   .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                   .unit = "bits",
                   .imin = 1,
                   .imax = POLAR_NR_MOST_E,
                   .help = "nr: bits that are sent of a block; N and the frozen bits depend on it"},
    [POLAR_P_N_MAX] = {.size = sizeof(struct fecrun_param),
                       .name = "n_max",
                       .type = FECRUN_VALUE_INT,
                       .flags = FECRUN_PARAM_SHARED,
                       .imin = 9,
                       .imax = 10,
                       .default_text = "10",
                       .help = "nr: log2 of the largest N: 10 uplink, 9 downlink"},
    [POLAR_P_INPUT_INTERLEAVE] = {.size = sizeof(struct fecrun_param),
                                  .name = "input_interleave",
                                  .type = FECRUN_VALUE_BOOL,
                                  .flags = FECRUN_PARAM_SHARED,
                                  .default_text = "false",
                                  .help = "nr: TS 38.212 5.3.1.1, of the downlink; such blocks "
                                          "have no parity bits"},
    [POLAR_P_N] = {.size = sizeof(struct fecrun_param),
                   .name = "n",
                   .type = FECRUN_VALUE_INT,
                   .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                   .unit = "bits",
                   .imin = 1 << POLAR_LEAST_STAGES,
                   .imax = POLAR_MOST_N,
                   .help = "plain: bits of the word N, a power of two"},
    [POLAR_P_CONSTRUCTION] = {.size = sizeof(struct fecrun_param),
                              .name = "construction",
                              .type = FECRUN_VALUE_CHOICE,
                              .flags = FECRUN_PARAM_SHARED,
                              .choices = constructions,
                              .default_text = "nr",
                              .help = "plain: how positions are chosen: the sequence of TS 38.212 "
                                      "(N to 1024), Gaussian approximation, Bhattacharyya "
                                      "parameters of erasures, a file of all N positions, least "
                                      "reliable first, or by weight as Reed-Muller codes"},
    [POLAR_P_DESIGN_SNR] = {.size = sizeof(struct fecrun_param),
                            .name = "design_snr_db",
                            .type = FECRUN_VALUE_FLOAT,
                            .flags = FECRUN_PARAM_SHARED,
                            .unit = "dB",
                            .fmin = -20,
                            .fmax = 20,
                            .default_text = "0",
                            .help =
                                "plain, ga and bec: Es/N0 of BPSK for which the code is designed"},
    [POLAR_P_PATH] = {.size = sizeof(struct fecrun_param),
                      .name = "path",
                      .type = FECRUN_VALUE_PATH,
                      .flags = FECRUN_PARAM_SHARED,
                      .help = "plain, file: the file"},
    [POLAR_P_QM] = {.size = sizeof(struct fecrun_param),
                    .name = "qm",
                    .type = FECRUN_VALUE_INT,
                    .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                    .unit = "bits",
                    .imin = 1,
                    .imax = 8,
                    .default_text = "1",
                    .help = "nr-small, K = 1 and 2: bits of a modulation symbol, 1, 2, 4, 6 or 8"},
};

#define HAS(p) (1u << (p))

static const uint32_t parameters_of[] = {
    [POLAR_NR] = HAS(POLAR_P_K) | HAS(POLAR_P_E) | HAS(POLAR_P_N_MAX) |
                 HAS(POLAR_P_INPUT_INTERLEAVE),
    [POLAR_PLAIN] = HAS(POLAR_P_K) | HAS(POLAR_P_N) | HAS(POLAR_P_CONSTRUCTION) |
                    HAS(POLAR_P_DESIGN_SNR) | HAS(POLAR_P_PATH),
    [POLAR_NR_SMALL] = HAS(POLAR_P_K) | HAS(POLAR_P_E) | HAS(POLAR_P_QM),
};

static const char *const parameter_names[] = {
    [POLAR_NR] = "k, e, n_max, input_interleave",
    [POLAR_PLAIN] = "k, n, construction, design_snr_db, path",
    [POLAR_NR_SMALL] = "k, e, qm",
};

/* By the user. */
static bool written(const struct fecrun_values *values, unsigned p)
{
    return fecrun_value(values, p)->given == 2;
}

static uint32_t number(const struct fecrun_values *values, unsigned p)
{
    return (uint32_t)fecrun_value(values, p)->i;
}

static int check_given(const struct fecrun_values *values, enum polar_family family,
                       struct fecrun_error *err)
{
    const unsigned needed = family == POLAR_NR ? POLAR_P_E : POLAR_P_N;

    for (unsigned p = POLAR_P_K; p < POLAR_N_CODE_PARAMS; p++)
        if (written(values, p) && !(parameters_of[family] & HAS(p)))
            return fecrun_fail(err, polar_code_param[p].name, "code: %s has no %s; it has %s",
                               polar_families[family], polar_code_param[p].name,
                               parameter_names[family]);
    if (family != POLAR_NR_SMALL && !fecrun_value(values, needed)->given)
        return fecrun_fail(err, polar_code_param[needed].name, "missing: code: %s needs it (%s)",
                           polar_families[family], polar_code_param[needed].help);
    return 0;
}

/* ---- plain ----------------------------------------------------------------------------------- */

static int check_plain(const struct fecrun_values *values, enum polar_construction construction,
                       struct fecrun_error *err)
{
    const uint32_t n = number(values, POLAR_P_N), k = number(values, POLAR_P_K);
    const bool path = fecrun_value(values, POLAR_P_PATH)->given;
    uint32_t below = 1 << POLAR_LEAST_STAGES;

    while (2 * below <= n)
        below *= 2;
    if (n & (n - 1))
        return fecrun_fail(err, "n",
                           "is %u and no power of two; 32 to 32768 are allowed, the next ones "
                           "are %u and %u",
                           n, below, 2 * below);
    if (k > n)
        return fecrun_fail(err, "k", "is %u; a word of N = %u bits has at most as many", k, n);
    if (construction == POLAR_BY_NR && n > POLAR_NR_MOST_N)
        return fecrun_fail(
            err, "construction",
            "nr has the sequence up to N = %d, and N is %u; ga, bec, file and rm are "
            "allowed",
            POLAR_NR_MOST_N, n);
    if (path != (construction == POLAR_BY_FILE))
        return fecrun_fail(err, path ? "path" : "construction",
                           path ? "is that of construction: file; %s reads none"
                                : "%s needs `path`",
                           constructions[construction]);
    if (written(values, POLAR_P_DESIGN_SNR) && construction != POLAR_BY_GA &&
        construction != POLAR_BY_BEC)
        return fecrun_fail(err, "design_snr_db", "is that of construction: ga and bec; %s has none",
                           constructions[construction]);
    return 0;
}

static void nr_order(uint32_t n, uint16_t *order)
{
    for (uint32_t i = 0, count = 0; i < POLAR_NR_MOST_N; i++)
        if (polar_nr_sequence[i] < n)
            order[count++] = polar_nr_sequence[i];
}

static struct polar_code *read_plain(const struct fecrun_values *values, struct fecrun_error *err)
{
    const enum polar_construction construction = (enum polar_construction)number(
        values, POLAR_P_CONSTRUCTION);
    const double es_n0 = pow(10, fecrun_value(values, POLAR_P_DESIGN_SNR)->f / 10);
    uint16_t order[POLAR_MOST_N];
    uint32_t stages = POLAR_LEAST_STAGES;
    int status = 0;

    if (check_plain(values, construction, err))
        return NULL;
    while (1u << stages < number(values, POLAR_P_N))
        stages++;
    if (construction == POLAR_BY_NR)
        nr_order(1u << stages, order);
    else if (construction == POLAR_BY_FILE)
        status = polar_order_file(stages, fecrun_value(values, POLAR_P_PATH)->s, order, err);
    else
        status = polar_order_make(stages, construction, es_n0, order, err);
    return status ? NULL : polar_plain_code(stages, number(values, POLAR_P_K), order, err);
}

/* ---- nr-small -------------------------------------------------------------------------------- */

int polar_check_small(uint32_t k, uint32_t e, uint32_t qm, struct fecrun_error *err)
{
    if (k > POLAR_SMALL_MOST_K)
        return fecrun_fail(err, "k",
                           "is %u; small blocks have 1 to %d bits, larger ones `code: nr`", k,
                           POLAR_SMALL_MOST_K);
    if (qm > 1 && qm % 2)
        return fecrun_fail(err, "qm", "is %u; 1, 2, 4, 6 and 8 are allowed", qm);
    if (qm > 1 && k > 2)
        return fecrun_fail(err, "qm", "is that of blocks of one or two bits, and K is %u", k);
    if (e < k)
        return fecrun_fail(err, "e",
                           "is %u and has no room for the K = %u bits: at least %u are allowed", e,
                           k, k);
    return 0;
}

static struct polar_code *read_small(const struct fecrun_values *values, struct fecrun_error *err)
{
    const uint32_t k = number(values, POLAR_P_K), qm = number(values, POLAR_P_QM);
    const bool sent = fecrun_value(values, POLAR_P_E)->given;

    if (polar_check_small(k, sent ? number(values, POLAR_P_E) : k, qm, err))
        return NULL;
    return polar_small_code(k, qm, err);
}

struct polar_code *polar_read_code(const struct fecrun_values *values, struct fecrun_error *err)
{
    const enum polar_family family = (enum polar_family)number(values, POLAR_P_CODE);

    if (check_given(values, family, err))
        return NULL;
    if (family == POLAR_NR) {
        const struct polar_nr nr = {.k = number(values, POLAR_P_K),
                                    .e = number(values, POLAR_P_E),
                                    .n_max = number(values, POLAR_P_N_MAX),
                                    .input_interleave = number(values, POLAR_P_INPUT_INTERLEAVE)};

        return polar_nr_code(&nr, err);
    }
    return family == POLAR_PLAIN ? read_plain(values, err) : read_small(values, err);
}

/* ---- CRC ------------------------------------------------------------------------------------- */

int polar_crc_make(struct polar_crc *crc, enum crc_name name, uint32_t ones, uint32_t mask,
                   struct fecrun_error *err)
{
    const struct crc_kind *kind = &crc_kinds[name];

    *crc = (struct polar_crc){.width = kind->width};
    if (!kind->width)
        return 0;
    crc->polynomial = kind->polynomial >> (32 - kind->width);
    if (crc_check_mask(mask, crc->width, err))
        return -1;
    for (uint32_t i = 0; i < ones; i++)
        crc->start = polar_crc_step(crc, crc->start, 1);
    crc->rest = polar_crc_rest(crc, mask);
    return 0;
}

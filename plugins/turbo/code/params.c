/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/code/params.h"

#include <fecrun/sdk/stage.h>

enum { CODE_LTE, CODE_UMTS, CODE_CCSDS };

static const char *const codes[] = {"lte", "umts", "ccsds", NULL};

static const char *const codes_help[] = {"TS 36.212 5.1.3.2", "TS 25.212 4.2.3.2",
                                         "131.0-B: needs `rate`", NULL};

static const char *const rates[] = {"1/2", "1/3", "1/4", "1/6", NULL}; /* turbo_ccsds[] */

const struct fecrun_param turbo_code_param[TURBO_N_CODE_PARAMS] = {
    [TURBO_P_CODE] = {.size = sizeof(struct fecrun_param),
                      .name = "code",
                      .type = FECRUN_VALUE_CHOICE,
                      .flags = FECRUN_PARAM_SHARED,
                      .choices = codes,
                      .choices_help = codes_help,
                      .default_text = "lte",
                      .help = "a standard's code"},
    [TURBO_P_K] = {.size = sizeof(struct fecrun_param),
                   .name = "k",
                   .type = FECRUN_VALUE_INT,
                   .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                   .unit = "bits",
                   .imin = TURBO_LEAST_K,
                   .imax = TURBO_LONGEST,
                   .help =
                       "bits of the block K, fillers included: one of the 188 sizes of lte, 40 to "
                       "5114 of umts, 1784, 3568, 7136 or 8920 of ccsds; optional if the frame "
                       "size determines it"},
    [TURBO_P_FILLERS] =
        {.size = sizeof(struct fecrun_param),
         .name = "fillers",
         .type = FECRUN_VALUE_INT,
         .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
         .unit = "bits",
         .imin = 0,
         .imax = TURBO_MOST_FILLERS,
         .default_text = "0",
         .help = "filler bits F of lte, the first ones of the block: zeros that the frames of bits "
                 "do not hold and that are not sent"},
    [TURBO_P_RATE] = {.size = sizeof(struct fecrun_param),
                      .name = "rate",
                      .type = FECRUN_VALUE_CHOICE,
                      .flags = FECRUN_PARAM_SHARED,
                      .choices = rates,
                      .help = "of ccsds; tails take a little more"},
};

/* "the next ones are A and B" */
static void next_sizes(uint64_t k, char *text, size_t size)
{
    const uint32_t above = k > TURBO_MOST_K ? TURBO_SIZES : turbo_qpp_at_least((uint32_t)k);

    if (above == 0)
        snprintf(text, size, "the smallest is %u", TURBO_LEAST_K);
    else if (above == TURBO_SIZES)
        snprintf(text, size, "the largest is %u", TURBO_MOST_K);
    else
        snprintf(text, size, "the next ones are %u and %u", turbo_qpp_table[above - 1].k,
                 turbo_qpp_table[above].k);
}

/* "none of the 188 sizes of TS 36.212; the next ones are A and B"; block: the word in front of `sizes`, if any */
static void sizes_text(const struct turbo_family *family, uint64_t k, const char *block, char *text,
                       size_t size)
{
    char next[64];

    next_sizes(k, next, sizeof next);
    if (family->layout == TURBO_BY_STREAM)
        snprintf(text, size, "none of the %d %ssizes of TS 36.212; %s", TURBO_SIZES, block, next);
    else
        snprintf(text, size, "none of the %ssizes of %s: %s", block, family->source,
                 family->layout == TURBO_BY_STEP ? "40 to 5114" : "1784, 3568, 7136 and 8920");
}

const struct turbo_family *turbo_read_family(const struct fecrun_values *values,
                                             struct fecrun_error *err)
{
    const struct fecrun_value *rate = fecrun_value(values, TURBO_P_RATE);
    const int64_t code = fecrun_value(values, TURBO_P_CODE)->i;

    if (code == CODE_CCSDS && rate->given)
        return &turbo_ccsds[rate->i];
    if (code == CODE_CCSDS)
        fecrun_fail(err, "rate", "missing: ccsds has 1/2, 1/3, 1/4 and 1/6");
    else if (rate->given)
        fecrun_fail(err, "rate", "is of ccsds; %s has 1/3", codes[code]);
    else
        return code == CODE_UMTS ? &turbo_umts : &turbo_lte;
    return NULL;
}

int turbo_only_lte(const struct fecrun_values *values, const char *what, struct fecrun_error *err)
{
    const int64_t code = fecrun_value(values, TURBO_P_CODE)->i;

    if (code == CODE_LTE && fecrun_value(values, TURBO_P_RATE)->given)
        return fecrun_fail(err, "rate", "is of ccsds; lte has 1/3");
    return code == CODE_LTE ? 0
                            : fecrun_fail(err, "code",
                                          "%s is for lte; frame.insert and "
                                          "frame.remove puncture other codes",
                                          what);
}

uint64_t turbo_block_of(const struct turbo_family *family, uint64_t items)
{
    const uint64_t none = turbo_family_word(family, 0);

    return items % family->columns || items <= none ? 0 : (items - none) / family->columns;
}

int turbo_read_code(struct turbo_code *code, const struct fecrun_values *values, uint64_t found,
                    const char *items, struct fecrun_error *err)
{
    const struct fecrun_value *k = fecrun_value(values, TURBO_P_K);
    const uint64_t wanted = k->given ? (uint64_t)k->i : found;
    char sizes[160];

    code->family = turbo_read_family(values, err);
    if (!code->family)
        return -1;
    code->fillers = (uint32_t)fecrun_value(values, TURBO_P_FILLERS)->i;
    if (code->fillers && code->family != &turbo_lte)
        return fecrun_fail(err, "fillers", "are bits of lte that are not sent; %s has none",
                           code->family->name);
    if (wanted > TURBO_LONGEST || !turbo_family_has(code->family, (uint32_t)wanted)) {
        sizes_text(code->family, wanted, k->given ? "block " : "", sizes, sizeof sizes);
        if (k->given)
            return fecrun_fail(err, "k", "%llu is %s", (unsigned long long)wanted, sizes);
        return fecrun_fail(err, NULL, "the input has %s, which makes blocks of %llu bits, %s",
                           items, (unsigned long long)wanted, sizes);
    }
    code->k = (uint32_t)wanted;
    code->qpp = turbo_qpp_find(code->k);
    if (code->fillers >= code->k)
        return fecrun_fail(err, "fillers", "is %u; a block of %u bits has at most %u",
                           code->fillers, code->k, code->k - 1);
    return 0;
}

/* Of LTE as it was before there were others: journals and results name it so. */
void turbo_identity(struct fecrun_plan *plan, const struct turbo_family *family, uint32_t k,
                    uint32_t fillers)
{
    if (family == &turbo_lte)
        fecrun_identity(plan, "K = %u with %u fillers", k, fillers);
    else
        fecrun_identity(plan, "%s, K = %u, word of %u", family->name, k,
                        turbo_family_word(family, k));
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/code/params.h"

#include <fecrun/sdk/stage.h>

static const char *const codes[] = {"lte", NULL};

const struct fecrun_param turbo_code_param[TURBO_N_CODE_PARAMS] = {
    [TURBO_P_CODE] = {.size = sizeof(struct fecrun_param),
                      .name = "code",
                      .type = FECRUN_VALUE_CHOICE,
                      .flags = FECRUN_PARAM_SHARED,
                      .choices = codes,
                      .default_text = "lte",
                      .help = "the code: LTE, TS 36.212 5.1.3.2"},
    [TURBO_P_K] = {.size = sizeof(struct fecrun_param),
                   .name = "k",
                   .type = FECRUN_VALUE_INT,
                   .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                   .unit = "bits",
                   .imin = TURBO_LEAST_K,
                   .imax = TURBO_MOST_K,
                   .help =
                       "bits of the block K, fillers included: one of the 188 sizes of TS 36.212; "
                       "optional if the frame size determines it"},
    [TURBO_P_FILLERS] =
        {.size = sizeof(struct fecrun_param),
         .name = "fillers",
         .type = FECRUN_VALUE_INT,
         .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
         .unit = "bits",
         .imin = 0,
         .imax = TURBO_MOST_FILLERS,
         .default_text = "0",
         .help = "filler bits F, the first ones of the block: zeros that the frames of bits do not "
                 "hold and that are not sent"},
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

int turbo_read_code(struct turbo_code *code, const struct fecrun_values *values, uint64_t found,
                    const char *items, struct fecrun_error *err)
{
    const struct fecrun_value *k = fecrun_value(values, TURBO_P_K);
    const uint64_t wanted = k->given ? (uint64_t)k->i : found;
    char next[64];

    code->fillers = (uint32_t)fecrun_value(values, TURBO_P_FILLERS)->i;
    code->qpp = wanted <= TURBO_MOST_K ? turbo_qpp_find((uint32_t)wanted) : NULL;
    if (!code->qpp) {
        next_sizes(wanted, next, sizeof next);
        if (k->given)
            return fecrun_fail(err, "k", "%llu is none of the %d block sizes of TS 36.212; %s",
                               (unsigned long long)wanted, TURBO_SIZES, next);
        return fecrun_fail(err, NULL,
                           "the input has %s, which makes blocks of %llu bits, none of "
                           "the %d sizes of TS 36.212; %s",
                           items, (unsigned long long)wanted, TURBO_SIZES, next);
    }
    code->k = code->qpp->k;
    if (code->fillers >= code->k)
        return fecrun_fail(err, "fillers", "is %u; a block of %u bits has at most %u",
                           code->fillers, code->k, code->k - 1);
    return 0;
}

void turbo_identity(struct fecrun_plan *plan, uint32_t k, uint32_t fillers)
{
    fecrun_identity(plan, "K = %u with %u fillers", k, fillers);
}

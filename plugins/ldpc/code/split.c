/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/code/split.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/params.h>
#include <stdbool.h>

enum { BG, Z, FILLERS, SIZES };

static const char *const names[SIZES] = {"bg", "z", "fillers"};

/* By the user, or by the encoder that this stage takes values from. The default of `fillers` is none of them. */
static bool written(const struct fecrun_value *value)
{
    return value->given > 1;
}

static void take(struct ldpc_split *split, size_t bg_at, const int64_t said[SIZES])
{
    for (size_t i = 0; i < SIZES; i++) {
        split->taken[i] = (struct fecrun_value){
            .size = sizeof split->taken[i], .given = 3, .i = said[i], .f = (double)said[i]};
        split->list[bg_at + i] = &split->taken[i];
    }
    split->took = true;
}

/* Place of a value that is written otherwise, or SIZES. */
static size_t find_other(const struct fecrun_value *const own[SIZES], const int64_t said[SIZES])
{
    size_t i = 0;

    while (i < SIZES && !(written(own[i]) && own[i]->i != said[i]))
        i++;
    return i;
}

const struct fecrun_values *ldpc_split_values(struct ldpc_split *split,
                                              const struct fecrun_values *values, size_t n,
                                              size_t bg_at, const struct fecrun_frame *in,
                                              struct fecrun_error *err)
{
    const int64_t said[SIZES] = {(int64_t)fecrun_fact_get(in, LDPC_FACT_SPLIT_BG, 0),
                                 (int64_t)fecrun_fact_get(in, LDPC_FACT_SPLIT_Z, 0),
                                 (int64_t)fecrun_fact_get(in, LDPC_FACT_SPLIT_FILLERS, 0)};
    const struct fecrun_value *const *own = split->list + bg_at;
    const bool nr = bg_at != LDPC_P_BG || fecrun_value(values, LDPC_P_CODE)->i == LDPC_NR;
    size_t other;

    split->took = false;
    split->values = (struct fecrun_values){sizeof split->values, n, split->list};
    for (size_t i = 0; i < n; i++)
        split->list[i] = fecrun_value(values, i);
    if (!said[Z] || !nr || (written(own[BG]) && written(own[Z]) && written(own[FILLERS])))
        return &split->values;
    other = find_other(own, said);
    if (other == SIZES)
        take(split, bg_at, said);
    else if (!written(own[BG]) || !written(own[Z])) {
        fecrun_fail(err, names[other],
                    "is %lld, but seg.split has %lld; write bg, z and fillers here, or none",
                    (long long)own[other]->i, (long long)said[other]);
        return NULL;
    }
    return &split->values;
}

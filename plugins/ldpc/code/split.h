/* SPDX-License-Identifier: BSD-2-Clause */
/* What seg.split says of NR's code blocks, for stages where the user does not write it. */
#ifndef LDPC_CODE_SPLIT_H
#define LDPC_CODE_SPLIT_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#include "plugins/ldpc/code/params.h"

/* Facts of a frame that seg.split sets: base graph, lifting size Zc, fillers of a code block. */
#define LDPC_FACT_SPLIT_BG "seg.bg"
#define LDPC_FACT_SPLIT_Z "seg.z" /* not there: no code block of NR's data channels */
#define LDPC_FACT_SPLIT_FILLERS "seg.fillers"

/* The first values of a stage. */
struct ldpc_split {
    struct fecrun_value taken[3];
    const struct fecrun_value *list[LDPC_N_CODE_PARAMS];
    struct fecrun_values values;
    bool took; /* bg, z and fillers are seg.split's */
};

/*
 * The first n (at most LDPC_N_CODE_PARAMS) values of a stage; bg, z and fillers stand side by side from place bg_at
 * on, which is LDPC_P_BG where these are LDPC_CODE_PARAMS: then only of `code: nr`. If none of the three is written otherwise than seg.split says of the frame, those that are not written become
 * seg.split's, with `given` 3. The result is in *split and lives as long. NULL and a reason: one is written otherwise,
 * but bg or z is not written.
 */
const struct fecrun_values *ldpc_split_values(struct ldpc_split *split,
                                              const struct fecrun_values *values, size_t n,
                                              size_t bg_at, const struct fecrun_frame *in,
                                              struct fecrun_error *err);

#endif

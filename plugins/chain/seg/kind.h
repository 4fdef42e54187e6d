/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of seg.split and seg.join, and the values that seg.split passes to seg.join. */
#ifndef CHAIN_SEG_KIND_H
#define CHAIN_SEG_KIND_H

#include <fecrun/sdk/params.h>

#include "plugins/chain/seg/seg.h"

/* Facts of frames that seg.split sets: for seg.join, */
#define SEG_FACT_A "seg.a"
#define SEG_FACT_BG "seg.bg" /* struct seg_kind */
#define SEG_FACT_G "seg.g"
/* and for ldpc.*, which reads SEG_FACT_BG, too. */
#define SEG_FACT_Z "seg.z"
#define SEG_FACT_FILLERS "seg.fillers"

/* What makes the code blocks: of NR the base graph, or one of these. */
enum { SEG_KIND_LTE = 0, SEG_KIND_UCI = 3 };

struct seg_kind {
    unsigned bg;
    uint32_t g; /* SEG_KIND_UCI: bits sent; else 0 */
};

/* Their places in a stage's values. */
enum { SEG_P_CODE, SEG_P_A, SEG_P_BG, SEG_P_RATE, SEG_P_G, SEG_N_PARAMS };

extern const struct fecrun_param *const seg_split_params[], *const seg_join_params[];

struct seg_sizes seg_sizes_of(uint32_t a, struct seg_kind kind);

/* What `code` and those beside it say of a bits; -1 and a reason. */
int seg_read_kind(const struct fecrun_values *values, uint32_t a, struct seg_kind *kind,
                  struct fecrun_error *err);

/* Of seg.join: from its parameters, or else from what seg.split said; -1 and a reason. */
int seg_find_split(const struct fecrun_values *values, const struct fecrun_frame *in, uint32_t *a,
                   struct seg_kind *kind, struct fecrun_error *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What plan() of the four stages shares. */
#ifndef OUTER_PLAN_H
#define OUTER_PLAN_H

#include "plugins/outer/code/bch.h"
#include "plugins/outer/code/rs.h"

/*
 * For the encoder, and for the decoder (`decodes`): reads the parameters and checks that the input is frames of k or n
 * bits or symbols. Returns result->code, with its note and identity; or NULL and *err.
 */
struct bch_code *bch_plan(const struct fecrun_values *values, const struct fecrun_frame *in,
                          bool decodes, struct fecrun_plan *result, struct fecrun_error *err);
struct rs_code *rs_plan(const struct fecrun_values *values, const struct fecrun_frame *in,
                        bool decodes, struct fecrun_plan *result, struct fecrun_error *err);

/* The outputs of a decoder: `items` bits, and for each of the frame's `words` what was corrected. */
void outer_plan_decoded(const struct fecrun_frame *in, struct fecrun_frame *const out[],
                        uint64_t items, uint32_t words);

#endif

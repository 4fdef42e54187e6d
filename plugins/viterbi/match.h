/* SPDX-License-Identifier: BSD-2-Clause */
/* What viterbi.decode says of a frame besides its bits: how well the decoded word matches the LLRs. */
#ifndef VITERBI_MATCH_H
#define VITERBI_MATCH_H

#include <fecrun/sdk/params.h>
#include <math.h>

#include "plugins/viterbi/decode.h"

/* Sums over the symbols of a frame. An LLR of 0 is no symbol. */
struct viterbi_match {
    double metric; /* of LLRs, with the sign that the word gives them */
    uint64_t symbols, wrong;
};

/* The frame's first step that counts: what the register held before a piece of a stream, its bits do not say. */
static inline size_t viterbi_match_from(const struct viterbi_spec *spec)
{
    return spec->termination == VITERBI_CONTINUOUS ? spec->code.K - 1 : 0;
}

static inline double viterbi_match_f32(float x)
{
    return isnan(x) ? 0.0 : fmin(fmax((double)x, -1048576.0), 1048576.0);
}

/* Puts them into row f of the outputs that are read. */
static inline void viterbi_put_match(const struct viterbi_match *match,
                                     struct fecrun_view *const out[], uint64_t f)
{
    const double share = match->symbols ? (double)match->wrong / (double)match->symbols : 0;

    if (out[VITERBI_OUT_METRIC])
        *(float *)fecrun_row(out[VITERBI_OUT_METRIC], f) = (float)match->metric;
    if (out[VITERBI_OUT_REENCODED])
        *(float *)fecrun_row(out[VITERBI_OUT_REENCODED], f) = (float)share;
}

static inline int viterbi_wants_match(struct fecrun_view *const out[])
{
    return out[VITERBI_OUT_METRIC] || out[VITERBI_OUT_REENCODED];
}

#endif

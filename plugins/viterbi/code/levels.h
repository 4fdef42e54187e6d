/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts of a frame that stand once for each code in which it is, the innermost one last. Header only. */
#ifndef VITERBI_CODE_LEVELS_H
#define VITERBI_CODE_LEVELS_H

#include <fecrun/sdk/facts.h>

enum { CONV_LEVELS = 3 }; /* what is deeper is not remembered */

/* The facts of one kind, the outermost code's first. */
struct conv_levels {
    const char *name[CONV_LEVELS];
};

/* Steps of the encoder in a frame, all its pieces together: from conv.encode to viterbi.decode. */
static const struct conv_levels conv_encoded = {
    {"conv.encoded", "conv.encoded_2", "conv.encoded_3"}};

static inline unsigned conv_levels_count(const struct conv_levels *levels,
                                         const struct fecrun_frame *frame)
{
    unsigned n = 0;

    while (n < CONV_LEVELS && fecrun_fact_find(frame, levels->name[n]))
        n++;
    return n;
}

/* Adds a level; `value` is at least 1. -1 and *err: the frame has no room. */
static inline int conv_levels_push(const struct conv_levels *levels, struct fecrun_frame *frame,
                                   uint64_t value, struct fecrun_error *err)
{
    unsigned n = conv_levels_count(levels, frame);

    return n < CONV_LEVELS ? fecrun_fact_set(frame, levels->name[n], (double)value, err) : 0;
}

/* The innermost level's value; 0: there is none. */
static inline uint64_t conv_levels_top(const struct conv_levels *levels,
                                       const struct fecrun_frame *frame)
{
    unsigned n = conv_levels_count(levels, frame);

    return n ? (uint64_t)fecrun_fact_get(frame, levels->name[n - 1], 0) : 0;
}

/* Drops the innermost level, if there is one. */
static inline void conv_levels_pop(const struct conv_levels *levels, struct fecrun_frame *frame)
{
    unsigned n = conv_levels_count(levels, frame);

    if (n)
        fecrun_fact_drop(frame, levels->name[n - 1]);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What plan() of block codes asks in all families, with the same answers. Header only. */
#ifndef PLUGINS_COMMON_CHECKS_H
#define PLUGINS_COMMON_CHECKS_H

#include <fecrun/sdk/params.h>
#include <stdbool.h>

/* Did the user write it, and not as `auto`? */
static inline bool checks_written(const struct fecrun_value *value)
{
    return value->given == 2 && !value->is_auto;
}

/* Is it to be found by the stage? */
static inline bool checks_auto(const struct fecrun_value *value)
{
    return !value->given || value->is_auto;
}

/* -1 and a reason if the input is one stream. works: "block codes work", or the like. */
static inline int checks_frames(const struct fecrun_frame *in, const char *works,
                                struct fecrun_error *err)
{
    return in->stream ? fecrun_fail(err, NULL, "the input is one stream; %s on frames", works) : 0;
}

/* -1 and a reason, which names `param`, if the scale of the input's LLRs is not known. method: what has
   to know it; other: what has not. */
static inline int checks_scale(const struct fecrun_frame *in, const char *param, const char *method,
                               const char *other, struct fecrun_error *err)
{
    if (in->llr_scale > 0)
        return 0;
    return fecrun_fail(err, param,
                       "%s has to know the scale of the LLRs, and it got lost or was never given: "
                       "write llr_scale where they come from (source.file), or take %s, which "
                       "works at any scale",
                       method, other);
}

#endif

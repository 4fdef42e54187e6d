/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a stream that was divided into frames, for what joins these frames again. */
#ifndef FRAME_CODE_END_H
#define FRAME_CODE_END_H

#include <fecrun/sdk/facts.h>

#define FRAME_FACT_END "frame.end" /* there: the frames are of the shorter last piece of a stream */

/* For plan() of a stage that makes frames of the stream *in. -1 and *err: there is no room. */
static inline int frame_end_put(struct fecrun_frame *out, const struct fecrun_frame *in,
                                struct fecrun_error *err)
{
    return in->stream == 2 ? fecrun_fact_set(out, FRAME_FACT_END, 1, err) : 0;
}

/* For plan() of a stage that makes a stream of such frames, or of any others, which end nowhere. */
static inline void frame_end_take(struct fecrun_frame *out)
{
    out->stream = fecrun_fact_get(out, FRAME_FACT_END, 0) > 0 ? 2 : 1;
    fecrun_fact_drop(out, FRAME_FACT_END);
}

#endif

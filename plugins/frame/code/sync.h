/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames behind sync words, in batches of a stream. */
#ifndef FRAME_CODE_SYNC_H
#define FRAME_CODE_SYNC_H

#include "plugins/frame/code/word.h"

enum { SYNC_MOST_CONFIRM = 8 };

enum sync_inverted { SYNC_NEVER, SYNC_KEEP, SYNC_UNDO };

struct sync_code {
    struct word word;
    uint64_t period, frame; /* items; `frame`: of the output */
    uint64_t skipped;       /* items of the period before the output's frame */
    uint32_t pieces;        /* frames of a piece */
    unsigned tolerance, confirm;
    enum sync_inverted inverted;
};

/* Items of the stream before and after a batch that sync_batch() looks at. */
uint64_t sync_before(const struct sync_code *code);
uint64_t sync_after(const struct sync_code *code);

/* Bytes of scratch, for batches of any size. */
size_t sync_scratch(const struct sync_code *code);

/* run() of frame.sync, for U8, I8 and F32. */
int sync_batch(const struct word_kernels *kernels, const struct fecrun_call *call,
               const struct fecrun_view *in, struct fecrun_view *out);

#endif

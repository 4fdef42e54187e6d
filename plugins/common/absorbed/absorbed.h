/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An absorbed stage that is done by its own backend, in front of the stage that absorbs it: what is
 * between them lies in scratch memory and crosses no bus. For stages of one input.
 */
#ifndef COMMON_ABSORBED_ABSORBED_H
#define COMMON_ABSORBED_ABSORBED_H

#include <fecrun/plugin.h>

struct absorbed {
    const struct fecrun_backend *backend; /* NULL: nothing is absorbed */
    void *instance;
    uint32_t type;  /* of what it puts out, */
    uint64_t items; /* and how many a frame */
};

/*
 * args: those of the absorbing stage, whose absorbed_codes[0] are `backend`'s; its form says of which
 * type the input is, and what comes out is of the same. On failure there is nothing to destroy.
 */
int absorbed_make(struct absorbed *front, const struct fecrun_backend *backend, uint64_t items,
                  const struct fecrun_create *args, struct fecrun_error *err);
void absorbed_destroy(struct absorbed *front);

/* Bytes at the beginning of the absorbing stage's scratch memory; keeps what is behind them aligned. */
size_t absorbed_scratch(const struct absorbed *front, uint64_t frames);

/*
 * Queues the work. *between is what the absorbing stage reads then, and *behind its call, with the scratch
 * memory behind that.
 */
int absorbed_run(const struct absorbed *front, const struct fecrun_call *call,
                 const struct fecrun_view *in, struct fecrun_view *between,
                 struct fecrun_call *behind, struct fecrun_error *err);

#endif

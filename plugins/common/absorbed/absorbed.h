/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rate recovery that is done by its own backend, in front of a decoder that absorbs it: only the LLRs that
 * were sent come over the bus, and those of the whole word lie in the decoder's scratch memory.
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
 * For takes(): can `backend`, of the stage of that name, be absorbed so? args: those of the absorbing stage.
 * 0, also where nothing is absorbed, or -1 and a reason.
 */
int absorbed_takes(const char *stage, const struct fecrun_backend *backend,
                   const struct fecrun_create *args, struct fecrun_error *err);

/*
 * For create(), after takes(): an instance of the rate recovery that is absorbed, if one is. Its codes,
 * absorbed_codes[0] of args, begin with a struct recover; args' form says of which type the input is, and
 * what comes out is of the same. On failure there is nothing to destroy.
 */
int absorbed_make(struct absorbed *front, const struct fecrun_backend *backend,
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

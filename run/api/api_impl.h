/* SPDX-License-Identifier: BSD-2-Clause */
/* What the api*.c files share. */
#ifndef FECRUN_RUN_API_API_IMPL_H
#define FECRUN_RUN_API_API_IMPL_H

#include <fecrun/fecrun.h>

#include "run/sweep/session.h"

#include <pthread.h>

struct fecrun_session {
    struct session session;
    pthread_mutex_t lock; /* of what follows: other threads ask and cancel */
    struct fecrun_progress progress;
    volatile int *cancel; /* of the run that is under way, the caller's flag or our own */
    volatile int own_cancel;
};

/* Field of a caller's struct, or what it is where the caller does not know it or gave no struct. */
#define FIELD(p, field, otherwise) ((p) && FECRUN_HAS(p, field) ? (p)->field : (otherwise))

/* Fills the caller's message, a text cut where he has less room for it. Returns -1. */
int api_fail(const struct diag *diag, struct fecrun_message *message);

/* Fields behind `size` that the caller knows, of a struct that the library has filled. */
void api_give(void *to, const void *from, size_t bytes);

#endif

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
    bool busy;    /* one function at a time works with the session */
    bool closed;  /* and is freed when nobody uses it any more */
    size_t users; /* prepared pipelines */
};

/* Field of a caller's struct, or what it is where the caller does not know it or gave no struct. */
#define FIELD(p, field, otherwise) ((p) && FECRUN_HAS(p, field) ? (p)->field : (otherwise))

/* Fills the caller's message, a text cut where he has less room for it. Returns -1. */
int api_fail(const struct diag *diag, struct fecrun_message *message);

/* Fails because a required pointer is NULL; the message names the function and the pointer. Returns -1. */
int api_null(const char *function, const char *what, struct fecrun_message *message);
#define NEED(pointer) \
    do { \
        if (!(pointer)) \
            return api_null(__func__, #pointer, message); \
    } while (0)

/* Reserves the session for one function. Returns -1 if it is closed or another function is using it. */
int api_enter(struct fecrun_session *session, const char *function, struct fecrun_message *message);
/* Ends the reservation. users is added to the number of prepared pipelines: 1, 0, or -1. Frees a closed session that
   nobody uses any more. */
void api_leave(struct fecrun_session *session, int users);

/* Fields behind `size` that the caller knows, of a struct that the library has filled. */
void api_give(void *to, const void *from, size_t bytes);

#endif

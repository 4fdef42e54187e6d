/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Host API: run pipeline files from another program (pkg-config fecrun). The `fecrun` program is a
 * thin user of the same library.
 *
 * A function returns 0, or -1 with *message filled: status as the program's exit status would be
 * (1 failed while running, 2 the file or an option is wrong, 3 not available here) and a complete
 * sentence with file, line and column. message may be NULL. Nothing here prints or exits.
 *
 * Structs begin with their size, which the caller sets, and grow only at the end: fields that lie
 * behind that size are neither read nor written, and a text is cut to the room that is there.
 */
#ifndef FECRUN_H
#define FECRUN_H

#include <fecrun/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fecrun_message {
    size_t size;
    int status;
    char text[1024];
};

struct fecrun_options {
    size_t size;
    const char *const *plugin_dirs; /* searched first; NULL-terminated; may be NULL */
    const char *const *sets; /* "STAGE.PARAM=value", as --set; NULL-terminated; may be NULL */
    const char *backend;     /* as --backend; may be NULL */
    unsigned threads;        /* 0: all CPUs */
};

/* A pipeline file with its plugins loaded and its parameters checked. */
struct fecrun_session;

/* path "-" reads standard input. On failure *session is NULL. */
FECRUN_EXPORT int fecrun_open(struct fecrun_session **session, const char *path,
                              const struct fecrun_options *options, struct fecrun_message *message);
FECRUN_EXPORT void fecrun_close(struct fecrun_session *session); /* NULL is fine */

/* Plans every point: all that fecrun_run() would find wrong before its first frame. */
FECRUN_EXPORT int fecrun_check(struct fecrun_session *session, struct fecrun_message *message);

/* One point of the sweep; strings live until the callback returns. */
struct fecrun_point {
    size_t size;
    size_t n_set;
    const char *const *set_names, *const *set_values;
    double ebn0_db, esn0_db; /* NaN: the pipeline has no such channel */
    uint64_t frames, bits;
    int counted; /* 0: no sink counts errors, the next two are 0 */
    uint64_t bit_errors, frame_errors;
    double fer_low, fer_high; /* 95 % Clopper-Pearson */
    int checked;              /* 0: no stage checks frames, the next is 0 */
    uint64_t undetected;
    double iterations_mean;
    uint64_t iterations_max;
    double seconds;
    const char *stop; /* frame_errors, frames, seconds, end, signal, error */
};

struct fecrun_callbacks {
    size_t size;
    void *data;
    /* After each point, in the thread that called fecrun_run(). Not 0 ends the run with status 1. */
    int (*point)(void *data, const struct fecrun_point *point);
    /* May be set to not 0 at any time, also from a signal handler: the batches under way are
       finished and reported with stop = signal. May be NULL. */
    volatile int *cancel;
};

/* May be called again; each time it starts from frame 0. */
FECRUN_EXPORT int fecrun_run(struct fecrun_session *session,
                             const struct fecrun_callbacks *callbacks,
                             struct fecrun_message *message);

FECRUN_EXPORT const char *fecrun_version(void);

#ifdef __cplusplus
}
#endif

#endif

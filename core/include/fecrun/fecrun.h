/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Host API: pipelines in another program (pkg-config fecrun). The `fecrun` program is a thin user
 * of the same library.
 *
 * A function returns 0, or -1 with *message filled: status as the program's exit status would be
 * (1 failed while running, 2 the file or an option is wrong, 3 not available here) and a complete
 * sentence, with file, line and column where it is about the pipeline's text. message may be NULL.
 * Nothing here prints or exits, changes signal handlers or the locale.
 *
 * Structs begin with their size, which the caller sets, and grow only at the end: fields that lie
 * behind that size are neither read nor written, and a text is cut to the room that is there.
 *
 * Threads: different sessions may be used at the same time. One session by one thread at a time, but
 * for fecrun_get_progress() and fecrun_cancel().
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
    unsigned threads;        /* of fecrun_run(); 0: all CPUs */
    const char *base_dir;    /* what paths in the pipeline are relative to; NULL: the directory of
                                the file, of a text the current one */
};

/* A pipeline file with its plugins loaded and its parameters checked. */
struct fecrun_session;

/* path "-" reads standard input. On failure *session is NULL. */
FECRUN_EXPORT int fecrun_open(struct fecrun_session **session, const char *path,
                              const struct fecrun_options *options, struct fecrun_message *message);
/* The same of YAML or JSON in memory. name stands for the file's name in messages; text need not
   live longer than the call. */
FECRUN_EXPORT int fecrun_open_text(struct fecrun_session **session, const char *name,
                                   const char *text, size_t bytes,
                                   const struct fecrun_options *options,
                                   struct fecrun_message *message);
/* NULL is fine. */
FECRUN_EXPORT void fecrun_close(struct fecrun_session *session);

FECRUN_EXPORT const char *fecrun_version(void);

/* ---- Whole runs ------------------------------------------------------------------------------ */

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
    const char *stop;   /* frame_errors, frames, seconds, end, signal, error */
    uint64_t info_bits; /* information bits of the frames; `bits` are what the sink compares */
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

/* May be called again; each time it starts from frame 0. Returns when all points are through. */
FECRUN_EXPORT int fecrun_run(struct fecrun_session *session,
                             const struct fecrun_callbacks *callbacks,
                             struct fecrun_message *message);

/* How far a run has come, as it was at most a quarter of a second ago. */
struct fecrun_progress {
    size_t size;
    int running;          /* 0: no run is under way, and the rest is that of the last one */
    size_t point, points; /* number of the present one, from 0; how many there are */
    uint64_t frames, bits, bit_errors, frame_errors; /* of the present point */
    uint64_t most_frames, most_frame_errors;         /* its stop rules; 0: none */
    double seconds, most_seconds;
};

/* Both may be called from any thread while another one is in fecrun_run(); not from signal handlers
   (for those there is callbacks->cancel). */
FECRUN_EXPORT void fecrun_get_progress(struct fecrun_session *session,
                                       struct fecrun_progress *progress);
/* As callbacks->cancel, which it sets if the run has one. Without a run it does nothing. */
FECRUN_EXPORT void fecrun_cancel(struct fecrun_session *session);

#ifdef __cplusplus
}
#endif

#endif

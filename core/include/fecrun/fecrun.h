/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Host API: pipelines in another program (pkg-config fecrun). The `fecrun` program is a thin user
 * of the same library; doc/embedding.md is a guide with an example.
 *
 * There are two ways to use a pipeline:
 *
 *     fecrun_open, fecrun_run                        a whole run, as `fecrun run` does it
 *     fecrun_open, fecrun_prepare, fecrun_bind_*,    call by call, on frames that lie in the
 *     fecrun_execute                                 program's own memory
 *
 * A function returns 0, or -1 with *message filled: status as the program's exit status would be
 * (1 failed while running, 2 the file or an option is wrong, 3 not available here) and a complete
 * sentence, with file, line and column where it is about the pipeline's text. message may be NULL.
 * Nothing here prints or exits, starts processes, changes signal handlers or the locale.
 *
 * Structs begin with their size, which the caller sets, and grow only at the end: fields that lie
 * behind that size are neither read nor written, and a text is cut to the room that is there.
 *
 * Threads: different sessions may be used at the same time. One session by one thread at a time, but
 * for fecrun_get_progress() and fecrun_cancel(), and for what was prepared from it: each of those by
 * one thread at a time, several of them at the same time.
 *
 * Devices: the process may use CUDA itself, before, behind and beside. No device is reset, and the
 * calling thread's current device or context is after each call what it was before.
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
/* Closes the session. NULL is allowed. Pipelines that were prepared from it may still be used: the session is freed
   with the last of them, and not before a function that is using it returns. */
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
    uint64_t blocks;    /* pieces that frames were split into (code blocks); 0: they were not */
    int blocks_judged;  /* 0: no stage counts their errors or checks them, the next is 0 */
    uint64_t block_errors;
    double ber_low, ber_high; /* 95 %, of errors that come in frames; NaN: not known */
    uint64_t failed;          /* frames that a check called bad; 0 if none is checked */
    uint64_t left_over; /* items that end the source's stream inside a step, which nobody got */
};

struct fecrun_callbacks {
    size_t size;
    void *data;
    /* After each point, in the thread that called fecrun_run(). Not 0 ends the run with status 1. */
    int (*point)(void *data, const struct fecrun_point *point);
    /* May be set to not 0 at any time, also from a signal handler: the batches under way are
       finished and reported with stop = signal. May be NULL. */
    volatile int *cancel;
    /* Is called in the thread that called fecrun_run(): before the first point, several times a
       second, and after each point. Not 0 ends the run as cancel does. May be NULL. */
    int (*cancelled)(void *data);
};

/*
 * Returns when all points are through. May be called again; each time it starts from frame 0.
 *
 * A run that is cancelled is no error, whenever that is: 0 is returned. The point under way is reported with what
 * was counted and stop = signal, and no later one. Cancelled before its first frame, a run reports no point.
 */
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

/* ---- Prepared pipelines ---------------------------------------------------------------------- */

/*
 * A pipeline made ready to be called on arrays: stages source.memory and sink.memory stand for
 * them. All planning, set-up and allocation is done by fecrun_prepare(); a call does the stages'
 * work in the calling thread and nothing else, so calls of one frame are as cheap as those of many.
 * No files, no `sweep:`, no `stop:`. `batch:` is the default of options->frames. `in_flight:` and
 * threads have no effect. With `latency: low` turbo.decode chooses what is fastest for one block.
 */
struct fecrun_prepared;

struct fecrun_prepare_options {
    size_t size;
    uint64_t frames; /* most frames of one call; 0: `batch:`, else 1. With `blocks:` all rows */
    /*
     * NULL: a call returns when all is done. Else it points at the handle of a stream of yours (a
     * cudaStream_t, or NULL for the default one) on the device that the pipeline runs on: work is
     * queued there, behind what you have queued, and the call returns when it is; results, frame
     * infos and later errors are there once you have waited for the stream. A call waits all the
     * same where stages on the host need what the device gives.
     */
    void *const *stream;
};

/* On failure *prepared is NULL. A session may be prepared several times, as for several threads. */
FECRUN_EXPORT int fecrun_prepare(struct fecrun_prepared **prepared, struct fecrun_session *session,
                                 const struct fecrun_prepare_options *options,
                                 struct fecrun_message *message);
/* Waits for queued work and frees the prepared pipeline. NULL is allowed. */
FECRUN_EXPORT void fecrun_finish(struct fecrun_prepared *prepared);

/* What an array is to hold. */
struct fecrun_port_info {
    size_t size;
    int output;      /* 1: a sink.memory, which the call fills */
    uint32_t kind;   /* enum fecrun_kind */
    uint32_t type;   /* enum fecrun_type */
    uint64_t frames; /* most of one call */
    uint64_t items;  /* of a frame; of the first row's with `blocks:` */
    size_t frame_bytes;
    size_t bytes;      /* of all frames without gap */
    const char *space; /* "host", or the device's kind, "cuda" */
    int device;        /* its number */
    /* Where a stage splits frames (seg.split): the number of pieces of a frame, which follow each
       other. items, frame_bytes and a stride are those of one piece. Else 1. */
    uint32_t pieces;
    /* The pipeline's own memory for such an array, until fecrun_finish() or fecrun_set(). */
    void *own;
};

/* stage: the id, which is the stage's name if it has no other. */
FECRUN_EXPORT int fecrun_get_port(const struct fecrun_prepared *prepared, const char *stage,
                                  struct fecrun_port_info *info, struct fecrun_message *message);

/*
 * Binds an array, for all calls until another one is bound; quick. The array stays the caller's and
 * has to live as long. bytes is how large it is: a call that needs more is refused. stride is the
 * distance of frames in bytes; 0: they lie without gap, each beginning on a byte.
 *
 * An array is worked on as it is, without a copy, if frames lie without gap and data is aligned as
 * an item is. On the host nothing outside of the frames is touched. A device reads up to
 * FECRUN_SLACK bytes behind the last frame that was prepared for, and may write them as they were:
 * an array of the device needs as many more `bytes`, else it is copied, too. Inputs are never
 * written; outputs may be read and written several times during a call.
 */
FECRUN_EXPORT int fecrun_bind_input(struct fecrun_prepared *prepared, const char *stage,
                                    const void *data, size_t bytes, size_t stride,
                                    struct fecrun_message *message);
FECRUN_EXPORT int fecrun_bind_output(struct fecrun_prepared *prepared, const char *stage,
                                     void *data, size_t bytes, size_t stride,
                                     struct fecrun_message *message);

/* Does the next 1 to options->frames frames: all stages, in this thread, without allocating. (Only the first call of
   a thread that has prepared nothing may allocate 2 MiB, which the thread's calls share and its end frees.) After an
   error while running (status 1) only fecrun_finish() is of use. */
FECRUN_EXPORT int fecrun_execute(struct fecrun_prepared *prepared, uint64_t frames,
                                 struct fecrun_message *message);

/* Returns the infos of the last call's frames: checked, failed, iterations, ... They are in host
   memory and hold until the next call, fecrun_set() or fecrun_finish(). Only fecrun_set() moves
   them. Streams have none: NULL. */
FECRUN_EXPORT const struct fecrun_frame_info *
fecrun_get_infos(const struct fecrun_prepared *prepared);
/* The same for the pieces (code blocks) that frames were split into. The pieces of a frame follow
   each other. *blocks gets their number; blocks may be NULL. If no stage splits frames, these are
   the infos of the frames. */
FECRUN_EXPORT const struct fecrun_frame_info *
fecrun_get_block_infos(const struct fecrun_prepared *prepared, uint64_t *blocks);

/*
 * Sets parameters for the next calls. sets holds "STAGE.PARAM=value" or "seed=value" as --set, old
 * names included, and ends with NULL. The next calls give what a pipeline gives that was opened with these sets and all
 * earlier ones. Random stages continue to number their frames.
 *
 * After an error (status 2: a name or value is unknown, fixed, out of range or refused by a stage;
 * 1: no memory) everything is as it was before. There is one exception: if memory that was given
 * back cannot be allocated again, calls report that the pipeline has to be prepared again. These
 * cannot be set: parameters that link stages, `backend`, `tune`, columns of `blocks:`, and settings
 * of the pipeline except seed.
 *
 * All stages are planned again. Stages that the values do not affect keep their instances. Noise
 * (`ebn0_db`, `p`) and seed affect no decoder. Only buffers that become larger than they ever were
 * are allocated. So a pipeline that was prepared with the largest sizes allocates none. Arrays stay
 * bound, except those whose stride is now less than a frame. The function waits for queued work. In
 * a stream it is allowed only before the first item or after the end.
 */
FECRUN_EXPORT int fecrun_set(struct fecrun_prepared *prepared, const char *const *sets,
                             struct fecrun_message *message);

/*
 * Takes the next `items` items of a stream: 0 to options->frames times `frame`. The pipeline has to
 * begin with a source.memory with `stream: true`, and the items are at the beginning of its array.
 * They may end anywhere (types of several items a byte: after a whole byte).
 *
 * Items that are ready go to the beginning of each sink's array; fecrun_get_items() tells how many.
 * A decoder waits for the items that follow those that it decides. Arrays need room for
 * fecrun_port_info.bytes, which includes items that waited.
 *
 * end is not 0 in the call that has the stream's last items, or in one after it (items = 0). This
 * call gives the rest. If the last items are not a whole step of the code, they are left out. The
 * next call begins another stream. All calls together give what a run over the whole stream gives,
 * wherever it is cut.
 *
 * Errors are those of fecrun_execute(), which itself is refused for streams.
 */
FECRUN_EXPORT int fecrun_execute_stream(struct fecrun_prepared *prepared, uint64_t items, int end,
                                        struct fecrun_message *message);
/* Returns how many items the last fecrun_execute_stream() took from a source.memory or gave to a
   sink.memory; 0 if there is no such stage. */
FECRUN_EXPORT uint64_t fecrun_get_items(const struct fecrun_prepared *prepared, const char *stage);

/* ---- What there is --------------------------------------------------------------------------- */

/*
 * All plugins that were found, and which of their backends can run here. `fecrun list` and `fecrun
 * describe` print this. Structs of <fecrun/plugin.h> have the details: fecrun_stage has ports and
 * parameters with types, ranges, choices, defaults, units and help; fecrun_backend has the forms
 * (types of samples) and `tune`. They live as long as the process, and texts of the *_info structs
 * as long as the list. The caller sets `size` of an *_info struct. The functions return 0, or -1 if
 * there is no i-th entry. A list is used by one thread at a time.
 */
struct fecrun_list;

struct fecrun_plugin_info {
    size_t size;
    const char *path;
    const struct fecrun_plugin *plugin; /* name, version, license; NULL: it is not loaded */
    const char *reason;                 /* why not; else "" */
};

struct fecrun_stage_info {
    size_t size;
    const struct fecrun_stage *stage;
    const struct fecrun_plugin *plugin; /* has the stage; its name is the code's family */
    const char *path;                   /* of the plugin */
};

struct fecrun_backend_info {
    size_t size;
    const struct fecrun_backend *backend;
    int available;
    const char *reason; /* why not; else "" */
};

struct fecrun_device_info {
    size_t size;
    const char *provider; /* "cuda" */
    int device;           /* its number: `backend: cuda:1` */
    int available;        /* 0: the provider has no device */
    const char *reason;   /* why not; else "" */
    const char *description;
    const char *software; /* driver and runtime */
};

/* Loads all plugins and asks which backends can run. Reads only plugin_dirs of the options. On
   failure *list is NULL. */
FECRUN_EXPORT int fecrun_list_open(struct fecrun_list **list, const struct fecrun_options *options,
                                   struct fecrun_message *message);
/* NULL is allowed. */
FECRUN_EXPORT void fecrun_list_close(struct fecrun_list *list);
/* The i-th file of the search path. */
FECRUN_EXPORT int fecrun_list_plugin(const struct fecrun_list *list, size_t i,
                                     struct fecrun_plugin_info *info);
/* The i-th stage, by name. */
FECRUN_EXPORT int fecrun_list_stage(const struct fecrun_list *list, size_t i,
                                    struct fecrun_stage_info *info);
/* Finds a stage by its name. *stage gets its number, the i of fecrun_list_stage(). If there is
   none, the message has the nearest name. */
FECRUN_EXPORT int fecrun_list_find(const struct fecrun_list *list, const char *name, size_t *stage,
                                   struct fecrun_message *message);
/* The i-th backend of that stage, the first one the reference. */
FECRUN_EXPORT int fecrun_list_backend(const struct fecrun_list *list, size_t stage, size_t i,
                                      struct fecrun_backend_info *info);
/* The i-th device of all providers. A provider without devices has one entry, with the reason. */
FECRUN_EXPORT int fecrun_list_device(const struct fecrun_list *list, size_t i,
                                     struct fecrun_device_info *info);

#ifdef __cplusplus
}
#endif

#endif

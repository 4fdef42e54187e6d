/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of fecrun.h for sessions and runs. */
#include "run/api/api_impl.h"

#include "run/sweep/sweep.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/stats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

const char *fecrun_version(void)
{
    return PACKAGE_VERSION;
}

int api_fail(const struct diag *diag, struct fecrun_message *message)
{
    const size_t before = offsetof(struct fecrun_message, text);
    size_t room = message && message->size > before ? message->size - before : 0;

    room = room < sizeof message->text ? room : sizeof message->text;
    if (message && FECRUN_HAS(message, status))
        message->status = diag->status;
    if (room)
        snprintf(message->text, room, "%s", diag->text);
    return -1;
}

void api_give(void *to, const void *from, size_t bytes)
{
    if (bytes > sizeof(size_t))
        memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
               bytes - sizeof(size_t));
}

int api_null(const char *function, const char *what, struct fecrun_message *message)
{
    struct diag diag = {0};

    diag_fail(&diag, DIAG_USAGE, "%s: %s is NULL", function, what);
    return api_fail(&diag, message);
}

static void free_session(struct fecrun_session *session)
{
    session_close(&session->session);
    pthread_mutex_destroy(&session->lock);
    free(session);
}

int api_enter(struct fecrun_session *session, const char *function, struct guest *guest,
              struct fecrun_message *message)
{
    struct diag diag = {0};

    pthread_mutex_lock(&session->lock);
    if (session->closed || session->busy)
        diag_fail(&diag, DIAG_USAGE, "%s: the session %s", function,
                  session->closed ? "is closed"
                                  : "is at work, in another thread or in the caller of a callback");
    else
        session->busy = true;
    pthread_mutex_unlock(&session->lock);
    if (diag.status)
        return api_fail(&diag, message);
    guest_enter(guest, session->session.registry);
    return 0;
}

/* Under the lock, which is given back. */
static void unlock(struct fecrun_session *session)
{
    const bool last = session->closed && !session->busy && !session->users;

    pthread_mutex_unlock(&session->lock);
    if (last)
        free_session(session);
}

void api_leave(struct fecrun_session *session, const struct guest *guest, int users)
{
    guest_leave(guest, session->session.registry);
    pthread_mutex_lock(&session->lock);
    session->busy = users < 0 && session->busy; /* a pipeline may be finished at any time */
    session->users += (size_t)users;
    unlock(session);
}

static int open_session(struct fecrun_session **session, const char *name, const char *text,
                        size_t bytes, const struct fecrun_options *options,
                        struct fecrun_message *message)
{
    struct fecrun_session *s = calloc(1, sizeof *s);
    const struct session_options so = {
        .registry = {.dirs = FIELD(options, plugin_dirs, NULL)},
        .pipeline = {.sets = FIELD(options, sets, NULL),
                     .backend = FIELD(options, backend, NULL),
                     .text = text,
                     .text_size = bytes,
                     .place.base_dir = FIELD(options, base_dir, NULL)},
        .threads = FIELD(options, threads, 0)};
    struct diag diag = {0};

    if (!s) {
        diag_no_memory(&diag);
    } else if (!session_open(&s->session, name, &so, &diag)) {
        pthread_mutex_init(&s->lock, NULL);
        *session = s;
        return 0;
    }
    free(s);
    return api_fail(&diag, message);
}

int fecrun_open(struct fecrun_session **session, const char *path,
                const struct fecrun_options *options, struct fecrun_message *message)
{
    NEED(session);
    *session = NULL;
    NEED(path);
    return open_session(session, path, NULL, 0, options, message);
}

int fecrun_open_text(struct fecrun_session **session, const char *name, const char *text,
                     size_t bytes, const struct fecrun_options *options,
                     struct fecrun_message *message)
{
    NEED(session);
    *session = NULL;
    NEED(name);
    NEED(text);
    return open_session(session, name, text, bytes, options, message);
}

void fecrun_close(struct fecrun_session *session)
{
    if (!session)
        return;
    pthread_mutex_lock(&session->lock);
    session->closed = true;
    unlock(session);
}

int fecrun_check(struct fecrun_session *session, struct fecrun_message *message)
{
    struct diag diag = {0};
    struct guest guest;
    int status;

    NEED(session);
    if (api_enter(session, __func__, &guest, message))
        return -1;
    status = sweep_try(&session->session, &diag);
    api_leave(session, &guest, 0);
    return status ? api_fail(&diag, message) : 0;
}

/* ---- Runs ---- */

struct running {
    struct fecrun_session *session;
    struct fecrun_callbacks callbacks; /* with all fields */
    struct sweep sweep;
    bool begun; /* frames were run */
};

static void ask_cancelled(const struct running *running)
{
    const struct fecrun_callbacks *callbacks = &running->callbacks;

    if (callbacks->cancelled && callbacks->cancelled(callbacks->data))
        fecrun_cancel(running->session);
}

/* Also once for each point, whose last frames it has not seen: it is called a few times a second. */
static void on_progress(void *data, const struct run_counts *counts, double seconds)
{
    struct running *running = data;
    struct fecrun_session *session = running->session;
    const struct run_limits *limits = &running->sweep.point.limits;

    running->begun = true;
    pthread_mutex_lock(&session->lock);
    session->progress = (struct fecrun_progress){.size = sizeof session->progress,
                                                 .running = 1,
                                                 .point = running->sweep.number,
                                                 .points = session_points(&session->session),
                                                 .frames = counts->frames,
                                                 .bits = counts->bits,
                                                 .bit_errors = counts->bit_errors,
                                                 .frame_errors = counts->frame_errors,
                                                 .most_frames = limits->frames,
                                                 .most_frame_errors = limits->frame_errors,
                                                 .seconds = seconds,
                                                 .most_seconds = limits->seconds};
    pthread_mutex_unlock(&session->lock);
    ask_cancelled(running);
}

static int tell(struct running *running, const struct result_point *p, struct diag *diag)
{
    const struct fecrun_callbacks *callbacks = &running->callbacks;
    struct fecrun_point point = {.size = sizeof point,
                                 .n_set = p->n_set,
                                 .set_names = p->set_names,
                                 .set_values = p->set_values,
                                 .ebn0_db = p->ebn0_db,
                                 .esn0_db = p->esn0_db,
                                 .frames = p->counts.frames,
                                 .bits = p->counts.bits,
                                 .counted = p->counts.counted,
                                 .bit_errors = p->counts.bit_errors,
                                 .frame_errors = p->counts.frame_errors,
                                 .checked = p->counts.checked,
                                 .undetected = p->counts.checked ? p->counts.undetected : 0,
                                 .iterations_mean = p->iterations_mean,
                                 .iterations_max = p->counts.iterations_max,
                                 .seconds = p->seconds,
                                 .stop = p->stop,
                                 .info_bits = p->counts.info_bits,
                                 .blocks = p->counts.blocks,
                                 .blocks_judged = p->counts.blocks_judged,
                                 .block_errors = p->counts.block_errors,
                                 .failed = p->counts.checked ? p->counts.failed : 0,
                                 .left_over = p->counts.left_over};

    on_progress(running, &p->counts, p->seconds);
    fecrun_interval(p->counts.frame_errors, p->counts.frames, 0.95, &point.fer_low,
                    &point.fer_high);
    result_ber_interval(p, &point.ber_low, &point.ber_high);
    if (callbacks->point && callbacks->point(callbacks->data, &point))
        return diag_fail(diag, DIAG_RUN, "ended by the caller");
    return 0;
}

static void begin(struct fecrun_session *session, volatile int *cancel)
{
    pthread_mutex_lock(&session->lock);
    session->own_cancel = 0;
    session->cancel = cancel ? cancel : &session->own_cancel;
    session->progress = (struct fecrun_progress){.size = sizeof session->progress,
                                                 .running = 1,
                                                 .points = session_points(&session->session)};
    pthread_mutex_unlock(&session->lock);
}

static void end(struct fecrun_session *session)
{
    pthread_mutex_lock(&session->lock);
    session->cancel = NULL;
    session->progress.running = 0;
    pthread_mutex_unlock(&session->lock);
}

static int run_points(struct running *running, struct diag *diag)
{
    struct sweep *sweep = &running->sweep;
    const struct sweep_options options = {.cancel = running->session->cancel};
    struct run_options run = {.progress = on_progress, .data = running};
    int more = sweep_open(sweep, &running->session->session, &options, diag) ? -1 : 1;

    while (more > 0) {
        run.limits = sweep->point.limits;
        more = sweep_point(sweep, &run, diag) ? -1 : 1;
        /* what was counted before an error is worth having */
        if ((more > 0 || sweep->point.counts.frames) && tell(running, &sweep->point, diag))
            more = -1;
        if (more > 0)
            more = sweep_next(sweep, &sweep->point, diag);
    }
    sweep_close(sweep);
    return more;
}

int fecrun_run(struct fecrun_session *session, const struct fecrun_callbacks *callbacks,
               struct fecrun_message *message)
{
    struct running running = {.session = session,
                              .callbacks = {.data = FIELD(callbacks, data, NULL),
                                            .point = FIELD(callbacks, point, NULL),
                                            .cancelled = FIELD(callbacks, cancelled, NULL)}};
    struct diag diag = {0};
    struct guest guest;
    int status;

    NEED(session);
    if (api_enter(session, __func__, &guest, message))
        return -1;
    begin(session, FIELD(callbacks, cancel, NULL));
    ask_cancelled(&running);
    status = run_points(&running, &diag);
    if (!running.begun && fecrun_cancelled(session->cancel))
        status = 0;
    end(session);
    api_leave(session, &guest, 0);
    return status ? api_fail(&diag, message) : 0;
}

void fecrun_get_progress(struct fecrun_session *session, struct fecrun_progress *progress)
{
    if (!session || !progress)
        return;
    pthread_mutex_lock(&session->lock);
    api_give(progress, &session->progress,
             progress->size < sizeof *progress ? progress->size : sizeof *progress);
    pthread_mutex_unlock(&session->lock);
}

void fecrun_cancel(struct fecrun_session *session)
{
    if (!session)
        return;
    pthread_mutex_lock(&session->lock);
    if (session->cancel)
        __atomic_store_n(session->cancel, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&session->lock);
}

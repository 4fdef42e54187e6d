/* SPDX-License-Identifier: BSD-2-Clause */
/* The host API over the core. */
#include <fecrun/fecrun.h>

#include "core/base/stats.h"
#include "core/session/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

struct fecrun_session {
    struct session session;
};

const char *fecrun_version(void)
{
    return PACKAGE_VERSION;
}

/* Field of a caller's struct, or what it is where the caller does not know it or gave no struct. */
#define FIELD(p, field, otherwise) ((p) && FECRUN_HAS(p, field) ? (p)->field : (otherwise))

/* A text is cut where the caller has less room for it. */
static int pass_on(const struct diag *diag, struct fecrun_message *message)
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

int fecrun_open(struct fecrun_session **session, const char *path,
                const struct fecrun_options *options, struct fecrun_message *message)
{
    struct fecrun_session *s = calloc(1, sizeof *s);
    const struct session_options so = {
        .registry = {.dirs = FIELD(options, plugin_dirs, NULL)},
        .pipeline = {.sets = FIELD(options, sets, NULL), .backend = FIELD(options, backend, NULL)},
        .threads = FIELD(options, threads, 0)};
    struct diag diag = {0};

    *session = NULL;
    if (!s) {
        diag_fail(&diag, DIAG_RUN, "out of memory");
        return pass_on(&diag, message);
    }
    if (session_open(&s->session, path, &so, &diag)) {
        free(s);
        return pass_on(&diag, message);
    }
    *session = s;
    return 0;
}

void fecrun_close(struct fecrun_session *session)
{
    if (session)
        session_close(&session->session);
    free(session);
}

int fecrun_check(struct fecrun_session *session, struct fecrun_message *message)
{
    struct diag diag = {0};

    if (session_try(&session->session, &diag))
        return pass_on(&diag, message);
    return 0;
}

static int on_point(void *data, const struct result_point *p, struct diag *diag)
{
    const struct fecrun_callbacks *callbacks = data; /* with all fields */
    struct fecrun_point point = {.size = sizeof point,
                                 .n_set = p->n_set,
                                 .set_names = p->set_names,
                                 .set_values = p->set_values,
                                 .ebn0_db = p->ebn0_db,
                                 .esn0_db = p->esn0_db,
                                 .frames = p->frames,
                                 .bits = p->bits,
                                 .counted = p->counted,
                                 .bit_errors = p->bit_errors,
                                 .frame_errors = p->frame_errors,
                                 .checked = p->checked,
                                 .undetected = p->checked ? p->undetected : 0,
                                 .iterations_mean = p->iterations_mean,
                                 .iterations_max = p->iterations_max,
                                 .seconds = p->seconds,
                                 .stop = p->stop};

    stats_interval(p->frame_errors, p->frames, 0.95, &point.fer_low, &point.fer_high);
    if (callbacks->point && callbacks->point(callbacks->data, &point))
        return diag_fail(diag, DIAG_RUN, "ended by the caller");
    return 0;
}

int fecrun_run(struct fecrun_session *session, const struct fecrun_callbacks *callbacks,
               struct fecrun_message *message)
{
    struct fecrun_callbacks known = {.size = sizeof known,
                                     .data = FIELD(callbacks, data, NULL),
                                     .point = FIELD(callbacks, point, NULL),
                                     .cancel = FIELD(callbacks, cancel, NULL)};
    struct sweep_options options = {.on_point = on_point, .data = &known, .cancel = known.cancel};
    struct diag diag = {0};

    return sweep_run(&session->session, &options, &diag) ? pass_on(&diag, message) : 0;
}

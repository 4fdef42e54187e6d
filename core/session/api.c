/* SPDX-License-Identifier: BSD-2-Clause */
/* The host API over the core. */
#include <fecrun/fecrun.h>

#include "stats.h"
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

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

static int pass_on(const struct diag *diag, struct fecrun_message *message)
{
    if (message) {
        message->status = diag->status;
        memcpy(message->text, diag->text, sizeof message->text);
    }
    return -1;
}

int fecrun_open(struct fecrun_session **session, const char *path,
                const struct fecrun_options *options, struct fecrun_message *message)
{
    struct fecrun_session *s = calloc(1, sizeof *s);
    struct session_options so = {0};
    struct diag diag = {0};

    *session = NULL;
    if (!s) {
        diag_fail(&diag, DIAG_RUN, "out of memory");
        return pass_on(&diag, message);
    }
    if (options)
        so = (struct session_options){
            .registry = {.dirs = options->plugin_dirs},
            .pipeline = {.sets = options->sets, .backend = options->backend},
            .threads = options->threads};
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

    if (session_check(&session->session, &diag) || session_try(&session->session, &diag))
        return pass_on(&diag, message);
    return 0;
}

static int on_point(void *data, const struct result_point *p, struct diag *diag)
{
    const struct fecrun_callbacks *callbacks = data;
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
    static const struct fecrun_callbacks none = {.size = sizeof none};
    struct sweep_options options = {.on_point = on_point};
    struct diag diag = {0};

    if (!callbacks)
        callbacks = &none;
    options.data = (void *)callbacks;
    options.cancel = callbacks->cancel;
    return sweep_run(&session->session, &options, &diag) ? pass_on(&diag, message) : 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The host API for pipelines that are called on arrays. */
#include "run/api/api_impl.h"
#include "run/sweep/guest.h"
#include "run/api/prepared.h"

#include <fecrun/sdk/params.h>

#include <stdlib.h>

struct fecrun_prepared {
    struct prepared prepared;
};

/* A call on the host alone chooses no device. */
static bool uses_device(const struct fecrun_prepared *p)
{
    return p->prepared.line.exec->layout.device_space != SPACE_HOST;
}

int fecrun_prepare(struct fecrun_prepared **prepared, struct fecrun_session *session,
                   const struct fecrun_prepare_options *options, struct fecrun_message *message)
{
    const struct prepared_options known = {.frames = FIELD(options, frames, 0),
                                           .stream = FIELD(options, stream, NULL)};
    struct fecrun_prepared *p = calloc(1, sizeof *p);
    struct diag diag = {0};
    struct guest guest;
    int status;

    *prepared = NULL;
    if (!p) {
        diag_no_memory(&diag);
        return api_fail(&diag, message);
    }
    guest_enter(&guest, session->session.registry);
    status = prepared_make(&p->prepared, &session->session, &known, &diag);
    guest_leave(&guest, session->session.registry);
    if (status) {
        free(p);
        return api_fail(&diag, message);
    }
    *prepared = p;
    return 0;
}

void fecrun_finish(struct fecrun_prepared *prepared)
{
    const struct registry *registry;
    struct guest guest;

    if (!prepared)
        return;
    registry = prepared->prepared.session.registry;
    guest_enter(&guest, registry);
    prepared_free(&prepared->prepared);
    guest_leave(&guest, registry);
    free(prepared);
}

int fecrun_get_port(const struct fecrun_prepared *prepared, const char *stage,
                    struct fecrun_port_info *info, struct fecrun_message *message)
{
    const struct prepared *p = &prepared->prepared;
    struct diag diag = {0};
    const struct prepared_port *port = prepared_find(p, stage, &diag);
    struct fecrun_port_info full = {.size = sizeof full};
    const struct choice *choice;

    if (!port)
        return api_fail(&diag, message);
    choice = &p->plan.negotiation->choices[port->stage];
    full.output = port->output;
    full.kind = prepared_frame(p, port)->kind;
    full.type = port->buffer->type;
    full.frames = p->plan.shape.frames;
    full.items = prepared_frame(p, port)->items;
    full.frame_bytes = prepared_frame_bytes(p, port);
    full.bytes = prepared_bytes(p, port, full.frames);
    full.space = choice->space == SPACE_HOST ? "host" : choice->backend->backend->provider;
    full.device = choice->device;
    api_give(info, &full, info->size < sizeof full ? info->size : sizeof full);
    return 0;
}

static int bind_array(struct fecrun_prepared *prepared, const char *stage, bool output, void *data,
                      size_t bytes, size_t stride, struct fecrun_message *message)
{
    struct prepared *p = &prepared->prepared;
    struct diag diag = {0};
    struct prepared_port *port = prepared_find(p, stage, &diag);

    if (port && port->output != output)
        diag_fail(&diag, DIAG_USAGE, "%s: is an %s", stage, port->output ? "output" : "input");
    else if (port && !prepared_bind(p, port, data, bytes, stride, &diag))
        return 0;
    return api_fail(&diag, message);
}

int fecrun_bind_input(struct fecrun_prepared *prepared, const char *stage, const void *data,
                      size_t bytes, size_t stride, struct fecrun_message *message)
{
    return bind_array(prepared, stage, false, (void *)(uintptr_t)data, bytes, stride, message);
}

int fecrun_bind_output(struct fecrun_prepared *prepared, const char *stage, void *data,
                       size_t bytes, size_t stride, struct fecrun_message *message)
{
    return bind_array(prepared, stage, true, data, bytes, stride, message);
}

int fecrun_execute(struct fecrun_prepared *prepared, uint64_t frames,
                   struct fecrun_message *message)
{
    const struct registry *registry = prepared->prepared.session.registry;
    const bool device = uses_device(prepared);
    struct diag diag = {0};
    struct guest guest;
    int status;

    if (device)
        guest_enter(&guest, registry);
    status = prepared_run(&prepared->prepared, frames, &diag);
    if (device)
        guest_leave(&guest, registry);
    return status ? api_fail(&diag, message) : 0;
}

const struct fecrun_frame_info *fecrun_get_infos(const struct fecrun_prepared *prepared)
{
    return prepared->prepared.line.slot->info.ptr;
}

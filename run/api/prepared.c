/* SPDX-License-Identifier: BSD-2-Clause */
/* The host API for pipelines that are called on arrays. */
#include "run/api/api_impl.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_bound(const struct graph *graph, size_t s)
{
    return graph->stages[s].stage->flags & FECRUN_STAGE_BOUND;
}

static bool on_host(const struct fecrun_prepared *prepared, size_t s)
{
    return prepared->plan.negotiation->choices[s].space == SPACE_HOST;
}

/* ---- What can be prepared ---- */

static int check_stage(const struct fecrun_prepared *prepared, size_t s, struct diag *diag)
{
    const struct plan *plan = prepared->plan.plan;
    const struct graph_stage *stage = &plan->graph->stages[s];

    if (plan_flags(plan, s) & FECRUN_STAGE_ORDERED)
        return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                            "%s: reads or writes a file, and a prepared pipeline has no end at "
                            "which files are finished; source.memory and sink.memory take arrays",
                            stage->decl->id);
    for (unsigned p = 0; p < stage->n_out; p++) {
        if (plan->stages[s].out[p].stream)
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                                "%s: gives pieces of a stream, and a prepared pipeline takes "
                                "frames",
                                stage->decl->id);
        if (plan->stages[s].out[p].pieces > 1)
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                                "%s: splits frames, which a prepared pipeline does not know yet; "
                                "take fecrun_run()",
                                stage->decl->id);
    }
    return 0;
}

static int check_pipeline(const struct session *session, struct diag *diag)
{
    const struct pipeline *p = session->pipeline;

    if (p->n_sweeps)
        return diag_fail_at(diag, DIAG_USAGE, p->sweeps[0].mark,
                            "sweep: a prepared pipeline is one point; take fecrun_run(), or "
                            "prepare one for each");
    if (p->stop_given)
        return diag_fail_at(diag, DIAG_USAGE, p->stages[0].mark,
                            "stop: a prepared pipeline ends with its last call; leave it out");
    return 0;
}

static int choose_frames(struct fecrun_prepared *prepared, uint64_t wanted, struct diag *diag)
{
    const struct pipeline *p = prepared->session.pipeline;
    struct session_plan *plan = &prepared->plan;

    if (p->n_blocks && wanted && wanted != plan->shape.frames)
        return diag_fail_at(diag, DIAG_USAGE, p->blocks[0].mark,
                            "blocks: %llu frames are asked for, the rows have %llu",
                            (unsigned long long)wanted, (unsigned long long)plan->shape.frames);
    plan->frames = p->n_blocks ? plan->shape.frames : wanted ? wanted : p->batch ? p->batch : 1;
    return 0;
}

/* ---- Making one ---- */

static int make_ports(struct fecrun_prepared *prepared, struct diag *diag)
{
    const struct graph *graph = prepared->session.graph;
    const struct line *line = &prepared->line;

    prepared->ports = calloc(graph->n, sizeof *prepared->ports);
    if (!prepared->ports)
        return diag_no_memory(diag);
    for (size_t s = 0; s < graph->n; s++) {
        struct prepared_port *port = &prepared->ports[prepared->n_ports];
        if (!is_bound(graph, s))
            continue;
        port->stage = s;
        port->output = !graph->stages[s].n_out;
        port->buffer = port->output ? slot_input(line->slot, &line->exec->layout, s, 0)
                                    : &line->slot->stages[s].out[0];
        port->own = port->buffer->data;
        for (size_t i = 0; i < prepared->n_ports; i++)
            port->shared |= prepared->ports[i].buffer == port->buffer;
        prepared->n_ports++;
    }
    return 0;
}

static int lend_stream(struct fecrun_prepared *prepared, void *const *stream, struct diag *diag)
{
    struct stream *own = &prepared->line.worker->stream;

    if (!stream)
        return 0;
    if (!own->provider)
        return diag_fail(diag, DIAG_USAGE,
                         "a stream was given, but no stage of the pipeline runs on a device");
    prepared->lent = true;
    prepared->own_stream = own->handle;
    own->handle = *stream;
    return 0;
}

/* Instances, scratch and the memory of one batch. */
static int make(struct fecrun_prepared *prepared, void *const *stream, struct diag *diag)
{
    const uint64_t frames = prepared->plan.frames;

    if (session_line(&prepared->session, &prepared->plan, UINT64_MAX, &prepared->line, diag))
        return -1;
    if (prepared->plan.shape.frames != frames)
        return diag_fail(diag, DIAG_RUN, "%llu frames do not fit into memory; at most %llu do",
                         (unsigned long long)frames,
                         (unsigned long long)prepared->plan.shape.frames);
    if (make_ports(prepared, diag))
        return -1;
    return lend_stream(prepared, stream, diag);
}

/* After an error what was made is freed with the rest. */
static int prepare(struct fecrun_prepared *prepared, const struct fecrun_prepare_options *options,
                   struct diag *diag)
{
    const struct session *session = &prepared->session;

    if (check_pipeline(session, diag) || session_plan(session, 0, &prepared->plan, diag))
        return -1;
    for (size_t s = 0; s < session->graph->n; s++)
        if (check_stage(prepared, s, diag))
            return -1;
    return choose_frames(prepared, FIELD(options, frames, 0), diag) ||
                   make(prepared, FIELD(options, stream, NULL), diag)
               ? -1
               : 0;
}

/* Waits for queued work. */
static void free_all(struct fecrun_prepared *prepared)
{
    if (prepared->line.worker)
        line_wait(&prepared->line, NULL);
    if (prepared->lent)
        prepared->line.worker->stream.handle = prepared->own_stream;
    line_close(&prepared->line);
    session_plan_free(&prepared->plan);
    free(prepared->ports);
    free(prepared);
}

int fecrun_prepare(struct fecrun_prepared **prepared, struct fecrun_session *session,
                   const struct fecrun_prepare_options *options, struct fecrun_message *message)
{
    struct fecrun_prepared *p;
    struct diag diag = {0};
    struct guest guest;
    int status;

    NEED(prepared);
    *prepared = NULL;
    NEED(session);
    if (api_enter(session, __func__, message))
        return -1;
    p = calloc(1, sizeof *p);
    if (!p) {
        api_leave(session, 0);
        diag_no_memory(&diag);
        return api_fail(&diag, message);
    }
    p->owner = session;
    p->session = session->session;
    p->session.threads = 1;
    guest_enter(&guest, p->session.registry);
    status = prepare(p, options, &diag);
    if (status)
        free_all(p);
    guest_leave(&guest, session->session.registry);
    api_leave(session, status ? 0 : 1);
    if (status)
        return api_fail(&diag, message);
    *prepared = p;
    return 0;
}

void fecrun_finish(struct fecrun_prepared *prepared)
{
    struct fecrun_session *owner;
    struct guest guest;

    if (!prepared)
        return;
    owner = prepared->owner;
    guest_enter(&guest, owner->session.registry);
    free_all(prepared);
    guest_leave(&guest, owner->session.registry);
    api_leave(owner, -1);
}

/* ---- Arrays ---- */

static const char *id_of(const struct fecrun_prepared *prepared, const struct prepared_port *port)
{
    return prepared->session.graph->stages[port->stage].decl->id;
}

static struct prepared_port *find_port(const struct fecrun_prepared *prepared, const char *id,
                                       struct diag *diag)
{
    char list[256] = "";

    for (size_t i = 0; i < prepared->n_ports; i++) {
        const char *name = id_of(prepared, &prepared->ports[i]);
        if (!strcmp(name, id))
            return &prepared->ports[i];
        text_add(list, sizeof list, "%s%s", *list ? ", " : "", name);
    }
    diag_fail(diag, DIAG_USAGE, "no array can be bound to `%s`; %s%s", id,
              *list ? "there are " : "the pipeline has no source.memory or sink.memory", list);
    return NULL;
}

static const struct fecrun_frame *frame_of(const struct fecrun_prepared *prepared,
                                           const struct prepared_port *port)
{
    return &prepared->plan.plan->stages[port->buffer->stage].out[port->buffer->port];
}

static size_t frame_bytes(const struct fecrun_prepared *prepared, const struct prepared_port *port)
{
    return fecrun_bytes(port->buffer->type, frame_of(prepared, port)->items);
}

/* Of that many frames without gap. */
static size_t bytes_of(const struct fecrun_prepared *prepared, const struct prepared_port *port,
                       uint64_t frames)
{
    const struct buffer *buffer = port->buffer;

    return (size_t)shape_bytes(&prepared->plan.shape, frames, buffer->stage, buffer->port,
                               buffer->type);
}

/* An array may be the buffer if its frames lie as a buffer's do. A device reads, and writes as it
   was, what lies close behind the last one. */
static bool may_be_buffer(const struct fecrun_prepared *prepared, const struct prepared_port *port)
{
    const unsigned item = (fecrun_type_bits(port->buffer->type) + 7) / 8;
    const uint64_t frames = prepared->plan.shape.frames;
    const uint64_t slack = on_host(prepared, port->stage) ? 0 : FECRUN_SLACK;

    if (port->shared || (uintptr_t)port->array % item || (port->stride && frames > 1))
        return false;
    return !slack || port->bytes >= bytes_of(prepared, port, frames) + slack;
}

static int bind_array(const struct fecrun_prepared *prepared, struct prepared_port *port,
                      void *array, size_t bytes, size_t stride, struct diag *diag)
{
    const size_t row = frame_bytes(prepared, port);

    if (!array)
        return diag_fail(diag, DIAG_USAGE, "%s: the array is NULL", id_of(prepared, port));
    if (stride && prepared->session.pipeline->n_blocks)
        return diag_fail(diag, DIAG_USAGE,
                         "%s: a stride of %zu bytes, but frames of `blocks:` are contiguous",
                         id_of(prepared, port), stride);
    if (stride && stride < row)
        return diag_fail(diag, DIAG_USAGE, "%s: a stride of %zu bytes, but a frame has %zu",
                         id_of(prepared, port), stride, row);
    port->array = array;
    port->bytes = bytes;
    port->stride = stride == row ? 0 : stride;
    port->bound = true;
    port->direct = may_be_buffer(prepared, port);
    if (!port->shared)
        port->buffer->data = port->direct ? array : port->own;
    return 0;
}

int fecrun_get_port(const struct fecrun_prepared *prepared, const char *stage,
                    struct fecrun_port_info *info, struct fecrun_message *message)
{
    struct fecrun_port_info full = {.size = sizeof full};
    const struct prepared_port *port;
    const struct choice *choice;
    struct diag diag = {0};

    NEED(prepared);
    NEED(stage);
    NEED(info);
    port = find_port(prepared, stage, &diag);
    if (!port)
        return api_fail(&diag, message);
    choice = &prepared->plan.negotiation->choices[port->stage];
    full.output = port->output;
    full.kind = frame_of(prepared, port)->kind;
    full.type = port->buffer->type;
    full.frames = prepared->plan.shape.frames;
    full.items = frame_of(prepared, port)->items;
    full.frame_bytes = frame_bytes(prepared, port);
    full.bytes = bytes_of(prepared, port, full.frames);
    full.space = choice->space == SPACE_HOST ? "host" : choice->backend->backend->provider;
    full.device = choice->space == SPACE_HOST ? 0 : prepared->plan.negotiation->device;
    api_give(info, &full, info->size < sizeof full ? info->size : sizeof full);
    return 0;
}

static int bind_named(struct fecrun_prepared *prepared, const char *stage, bool output, void *data,
                      size_t bytes, size_t stride, struct fecrun_message *message)
{
    struct diag diag = {0};
    struct prepared_port *port = find_port(prepared, stage, &diag);

    if (port && port->output != output)
        diag_fail(&diag, DIAG_USAGE, "%s: is an %s", stage, port->output ? "output" : "input");
    else if (port && !bind_array(prepared, port, data, bytes, stride, &diag))
        return 0;
    return api_fail(&diag, message);
}

int fecrun_bind_input(struct fecrun_prepared *prepared, const char *stage, const void *data,
                      size_t bytes, size_t stride, struct fecrun_message *message)
{
    NEED(prepared);
    NEED(stage);
    return bind_named(prepared, stage, false, (void *)(uintptr_t)data, bytes, stride, message);
}

int fecrun_bind_output(struct fecrun_prepared *prepared, const char *stage, void *data,
                       size_t bytes, size_t stride, struct fecrun_message *message)
{
    NEED(prepared);
    NEED(stage);
    return bind_named(prepared, stage, true, data, bytes, stride, message);
}

/* ---- Calls ---- */

static int check_arrays(const struct fecrun_prepared *prepared, uint64_t frames, struct diag *diag)
{
    for (size_t i = 0; i < prepared->n_ports; i++) {
        const struct prepared_port *port = &prepared->ports[i];
        size_t need;
        if (!port->bound)
            return diag_fail(diag, DIAG_USAGE, "%s: no array is bound to it",
                             id_of(prepared, port));
        need = port->stride ? bytes_times(frames - 1, port->stride) + frame_bytes(prepared, port)
                            : bytes_of(prepared, port, frames);
        if (need > port->bytes)
            return diag_fail(diag, DIAG_USAGE, "%s: %llu frames take %zu bytes, the array has %zu",
                             id_of(prepared, port), (unsigned long long)frames, need, port->bytes);
    }
    return 0;
}

/* Between array and buffer: done on the host, queued on a device. */
static int copy(struct fecrun_prepared *prepared, const struct prepared_port *port,
                struct diag *diag)
{
    const uint64_t called = prepared->line.slot->frames, frames = port->stride ? called : 1;
    const size_t row = port->stride ? frame_bytes(prepared, port)
                                    : bytes_of(prepared, port, called);
    struct stream *stream = &prepared->line.worker->stream;

    if (on_host(prepared, port->stage) && line_wait(&prepared->line, diag))
        return -1;
    for (uint64_t f = 0; f < frames; f++) {
        char *array = port->array + f * port->stride, *buffer = port->buffer->data + f * row;
        void *to = port->output ? array : buffer;
        const void *from = port->output ? buffer : array;
        if (on_host(prepared, port->stage))
            memcpy(to, from, row);
        else if (stream_copy(stream, to, from, row, diag))
            return -1;
    }
    return 0;
}

static int copy_all(struct fecrun_prepared *prepared, bool output, struct diag *diag)
{
    for (size_t i = 0; i < prepared->n_ports; i++) {
        const struct prepared_port *port = &prepared->ports[i];
        if (port->output == output && !port->direct && copy(prepared, port, diag))
            return -1;
    }
    return 0;
}

static int run_stage(struct fecrun_prepared *prepared, size_t s, struct diag *diag)
{
    const struct graph *graph = prepared->session.graph;

    if (!is_bound(graph, s))
        return line_run(&prepared->line, s, s, diag);
    return graph->stages[s].n_out ? line_edges(&prepared->line, s, diag) : 0;
}

/* The owner of a lent stream waits for frame infos and for all else himself. */
static int end(struct fecrun_prepared *prepared, struct diag *diag)
{
    if (line_end(&prepared->line, diag))
        return -1;
    return prepared->lent ? 0 : line_wait(&prepared->line, diag);
}

/* Work that the last call left in a lent stream still reads and writes memory of the host, unless
   all stages are on the device, one after the other. */
static int await_last(struct fecrun_prepared *prepared, struct diag *diag)
{
    const struct negotiation *negotiation = prepared->plan.negotiation;

    for (size_t s = 0; s < negotiation->graph->n; s++)
        if (negotiation->choices[s].absorbed_by < 0 && on_host(prepared, s))
            return line_wait(&prepared->line, diag);
    return 0;
}

static int run_stages(struct fecrun_prepared *prepared, struct diag *diag)
{
    if (await_last(prepared, diag) || copy_all(prepared, false, diag))
        return -1;
    for (size_t s = 0; s < prepared->session.graph->n; s++)
        if (run_stage(prepared, s, diag))
            return -1;
    return copy_all(prepared, true, diag) || end(prepared, diag) ? -1 : 0;
}

static int run(struct fecrun_prepared *prepared, uint64_t frames, struct diag *diag)
{
    if (prepared->broken)
        return diag_fail(diag, DIAG_RUN, "a call has failed before: prepare the pipeline again");
    if (!frames || frames > prepared->plan.shape.frames)
        return diag_fail(diag, DIAG_USAGE, "%llu frames in a call, 1 to %llu were prepared for",
                         (unsigned long long)frames,
                         (unsigned long long)prepared->plan.shape.frames);
    if (check_arrays(prepared, frames, diag))
        return -1;
    line_begin(&prepared->line, prepared->next_frame, frames);
    prepared->next_frame += frames;
    if (!run_stages(prepared, diag))
        return 0;
    prepared->broken = true;
    line_wait(&prepared->line, NULL);
    return -1;
}

int fecrun_execute(struct fecrun_prepared *prepared, uint64_t frames,
                   struct fecrun_message *message)
{
    struct diag diag = {0};
    struct guest guest;
    bool device;
    int status;

    NEED(prepared);
    /* a call on the host alone chooses no device */
    device = prepared->line.exec->layout.device.space != SPACE_HOST;
    if (device)
        guest_enter(&guest, prepared->session.registry);
    status = run(prepared, frames, &diag);
    if (device)
        guest_leave(&guest, prepared->session.registry);
    return status ? api_fail(&diag, message) : 0;
}

const struct fecrun_frame_info *fecrun_get_infos(const struct fecrun_prepared *prepared)
{
    return prepared ? prepared->line.slot->info.ptr : NULL;
}

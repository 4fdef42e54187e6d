/* SPDX-License-Identifier: BSD-2-Clause */
/* The host API for pipelines that are called on arrays. */
#include "run/api/api_impl.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making one ---- */

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
    struct session_plan *plan = prepared->made;

    if (p->n_blocks && wanted && wanted != plan->shape.frames)
        return diag_fail_at(diag, DIAG_USAGE, p->blocks[0].mark,
                            "blocks: %llu frames are asked for, the rows have %llu",
                            (unsigned long long)wanted, (unsigned long long)plan->shape.frames);
    prepared->frames = p->n_blocks ? plan->shape.frames : wanted ? wanted : p->batch ? p->batch : 1;
    plan->frames = prepared->frames + prepared_delay(plan->plan);
    return 0;
}

static int make_ports(struct fecrun_prepared *prepared, struct diag *diag)
{
    const struct graph *graph = prepared->session.graph;

    prepared->ports = calloc(graph->n, sizeof *prepared->ports);
    if (!prepared->ports)
        return diag_no_memory(diag);
    for (size_t s = 0; s < graph->n; s++)
        if (prepared_bound(prepared, s))
            prepared->ports[prepared->n_ports++] = (struct prepared_port){
                .stage = s, .output = !graph->stages[s].n_out};
    prepared_place(prepared);
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
    const uint64_t frames = prepared->made->frames;

    prepared->pool = memory_pool_open(true);
    prepared->is_stream = prepared->made->plan->stages[0].out[0].stream;
    if (session_line(&prepared->session, prepared->made, UINT64_MAX, prepared->pool,
                     &prepared->line, diag))
        return -1;
    if (prepared->made->shape.frames != frames)
        return diag_fail(diag, DIAG_RUN, "%llu frames do not fit into memory; at most %llu do",
                         (unsigned long long)frames,
                         (unsigned long long)prepared->made->shape.frames);
    return make_ports(prepared, diag) || lend_stream(prepared, stream, diag) ? -1 : 0;
}

/* Each is one text, cut into stage, parameter and value. */
void settings_free(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->n_sweeps; i++)
        free(pipeline->sweeps[i].values);
    free(pipeline->sweeps);
    pipeline->sweeps = NULL;
    pipeline->n_sweeps = 0;
}

void prepared_drop(struct session_plan *plan)
{
    if (plan)
        session_plan_free(plan);
    free(plan);
}

/* Waits for queued work. */
static void free_all(struct fecrun_prepared *prepared)
{
    if (prepared->line.worker)
        line_wait(&prepared->line, NULL);
    if (prepared->lent)
        prepared->line.worker->stream.handle = prepared->own_stream;
    line_close(&prepared->line);
    prepared_drop(prepared->made);
    prepared_drop(prepared->kept);
    memory_pool_close(prepared->pool);
    settings_free(&prepared->pipeline);
    free(prepared->ports);
    free(prepared);
}

static int prepare(struct fecrun_prepared **prepared, struct fecrun_session *owner,
                   const struct fecrun_prepare_options *options, struct diag *diag)
{
    struct fecrun_prepared *p;

    if (check_pipeline(&owner->session, diag))
        return -1;
    p = calloc(1, sizeof *p);
    if (!p)
        return diag_no_memory(diag);
    p->owner = owner;
    p->pipeline = *owner->session.pipeline;
    p->session = owner->session;
    p->session.pipeline = &p->pipeline;
    p->session.threads = 1;
    p->made = calloc(1, sizeof *p->made);
    if (!p->made)
        diag_no_memory(diag);
    else if (!session_plan(&p->session, 0, p->made, diag) && !prepared_check(p->made, diag) &&
             !choose_frames(p, FIELD(options, frames, 0), diag) &&
             !make(p, FIELD(options, stream, NULL), diag)) {
        *prepared = p;
        return 0;
    }
    free_all(p);
    return -1;
}

int fecrun_prepare(struct fecrun_prepared **prepared, struct fecrun_session *session,
                   const struct fecrun_prepare_options *options, struct fecrun_message *message)
{
    struct diag diag = {0};
    struct guest guest;
    int status;

    NEED(prepared);
    *prepared = NULL;
    NEED(session);
    if (api_enter(session, __func__, &guest, message))
        return -1;
    status = prepare(prepared, session, options, &diag);
    api_leave(session, &guest, status ? 0 : 1);
    return status ? api_fail(&diag, message) : 0;
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
    api_leave(owner, &guest, -1);
}

/* ---- Arrays ---- */

const char *prepared_id(const struct fecrun_prepared *prepared, const struct prepared_port *port)
{
    return prepared->session.graph->stages[port->stage].decl->id;
}

struct prepared_port *prepared_port(const struct fecrun_prepared *prepared, const char *id,
                                    struct diag *diag)
{
    char list[256] = "";

    if (prepared->broken && prepared_ready(prepared, diag)) /* its buffers may be gone */
        return NULL;
    for (size_t i = 0; i < prepared->n_ports; i++) {
        const char *name = prepared_id(prepared, &prepared->ports[i]);
        if (!strcmp(name, id))
            return &prepared->ports[i];
        text_add(list, sizeof list, "%s%s", *list ? ", " : "", name);
    }
    diag_fail(diag, DIAG_USAGE, "no array can be bound to `%s`; %s%s", id,
              *list ? "there are " : "the pipeline has no source.memory or sink.memory", list);
    return NULL;
}

const struct fecrun_frame *prepared_frame(const struct fecrun_prepared *prepared,
                                          const struct prepared_port *port)
{
    return &prepared->made->plan->stages[port->buffer->stage].out[port->buffer->port];
}

/* A frame's pieces are frames of their own, one after the other. */
static uint64_t pieces_of(const struct fecrun_prepared *prepared, const struct prepared_port *port,
                          uint64_t frames)
{
    return frames * prepared_frame(prepared, port)->pieces;
}

static size_t frame_bytes(const struct fecrun_prepared *prepared, const struct prepared_port *port)
{
    return fecrun_bytes(port->buffer->type, prepared_frame(prepared, port)->items);
}

/* Of that many frames without gap. */
static size_t bytes_of(const struct fecrun_prepared *prepared, const struct prepared_port *port,
                       uint64_t frames)
{
    return (size_t)shape_bytes(&prepared->made->shape, frames, port->buffer->stage,
                               port->buffer->port, port->buffer->type);
}

/* An array may be the buffer if its frames lie as a buffer's do. A device reads, and writes as it
   was, what lies close behind the last one. */
static bool may_be_buffer(const struct fecrun_prepared *prepared, const struct prepared_port *port)
{
    const unsigned item = (fecrun_type_bits(port->buffer->type) + 7) / 8;
    const uint64_t frames = prepared->made->shape.frames;
    const uint64_t slack = prepared_on_host(prepared, port->stage) ? 0 : FECRUN_SLACK;

    if (port->shared || prepared->is_stream || (uintptr_t)port->array % item ||
        (port->stride && pieces_of(prepared, port, frames) > 1))
        return false;
    return !slack || port->bytes >= bytes_of(prepared, port, frames) + slack;
}

static void settle(const struct fecrun_prepared *prepared, struct prepared_port *port)
{
    port->direct = may_be_buffer(prepared, port);
    if (!port->shared)
        port->buffer->data = port->direct ? port->array : port->own;
}

void prepared_place(struct fecrun_prepared *prepared)
{
    const struct line *line = &prepared->line;

    for (size_t i = 0; i < prepared->n_ports; i++) {
        struct prepared_port *port = &prepared->ports[i];
        port->buffer = port->output ? slot_input(line->slot, &line->exec->layout, port->stage, 0)
                                    : &line->slot->stages[port->stage].out[0];
        port->own = port->buffer->data;
        port->shared = false;
        for (size_t k = 0; k < i; k++)
            port->shared |= prepared->ports[k].buffer == port->buffer;
        port->bound &= !port->stride || port->stride >= frame_bytes(prepared, port);
    }
    for (size_t i = 0; i < prepared->n_ports; i++)
        if (prepared->ports[i].bound)
            settle(prepared, &prepared->ports[i]);
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
    port = prepared_port(prepared, stage, &diag);
    if (!port)
        return api_fail(&diag, message);
    choice = &prepared->made->negotiation->choices[port->stage];
    full.output = port->output;
    full.kind = prepared_frame(prepared, port)->kind;
    full.type = port->buffer->type;
    full.frames = port->output ? prepared->made->shape.frames : prepared->frames;
    full.items = prepared_frame(prepared, port)->items;
    full.frame_bytes = frame_bytes(prepared, port);
    full.bytes = bytes_of(prepared, port, full.frames);
    full.space = choice->space == SPACE_HOST ? "host" : choice->backend->backend->provider;
    full.device = choice->space == SPACE_HOST ? 0 : prepared->made->negotiation->device;
    full.pieces = prepared_frame(prepared, port)->pieces;
    full.own = port->own;
    api_give(info, &full, info->size < sizeof full ? info->size : sizeof full);
    return 0;
}

static int bind_array(struct fecrun_prepared *prepared, const char *stage, bool output, void *array,
                      size_t bytes, size_t stride, struct fecrun_message *message)
{
    struct diag diag = {0};
    struct prepared_port *port = prepared_port(prepared, stage, &diag);
    const size_t row = port ? frame_bytes(prepared, port) : 0;

    if (!port)
        return api_fail(&diag, message);
    if (port->output != output) {
        diag_fail(&diag, DIAG_USAGE, "%s: is an %s", stage, port->output ? "output" : "input");
    } else if (!array) {
        diag_fail(&diag, DIAG_USAGE, "%s: the array is NULL", stage);
    } else if (stride && (prepared->is_stream || prepared->session.pipeline->n_blocks)) {
        diag_fail(
            &diag, DIAG_USAGE,
            "%s: a stride of %zu bytes, but frames of `blocks:` and of a stream are contiguous",
            stage, stride);
    } else if (stride && stride < row) {
        diag_fail(&diag, DIAG_USAGE, "%s: a stride of %zu bytes, but a frame has %zu", stage,
                  stride, row);
    } else {
        port->array = array;
        port->bytes = bytes;
        port->stride = stride == row ? 0 : stride;
        port->bound = true;
        settle(prepared, port);
        return 0;
    }
    return api_fail(&diag, message);
}

int fecrun_bind_input(struct fecrun_prepared *prepared, const char *stage, const void *data,
                      size_t bytes, size_t stride, struct fecrun_message *message)
{
    NEED(prepared);
    NEED(stage);
    return bind_array(prepared, stage, false, (void *)(uintptr_t)data, bytes, stride, message);
}

int fecrun_bind_output(struct fecrun_prepared *prepared, const char *stage, void *data,
                       size_t bytes, size_t stride, struct fecrun_message *message)
{
    NEED(prepared);
    NEED(stage);
    return bind_array(prepared, stage, true, data, bytes, stride, message);
}

/* ---- Calls ---- */

int prepared_ready(const struct fecrun_prepared *prepared, struct diag *diag)
{
    if (prepared->broken)
        return diag_fail(diag, DIAG_RUN, "a call has failed before: prepare the pipeline again");
    for (size_t i = 0; i < prepared->n_ports; i++)
        if (!prepared->ports[i].bound)
            return diag_fail(diag, DIAG_USAGE, "%s: no array is bound to it",
                             prepared_id(prepared, &prepared->ports[i]));
    return 0;
}

int prepared_fits(const struct fecrun_prepared *prepared, const struct prepared_port *port,
                  uint64_t n, const char *what, size_t bytes, struct diag *diag)
{
    if (bytes <= port->bytes)
        return 0;
    return diag_fail(diag, DIAG_USAGE, "%s: %llu %s take %zu bytes, the array has %zu",
                     prepared_id(prepared, port), (unsigned long long)n, what, bytes, port->bytes);
}

static int check_arrays(const struct fecrun_prepared *prepared, uint64_t frames, struct diag *diag)
{
    for (size_t i = 0; i < prepared->n_ports; i++) {
        const struct prepared_port *port = &prepared->ports[i];
        const size_t need = port->stride
                                ? bytes_times(pieces_of(prepared, port, frames) - 1, port->stride) +
                                      frame_bytes(prepared, port)
                                : bytes_of(prepared, port, frames);
        if (prepared_fits(prepared, port, frames, "frames", need, diag))
            return -1;
    }
    return 0;
}

int prepared_move(struct fecrun_prepared *prepared, const struct buffer *buffer, void *to,
                  const void *from, size_t bytes, struct diag *diag)
{
    struct stream host = {0};

    if (buffer->memory.space != SPACE_HOST)
        return stream_copy(&prepared->line.worker->stream, to, from, bytes, diag);
    return line_wait(&prepared->line, diag) || stream_copy(&host, to, from, bytes, diag) ? -1 : 0;
}

/* Between array and buffer. */
static int copy(struct fecrun_prepared *prepared, const struct prepared_port *port,
                struct diag *diag)
{
    const uint64_t called = prepared->line.slot->frames;
    const uint64_t frames = port->stride ? pieces_of(prepared, port, called) : 1;
    const size_t row = port->stride ? frame_bytes(prepared, port)
                                    : bytes_of(prepared, port, called);

    for (uint64_t f = 0; f < frames; f++) {
        char *array = port->array + f * port->stride, *buffer = port->buffer->data + f * row;
        if (prepared_move(prepared, port->buffer, port->output ? array : buffer,
                          port->output ? buffer : array, row, diag))
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

    if (!prepared_bound(prepared, s))
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
    const struct negotiation *negotiation = prepared->made->negotiation;

    for (size_t s = 0; s < negotiation->graph->n; s++)
        if (negotiation->choices[s].absorbed_by < 0 && prepared_on_host(prepared, s))
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

static int run(struct fecrun_prepared *prepared, const void *data, struct diag *diag)
{
    const uint64_t frames = *(const uint64_t *)data;

    if (prepared->is_stream)
        return diag_fail(diag, DIAG_USAGE, "the pipeline takes a stream: fecrun_execute_stream()");
    if (!frames || frames > prepared->frames)
        return diag_fail(diag, DIAG_USAGE, "%llu frames in a call, 1 to %llu were prepared for",
                         (unsigned long long)frames, (unsigned long long)prepared->frames);
    if (prepared_ready(prepared, diag) || check_arrays(prepared, frames, diag))
        return -1;
    line_begin(&prepared->line, prepared->next_frame, frames);
    prepared->next_frame += frames;
    if (!run_stages(prepared, diag))
        return 0;
    prepared->broken = true;
    line_wait(&prepared->line, NULL);
    return -1;
}

int api_call(struct fecrun_prepared *prepared, api_work *work, const void *data,
             struct fecrun_message *message)
{
    struct diag diag;
    struct guest guest;
    /* a call on the host alone chooses no device */
    const bool device = prepared->line.exec->layout.device.space != SPACE_HOST;
    int status;

    diag.status = *diag.text = 0; /* zeros in all of it would take longer than the rest */
    if (device)
        guest_enter(&guest, prepared->session.registry);
    status = work(prepared, data, &diag);
    if (device)
        guest_leave(&guest, prepared->session.registry);
    return status ? api_fail(&diag, message) : 0;
}

int fecrun_execute(struct fecrun_prepared *prepared, uint64_t frames,
                   struct fecrun_message *message)
{
    NEED(prepared);
    return api_call(prepared, run, &frames, message);
}

const struct fecrun_frame_info *fecrun_get_infos(const struct fecrun_prepared *prepared)
{
    return prepared && !prepared->is_stream ? prepared->line.slot->info.ptr : NULL;
}

const struct fecrun_frame_info *fecrun_get_block_infos(const struct fecrun_prepared *prepared,
                                                       uint64_t *blocks)
{
    const struct shape *shape = prepared ? &prepared->made->shape : NULL;
    const struct shape_level *level = shape ? &shape->levels[shape->blocks] : NULL;
    const struct fecrun_frame_info *infos = fecrun_get_infos(prepared);

    if (blocks)
        *blocks = infos
                      ? shape_frames(shape, level->stage, level->port, prepared->line.slot->frames)
                      : 0;
    return infos ? infos + level->infos : NULL;
}

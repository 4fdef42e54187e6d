/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/api/prepared.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_bound(const struct graph *graph, size_t s)
{
    return graph->stages[s].stage->flags & FECRUN_BOUND;
}

static bool on_host(const struct prepared *prepared, size_t s)
{
    return prepared->plan.negotiation->choices[s].space == SPACE_HOST;
}

/* ---- What can be prepared ---- */

static int check_stage(const struct prepared *prepared, size_t s, struct diag *diag)
{
    const struct plan *plan = prepared->plan.plan;
    const struct graph_stage *stage = &plan->graph->stages[s];

    if (plan_flags(plan, s) & FECRUN_ORDERED)
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

static int choose_frames(struct prepared *prepared, uint64_t wanted, struct diag *diag)
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

static int make_ports(struct prepared *prepared, struct diag *diag)
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

static int lend_stream(struct prepared *prepared, void *const *stream, struct diag *diag)
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
static int make(struct prepared *prepared, const struct prepared_options *options,
                struct diag *diag)
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
    return lend_stream(prepared, options->stream, diag);
}

int prepared_make(struct prepared *prepared, const struct session *session,
                  const struct prepared_options *options, struct diag *diag)
{
    memset(prepared, 0, sizeof *prepared);
    prepared->session = *session;
    prepared->session.threads = 1;
    if (check_pipeline(session, diag) || session_plan(&prepared->session, 0, &prepared->plan, diag))
        goto fail;
    for (size_t s = 0; s < session->graph->n; s++)
        if (check_stage(prepared, s, diag))
            goto fail;
    if (!choose_frames(prepared, options->frames, diag) && !make(prepared, options, diag))
        return 0;
fail:
    prepared_free(prepared);
    return -1;
}

void prepared_free(struct prepared *prepared)
{
    if (prepared->line.worker)
        line_wait(&prepared->line, NULL);
    if (prepared->lent)
        prepared->line.worker->stream.handle = prepared->own_stream;
    line_close(&prepared->line);
    session_plan_free(&prepared->plan);
    free(prepared->ports);
    memset(prepared, 0, sizeof *prepared);
}

/* ---- Arrays ---- */

static const char *id_of(const struct prepared *prepared, const struct prepared_port *port)
{
    return prepared->session.graph->stages[port->stage].decl->id;
}

struct prepared_port *prepared_find(const struct prepared *prepared, const char *id,
                                    struct diag *diag)
{
    char list[256] = "";
    size_t used = 0;

    for (size_t i = 0; i < prepared->n_ports; i++) {
        const char *name = id_of(prepared, &prepared->ports[i]);
        if (!strcmp(name, id))
            return &prepared->ports[i];
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     name);
    }
    diag_fail(diag, DIAG_USAGE, "no array can be bound to `%s`; %s%s", id,
              used ? "there are " : "the pipeline has no source.memory or sink.memory", list);
    return NULL;
}

const struct fecrun_frame *prepared_frame(const struct prepared *prepared,
                                          const struct prepared_port *port)
{
    return &prepared->plan.plan->stages[port->buffer->stage].out[port->buffer->port];
}

size_t prepared_frame_bytes(const struct prepared *prepared, const struct prepared_port *port)
{
    return fecrun_bytes(port->buffer->type, prepared_frame(prepared, port)->items);
}

size_t prepared_bytes(const struct prepared *prepared, const struct prepared_port *port,
                      uint64_t frames)
{
    const struct shape *shape = &prepared->plan.shape;
    const struct buffer *buffer = port->buffer;
    uint64_t bytes = 0;

    for (size_t r = 0; r < shape->n_rows && shape->rows[r].first < frames; r++) {
        const struct shape_row *row = &shape->rows[r];
        const uint64_t left = frames - row->first, n = row->count < left ? row->count : left;
        bytes += bytes_times(
            n, fecrun_bytes(buffer->type, shape_items(shape, row->class, (size_t)buffer->stage,
                                                      (unsigned)buffer->port)));
    }
    return bytes;
}

/* An array may be the buffer if its frames lie as a buffer's do. A device reads, and writes as it
   was, what lies close behind the last one. */
static bool may_be_buffer(const struct prepared *prepared, const struct prepared_port *port)
{
    const unsigned item = (fecrun_type_bits(port->buffer->type) + 7) / 8;
    const uint64_t frames = prepared->plan.shape.frames;
    const uint64_t slack = on_host(prepared, port->stage) ? 0 : FECRUN_SLACK;

    if (port->shared || (uintptr_t)port->array % item || (port->stride && frames > 1))
        return false;
    return !slack || port->bytes >= prepared_bytes(prepared, port, frames) + slack;
}

int prepared_bind(const struct prepared *prepared, struct prepared_port *port, void *array,
                  size_t bytes, size_t stride, struct diag *diag)
{
    const size_t row = prepared_frame_bytes(prepared, port);

    if (!array)
        return diag_fail(diag, DIAG_USAGE, "%s: the array is NULL", id_of(prepared, port));
    if (stride && prepared->session.pipeline->n_blocks)
        return diag_fail(diag, DIAG_USAGE,
                         "%s: a stride of %zu bytes, but frames of `blocks:` lie without gap",
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

static int check_arrays(const struct prepared *prepared, uint64_t frames, struct diag *diag)
{
    for (size_t i = 0; i < prepared->n_ports; i++) {
        const struct prepared_port *port = &prepared->ports[i];
        size_t need;
        if (!port->bound)
            return diag_fail(diag, DIAG_USAGE, "%s: no array is bound to it",
                             id_of(prepared, port));
        need = port->stride
                   ? bytes_times(frames - 1, port->stride) + prepared_frame_bytes(prepared, port)
                   : prepared_bytes(prepared, port, frames);
        if (need > port->bytes)
            return diag_fail(diag, DIAG_USAGE, "%s: %llu frames take %zu bytes, the array has %zu",
                             id_of(prepared, port), (unsigned long long)frames, need, port->bytes);
    }
    return 0;
}

/* Between array and buffer: done on the host, queued on a device. */
static int copy(struct prepared *prepared, const struct prepared_port *port, struct diag *diag)
{
    const uint64_t called = prepared->line.slot->frames, frames = port->stride ? called : 1;
    const size_t row = port->stride ? prepared_frame_bytes(prepared, port)
                                    : prepared_bytes(prepared, port, called);
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

static int copy_all(struct prepared *prepared, bool output, struct diag *diag)
{
    for (size_t i = 0; i < prepared->n_ports; i++) {
        const struct prepared_port *port = &prepared->ports[i];
        if (port->output == output && !port->direct && copy(prepared, port, diag))
            return -1;
    }
    return 0;
}

/* ---- Calls ---- */

static int run_stage(struct prepared *prepared, size_t s, struct diag *diag)
{
    const struct graph *graph = prepared->session.graph;

    if (!is_bound(graph, s))
        return line_run(&prepared->line, s, s, diag);
    return graph->stages[s].n_out ? line_edges(&prepared->line, s, diag) : 0;
}

/* The owner of a lent stream waits for frame infos and for all else himself. */
static int end(struct prepared *prepared, struct diag *diag)
{
    if (line_end(&prepared->line, diag))
        return -1;
    return prepared->lent ? 0 : line_wait(&prepared->line, diag);
}

/* Work that the last call left in a lent stream still reads and writes memory of the host, unless
   all stages are on the device, one after the other. */
static int await_last(struct prepared *prepared, struct diag *diag)
{
    const struct negotiation *negotiation = prepared->plan.negotiation;

    for (size_t s = 0; s < negotiation->graph->n; s++)
        if (negotiation->choices[s].absorbed_by < 0 && on_host(prepared, s))
            return line_wait(&prepared->line, diag);
    return 0;
}

static int run_stages(struct prepared *prepared, struct diag *diag)
{
    if (await_last(prepared, diag) || copy_all(prepared, false, diag))
        return -1;
    for (size_t s = 0; s < prepared->session.graph->n; s++)
        if (run_stage(prepared, s, diag))
            return -1;
    return copy_all(prepared, true, diag) || end(prepared, diag) ? -1 : 0;
}

int prepared_run(struct prepared *prepared, uint64_t frames, struct diag *diag)
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

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prepared pipelines of a stream. As in a run, a stage that reads beyond the ends of its batch begins a
 * segment. Two kinds of items stay in that stage's input buffer between calls: those that wait for the
 * items after them, and earlier ones that are read again.
 */
#include "run/api/api_impl.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <string.h>

static const struct shape *full(const struct fecrun_prepared *prepared)
{
    return &prepared->made->shape;
}

static size_t bytes_at(const struct shape *shape, const struct buffer *buffer, uint64_t frames)
{
    return (size_t)fecrun_bytes(buffer->type,
                                frames * shape_items(shape, 0, buffer->stage, buffer->port));
}

/* Returns the input buffer of segment k. NULL: there is no such segment. */
static struct buffer *entry(const struct fecrun_prepared *prepared, size_t k)
{
    const struct exec *exec = prepared->line.exec;

    if (!k)
        return &prepared->line.slot->stages[0].out[0];
    return k < exec->n_segments
               ? slot_input(prepared->line.slot, &exec->layout, exec->segments[k].first, 0)
               : NULL;
}

struct push {
    uint64_t items;
    int end;
};

/* Counts the frames of each part. */
static int plan_call(struct fecrun_prepared *prepared, const struct push *push, struct diag *diag)
{
    struct exec *exec = prepared->line.exec;
    struct feed *feed = &prepared->feed;
    const uint64_t frame = shape_items(full(prepared), 0, 0, 0);
    const uint64_t all = feed->rest_items + push->items;

    feed->tail_items = push->end ? all % frame : 0;
    if (feed->tail_items && exec_plan_tail(exec, &feed->tail_items, diag))
        return -1;
    feed->parts[0].frames = all / frame;
    for (size_t k = 1; k < exec->n_segments; k++) {
        struct part *part = &feed->parts[k];
        const struct buffer *in = entry(prepared, k);
        const uint64_t items = shape_items(full(prepared), 0, in->stage, in->port);
        const uint64_t after = exec->layout.margins[exec->segments[k].first].after;
        const uint64_t wait = push->end || !after ? 0 : (after - 1) / items + 1;
        part->frames = part->pending + part[-1].frames;
        part->frames -= part->frames > wait ? wait : part->frames;
    }
    return 0;
}

static size_t part_of(const struct exec *exec, size_t s)
{
    size_t k = exec->n_segments - 1;

    while (k && exec->segments[k].first > s)
        k--;
    return k;
}

static int check_arrays(struct fecrun_prepared *prepared, const struct push *push,
                        struct diag *diag)
{
    const struct exec *exec = prepared->line.exec;

    for (size_t i = 0; i < prepared->n_ports; i++) {
        struct prepared_port *port = &prepared->ports[i];
        const struct buffer *buffer = port->buffer;
        size_t need;
        port->items = push->items;
        if (port->output)
            port->items = prepared->feed.parts[part_of(exec, port->stage)].frames *
                          shape_items(full(prepared), 0, buffer->stage, buffer->port);
        if (port->output && prepared->feed.tail_items)
            port->items += shape_items(&exec->tail, 0, buffer->stage, buffer->port);
        need = (size_t)fecrun_bytes(buffer->type, port->items);
        if (prepared_fits(prepared, port, port->items, "items", need, diag))
            return -1;
    }
    return 0;
}

/* Copies the array's items to the source's buffer, behind the rest of the previous call. */
static int load(struct fecrun_prepared *prepared, const struct push *push, struct diag *diag)
{
    const struct feed *feed = &prepared->feed;
    const struct buffer *buffer = entry(prepared, 0);
    char *to = buffer->data + fecrun_bytes(buffer->type, feed->rest_items);

    if (entry(prepared, 1) == buffer)
        to += bytes_at(full(prepared), buffer, feed->parts[1].pending);
    return prepared_move(prepared, buffer, to, prepared->ports[0].array,
                         (size_t)fecrun_bytes(buffer->type, push->items), diag);
}

static int give(struct fecrun_prepared *prepared, size_t s, uint64_t skip, struct diag *diag)
{
    const struct slot *slot = prepared->line.slot;

    for (size_t i = 0; i < prepared->n_ports; i++) {
        const struct prepared_port *port = &prepared->ports[i];
        if (port->stage == s)
            return prepared_move(
                prepared, port->buffer, port->array + bytes_at(full(prepared), port->buffer, skip),
                port->buffer->data, bytes_at(slot->shape, port->buffer, slot->frames), diag);
    }
    return 0;
}

static int run_stages(struct fecrun_prepared *prepared, size_t k, uint64_t skip,
                      const struct margin *have, struct diag *diag)
{
    const struct line *line = &prepared->line;
    const struct segment *segment = &line->exec->segments[k];
    int status = 0;

    for (size_t s = segment->first; s <= segment->last && !status; s++) {
        if (!prepared_bound(prepared, s))
            status = exec_stages(line->exec, line->worker, line->slot, s, s,
                                 k && s == segment->first ? have : NULL, diag);
        else if (s)
            status = give(prepared, s, skip, diag);
        else
            status = line_edges(&prepared->line, s, diag);
    }
    return status;
}

/* Runs the part's whole frames, or the shorter frame that ends the stream. */
static int run_part(struct fecrun_prepared *prepared, size_t k, bool tail, struct diag *diag)
{
    struct exec *exec = prepared->line.exec;
    struct slot *slot = prepared->line.slot;
    struct feed *feed = &prepared->feed;
    const struct part *part = &feed->parts[k];
    const uint64_t skip = tail ? part->frames : 0;
    struct buffer *in = entry(prepared, k), *out = entry(prepared, k + 1);
    const uint64_t items = shape_items(full(prepared), 0, in->stage, in->port);
    const uint64_t come = k ? part->pending + part[-1].frames - part->frames : 0;
    const struct margin have = {
        .before = part->before + skip * items,
        .after = tail ? 0
                      : come * items + (feed->tail_items
                                            ? shape_items(&exec->tail, 0, in->stage, in->port)
                                            : 0)};
    const size_t moved_in = in == out ? 0 : bytes_at(full(prepared), in, skip);
    const size_t moved_out = out ? bytes_at(full(prepared), out, part[1].pending + skip) : 0;
    int status;

    slot->shape = tail ? &exec->tail : exec->created;
    slot->frames = tail ? 1 : part->frames;
    slot->first_frame = part->first + skip;
    slot->info_space = INFO_CLEAR;
    if (!slot->frames)
        return 0;
    in->data += moved_in;
    if (out)
        out->data += moved_out;
    status = run_stages(prepared, k, skip, &have, diag);
    in->data -= moved_in;
    if (out)
        out->data -= moved_out;
    return status;
}

/* Moves the items that stay to the beginning of the buffer, in pieces that do not overlap. Behind them in the source's
   buffer is the rest. */
static int keep(struct fecrun_prepared *prepared, size_t k, struct diag *diag)
{
    const struct exec *exec = prepared->line.exec;
    const struct margin *want = &exec->layout.margins[exec->segments[k].first];
    struct part *part = &prepared->feed.parts[k];
    const struct buffer *in = entry(prepared, k);
    const uint64_t items = shape_items(full(prepared), 0, in->stage, in->port);
    const size_t distance = bytes_at(full(prepared), in, part->frames);
    const uint64_t before = part->before + part->frames * items;
    const uint64_t rest = in == entry(prepared, 0) ? prepared->feed.rest_items : 0;
    char *to = in->data;
    size_t bytes;

    part->first += part->frames;
    part->pending += k ? part[-1].frames - part->frames : 0;
    if (!part->frames || (!k && in == entry(prepared, 1)))
        return 0;
    part->before = before < want->before ? before : want->before;
    to -= fecrun_bytes(in->type, part->before);
    bytes = (size_t)fecrun_bytes(in->type, part->before + part->pending * items + rest);
    for (size_t at = 0; at < bytes; at += distance)
        if (prepared_move(prepared, in, to + at, to + at + distance,
                          bytes - at < distance ? bytes - at : distance, diag))
            return -1;
    return 0;
}

/* Until the next call, which is of the same stream. */
static int keep_all(struct fecrun_prepared *prepared, const struct push *push, struct diag *diag)
{
    struct feed *feed = &prepared->feed;

    feed->rest_items += push->items - feed->parts[0].frames * shape_items(full(prepared), 0, 0, 0);
    for (size_t k = prepared->line.exec->n_segments; k-- > 0;)
        if (keep(prepared, k, diag))
            return -1;
    feed->begun = true;
    return 0;
}

static int run_parts(struct fecrun_prepared *prepared, const struct push *push, struct diag *diag)
{
    struct line *line = &prepared->line;
    const bool tail = prepared->feed.tail_items;

    if (load(prepared, push, diag) || (tail && exec_start_tail(line->exec, line->worker, diag)))
        return -1;
    for (size_t k = 0; k < line->exec->n_segments; k++)
        if (run_part(prepared, k, false, diag) || (tail && run_part(prepared, k, true, diag)))
            return -1;
    if (push->end)
        prepared->feed = (struct feed){0};
    else if (keep_all(prepared, push, diag))
        return -1;
    return line_wait(line, diag);
}

static int push(struct fecrun_prepared *prepared, const void *data, struct diag *diag)
{
    const struct push *push = data;
    const struct buffer *buffer = entry(prepared, 0);
    const uint64_t frame = shape_items(full(prepared), 0, 0, 0);
    const uint64_t most = prepared->frames * frame;
    const uint64_t whole = fecrun_type_per_byte(buffer->type);

    if (!prepared->is_stream)
        return diag_fail(diag, DIAG_USAGE, "the pipeline takes frames: fecrun_execute()");
    if (push->items > most || (!push->end && push->items % whole))
        return diag_fail(diag, DIAG_USAGE, "%llu items in a call, at most %llu were prepared for%s",
                         (unsigned long long)push->items, (unsigned long long)most,
                         whole > 1 ? ", in whole bytes" : "");
    if (prepared_ready(prepared, diag) || plan_call(prepared, push, diag) ||
        check_arrays(prepared, push, diag))
        return -1;
    if (!run_parts(prepared, push, diag))
        return 0;
    prepared->broken = true;
    line_wait(&prepared->line, NULL);
    return -1;
}

int fecrun_execute_stream(struct fecrun_prepared *prepared, uint64_t items, int end,
                          struct fecrun_message *message)
{
    NEED(prepared);
    return api_call(prepared, push, &(struct push){items, end}, message);
}

uint64_t fecrun_get_items(const struct fecrun_prepared *prepared, const char *stage)
{
    const struct prepared_port *port = prepared && stage ? prepared_port(prepared, stage, NULL)
                                                         : NULL;

    return port && prepared->is_stream ? port->items : 0;
}

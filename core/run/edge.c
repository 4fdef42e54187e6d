/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies and conversions between stages. */
#include "batch.h"

#include "convert.h"
#include "params.h"

/* Row by row, frame by frame where frames begin on a byte of their own, else in one piece. */
static void convert_buffer(const struct slot *slot, const struct buffer *from, struct buffer *to)
{
    uint64_t left = slot->frames;
    const char *in = from->data;
    char *out = to->data;

    for (size_t r = 0; r < slot->shape->n_rows && left; r++) {
        const struct shape_row *row = &slot->shape->rows[r];
        uint64_t frames = row->count < left ? row->count : left;
        uint64_t items = shape_items(slot->shape, row->class, (size_t)from->stage,
                                     (unsigned)from->port);
        uint64_t in_stride = fecrun_bytes(from->type, items);
        uint64_t out_stride = fecrun_bytes(to->type, items);
        for (uint64_t f = 0; f < frames; f++)
            convert_items(from->type, to->type, in + f * in_stride, out + f * out_stride, items);
        in += frames * in_stride;
        out += frames * out_stride;
        left -= frames;
    }
}

static size_t used_bytes(const struct slot *slot, const struct buffer *buffer)
{
    uint64_t left = slot->frames;
    size_t bytes = 0;

    for (size_t r = 0; r < slot->shape->n_rows && left; r++) {
        const struct shape_row *row = &slot->shape->rows[r];
        uint64_t frames = row->count < left ? row->count : left;
        bytes += frames * fecrun_bytes(buffer->type,
                                       shape_items(slot->shape, row->class, (size_t)buffer->stage,
                                                   (unsigned)buffer->port));
        left -= frames;
    }
    return bytes;
}

/* Types differ within one device's memory. */
static int convert_on_device(struct slot *slot, const struct buffer *from, struct buffer *to,
                             struct space_stream *stream, struct diag *diag)
{
    const struct shape *shape = slot->shape;
    uint64_t left = slot->frames, in_offset = 0, out_offset = 0;
    struct fecrun_error err = {.size = sizeof err};

    for (size_t r = 0; r < shape->n_rows && left; r++) {
        uint64_t frames = shape->rows[r].count < left ? shape->rows[r].count : left;
        uint64_t items = shape_items(shape, shape->rows[r].class, (size_t)from->stage,
                                     (unsigned)from->port);
        struct fecrun_view in = {.size = sizeof in, .data = from->data + in_offset,
                                 .type = from->type, .frames = frames, .items = items,
                                 .stride = fecrun_bytes(from->type, items)};
        struct fecrun_view out = {.size = sizeof out, .data = to->data + out_offset,
                                  .type = to->type, .frames = frames, .items = items,
                                  .stride = fecrun_bytes(to->type, items)};
        stream->pending = true;
        if (stream->provider->convert(stream->device, stream->handle, &in, &out, &err))
            return diag_fail(diag, DIAG_RUN, "%s:%d: converting %s to %s: %s",
                             stream->provider->name, stream->device, plan_type_name(from->type),
                             plan_type_name(to->type), err.text);
        in_offset += frames * in.stride;
        out_offset += frames * out.stride;
        left -= frames;
    }
    return 0;
}

/* Queues what a device does, does what the host does from what is there already. */
static int begin_edge(struct slot *slot, const struct edge *edge, struct buffer *from,
                      struct buffer *to, struct buffer *staging, struct space_stream *stream,
                      struct diag *diag)
{
    if (!edge_staged(edge)) {
        if (edge->from_space != edge->to_space)
            return stream_copy(stream, to->data, from->data, used_bytes(slot, from), diag);
        if (edge->to_space != SPACE_HOST)
            return convert_on_device(slot, from, to, stream, diag);
        convert_buffer(slot, from, to);
        return 0;
    }
    if (staging->memory.space != SPACE_HOST) { /* all of it on the device */
        if (edge->to_space != SPACE_HOST)
            return stream_copy(stream, staging->data, from->data, used_bytes(slot, from), diag) ||
                           convert_on_device(slot, staging, to, stream, diag)
                       ? -1 : 0;
        return convert_on_device(slot, from, staging, stream, diag) ||
                       stream_copy(stream, to->data, staging->data, used_bytes(slot, staging), diag)
                   ? -1 : 0;
    }
    if (edge->from_space != SPACE_HOST)
        return stream_copy(stream, staging->data, from->data, used_bytes(slot, from), diag);
    convert_buffer(slot, from, staging);
    return stream_copy(stream, to->data, staging->data, used_bytes(slot, staging), diag);
}

int slot_edges(struct slot *slot, const struct layout *layout, size_t stage,
               struct space_stream *stream, struct diag *diag)
{
    /* the second time round, conversions on the host of what a device has sent: one wait for all */
    for (int arrived = 0; arrived < 2; arrived++)
        for (size_t t = stage + 1; t < layout->graph->n; t++)
            for (unsigned p = 0; p < layout->graph->stages[t].n_in; p++) {
                const struct edge *edge = &layout->negotiation->choices[t].in[p];
                struct slot_stage *ss = &slot->stages[t];
                if (edge->from_stage != (int)stage || !edge_buffered(edge))
                    continue;
                if (!arrived &&
                    begin_edge(slot, edge, &slot->stages[stage].out[edge->from_port], &ss->in[p],
                               &ss->staging[p], stream, diag))
                    return -1;
                if (!arrived || !edge_staged(edge) || edge->from_space == SPACE_HOST ||
                    ss->staging[p].memory.space != SPACE_HOST)
                    continue;
                if (stream_wait(stream, diag))
                    return -1;
                convert_buffer(slot, &ss->staging[p], &ss->in[p]);
            }
    return 0;
}

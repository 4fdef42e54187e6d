/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies and conversions between stages. */
#include "core/batch/slot.h"

#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

static size_t used_bytes(const struct slot *slot, const struct buffer *buffer)
{
    return (size_t)shape_bytes(slot->shape, slot->frames, buffer->stage, buffer->port,
                               buffer->type);
}

/* Row by row: queued where both buffers lie on a device; on the host (stream is NULL) done frame by
   frame. */
static int convert_buffer(const struct slot *slot, const struct buffer *from,
                          const struct buffer *to, struct stream *stream, struct diag *diag)
{
    uint64_t in_offset = 0, out_offset = 0;
    struct fecrun_error err = {.size = sizeof err};

    for (size_t k = 0;; k++) {
        const struct shape_row span = shape_span(slot->shape, k);
        struct fecrun_view in = slot_row(slot, from, &span, in_offset);
        struct fecrun_view out = slot_row(slot, to, &span, out_offset);
        if (span.first >= slot->frames)
            return 0;
        for (uint64_t f = 0; !stream && f < in.frames; f++)
            fecrun_convert(in.type, out.type, (char *)in.data + f * in.stride,
                           (char *)out.data + f * out.stride, in.items);
        if (stream && in.frames) {
            stream->pending = true;
            if (stream->provider->convert(stream->device, stream->handle, &in, &out, &err))
                return diag_fail(diag, DIAG_RUN, "%s:%d: converting %s to %s: %s",
                                 stream->provider->name, stream->device, fecrun_type_name(in.type),
                                 fecrun_type_name(out.type), err.text);
        }
        in_offset += in.frames * in.stride;
        out_offset += out.frames * out.stride;
    }
}

/* Queues what a device does, does what the host does from what is there already. */
static int move(const struct slot *slot, const struct buffer *from, const struct buffer *to,
                struct stream *stream, struct diag *diag)
{
    if (from->memory.space != to->memory.space)
        return stream_copy(stream, to->data, from->data, used_bytes(slot, from), diag);
    return convert_buffer(slot, from, to, to->memory.space != SPACE_HOST ? stream : NULL, diag);
}

/* Does the host convert what a device has sent? */
static bool arrives(const struct edge *edge, const struct buffer *staging)
{
    return edge_staged(edge) && edge->from_space != SPACE_HOST &&
           staging->memory.space == SPACE_HOST;
}

/* Adds an edge to the times of its stage: what it does, and how many bytes it copies between host and device. An
   edge that also converts is counted in the type that is copied. */
static void add_move(const struct slot *slot, const struct edge *edge, const struct buffer *from,
                     const struct buffer *staging, struct stage_time *time)
{
    const bool host = staging->memory.space == SPACE_HOST;

    if (edge->from_space == edge->to_space) {
        time->move = time->move == TIMES_NONE ? TIMES_CONVERT : time->move;
        return;
    }
    time->move = edge->from_space == SPACE_HOST ? TIMES_TO_DEVICE : TIMES_TO_HOST;
    time->bytes += used_bytes(
        slot, !edge_staged(edge) || host == (edge->from_space != SPACE_HOST) ? from : staging);
}

int slot_edges(struct slot *slot, const struct layout *layout, size_t stage, struct stream *stream,
               struct stage_time *time, struct diag *diag)
{
    /* the second time round, conversions on the host of what a device has sent: one wait for all */
    for (int arrived = 0; layout->moves[stage] && arrived < 2; arrived++)
        for (size_t t = stage + 1; t < layout->graph->n; t++)
            for (unsigned p = 0; p < layout->graph->stages[t].n_in; p++) {
                const struct edge *edge = &layout->negotiation->choices[t].in[p];
                struct buffer *to = &slot->stages[t].in[p], *from;
                struct buffer *staging = &slot->stages[t].staging[p];
                if (edge->from_stage != (int)stage || !edge_buffered(edge))
                    continue;
                from = &slot->stages[stage].out[edge->from_port];
                if (!arrived && time)
                    add_move(slot, edge, from, staging, time);
                if (!arrived && move(slot, from, edge_staged(edge) ? staging : to, stream, diag))
                    return -1;
                if (!edge_staged(edge) || arrived != arrives(edge, staging))
                    continue;
                if ((arrived && stream_wait(stream, diag)) || move(slot, staging, to, stream, diag))
                    return -1;
            }
    return 0;
}

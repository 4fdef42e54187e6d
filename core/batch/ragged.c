/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/slot.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

static uint64_t frames_at(const struct layout *layout, size_t stage, unsigned port)
{
    return shape_frames(layout->shape, stage, port, layout->shape->frames);
}

/* Offsets of the frames and of the end, items of each class, classes of the frames. */
static uint64_t table_bytes(const struct shape *shape, uint64_t frames)
{
    return (frames + 1 + shape->n_classes) * sizeof(uint64_t) + frames * sizeof(uint32_t);
}

static int make_table(struct memory *memory, const struct layout *layout, struct place place,
                      size_t stage, unsigned port, uint32_t type, struct diag *diag)
{
    const struct shape *shape = layout->shape;
    const uint64_t frames = frames_at(layout, stage, port);
    uint64_t frame = 0, at = 0, *offset, *items;
    uint32_t *class;

    if (memory_alloc(memory, layout->graph->registry, place, table_bytes(shape, frames), diag))
        return -1;
    offset = memory->ptr;
    items = offset + frames + 1;
    class = (uint32_t *)(items + shape->n_classes);
    for (unsigned c = 0; c < shape->n_classes; c++)
        items[c] = shape_items(shape, c, stage, port);
    for (size_t k = 0; frame < frames; k++) {
        const struct shape_row row = shape_span(shape, k);
        const uint64_t bytes = fecrun_bytes(type, items[row.class]);
        const uint64_t end = shape_frames(shape, stage, port, row.first + row.count);
        for (; frame < end && frame < frames; frame++, at += bytes) {
            offset[frame] = at;
            class[frame] = row.class;
        }
    }
    offset[frame] = at;
    return 0;
}

struct fecrun_view ragged_view(const struct slot *slot, const struct layout *layout,
                               const struct buffer *buffer, const struct memory *table)
{
    const size_t stage = buffer->stage;
    const unsigned port = buffer->port;
    const uint64_t *offset = table->ptr, *items = offset + frames_at(layout, stage, port) + 1;

    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = buffer->data,
                                .type = buffer->type,
                                .frames = shape_frames(slot->shape, stage, port, slot->frames),
                                .offset = offset,
                                .frame_class = (const uint32_t *)(items + layout->shape->n_classes),
                                .class_items = items};
}

static int make_stage(struct layout *layout, size_t s, struct diag *diag)
{
    const struct choice *choice = &layout->negotiation->choices[s];
    const struct graph_stage *stage = &layout->graph->stages[s];
    struct ragged *ragged = &layout->ragged[s];
    struct place place = {
        .device = layout->device.device, .pool = layout->device.pool, .pinned_for = choice->space};

    for (unsigned p = 0; p < stage->n_in; p++)
        if (choice->in[p].from_stage >= 0 &&
            make_table(&ragged->in[p], layout, place, (size_t)choice->in[p].from_stage,
                       (unsigned)choice->in[p].from_port, choice->in[p].to_type, diag))
            return -1;
    for (unsigned p = 0; p < stage->n_out; p++)
        if (choice->form->out[p].type &&
            make_table(&ragged->out[p], layout, place, s, p, choice->form->out[p].type, diag))
            return -1;
    return 0;
}

static bool is_ragged(const struct layout *layout, size_t s)
{
    const struct choice *choice = &layout->negotiation->choices[s];

    return layout->shape->n_classes > 1 && choice->absorbed_by < 0 &&
           choice->form->flags & FECRUN_FORM_RAGGED;
}

uint64_t ragged_bytes(const struct layout *layout)
{
    uint64_t bytes = 0;

    for (size_t s = 0; s < layout->graph->n; s++) {
        const struct graph_stage *stage = &layout->graph->stages[s];
        const struct edge *in = layout->negotiation->choices[s].in;
        if (!is_ragged(layout, s))
            continue;
        for (unsigned p = 0; p < stage->n_in; p++)
            if (in[p].from_stage >= 0)
                bytes += table_bytes(layout->shape, frames_at(layout, (size_t)in[p].from_stage,
                                                              (unsigned)in[p].from_port));
        for (unsigned p = 0; p < stage->n_out; p++)
            bytes += table_bytes(layout->shape, frames_at(layout, s, p));
    }
    return bytes;
}

int ragged_make(struct layout *layout, struct diag *diag)
{
    if (layout->ragged)
        return 0;
    layout->ragged = calloc(layout->graph->n, sizeof *layout->ragged);
    if (!layout->ragged)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (size_t s = 0; s < layout->graph->n; s++)
        if (is_ragged(layout, s) && make_stage(layout, s, diag)) {
            ragged_free(layout);
            return -1;
        }
    return 0;
}

void ragged_free(struct layout *layout)
{
    for (size_t s = 0; layout->ragged && s < layout->graph->n; s++) {
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            memory_free(&layout->ragged[s].in[p]);
            memory_free(&layout->ragged[s].out[p]);
        }
    }
    free(layout->ragged);
    layout->ragged = NULL;
}

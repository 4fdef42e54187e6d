/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/ragged.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

static int make_offsets(struct memory *memory, const struct layout *layout, struct place place,
                        size_t stage, unsigned port, uint32_t type, struct diag *diag)
{
    const struct shape *shape = layout->shape;
    uint64_t frame = 0, at = 0, *offset;

    if (memory_alloc(memory, layout->graph->registry, place, (shape->frames + 1) * sizeof *offset,
                     diag))
        return -1;
    offset = memory->ptr;
    for (size_t r = 0; r < shape->n_rows; r++) {
        uint64_t bytes = fecrun_bytes(type, shape_items(shape, shape->rows[r].class, stage, port));
        for (uint64_t f = 0; f < shape->rows[r].count; f++, at += bytes)
            offset[frame++] = at;
    }
    offset[frame] = at;
    return 0;
}

static int make_classes(struct memory *memory, const struct layout *layout, struct place place,
                        struct diag *diag)
{
    const struct shape *shape = layout->shape;
    uint64_t frame = 0;

    if (memory_alloc(memory, layout->graph->registry, place, shape->frames * sizeof(uint32_t),
                     diag))
        return -1;
    for (size_t r = 0; r < shape->n_rows; r++)
        for (uint64_t f = 0; f < shape->rows[r].count; f++)
            ((uint32_t *)memory->ptr)[frame++] = shape->rows[r].class;
    return 0;
}

static int make_stage(struct layout *layout, size_t s, struct diag *diag)
{
    const struct choice *choice = &layout->negotiation->choices[s];
    const struct graph_stage *stage = &layout->graph->stages[s];
    struct ragged *ragged = &layout->ragged[s];
    struct place place = {
        .device = layout->device, .pool = layout->pool, .pinned_for = choice->space};

    for (unsigned p = 0; p < stage->n_in; p++)
        if (choice->in[p].from_stage >= 0 &&
            make_offsets(&ragged->in[p], layout, place, (size_t)choice->in[p].from_stage,
                         (unsigned)choice->in[p].from_port, choice->in[p].to_type, diag))
            return -1;
    for (unsigned p = 0; p < stage->n_out; p++)
        if (make_offsets(&ragged->out[p], layout, place, s, p, choice->form->out[p].type, diag))
            return -1;
    return make_classes(&ragged->class, layout, place, diag);
}

static bool is_ragged(const struct layout *layout, size_t s)
{
    const struct choice *choice = &layout->negotiation->choices[s];

    return layout->shape->n_classes > 1 && choice->absorbed_by < 0 &&
           choice->form->flags & FECRUN_RAGGED;
}

uint64_t ragged_bytes(const struct layout *layout)
{
    const uint64_t frames = layout->shape->frames;
    uint64_t bytes = 0;

    for (size_t s = 0; s < layout->graph->n; s++) {
        const struct graph_stage *stage = &layout->graph->stages[s];
        unsigned offsets = stage->n_out;
        if (!is_ragged(layout, s))
            continue;
        for (unsigned p = 0; p < stage->n_in; p++)
            offsets += layout->negotiation->choices[s].in[p].from_stage >= 0;
        bytes += offsets * (frames + 1) * sizeof(uint64_t) + frames * sizeof(uint32_t);
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
        memory_free(&layout->ragged[s].class);
    }
    free(layout->ragged);
    layout->ragged = NULL;
}

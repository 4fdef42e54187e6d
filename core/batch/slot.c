/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/slot.h"

#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <stdlib.h>
#include <string.h>

/* ---- Layout ---- */

/* Items of a type below a byte come in whole bytes. */
static uint64_t whole_bytes(uint64_t items, uint32_t type)
{
    uint64_t n = fecrun_type_per_byte(type);

    return (items + n - 1) / n * n;
}

/* Stages that are absorbed hand their input through; margins count the items that really come. */
static void fill_margin(struct layout *layout, size_t s)
{
    const struct choice *choice = &layout->negotiation->choices[s];
    const struct plan *plan = layout->shape->plans[0];
    const struct fecrun_plan *want = &plan->stages[s].plan;
    const struct fecrun_frame *own;
    uint64_t items, own_items;

    if (choice->absorbed_by >= 0 || choice->in[0].from_stage < 0 || (!want->before && !want->after))
        return;
    own = plan_input(plan, s, 0);
    own_items = own->items;
    items = shape_items(layout->shape, 0, (size_t)choice->in[0].from_stage,
                        (unsigned)choice->in[0].from_port);
    layout->margins[s].before = whole_bytes((want->before * items + own_items - 1) / own_items,
                                            choice->form->in[0].type);
    layout->margins[s].after = whole_bytes((want->after * items + own_items - 1) / own_items,
                                           choice->form->in[0].type);
}

/* ---- Margins in batches ---- */

struct margin layout_batches(const struct layout *layout, size_t stage, uint64_t frames)
{
    const struct edge *edge = &layout->negotiation->choices[stage].in[0];
    const struct margin items = layout->margins[stage];
    uint64_t in_batch;

    if (!items.before && !items.after)
        return items;
    in_batch = frames *
               shape_items(layout->shape, 0, (size_t)edge->from_stage, (unsigned)edge->from_port);
    return (struct margin){.before = items.before ? (items.before - 1) / in_batch + 2 : 0,
                           .after = items.after ? (items.after - 1) / in_batch + 2 : 0};
}

size_t layout_slots(const struct layout *layout, unsigned workers, unsigned in_flight,
                    uint64_t frames)
{
    size_t n = in_flight;

    if (layout->device.space == SPACE_HOST)
        n = (workers > in_flight ? workers : in_flight) + 1;
    for (size_t s = 0; s < layout->graph->n; s++) {
        struct margin batches = layout_batches(layout, s, layout->pauses ? 1 : frames);
        n += batches.before + batches.after;
    }
    return n;
}

/* ---- Buffers ---- */

bool edge_buffered(const struct edge *edge)
{
    return edge->from_stage >= 0 &&
           (edge->from_type != edge->to_type || edge->from_space != edge->to_space);
}

bool edge_staged(const struct edge *edge)
{
    return edge->from_stage >= 0 && edge->from_type != edge->to_type &&
           edge->from_space != edge->to_space;
}

/* A staged edge converts where the smaller type is then copied; on the host where the device does
   not know how. */
static bool edge_converts_on_device(const struct layout *layout, const struct edge *edge)
{
    bool down = edge->to_space == SPACE_HOST;
    unsigned space = down ? edge->from_space : edge->to_space;
    uint32_t host_type = down ? edge->to_type : edge->from_type;
    uint32_t device_type = down ? edge->from_type : edge->to_type;
    const struct fecrun_provider *provider;
    const struct fecrun_view from = {.size = sizeof from, .type = edge->from_type};
    const struct fecrun_view to = {.size = sizeof to, .type = edge->to_type};

    if (!edge_staged(edge) || fecrun_type_bits(host_type) >= fecrun_type_bits(device_type))
        return false;
    provider = layout->graph->registry->providers[space - 1].provider;
    return provider->convert &&
           provider->convert(layout->device.device, NULL, &from, &to, NULL) == 0;
}

/* Adds the needs of an output's readers: their margins, if they read the buffer as it is, and memory that a device can
   copy from. */
static void look_at_readers(const struct layout *layout, size_t s, unsigned port,
                            struct wanted *wanted)
{
    for (size_t t = s + 1; t < layout->graph->n; t++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            const struct edge *edge = &layout->negotiation->choices[t].in[p];
            const struct margin margin = layout->margins[t];
            if (edge->from_stage != (int)s || edge->from_port != (int)port)
                continue;
            if (edge->from_space == SPACE_HOST && edge->to_space != SPACE_HOST)
                wanted->place.pinned_for = layout->device.space;
            if (p || edge_buffered(edge))
                continue;
            if (margin.before > wanted->margin.before)
                wanted->margin.before = margin.before;
            if (margin.after > wanted->margin.after)
                wanted->margin.after = margin.after;
        }
}

static size_t front_bytes(const struct wanted *wanted)
{
    size_t bytes = (size_t)fecrun_bytes(wanted->type, wanted->margin.before);

    return (bytes + 63) / 64 * 64; /* data stays aligned */
}

static size_t buffer_bytes(const struct layout *layout, const struct wanted *wanted,
                           uint64_t frames)
{
    const uint64_t bytes = shape_bytes(layout->shape, frames, wanted->stage, wanted->port,
                                       wanted->type);

    return front_bytes(wanted) + (size_t)bytes +
           (size_t)fecrun_bytes(wanted->type, wanted->margin.after);
}

static void want(struct layout *layout, enum which which, size_t s, unsigned p,
                 struct wanted wanted)
{
    wanted.place.device = layout->device.device;
    wanted.place.pool = layout->device.pool;
    wanted.which = which;
    wanted.at_stage = s;
    wanted.at_port = p;
    layout->buffers[layout->n_buffers++] = wanted;
}

static void want_outputs(struct layout *layout, size_t s)
{
    const struct choice *choice = &layout->negotiation->choices[s];

    for (unsigned p = 0; p < layout->graph->stages[s].n_out; p++) {
        struct wanted wanted = {.stage = s,
                                .port = p,
                                .type = choice->form->out[p].type,
                                .place = {.space = choice->space}};
        if (layout->graph->stages[s].stage->outputs[p]->flags & FECRUN_PORT_OPTIONAL &&
            !graph_output_read(layout->graph, s, p))
            continue; /* the backend gets NULL for it */
        look_at_readers(layout, s, p, &wanted);
        /* room for the part of a frame that may end a stream */
        if (s == 0 && layout->shape->plans[0]->stages[0].out[p].stream)
            wanted.margin.after += shape_items(layout->shape, 0, 0, p);
        want(layout, WHICH_OUT, s, p, wanted);
    }
}

/* Between a conversion and a copy. */
static struct place staging_place(const struct layout *layout, const struct edge *edge,
                                  uint32_t *type)
{
    bool device = edge_converts_on_device(layout, edge);

    *type = (edge->to_space == SPACE_HOST) == device ? edge->to_type : edge->from_type;
    return (struct place){.space = device ? layout->device.space : SPACE_HOST,
                          .pinned_for = device ? SPACE_HOST : layout->device.space};
}

static void want_inputs(struct layout *layout, size_t s)
{
    const struct choice *choice = &layout->negotiation->choices[s];

    for (unsigned p = 0; p < layout->graph->stages[s].n_in; p++) {
        const struct edge *edge = &choice->in[p];
        struct wanted wanted = {.stage = (size_t)edge->from_stage,
                                .port = (unsigned)edge->from_port,
                                .type = edge->to_type,
                                .margin = p == 0 ? layout->margins[s] : (struct margin){0, 0},
                                .place = {.space = choice->space}};
        if (!edge_buffered(edge))
            continue;
        layout->moves[edge->from_stage] = true;
        if (choice->space == SPACE_HOST && edge->from_space != SPACE_HOST &&
            (!edge_staged(edge) || edge_converts_on_device(layout, edge)))
            wanted.place.pinned_for = layout->device.space;
        want(layout, WHICH_IN, s, p, wanted);
        if (!edge_staged(edge))
            continue;
        wanted.margin = (struct margin){0, 0};
        wanted.place = staging_place(layout, edge, &wanted.type);
        want(layout, WHICH_STAGING, s, p, wanted);
    }
}

int layout_make(struct layout *layout, const struct negotiation *negotiation,
                const struct shape *shape, struct memory_pool *pool, struct diag *diag)
{
    const size_t n = negotiation->graph->n;

    *layout = (struct layout){
        .graph = negotiation->graph,
        .negotiation = negotiation,
        .shape = shape,
        .device = {.space = negotiation->space, .device = negotiation->device, .pool = pool}};
    layout->pauses = negotiation->graph->pipeline->low_latency &&
                     plan_flags(shape->plans[0], 0) & FECRUN_STAGE_ORDERED;
    layout->margins = calloc(n, sizeof *layout->margins);
    layout->buffers = calloc(n * FECRUN_MAX_PORTS * 3, sizeof *layout->buffers);
    if (!layout->margins || !layout->buffers) {
        layout_free(layout);
        return diag_fail(diag, DIAG_RUN, "out of memory");
    }
    for (size_t s = 0; s < n; s++)
        fill_margin(layout, s);
    for (size_t s = 0; s < n; s++)
        if (negotiation->choices[s].absorbed_by < 0) {
            want_outputs(layout, s);
            want_inputs(layout, s);
        }
    return 0;
}

void layout_free(struct layout *layout)
{
    ragged_free(layout);
    free(layout->buffers);
    free(layout->margins);
    layout->buffers = NULL;
    layout->margins = NULL;
}

/* ---- Slots ---- */

static int make_buffer(struct slot *slot, const struct layout *layout, const struct wanted *wanted,
                       struct diag *diag)
{
    struct slot_stage *ss = &slot->stages[wanted->at_stage];
    struct buffer *const ports[] = {
        [WHICH_OUT] = ss->out, [WHICH_IN] = ss->in, [WHICH_STAGING] = ss->staging};
    struct buffer *buffer = &ports[wanted->which][wanted->at_port];

    buffer->type = wanted->type;
    buffer->stage = wanted->stage;
    buffer->port = wanted->port;
    if (memory_alloc(&buffer->memory, layout->graph->registry, wanted->place,
                     buffer_bytes(layout, wanted, layout->shape->frames), diag))
        return -1;
    buffer->data = (char *)buffer->memory.ptr + front_bytes(wanted);
    return 0;
}

static uint64_t infos_bytes(const struct layout *layout, uint64_t frames)
{
    return shape_infos(layout->shape, frames) * sizeof(struct fecrun_frame_info);
}

static int make_infos(struct slot *slot, const struct layout *layout, struct diag *diag)
{
    size_t bytes = infos_bytes(layout, layout->shape->frames);
    struct place host = layout->device;

    host.space = SPACE_HOST;
    host.pinned_for = layout->device.space;
    if (memory_alloc(&slot->info, layout->graph->registry, host, bytes, diag))
        return -1;
    return layout->device.space == SPACE_HOST
               ? 0
               : memory_alloc(&slot->device_info, layout->graph->registry, layout->device, bytes,
                              diag);
}

int slot_make(struct slot *slot, struct layout *layout, struct diag *diag)
{
    memset(slot, 0, sizeof *slot);
    if (ragged_make(layout, diag))
        return -1;
    slot->stages = calloc(layout->graph->n, sizeof *slot->stages);
    if (!slot->stages)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (size_t i = 0; i < layout->n_buffers; i++)
        if (make_buffer(slot, layout, &layout->buffers[i], diag))
            goto fail;
    if (!make_infos(slot, layout, diag))
        return 0;
fail:
    slot_free(slot, layout);
    return -1;
}

void slot_free(struct slot *slot, const struct layout *layout)
{
    for (size_t s = 0; slot->stages && s < layout->graph->n; s++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            memory_free(&slot->stages[s].out[p].memory);
            memory_free(&slot->stages[s].in[p].memory);
            memory_free(&slot->stages[s].staging[p].memory);
        }
    free(slot->stages);
    memory_free(&slot->info);
    memory_free(&slot->device_info);
    memset(slot, 0, sizeof *slot);
}

/* ---- Sizes ---- */

struct bytes layout_bytes(const struct layout *layout, uint64_t frames, uint64_t *largest)
{
    uint64_t infos = infos_bytes(layout, frames), most = 0;
    struct bytes sum = {infos, layout->device.space == SPACE_HOST ? 0 : infos};

    for (size_t i = 0; i < layout->n_buffers; i++) {
        const struct wanted *wanted = &layout->buffers[i];
        uint64_t bytes = buffer_bytes(layout, wanted, frames);
        *(wanted->place.space == SPACE_HOST ? &sum.host : &sum.device) += bytes;
        most = bytes > most ? bytes : most;
    }
    if (largest)
        *largest = most;
    return sum;
}

/* ---- Use ---- */

struct buffer *slot_input(struct slot *slot, const struct layout *layout, size_t stage,
                          unsigned port)
{
    const struct edge *edge = &layout->negotiation->choices[stage].in[port];

    if (edge->from_stage < 0)
        return NULL;
    if (edge_buffered(edge))
        return &slot->stages[stage].in[port];
    return &slot->stages[edge->from_stage].out[edge->from_port];
}

uint64_t slot_stream_items(const struct slot *slot, const struct buffer *buffer)
{
    return slot->frames * shape_items(slot->shape, 0, buffer->stage, buffer->port);
}

uint64_t slot_frames(const struct slot *slot)
{
    return slot->short_stage && slot->short_at < slot->frames ? slot->short_at : slot->frames;
}

/* Those of the last level end with the frames that the batch has. */
int slot_infos(struct slot *slot, unsigned space, struct stream *stream, struct diag *diag)
{
    const struct shape *shape = slot->shape;
    const struct shape_level *last = &shape->levels[shape->n_levels - 1];
    unsigned from = slot->info_space;
    size_t bytes;

    if (from == space)
        return 0;
    bytes = (last->infos + shape_frames(shape, last->stage, last->port, slot->frames)) *
            sizeof(struct fecrun_frame_info);
    slot->info_space = space;
    if (space != SPACE_HOST)
        return from == INFO_CLEAR
                   ? stream_clear(stream, slot->device_info.ptr, bytes, diag)
                   : stream_copy(stream, slot->device_info.ptr, slot->info.ptr, bytes, diag);
    if (from != INFO_CLEAR)
        return stream_copy(stream, slot->info.ptr, slot->device_info.ptr, bytes, diag);
    memset(slot->info.ptr, 0, bytes);
    return 0;
}

struct fecrun_view slot_row(const struct slot *slot, const struct buffer *buffer,
                            const struct shape_row *span, uint64_t offset)
{
    const struct fecrun_frame *frame =
        &slot->shape->plans[span->class]->stages[buffer->stage].out[buffer->port];
    uint64_t left = slot->frames > span->first ? slot->frames - span->first : 0;

    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = buffer->data + offset,
                                .type = buffer->type,
                                .frames = (span->count < left ? span->count : left) * frame->pieces,
                                .items = frame->items,
                                .stride = fecrun_bytes(buffer->type, frame->items)};
}

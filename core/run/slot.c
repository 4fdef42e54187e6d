/* SPDX-License-Identifier: BSD-2-Clause */
#include "batch.h"

#include "convert.h"
#include "params.h"
#include "ragged.h"

#include <stdlib.h>
#include <string.h>

/* ---- Layout ---- */

/* Items of a type below a byte come in whole bytes. */
static uint64_t whole_bytes(uint64_t items, uint32_t type)
{
    uint64_t n = convert_per_byte(type);

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

    if (choice->absorbed_by >= 0 || choice->in[0].from_stage < 0 ||
        (!want->before && !want->after))
        return;
    own = plan_input(plan, s, 0);
    own_items = own->items;
    items = shape_items(layout->shape, 0, (size_t)choice->in[0].from_stage,
                        (unsigned)choice->in[0].from_port);
    layout->margins[s].before =
        whole_bytes((want->before * items + own_items - 1) / own_items, choice->form->in[0].type);
    layout->margins[s].after =
        whole_bytes((want->after * items + own_items - 1) / own_items, choice->form->in[0].type);
}

static int find_device(struct layout *layout, struct diag *diag)
{
    for (size_t s = 0; s < layout->graph->n; s++) {
        const struct choice *choice = &layout->negotiation->choices[s];
        if (choice->absorbed_by >= 0 || choice->space == SPACE_HOST)
            continue;
        if (layout->device_space != SPACE_HOST &&
            (choice->space != layout->device_space || choice->device != layout->device))
            return diag_fail_at(diag, DIAG_USAGE, layout->graph->stages[s].decl->mark,
                                "%s: one pipeline runs on one device, another stage chose a "
                                "different one", layout->graph->stages[s].decl->id);
        layout->device_space = choice->space;
        layout->device = choice->device;
    }
    return 0;
}

int layout_make(struct layout *layout, const struct negotiation *negotiation,
                const struct shape *shape, struct memory_pool *pool, struct diag *diag)
{
    *layout = (struct layout){.graph = negotiation->graph,
                              .negotiation = negotiation,
                              .shape = shape,
                              .pool = pool};
    layout->margins = calloc(layout->graph->n, sizeof *layout->margins);
    layout->ragged = calloc(layout->graph->n, sizeof *layout->ragged);
    if (!layout->margins || !layout->ragged) {
        diag_fail(diag, DIAG_RUN, "out of memory");
        goto fail;
    }
    for (size_t s = 0; s < layout->graph->n; s++)
        fill_margin(layout, s);
    if (!find_device(layout, diag) && !ragged_make(layout, diag))
        return 0;
fail:
    layout_free(layout);
    return -1;
}

void layout_free(struct layout *layout)
{
    ragged_free(layout);
    free(layout->ragged);
    free(layout->margins);
    layout->ragged = NULL;
    layout->margins = NULL;
}

/* ---- Margins in batches ---- */

static uint64_t batches(const struct layout *layout, size_t stage, uint64_t items,
                        uint64_t frames)
{
    const struct edge *edge = &layout->negotiation->choices[stage].in[0];
    uint64_t in_batch;

    if (!items)
        return 0;
    in_batch = frames * shape_items(layout->shape, 0, (size_t)edge->from_stage,
                                    (unsigned)edge->from_port);
    return (items - 1) / in_batch + 2;
}

uint64_t layout_batches_before(const struct layout *layout, size_t stage, uint64_t frames)
{
    return batches(layout, stage, layout->margins[stage].before, frames);
}

uint64_t layout_batches_after(const struct layout *layout, size_t stage, uint64_t frames)
{
    return batches(layout, stage, layout->margins[stage].after, frames);
}

size_t layout_slots(const struct layout *layout, unsigned workers, unsigned in_flight,
                    uint64_t frames)
{
    size_t n = in_flight;

    if (layout->device_space == SPACE_HOST)
        n = (workers > in_flight ? workers : in_flight) + 1;
    for (size_t s = 0; s < layout->graph->n; s++)
        n += layout_batches_before(layout, s, frames) + layout_batches_after(layout, s, frames);
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

    if (!edge_staged(edge) || convert_bits(host_type) >= convert_bits(device_type))
        return false;
    provider = layout->graph->registry->providers[space - 1].provider;
    return provider->convert && provider->convert(layout->device, NULL, &from, &to, NULL) == 0;
}

/* Does stage t, port p read the producer's own buffer? Then its margins are that buffer's. */
static struct margin margin_of_output(const struct layout *layout, size_t s, unsigned port)
{
    struct margin margin = {0, 0};

    for (size_t t = s + 1; t < layout->graph->n; t++) {
        const struct edge *edge = &layout->negotiation->choices[t].in[0];
        if (edge->from_stage != (int)s || edge->from_port != (int)port || edge_buffered(edge))
            continue;
        if (layout->margins[t].before > margin.before)
            margin.before = layout->margins[t].before;
        if (layout->margins[t].after > margin.after)
            margin.after = layout->margins[t].after;
    }
    return margin;
}

static bool touches_device(const struct layout *layout, size_t s, unsigned port)
{
    for (size_t t = s + 1; t < layout->graph->n; t++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            const struct edge *edge = &layout->negotiation->choices[t].in[p];
            if (edge->from_stage == (int)s && edge->from_port == (int)port &&
                edge->to_space != edge->from_space)
                return true;
        }
    return false;
}

/* What one buffer holds and where. */
struct wanted {
    int stage, port;
    uint32_t type;
    struct margin margin;
    struct place place;
};

static size_t front_bytes(const struct wanted *wanted)
{
    size_t bytes = (size_t)fecrun_bytes(wanted->type, wanted->margin.before);

    return (bytes + 63) / 64 * 64; /* data stays aligned */
}

static size_t buffer_bytes(const struct layout *layout, const struct wanted *wanted,
                           uint64_t frames)
{
    const struct shape *shape = layout->shape;
    size_t stage = (size_t)wanted->stage;
    unsigned port = (unsigned)wanted->port;
    uint64_t bytes = shape->n_rows == 1
                         ? frames * fecrun_bytes(wanted->type, shape_items(shape, 0, stage, port))
                         : shape_offset(shape, shape->n_rows, stage, port, wanted->type);

    return front_bytes(wanted) + (size_t)bytes +
           (size_t)fecrun_bytes(wanted->type, wanted->margin.after);
}

/* Calls fn for each buffer of a slot; `which` says where in the slot it lives. */
enum which { WHICH_OUT, WHICH_IN, WHICH_STAGING };

typedef int buffer_fn(void *data, size_t stage, unsigned port, enum which which,
                      const struct wanted *wanted);

static int each_output(const struct layout *layout, size_t s, buffer_fn *fn, void *data)
{
    const struct choice *choice = &layout->negotiation->choices[s];

    for (unsigned p = 0; p < layout->graph->stages[s].n_out; p++) {
        struct wanted wanted = {.stage = (int)s,
                                .port = (int)p,
                                .type = choice->form->out[p].type,
                                .margin = margin_of_output(layout, s, p),
                                .place = {.space = choice->space, .device = layout->device,
                                          .pool = layout->pool}};
        if (layout->graph->stages[s].stage->outputs[p]->flags & FECRUN_OPTIONAL &&
            !graph_output_read(layout->graph, s, p))
            continue; /* the backend gets NULL for it */
        if (choice->space == SPACE_HOST && touches_device(layout, s, p))
            wanted.place.pinned_for = layout->device_space;
        /* room for the part of a frame that may end a stream */
        if (s == 0 && layout->shape->plans[0]->stages[0].out[p].stream)
            wanted.margin.after += shape_items(layout->shape, 0, 0, p);
        if (fn(data, s, p, WHICH_OUT, &wanted))
            return -1;
    }
    return 0;
}

/* Between a conversion and a copy. */
static struct place staging_place(const struct layout *layout, const struct edge *edge,
                                  uint32_t *type)
{
    bool device = edge_converts_on_device(layout, edge);

    *type = (edge->to_space == SPACE_HOST) == device ? edge->to_type : edge->from_type;
    return (struct place){.space = device ? layout->device_space : SPACE_HOST,
                          .pinned_for = device ? SPACE_HOST : layout->device_space,
                          .device = layout->device, .pool = layout->pool};
}

static int each_input(const struct layout *layout, size_t s, buffer_fn *fn, void *data)
{
    const struct choice *choice = &layout->negotiation->choices[s];

    for (unsigned p = 0; p < layout->graph->stages[s].n_in; p++) {
        const struct edge *edge = &choice->in[p];
        struct wanted wanted = {.stage = edge->from_stage,
                                .port = edge->from_port,
                                .type = edge->to_type,
                                .margin = p == 0 ? layout->margins[s] : (struct margin){0, 0},
                                .place = {.space = choice->space, .device = layout->device,
                                          .pool = layout->pool}};
        if (!edge_buffered(edge))
            continue;
        if (choice->space == SPACE_HOST && edge->from_space != SPACE_HOST &&
            (!edge_staged(edge) || edge_converts_on_device(layout, edge)))
            wanted.place.pinned_for = layout->device_space;
        if (fn(data, s, p, WHICH_IN, &wanted))
            return -1;
        if (!edge_staged(edge))
            continue;
        wanted.margin = (struct margin){0, 0};
        wanted.place = staging_place(layout, edge, &wanted.type);
        if (fn(data, s, p, WHICH_STAGING, &wanted))
            return -1;
    }
    return 0;
}

static int each_buffer(const struct layout *layout, buffer_fn *fn, void *data)
{
    for (size_t s = 0; s < layout->graph->n; s++) {
        if (layout->negotiation->choices[s].absorbed_by >= 0)
            continue;
        if (each_output(layout, s, fn, data) || each_input(layout, s, fn, data))
            return -1;
    }
    return 0;
}

/* ---- Slots ---- */

struct making {
    const struct layout *layout;
    struct slot *slot;
    struct diag *diag;
};

static int make_buffer(void *data, size_t stage, unsigned port, enum which which,
                       const struct wanted *wanted)
{
    struct making *making = data;
    struct slot_stage *ss = &making->slot->stages[stage];
    struct buffer *buffer = which == WHICH_OUT  ? &ss->out[port]
                            : which == WHICH_IN ? &ss->in[port]
                                                : &ss->staging[port];

    buffer->type = wanted->type;
    buffer->stage = wanted->stage;
    buffer->port = wanted->port;
    if (memory_alloc(&buffer->memory, making->layout->graph->registry, wanted->place,
                     buffer_bytes(making->layout, wanted, making->layout->shape->frames),
                     making->diag))
        return -1;
    buffer->data = (char *)buffer->memory.ptr + front_bytes(wanted);
    return 0;
}

static int make_infos(struct slot *slot, const struct layout *layout, struct diag *diag)
{
    size_t bytes = layout->shape->frames * sizeof(struct fecrun_frame_info);
    struct place host = {.pinned_for = layout->device_space, .device = layout->device,
                         .pool = layout->pool};
    struct place device = {.space = layout->device_space, .device = layout->device,
                           .pool = layout->pool};

    if (memory_alloc(&slot->info, layout->graph->registry, host, bytes, diag))
        return -1;
    return layout->device_space == SPACE_HOST
               ? 0
               : memory_alloc(&slot->device_info, layout->graph->registry, device, bytes, diag);
}

int slot_make(struct slot *slot, const struct layout *layout, struct diag *diag)
{
    struct making making = {.layout = layout, .slot = slot, .diag = diag};

    memset(slot, 0, sizeof *slot);
    slot->stages = calloc(layout->graph->n, sizeof *slot->stages);
    if (!slot->stages)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    if (!each_buffer(layout, make_buffer, &making) && !make_infos(slot, layout, diag))
        return 0;
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

struct adding {
    const struct layout *layout;
    uint64_t frames, largest;
    struct bytes bytes;
};

static int add_buffer(void *data, size_t stage, unsigned port, enum which which,
                      const struct wanted *wanted)
{
    struct adding *adding = data;
    uint64_t bytes = buffer_bytes(adding->layout, wanted, adding->frames);

    (void)stage, (void)port, (void)which;
    *(wanted->place.space == SPACE_HOST ? &adding->bytes.host : &adding->bytes.device) += bytes;
    adding->largest = bytes > adding->largest ? bytes : adding->largest;
    return 0;
}

struct bytes layout_bytes(const struct layout *layout, uint64_t frames, uint64_t *largest)
{
    struct adding adding = {.layout = layout, .frames = frames};
    uint64_t infos = frames * sizeof(struct fecrun_frame_info);

    each_buffer(layout, add_buffer, &adding);
    adding.bytes.host += infos;
    adding.bytes.device += layout->device_space == SPACE_HOST ? 0 : infos;
    if (largest)
        *largest = adding.largest;
    return adding.bytes;
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
    return slot->frames *
           shape_items(slot->shape, 0, (size_t)buffer->stage, (unsigned)buffer->port);
}

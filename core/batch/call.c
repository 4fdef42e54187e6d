/* SPDX-License-Identifier: BSD-2-Clause */
/* One call of a backend: views and call structs for each row of equal frames, or for the batch. */
#include "core/batch/exec.h"

#include "core/base/cpu.h"
#include "core/plugin/calling.h"
#include "core/batch/scratch.h"
#include "core/batch/slot.h"

#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <string.h>

struct calling {
    struct exec *exec;
    struct worker *worker;
    struct slot *slot;
    size_t s;
    const struct exec_set *set; /* the stage's instances */
    unsigned ports;             /* the arrays below are set for ports 0 to ports - 1 */
    struct buffer *in[FECRUN_MAX_PORTS], *out[FECRUN_MAX_PORTS], *main; /* in[0] or out[0] */
    uint64_t in_offset[FECRUN_MAX_PORTS], out_offset[FECRUN_MAX_PORTS]; /* bytes, of this row */
    struct fecrun_frame_info *info, *out_info;                          /* of the row */
    uint64_t first_frame;
    uint64_t skipped; /* frames of the row that the backend is not called for */
};

/* ---- Infos ---- */

/* Of the batch's frames as they are at a port. */
static struct fecrun_frame_info *infos_at(const struct calling *c, const struct buffer *buffer)
{
    const struct slot *slot = c->slot;
    const struct memory *info = c->exec->negotiation->choices[c->s].space == SPACE_HOST
                                    ? &slot->info
                                    : &slot->device_info;

    return (struct fecrun_frame_info *)info->ptr +
           shape_level(slot->shape, buffer->stage, buffer->port)->infos;
}

/* Number of the batch's first frame at the main port: batches before it are full. */
static uint64_t first_frame(const struct calling *c)
{
    const struct shape *shape = c->slot->shape;
    const uint64_t batches = c->slot->first_frame / shape->frames;
    const uint64_t within = c->slot->first_frame % shape->frames;

    return batches * shape_level(shape, c->main->stage, c->main->port)->frames +
           (within ? shape_frames(shape, c->main->stage, c->main->port, within) : 0);
}

/* ---- Views ---- */

/* Absolute number of the batch's first item: batches before it are full, of one class. */
static uint64_t first_item(const struct calling *c)
{
    return c->slot->first_frame * shape_items(c->exec->created, 0, c->main->stage, c->main->port);
}

static void set_margins(const struct calling *c, struct fecrun_view *view,
                        const struct margin *have)
{
    const struct margin *want = &c->exec->layout.margins[c->s];

    view->before = have->before < want->before ? have->before : want->before;
    view->after = have->after < want->after ? have->after : want->after;
}

/* The run ends, and nobody waits for the rest of this batch. */
static int leave(struct calling *c, struct diag *diag)
{
    c->slot->cut = true;
    return diag_fail(diag, DIAG_RUN, "%s: left its frames, as the run ends",
                     c->exec->graph->stages[c->s].decl->id);
}

static struct fecrun_rng rng_of(const struct exec *exec, const struct shape *shape, size_t s)
{
    return (struct fecrun_rng){exec->seed, shape->point.numbers[s],
                               exec->graph->stages[s].random_stage};
}

static int call_backend(struct calling *c, const struct shape_row *row, struct fecrun_view *in,
                        struct fecrun_view *out, struct diag *diag)
{
    const struct exec *exec = c->exec;
    const struct choice *choice = &exec->negotiation->choices[c->s];
    const struct graph_stage *stage = &exec->graph->stages[c->s];
    const struct shape *shape = c->slot->shape->tail_items ? &exec->tail : exec->shape;
    const bool shares = exec->shares && choice->backend->backend->scratch &&
                        choice->space == SPACE_HOST && !c->worker->scratch.ptr;
    void *const shared = shares ? scratch_take() : NULL;
    const size_t instance = c->set == &exec->ordered ? 0 : row->class;
    const struct fecrun_view *ins[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_view *outs[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_error err;
    struct fecrun_rng absorbed[GRAPH_MAX_STAGES];
    const struct fecrun_sim sim = {sizeof sim, rng_of(exec, shape, c->s),
                                   choice->n_absorbed ? absorbed : NULL};
    struct fecrun_call call = {
        .size = sizeof call,
        .stream = c->worker->stream.handle,
        .first_frame = c->first_frame + c->skipped,
        .scratch = shares                        ? shared
                   : choice->space == SPACE_HOST ? c->worker->scratch.ptr
                                                 : c->worker->device_scratch.ptr,
        .codes = shape->codes[c->s] + row->class,
        .info = c->info + c->skipped,
        .cancel = &exec->ending,
        .first_item = first_item(c) + c->skipped * (c->in[0] ? in[0].items : 0),
        .out_info = c->out_info + c->skipped,
        .sim = &sim};
    int status;

    if (shares && !shared)
        return diag_no_memory(diag);
    for (unsigned k = 0; k < choice->n_absorbed; k++)
        absorbed[k] = rng_of(exec, shape, c->s - choice->n_absorbed + k);
    for (unsigned p = 0; p < c->ports; p++) {
        ins[p] = c->in[p] ? &in[p] : NULL;
        outs[p] = c->out[p] ? &out[p] : NULL;
    }
    if (choice->space != SPACE_HOST)
        c->worker->stream.pending = true;
    err.size = sizeof err;
    err.param[0] = err.text[0] = 0;
    calling_begin(stage->decl->id, "run", stage->entry->plugin->path);
    status = choice->backend->backend->run(c->set->instances[c->s][instance], &call, ins, outs,
                                           &err);
    calling_end(&err);
    scratch_give(shared);
    if (!status)
        return 0;
    if (status == FECRUN_CANCELLED && fecrun_cancelled(&exec->ending))
        return leave(c, diag);
    return exec_fail(exec, c->s, DIAG_RUN, &err, diag);
}

/* ---- Rows ---- */

/* A source beside the first one has no more: others still get frames, whose items are 0. Whether one
   of them is needed is known when they are counted. */
static void take_short(struct calling *c, const struct fecrun_view *out, uint64_t asked,
                       uint64_t first)
{
    struct slot *slot = c->slot;

    memset((char *)out->data + out->frames * out->stride, 0, (asked - out->frames) * out->stride);
    if (!slot->short_stage || first + out->frames < slot->short_at) {
        slot->short_stage = c->s;
        slot->short_at = first + out->frames;
    }
}

/* A source's output says how much it had. */
static int take_source(struct calling *c, const struct fecrun_view *out, uint64_t asked,
                       uint64_t first, struct diag *diag)
{
    if (c->exec->graph->stages[c->s].n_in)
        return 0;
    if (out->frames > asked)
        return diag_fail(diag, DIAG_RUN, "%s: gave more frames than asked for",
                         c->exec->graph->stages[c->s].decl->id);
    if (c->s > 0) {
        if (out->frames < asked && c->exec->negotiation->choices[c->s].space != SPACE_HOST)
            return diag_fail(diag, DIAG_RUN, "%s: gave fewer frames than asked for",
                             c->exec->graph->stages[c->s].decl->id);
        if (out->frames < asked)
            take_short(c, out, asked, first);
        return 0;
    }
    c->slot->tail_items = out->tail_items;
    c->slot->paused = c->slot->may_pause && out->paused && out->frames;
    return (int)(out->frames < asked);
}

/*
 * Where a part of a stream is decoded, there is less in front of its first pieces than the stage wants,
 * though the stream begins earlier. Nobody gets what comes of them (run_options.lead): the stage is called
 * for those behind them. How many?
 */
static uint64_t lacking(const struct calling *c, const struct fecrun_view *in,
                        const struct margin *have)
{
    const uint64_t want = c->exec->layout.margins[c->s].before;
    uint64_t frames;

    if (!c->exec->lead || have->before >= want || have->before >= first_item(c))
        return 0;
    frames = (want - have->before - 1) / in->items + 1;
    return frames < in->frames ? frames : in->frames;
}

static void move_view(struct fecrun_view *view, uint64_t frames)
{
    view->data = (char *)view->data + frames * view->stride;
    view->frames -= frames;
}

/* Of the skipped frames there are zeros: stages behind it may not be given just anything. */
static int skip(struct calling *c, struct fecrun_view *in, struct fecrun_view *out,
                const struct margin *have, struct diag *diag)
{
    const bool device = c->exec->negotiation->choices[c->s].space != SPACE_HOST;
    const uint64_t items = in[0].items;
    struct stream host = {0};

    c->skipped = lacking(c, &in[0], have);
    for (unsigned p = 0; c->skipped && p < c->ports; p++) {
        if (c->out[p] && stream_clear(device ? &c->worker->stream : &host, out[p].data,
                                      c->skipped * out[p].stride, diag))
            return -1;
        if (c->in[p])
            move_view(&in[p], c->skipped);
        if (c->out[p])
            move_view(&out[p], c->skipped);
    }
    set_margins(c, &in[0], &(struct margin){have->before + c->skipped * items, have->after});
    return 0;
}

static int run_row(struct calling *c, const struct shape_row *row, const struct margin *have,
                   struct diag *diag)
{
    struct fecrun_view in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];
    uint64_t frames, given;
    int ended;

    for (unsigned p = 0; p < c->ports; p++) {
        if (c->in[p])
            in[p] = slot_row(c->slot, c->in[p], row, c->in_offset[p]);
        if (c->out[p])
            out[p] = slot_row(c->slot, c->out[p], row, c->out_offset[p]);
        c->in_offset[p] += c->in[p] ? in[p].frames * in[p].stride : 0;
        c->out_offset[p] += c->out[p] ? out[p].frames * out[p].stride : 0;
    }
    given = c->out[0] ? out[0].frames : 0;
    frames = c->in[0] ? in[0].frames : given;
    if (c->in[0] && have && skip(c, in, out, have, diag))
        return -1;
    if (c->out[0] && c->s == 0)
        out[0].may_pause = c->slot->may_pause;
    if ((!c->skipped || c->skipped < frames) && call_backend(c, row, in, out, diag))
        return -1;
    ended = take_source(c, &out[0], given, row->first, diag);
    if (ended < 0)
        return -1;
    c->first_frame += frames;
    c->info += frames;
    c->out_info += c->out[0] ? given : frames;
    if (ended)
        c->slot->frames = row->first + out[0].frames;
    return ended;
}

/* Adjacent rows of one class become one row, for one call. Returns the span that follows. */
static size_t join(const struct shape *shape, size_t span, uint64_t frames, struct shape_row *row)
{
    struct shape_row next;

    *row = shape_span(shape, span);
    while ((next = shape_span(shape, ++span)).first < frames && next.class == row->class)
        row->count += next.count;
    return span;
}

static int run_rows(struct calling *c, const struct margin *have, struct diag *diag)
{
    const struct shape *shape = c->slot->shape;
    struct shape_row row;
    int status = 0;

    for (size_t k = 0; !status && shape_span(shape, k).first < c->slot->frames;) {
        if (k && fecrun_cancelled(&c->exec->ending))
            return leave(c, diag);
        k = join(shape, k, c->slot->frames, &row);
        status = run_row(c, &row, have, diag);
    }
    return status < 0 ? -1 : 0;
}

/* ---- Ragged: the whole batch in one call ---- */

static int run_ragged(struct calling *c, struct diag *diag)
{
    const struct ragged *tables = &c->exec->layout.ragged[c->s];
    struct fecrun_view in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];
    struct shape_row all = {0};

    for (unsigned p = 0; p < c->ports; p++) {
        if (c->in[p])
            in[p] = ragged_view(c->slot, &c->exec->layout, c->in[p], &tables->in[p]);
        if (c->out[p])
            out[p] = ragged_view(c->slot, &c->exec->layout, c->out[p], &tables->out[p]);
    }
    return call_backend(c, &all, in, out, diag);
}

/* ---- A sink that is elsewhere ---- */

static uint64_t within(uint64_t frame, const struct slot *slot)
{
    const uint64_t from = frame > slot->first_frame ? frame - slot->first_frame : 0;

    return from < slot->frames ? from : slot->frames;
}

static int tap(struct calling *c, struct diag *diag)
{
    const struct exec_tap *tap = &c->exec->tap;
    const struct shape_row all = {.count = c->slot->frames};
    struct fecrun_view view = slot_row(c->slot, c->in[0], &all, 0);
    const uint64_t pieces = view.frames / c->slot->frames;
    const uint64_t begin = within(tap->first, c->slot), end = within(tap->end, c->slot);

    if (begin >= end)
        return 0;
    view.data = (char *)view.data + begin * pieces * view.stride;
    view.frames = (end - begin) * pieces;
    return tap->take(tap->data, &view, c->info + begin * pieces, diag);
}

int exec_sink(struct exec *exec, const struct fecrun_view *view, struct fecrun_frame_info *info,
              uint64_t first, const volatile int *cancel, struct diag *diag)
{
    static const volatile int never;
    const size_t s = exec->graph->n - 1;
    const struct graph_stage *stage = &exec->graph->stages[s];
    const struct fecrun_view *ins[FECRUN_MAX_PORTS] = {view};
    struct fecrun_view *outs[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_error err = {.size = sizeof err};
    const struct fecrun_sim sim = {sizeof sim, rng_of(exec, exec->shape, s), NULL};
    const struct fecrun_call call = {.size = sizeof call,
                                     .sim = &sim,
                                     .first_frame = first,
                                     .codes = exec->shape->codes[s],
                                     .info = info,
                                     .cancel = cancel ? cancel : &never,
                                     .first_item = first * view->items,
                                     .out_info = info};
    int status;

    calling_begin(stage->decl->id, "run", stage->entry->plugin->path);
    status = exec->negotiation->choices[s].backend->backend->run(exec->ordered.instances[s][0],
                                                                 &call, ins, outs, &err);
    calling_end(&err);
    return status ? exec_fail(exec, s, DIAG_RUN, &err, diag) : 0;
}

/* ---- Margins ---- */

/* Copies up to `want` items that lie next to the buffer's own on one side, step -1: before them. Returns how many;
   UINT64_MAX: an error. */
static uint64_t gather(struct exec *exec, struct stream *stream, size_t stage,
                       struct slot *const *neighbours, int step, size_t n_slots, uint64_t want,
                       struct diag *diag)
{
    const struct buffer *own = slot_input(neighbours[0], &exec->layout, stage, 0);
    char *end = own->data + fecrun_bytes(own->type, slot_stream_items(neighbours[0], own));
    uint64_t have = 0;

    for (size_t k = 1; k <= n_slots && have < want; k++) {
        struct slot *slot = neighbours[step * (ptrdiff_t)k];
        const struct buffer *buffer = slot_input(slot, &exec->layout, stage, 0);
        const uint64_t items = slot_stream_items(slot, buffer);
        const uint64_t n = want - have < items ? want - have : items;
        char *to = step < 0 ? own->data - fecrun_bytes(own->type, have + n)
                            : end + fecrun_bytes(own->type, have);
        const char *from = buffer->data + (step < 0 ? fecrun_bytes(buffer->type, items - n) : 0);

        if (stream_copy(stream, to, from, fecrun_bytes(buffer->type, n), diag))
            return UINT64_MAX;
        have += n;
    }
    return have;
}

int exec_gather(struct exec *exec, struct worker *worker, size_t segment,
                struct slot *const *neighbours, size_t n_before, size_t n_after,
                struct margin *have, struct diag *diag)
{
    const size_t stage = exec->segments[segment].first;
    const struct margin *want = &exec->layout.margins[stage];
    struct stream host = {0}, *stream = &worker->stream;

    if (exec->negotiation->choices[stage].space == SPACE_HOST)
        stream = &host;
    have->before = gather(exec, stream, stage, neighbours, -1, n_before, want->before, diag);
    have->after = have->before == UINT64_MAX
                      ? UINT64_MAX
                      : gather(exec, stream, stage, neighbours, 1, n_after, want->after, diag);
    return have->after == UINT64_MAX ? -1 : 0;
}

/* ---- Stages and segments ---- */

static void begin(struct calling *c)
{
    const struct graph_stage *stage = &c->exec->graph->stages[c->s];
    struct buffer *out = c->slot->stages[c->s].out;

    c->ports = stage->n_in > stage->n_out ? stage->n_in : stage->n_out;
    for (unsigned p = 0; p < c->ports; p++) {
        c->in[p] = p < stage->n_in ? slot_input(c->slot, &c->exec->layout, c->s, p) : NULL;
        c->out[p] = p < stage->n_out && out[p].memory.ptr ? &out[p] : NULL;
        c->in_offset[p] = c->out_offset[p] = 0;
    }
    c->main = c->in[0] ? c->in[0] : c->out[0];
    c->skipped = 0;
    c->first_frame = first_frame(c);
    c->info = infos_at(c, c->main);
    c->out_info = c->out[0] ? infos_at(c, c->out[0]) : c->info;
}

static int run_stage(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
                     const struct margin *have, struct diag *diag)
{
    const struct choice *choice = &exec->negotiation->choices[stage];
    bool ragged = choice->form->flags & FECRUN_FORM_RAGGED && slot->shape->n_classes > 1;
    struct calling c; /* no zeros for ports that the stage has not */

    c.exec = exec;
    c.worker = worker;
    c.slot = slot;
    c.s = stage;
    c.set = exec_ordered(exec, stage) ? &exec->ordered
            : slot->shape->tail_items ? &worker->tail
                                      : &worker->full;
    begin(&c);
    if (slot_infos(slot, choice->space, &worker->stream, diag))
        return -1;
    if (choice->space == SPACE_HOST && stream_wait(&worker->stream, diag))
        return -1;
    worker->stream.stage = exec->graph->stages[stage].decl->id;
    if (exec->tap.take && stage + 1 == exec->graph->n)
        return tap(&c, diag);
    return ragged ? run_ragged(&c, diag) : run_rows(&c, have, diag);
}

/* ---- Their time ---- */

int exec_stage_alone(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
                     const struct margin *have, struct diag *diag)
{
    const struct times_watch *watch = exec->watch;
    struct stage_time time = {.calls = 1};
    const double start = watch ? cpu_seconds() : 0;

    if (run_stage(exec, worker, slot, stage, have, diag))
        return -1;
    if (!watch)
        return 0;
    if (exec->negotiation->choices[stage].space != SPACE_HOST && stream_wait(&worker->stream, diag))
        return -1;
    time.frames = slot->frames;
    time.seconds = cpu_seconds() - start;
    watch->took(watch->data, stage, &time);
    return 0;
}

int exec_edges(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
               struct diag *diag)
{
    const struct times_watch *watch = exec->watch;
    struct stage_time time = {.moves = 1};
    const double start = watch ? cpu_seconds() : 0;

    if (slot_edges(slot, &exec->layout, stage, &worker->stream, watch ? &time : NULL, diag))
        return -1;
    if (time.move == TIMES_NONE)
        return 0;
    if (stream_wait(&worker->stream, diag))
        return -1;
    time.move_seconds = cpu_seconds() - start;
    watch->took(watch->data, stage, &time);
    return 0;
}

int exec_stages(struct exec *exec, struct worker *worker, struct slot *slot, size_t first,
                size_t last, const struct margin *have, struct diag *diag)
{
    for (size_t s = first; s <= last && (s == 0 || slot->frames); s++) {
        if (exec->negotiation->choices[s].absorbed_by >= 0)
            continue;
        if (exec_stage_alone(exec, worker, slot, s, s == first ? have : NULL, diag) ||
            exec_edges(exec, worker, slot, s, diag))
            return -1;
    }
    return 0;
}

int exec_segment_end(struct exec *exec, struct worker *worker, struct slot *slot, size_t segment,
                     struct diag *diag)
{
    if (segment + 1 == exec->n_segments && slot_infos(slot, SPACE_HOST, &worker->stream, diag))
        return -1;
    return stream_wait(&worker->stream, diag);
}

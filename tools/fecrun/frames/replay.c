/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/frames/replay.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <stdlib.h>

struct replay {
    const struct replay_options *options;
    struct session_plan plan;
    struct exec exec;
    struct slot slot;
    size_t row;      /* of the shape, that has the frame */
    uint64_t in_row; /* its place there */
};

/* The batch that has the frame: it alone, or all rows of `blocks:`. */
static void place_frame(struct replay *replay, const struct session *session)
{
    const struct shape *shape = &replay->plan.shape;
    const uint64_t frame = replay->options->frame;
    const uint64_t unit = session->pipeline->n_blocks ? shape->frames : 1;
    struct slot *slot = &replay->slot;
    uint64_t at = frame % unit;

    slot->shape = shape;
    slot->first_frame = frame - at;
    slot->frames = unit;
    slot->info_space = INFO_CLEAR;
    replay->row = 0;
    while (unit > 1 && at >= shape->rows[replay->row].count)
        at -= shape->rows[replay->row++].count;
    replay->in_row = at;
}

static int run_segments(struct replay *replay, struct diag *diag)
{
    struct exec *exec = &replay->exec;
    struct worker *worker = &exec->workers[0];

    if (exec_start_worker(exec, worker, diag))
        return -1;
    for (size_t k = 0; k < exec->n_segments; k++)
        if (exec_segment(exec, worker, &replay->slot, k, 0, NULL, diag))
            return -1;
    return 0;
}

/* ---- Ports ---- */

static int show_port(struct replay *replay, size_t s, unsigned p, struct diag *diag)
{
    const struct graph_stage *stage = &replay->exec.graph->stages[s];
    const struct choice *choice = &replay->exec.negotiation->choices[s];
    const struct shape *shape = &replay->plan.shape;
    const struct buffer *buffer = &replay->slot.stages[s].out[p];
    const unsigned class = shape->rows[replay->row].class;
    const struct fecrun_frame *frame = &shape->plans[class]->stages[s].out[p];
    const uint64_t stride = fecrun_bytes(buffer->type, frame->items);
    const size_t bytes = (size_t)(stride * frame->pieces);
    const char *from = buffer->data + shape_offset(shape, replay->row, s, p, buffer->type) +
                       replay->in_row * bytes;
    struct stream *stream = &replay->exec.workers[0].stream;
    struct replay_port port = {.stage = stage->decl->id,
                               .port = stage->stage->outputs[p]->name,
                               .backend = choice->backend->backend->name,
                               .frame = frame,
                               .type = buffer->type,
                               .pieces = frame->pieces,
                               .stride = stride,
                               .data = from};
    void *copy = NULL;
    int status = 0;

    if (choice->space != SPACE_HOST) {
        port.data = copy = malloc(bytes ? bytes : 1);
        status = copy ? stream_copy(stream, copy, from, bytes, diag) || stream_wait(stream, diag)
                      : diag_no_memory(diag);
    }
    if (!status)
        status = replay->options->on_port(replay->options->data, &port, diag);
    free(copy);
    return status ? -1 : 0;
}

static int show_ports(struct replay *replay, struct diag *diag)
{
    const struct graph *graph = replay->exec.graph;

    for (size_t s = 0; s < graph->n; s++)
        for (unsigned p = 0; p < graph->stages[s].n_out; p++)
            if (replay->exec.negotiation->choices[s].absorbed_by < 0 &&
                replay->slot.stages[s].out[p].memory.ptr && show_port(replay, s, p, diag))
                return -1;
    return 0;
}

/* ---- The frame ---- */

/* Frames of rows in front of it are taken away again. */
static int count(struct replay *replay, struct run_counts *counts, struct diag *diag)
{
    const uint64_t before = replay->options->frame - replay->slot.first_frame;
    struct run_class *rows = calloc(replay->plan.shape.n_rows, sizeof *rows);
    struct run_counts first = {.rows = rows}, all = {.rows = rows};
    struct run_limits limits = {.frames = before};

    *counts = (struct run_counts){0};
    if (!rows)
        return diag_no_memory(diag);
    if (before)
        count_slot(&first, &replay->exec, &replay->slot, 0, &limits);
    limits.frames = before + 1;
    count_slot(&all, &replay->exec, &replay->slot, 0, &limits);
    free(rows);
    *counts = all;
    counts->rows = NULL;
    counts->frames -= first.frames;
    counts->bits -= first.bits;
    counts->bit_errors -= first.bit_errors;
    counts->frame_errors -= first.frame_errors;
    counts->failed -= first.failed;
    counts->undetected -= first.undetected;
    counts->blocks -= first.blocks;
    counts->block_errors -= first.block_errors;
    counts->iterations -= first.iterations;
    return 0;
}

static int run_frame(struct replay *replay, const struct session *session, struct diag *diag)
{
    struct exec_options options = {.cancel = replay->options->cancel};
    int status;

    /* with `blocks:` the batch is what it is */
    if (session_exec(session, &replay->plan, session->pipeline->n_blocks ? UINT64_MAX : 1, &options,
                     &replay->exec, diag))
        return -1;
    status = slot_make(&replay->slot, &replay->exec.layout, diag);
    if (!status) {
        place_frame(replay, session);
        status = run_segments(replay, diag) || show_ports(replay, diag) ? -1 : 0;
    }
    return status;
}

int replay_run(const struct session *session, const struct replay_options *options,
               struct run_counts *counts, struct diag *diag)
{
    struct replay replay = {.options = options};
    int status;

    if (options->point >= session_points(session))
        return diag_fail(diag, DIAG_USAGE, "point %zu: the sweep has points 0 to %zu",
                         options->point, session_points(session) - 1);
    if (session_plan(session, options->point, &replay.plan, diag))
        return -1;
    status = session_seekable(&replay.plan, "a replay", diag);
    if (!status) {
        status = run_frame(&replay, session, diag);
        if (!status)
            status = count(&replay, counts, diag);
        if (replay.exec.graph) {
            slot_free(&replay.slot, &replay.exec.layout);
            exec_close(&replay.exec);
        }
    }
    session_plan_free(&replay.plan);
    return status;
}

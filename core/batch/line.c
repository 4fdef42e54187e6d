/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/line.h"

#include "core/batch/exec.h"

#include <fecrun/sdk/params.h>

#include <stdlib.h>

/* ---- Opening and closing ---- */

int line_start(struct line *line, struct exec *exec, struct diag *diag)
{
    *line = (struct line){exec, &exec->workers[0], calloc(1, sizeof *line->slot)};
    if (!line->slot)
        diag_no_memory(diag);
    else if (!exec_start_worker(exec, line->worker, diag) &&
             !slot_make(line->slot, &exec->layout, diag))
        return 0;
    line_close(line);
    return -1;
}

int line_open(struct line *line, const struct negotiation *negotiation, const struct shape *shape,
              bool files, struct diag *diag)
{
    const struct exec_options options = {.workers = 1};
    struct exec *exec = calloc(1, sizeof *exec);

    *line = (struct line){0};
    if (!exec)
        return diag_no_memory(diag);
    if (!exec_open(exec, negotiation, shape, &options, diag)) {
        if (!files || !exec_open_files(exec, diag))
            return line_start(line, exec, diag);
        exec_close(exec);
    }
    free(exec);
    return -1;
}

void line_close(struct line *line)
{
    if (line->slot)
        slot_free(line->slot, &line->exec->layout);
    if (line->exec)
        exec_close(line->exec);
    free(line->slot);
    free(line->exec);
    *line = (struct line){0};
}

/* ---- A batch ---- */

void line_begin(struct line *line, uint64_t first, uint64_t frames)
{
    struct slot *slot = line->slot;

    slot->shape = line->exec->created;
    slot->batch = first / slot->shape->frames;
    slot->first_frame = first;
    slot->frames = frames;
    slot->short_stage = 0;
    slot->info_space = INFO_CLEAR;
}

int line_run(struct line *line, size_t first, size_t last, struct diag *diag)
{
    return exec_stages(line->exec, line->worker, line->slot, first, last, NULL, diag);
}

int line_edges(struct line *line, size_t stage, struct diag *diag)
{
    line->worker->stream.stage = line->exec->graph->stages[stage].decl->id;
    return exec_edges(line->exec, line->worker, line->slot, stage, diag);
}

int line_end(struct line *line, struct diag *diag)
{
    return slot_infos(line->slot, SPACE_HOST, &line->worker->stream, diag);
}

int line_wait(struct line *line, struct diag *diag)
{
    return stream_wait(&line->worker->stream, diag);
}

int line_finish(struct line *line, struct diag *diag)
{
    return exec_finish(line->exec, diag);
}

uint64_t line_frames(const struct line *line)
{
    return slot_frames(line->slot);
}

/* ---- Ports ---- */

bool line_port(const struct line *line, size_t s, unsigned p, uint64_t frame, struct line_port *out)
{
    const struct graph_stage *stage = &line->exec->graph->stages[s];
    const struct shape *shape = line->slot->shape;
    const struct buffer *buffer = &line->slot->stages[s].out[p];
    const struct shape_row row = shape_span(shape, shape_span_of(shape, frame));

    if (!buffer->memory.ptr) /* also where the stage was absorbed */
        return false;
    *out = (struct line_port){.stage = stage->decl->id,
                              .port = stage->stage->outputs[p]->name,
                              .backend = line->exec->negotiation->choices[s].backend->backend->name,
                              .frame = &shape->plans[row.class]->stages[s].out[p],
                              .type = buffer->type,
                              .info = (struct fecrun_frame_info *)line->slot->info.ptr + frame,
                              .on_host = buffer->memory.space == SPACE_HOST};
    out->pieces = out->frame->pieces;
    out->stride = fecrun_bytes(buffer->type, out->frame->items);
    out->data = buffer->data + shape_bytes(shape, row.first, s, p, buffer->type) +
                (frame - row.first) * out->pieces * out->stride;
    return true;
}

int line_fetch(struct line *line, const struct line_port *port, void *to, struct diag *diag)
{
    return -(
        stream_copy(&line->worker->stream, to, port->data, port->pieces * port->stride, diag) ||
        line_wait(line, diag));
}

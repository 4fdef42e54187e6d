/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/frames/look.h"

#include <fecrun/sdk/params.h>

#include <string.h>

int look_open(struct look *look, const struct session *session, size_t point, uint64_t batch,
              const volatile int *cancel, struct diag *diag)
{
    struct exec_options options = {.workers = 1, .cancel = cancel};

    memset(look, 0, sizeof *look);
    if (session_plan(session, point, &look->plan, diag))
        return -1;
    shape_set_frames(&look->plan.shape, batch);
    if (exec_open(&look->exec, look->plan.negotiation, &look->plan.shape, &options, diag)) {
        session_plan_free(&look->plan);
        return -1;
    }
    look->open = true;
    if (!exec_start_worker(&look->exec, &look->exec.workers[0], diag) &&
        !slot_make(&look->slot, &look->exec.layout, diag))
        return 0;
    look_close(look);
    return -1;
}

void look_close(struct look *look)
{
    if (!look->open)
        return;
    if (look->slot.stages)
        slot_free(&look->slot, &look->exec.layout);
    exec_close(&look->exec);
    session_plan_free(&look->plan);
    memset(look, 0, sizeof *look);
}

/* A source beside the first one may have fewer frames. */
static uint64_t frames_there(const struct look *look)
{
    const struct slot *slot = &look->slot;

    return slot->short_stage && slot->short_at < slot->frames ? slot->short_at : slot->frames;
}

int look_next(struct look *look, size_t last, uint64_t *frames, struct diag *diag)
{
    const uint64_t batch = look->plan.shape.frames, first_row = look->plan.shape.rows[0].count;
    struct slot *slot = &look->slot;
    struct worker *worker = &look->exec.workers[0];

    *frames = 0;
    if (look->over)
        return 0;
    slot->first_frame += slot->shape ? batch : 0;
    slot->shape = &look->plan.shape;
    slot->frames = batch;
    slot->short_stage = 0;
    slot->info_space = INFO_CLEAR;
    for (size_t s = 0; s <= last && (s == 0 || slot->frames); s++)
        if (look->exec.negotiation->choices[s].absorbed_by < 0 &&
            exec_stage(&look->exec, worker, slot, s, NULL, diag))
            return -1;
    if (stream_wait(&worker->stream, diag))
        return -1;
    *frames = frames_there(look);
    look->over = *frames < batch;
    *frames = *frames < first_row ? *frames : first_row;
    return 0;
}

bool look_port(const struct look *look, size_t s, unsigned p, uint64_t frame, struct look_port *out)
{
    const struct shape *shape = &look->plan.shape;
    const struct choice *choice = &look->exec.negotiation->choices[s];
    const struct buffer *buffer = &look->slot.stages[s].out[p];

    if (choice->absorbed_by >= 0 || choice->space != SPACE_HOST || !buffer->memory.ptr)
        return false;
    *out = (struct look_port){.frame = &shape->plans[shape->rows[0].class]->stages[s].out[p],
                              .type = buffer->type};
    out->pieces = out->frame->pieces;
    out->stride = fecrun_bytes(buffer->type, out->frame->items);
    out->data = buffer->data + shape_offset(shape, 0, s, p, buffer->type) +
                frame * out->pieces * out->stride;
    return true;
}

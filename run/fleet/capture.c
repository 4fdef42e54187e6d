/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/fleet/capture.h"

#include "core/batch/exec.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNED(n) (((n) + 15) / 16 * 16)

/* Of the frames of one call. */
struct record {
    uint64_t frames, items;
};

bool capture_is(const struct session_plan *plan)
{
    const size_t last = plan->shape.graph->n - 1;
    const struct choice *sink = &plan->negotiation->choices[last];
    const uint32_t source = plan_flags(plan->plan, 0), flags = plan_flags(plan->plan, last);

    if (!(source & FECRUN_STAGE_SEEKS) || !plan->plan->stages[0].sim.frames ||
        plan->shape.n_rows > 1)
        return false;
    for (size_t s = 1; s < last; s++)
        if (plan_flags(plan->plan, s) & (FECRUN_STAGE_ORDERED | FECRUN_STAGE_ENDS))
            return false;
    return flags & FECRUN_STAGE_ORDERED && !(flags & FECRUN_STAGE_COUNTS) &&
           sink->space == SPACE_HOST && plan->shape.graph->stages[last].n_in == 1 &&
           !sink->backend->backend->scratch;
}

bool capture_is_empty(const struct session_plan *plan)
{
    return plan_flags(plan->plan, 0) & FECRUN_STAGE_SEEKS && !plan->plan->stages[0].sim.frames;
}

struct margin capture_margins(const struct exec *exec)
{
    struct margin sum = {0, 0};

    for (size_t k = 0; k < exec->n_segments; k++) {
        const struct margin one = layout_batches(&exec->layout, exec->segments[k].first, 1);
        sum.before += one.before;
        sum.after += one.after;
    }
    /* a source that has met the end of a stream does not begin with that */
    if (!sum.before && exec->created->plans[0]->stages[0].out[0].stream)
        sum.before = 1;
    return sum;
}

uint64_t capture_bytes(const struct exec *exec)
{
    const size_t last = exec->graph->n - 1;
    const struct fecrun_frame *frame = plan_input(exec->created->plans[0], last, 0);
    const uint32_t type = exec->negotiation->choices[last].form->in[0].type;

    return frame->pieces * (fecrun_bytes(type, frame->items) + sizeof(struct fecrun_frame_info));
}

/* ---- Taking ---- */

static char *room_for(struct lease_data *data, size_t n)
{
    if (n > data->room - data->n) {
        const size_t room = 2 * data->room > data->n + n ? 2 * data->room : data->n + n;
        char *bytes = realloc(data->bytes, room);
        if (!bytes)
            return NULL;
        data->bytes = bytes;
        data->room = room;
    }
    data->n += n;
    return data->bytes + data->n - n;
}

int capture_take(void *to, const struct fecrun_view *view, const struct fecrun_frame_info *info,
                 struct diag *diag)
{
    const struct record record = {view->frames, view->items};
    const size_t infos = (size_t)view->frames * sizeof *info;
    const size_t row = (size_t)fecrun_bytes(view->type, view->items);
    const size_t bytes = sizeof record + infos + (size_t)view->frames * row;
    char *at = room_for(to, ALIGNED(bytes));

    if (!at)
        return diag_no_memory(diag);
    memset(at + bytes, 0, ALIGNED(bytes) - bytes);
    memcpy(at, &record, sizeof record);
    memcpy(at + sizeof record, info, infos);
    at += sizeof record + infos;
    for (uint64_t f = 0; f < view->frames; f++)
        memcpy(at + f * row, (const char *)view->data + f * view->stride, row);
    return 0;
}

void capture_free(struct lease_data *data)
{
    free(data->bytes);
    *data = (struct lease_data){0};
}

/* ---- Writing ---- */

/* The record at *at, but no more than `left` frames of it; -1: there is no whole one. */
static int read_record(const struct lease_data *data, size_t *at, uint32_t type, uint64_t left,
                       struct fecrun_view *view, struct fecrun_frame_info **info)
{
    struct record record;
    const size_t rest = data->n - *at;
    uint64_t per;

    if (rest < sizeof record)
        return -1;
    memcpy(&record, data->bytes + *at, sizeof record);
    per = fecrun_bytes(type, record.items) + sizeof **info;
    if (record.items > BYTES_MOST || !record.frames || record.frames > (rest - sizeof record) / per)
        return -1;
    *info = (struct fecrun_frame_info *)(void *)(data->bytes + *at + sizeof record);
    *view = (struct fecrun_view){.size = sizeof *view,
                                 .data = *info + record.frames,
                                 .type = type,
                                 .frames = record.frames < left ? record.frames : left,
                                 .items = record.items,
                                 .stride = fecrun_bytes(type, record.items)};
    *at += ALIGNED(sizeof record + record.frames * per);
    return 0;
}

int capture_write(struct exec *exec, struct lease_part *part, struct lease_data *into,
                  const volatile int *cancel, struct diag *diag)
{
    const size_t last = exec->graph->n - 1;
    const uint64_t pieces = plan_input(exec->created->plans[0], last, 0)->pieces;
    const uint32_t type = exec->negotiation->choices[last].form->in[0].type;
    uint64_t first = part->first * pieces, left = part->frames * pieces;
    size_t at = 0;
    int status = 0;

    while (!status && left) {
        struct fecrun_view view;
        struct fecrun_frame_info *info;
        if (read_record(&part->data, &at, type, left, &view, &info)) {
            status = diag_fail(diag, DIAG_RUN, "a part of the output is incomplete");
            break;
        }
        status = into ? capture_take(into, &view, info, diag)
                      : exec_sink(exec, &view, info, first, cancel, diag);
        first += view.frames;
        left -= view.frames;
    }
    capture_free(&part->data);
    return status;
}

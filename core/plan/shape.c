/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/shape.h"

#include <fecrun/sdk/params.h>

#include <stdlib.h>
#include <string.h>

static bool same_sizes(const struct graph *graph, const struct pipeline_block *a,
                       const struct pipeline_block *b)
{
    for (size_t c = 0; c < graph->pipeline->n_block_columns; c++)
        if (strcmp(a->sizes[c], b->sizes[c]))
            return false;
    return true;
}

/* Rows with equal sizes share a class, hence its plan and its code objects. */
static void number_classes(struct shape *shape)
{
    const struct graph *graph = shape->graph;

    for (size_t r = 0; r < shape->n_rows; r++) {
        size_t q = 0;
        while (q < r && !same_sizes(graph, shape->rows[q].block, shape->rows[r].block))
            q++;
        shape->rows[r].class = q < r ? shape->rows[q].class : (unsigned)shape->n_classes++;
    }
}

static int make_rows(struct shape *shape, struct diag *diag)
{
    const struct pipeline *p = shape->graph->pipeline;
    bool blocks = p->n_blocks && !shape->tail_items;

    shape->n_rows = blocks ? p->n_blocks : 1;
    shape->rows = calloc(shape->n_rows, sizeof *shape->rows);
    if (!shape->rows)
        return diag_no_memory(diag);
    for (size_t r = 0; r < shape->n_rows; r++) {
        shape->rows[r].first = shape->frames;
        shape->rows[r].count = blocks ? p->blocks[r].count : 1;
        shape->rows[r].block = blocks ? &p->blocks[r] : NULL;
        shape->frames += shape->rows[r].count;
    }
    if (blocks)
        number_classes(shape);
    else
        shape->n_classes = 1;
    return 0;
}

/* Rows of blocks are frames; margins and positions of a stream know nothing of them. */
static int check_stream(const struct shape *shape, struct diag *diag)
{
    const struct graph_stage *source = &shape->graph->stages[0];

    if (!shape->graph->pipeline->n_blocks || !shape->plans[0]->stages[0].out[0].stream)
        return 0;
    return diag_fail_at(diag, DIAG_USAGE, source->decl->mark,
                        "%s: is a stream, and blocks: needs frames", source->decl->id);
}

static int make_plans(struct shape *shape, struct diag *diag)
{
    shape->plans = calloc(shape->n_classes, sizeof *shape->plans);
    if (!shape->plans)
        return diag_no_memory(diag);
    for (size_t r = 0; r < shape->n_rows; r++) {
        struct plan_request request = {
            .point = &shape->point, .block = shape->rows[r].block, .tail_items = shape->tail_items};
        struct plan **plan = &shape->plans[shape->rows[r].class];
        if (!*plan && plan_make(plan, shape->graph, &request, diag))
            return -1;
    }
    return check_stream(shape, diag);
}

static int make_codes(struct shape *shape, struct diag *diag)
{
    shape->codes = calloc(shape->graph->n, sizeof *shape->codes);
    if (!shape->codes)
        return diag_no_memory(diag);
    for (size_t s = 0; s < shape->graph->n; s++) {
        shape->codes[s] = calloc(shape->n_classes, sizeof *shape->codes[s]);
        if (!shape->codes[s])
            return diag_no_memory(diag);
        for (size_t c = 0; c < shape->n_classes; c++)
            shape->codes[s][c] = shape->plans[c]->stages[s].plan.code;
    }
    return 0;
}

static uint32_t pieces(const struct shape *shape, size_t class, size_t stage, unsigned port)
{
    return shape->plans[class]->stages[stage].out[port].pieces;
}

size_t shape_level(const struct shape *shape, size_t stage, unsigned port)
{
    for (size_t l = 0; l < shape->n_levels; l++) {
        size_t c = 0;
        while (c < shape->n_classes &&
               pieces(shape, c, stage, port) ==
                   pieces(shape, c, shape->levels[l].stage, shape->levels[l].port))
            c++;
        if (c == shape->n_classes)
            return l;
    }
    return shape->n_levels;
}

static int make_levels(struct shape *shape, struct diag *diag)
{
    uint64_t most = 0, n;

    shape->levels = calloc(shape->graph->n * FECRUN_MAX_PORTS, sizeof *shape->levels);
    if (!shape->levels)
        return diag_no_memory(diag);
    for (size_t s = 0; s < shape->graph->n; s++)
        for (unsigned p = 0; p < shape->graph->stages[s].n_out; p++) {
            if (shape_level(shape, s, p) < shape->n_levels)
                continue;
            if ((n = shape_frames(shape, s, p, shape->frames)) > most) {
                most = n;
                shape->blocks = shape->n_levels;
            }
            shape->levels[shape->n_levels++] = (struct shape_level){.stage = s, .port = p};
        }
    return 0;
}

static int make(struct shape *shape, struct diag *diag)
{
    if (!make_rows(shape, diag) && !make_plans(shape, diag) && !make_codes(shape, diag) &&
        !make_levels(shape, diag))
        return 0;
    shape_free(shape);
    return -1;
}

int shape_make(struct shape *shape, const struct graph *graph, const struct point *point,
               struct diag *diag)
{
    *shape = (struct shape){.graph = graph, .point = point ? *point : (struct point){0}};
    return make(shape, diag);
}

int shape_make_tail(struct shape *shape, const struct shape *full, uint64_t tail_items,
                    struct diag *diag)
{
    *shape = (struct shape){.graph = full->graph, .point = full->point, .tail_items = tail_items};
    return make(shape, diag);
}

void shape_set_frames(struct shape *shape, uint64_t frames)
{
    if (!shape->rows[0].block)
        shape->frames = shape->rows[0].count = frames;
}

static bool same_frame(const struct fecrun_frame *a, const struct fecrun_frame *b)
{
    return a->kind == b->kind && a->type == b->type && a->items == b->items &&
           a->stream == b->stream && a->llr_max == b->llr_max && a->pieces == b->pieces;
}

static bool same_plan(const struct plan *a, const struct plan *b)
{
    for (size_t s = 0; s < a->graph->n; s++) {
        const struct fecrun_plan *p = &a->stages[s].plan, *q = &b->stages[s].plan;
        if (p->before != q->before || p->after != q->after || p->flags != q->flags)
            return false;
        for (unsigned port = 0; port < a->graph->stages[s].n_out; port++)
            if (!same_frame(&a->stages[s].out[port], &b->stages[s].out[port]))
                return false;
    }
    return true;
}

bool shape_same_frames(const struct shape *a, const struct shape *b)
{
    for (size_t c = 0; c < a->n_classes; c++)
        if (!same_plan(a->plans[c], b->plans[c]))
            return false;
    return true;
}

void shape_free(struct shape *shape)
{
    if (!shape->graph)
        return;
    for (size_t c = 0; shape->plans && c < shape->n_classes; c++)
        plan_free(shape->plans[c]);
    for (size_t s = 0; shape->codes && s < shape->graph->n; s++)
        free(shape->codes[s]);
    free(shape->codes);
    free(shape->levels);
    free(shape->plans);
    free(shape->rows);
    memset(shape, 0, sizeof *shape);
}

uint64_t shape_items(const struct shape *shape, unsigned class, size_t stage, unsigned port)
{
    return shape->plans[class]->stages[stage].out[port].items;
}

uint64_t shape_frames(const struct shape *shape, size_t stage, unsigned port, uint64_t frames)
{
    uint64_t n = 0;

    if (shape->n_rows == 1)
        return bytes_times(frames, pieces(shape, 0, stage, port));
    for (size_t r = 0; r < shape->n_rows && shape->rows[r].first < frames && n < BYTES_MOST; r++) {
        uint64_t left = frames - shape->rows[r].first;
        n += bytes_times(left < shape->rows[r].count ? left : shape->rows[r].count,
                         pieces(shape, shape->rows[r].class, stage, port));
    }
    return n;
}

uint64_t shape_infos(const struct shape *shape, size_t level, uint64_t frames)
{
    uint64_t n = 0;

    for (size_t l = 0; l < level; l++)
        n += shape_frames(shape, shape->levels[l].stage, shape->levels[l].port, frames);
    return n;
}

uint64_t shape_offset(const struct shape *shape, size_t row, size_t stage, unsigned port,
                      uint32_t type)
{
    uint64_t bytes = 0;

    for (size_t r = 0; r < row && bytes < BYTES_MOST; r++)
        bytes += bytes_times(
            bytes_times(shape->rows[r].count, pieces(shape, shape->rows[r].class, stage, port)),
            fecrun_bytes(type, shape_items(shape, shape->rows[r].class, stage, port)));
    return bytes;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* tdestroy */
#endif
#include "core/plan/shape.h"
#include "core/plan/graph.h"

#include <fecrun/sdk/params.h>

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_sizes(const void *a, const void *b)
{
    const struct pipeline_block *x = ((const struct shape_row *)a)->block;
    const struct pipeline_block *y = ((const struct shape_row *)b)->block;
    int order = 0;

    for (size_t c = 0; !order && x->sizes[c]; c++)
        order = strcmp(x->sizes[c], y->sizes[c]);
    return order;
}

static void keep(void *row)
{
    (void)row;
}

/* Rows with equal sizes share a class, hence its plan and its code objects. */
static int number_classes(struct shape *shape, struct diag *diag)
{
    void *seen = NULL;
    int status = 0;

    for (size_t r = 0; !status && r < shape->n_rows; r++) {
        struct shape_row *row = &shape->rows[r], **first = tsearch(row, &seen, by_sizes);
        if (!first)
            status = diag_no_memory(diag);
        else
            row->class = *first == row ? (unsigned)shape->n_classes++ : (*first)->class;
    }
    tdestroy(seen, keep);
    return status;
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
    shape->round = shape->frames;
    if (blocks)
        return number_classes(shape, diag);
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

/* The level that has as many pieces of each frame as the port; n_levels: none has yet. */
static size_t find_level(const struct shape *shape, size_t stage, unsigned port)
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

static int add_level(struct shape *shape, size_t stage, unsigned port, struct diag *diag)
{
    struct shape_level *level = &shape->levels[shape->n_levels++];
    uint64_t n = 0;

    *level = (struct shape_level){.stage = stage, .port = port};
    if (!shape->rows[0].block)
        return 0;
    level->before = calloc(shape->n_rows + 1, sizeof *level->before);
    if (!level->before)
        return diag_no_memory(diag);
    for (size_t r = 0; r < shape->n_rows; r++) {
        level->before[r] = n;
        n += bytes_times(shape->rows[r].count, pieces(shape, shape->rows[r].class, stage, port));
        n = n < BYTES_MOST ? n : BYTES_MOST;
    }
    level->before[shape->n_rows] = n;
    return 0;
}

static void number_infos(struct shape *shape)
{
    shape->infos = 0;
    for (size_t l = 0; l < shape->n_levels; l++) {
        struct shape_level *level = &shape->levels[l];
        level->infos = shape->infos;
        level->frames = shape_frames(shape, level->stage, level->port, shape->frames);
        shape->infos += level->frames;
    }
}

static int make_levels(struct shape *shape, struct diag *diag)
{
    uint64_t most = 0, n;

    shape->levels = calloc(shape->graph->n * FECRUN_MAX_PORTS, sizeof *shape->levels);
    shape->level_of = calloc(shape->graph->n * FECRUN_MAX_PORTS, sizeof *shape->level_of);
    if (!shape->levels || !shape->level_of)
        return diag_no_memory(diag);
    for (size_t s = 0; s < shape->graph->n; s++)
        for (unsigned p = 0; p < shape->graph->stages[s].n_out; p++) {
            const size_t level = find_level(shape, s, p);
            shape->level_of[s * FECRUN_MAX_PORTS + p] = level;
            if (level < shape->n_levels)
                continue;
            if (add_level(shape, s, p, diag))
                return -1;
            if ((n = shape_frames(shape, s, p, shape->frames)) > most) {
                most = n;
                shape->blocks = level;
            }
        }
    number_infos(shape);
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
    shape->frames = frames;
    if (!shape->rows[0].block)
        shape->round = shape->rows[0].count = frames;
    number_infos(shape);
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
    for (size_t l = 0; l < shape->n_levels; l++)
        free(shape->levels[l].before);
    free(shape->levels);
    free(shape->level_of);
    free(shape->plans);
    free(shape->rows);
    memset(shape, 0, sizeof *shape);
}

uint64_t shape_items(const struct shape *shape, unsigned class, size_t stage, unsigned port)
{
    return shape->plans[class]->stages[stage].out[port].items;
}

uint64_t shape_unit(const struct shape *shape)
{
    return shape->rows[0].block ? shape->round : 1;
}

struct shape_row shape_span(const struct shape *shape, size_t span)
{
    struct shape_row row = shape->rows[span % shape->n_rows];

    row.first += span / shape->n_rows * shape->round;
    return row;
}

/* The row of a frame of a round. */
static size_t row_of(const struct shape *shape, uint64_t frame)
{
    size_t low = 0, high = shape->n_rows;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (shape->rows[middle].first <= frame)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t shape_span_of(const struct shape *shape, uint64_t frame)
{
    return (size_t)(frame / shape->round) * shape->n_rows + row_of(shape, frame % shape->round);
}

uint64_t shape_frames(const struct shape *shape, size_t stage, unsigned port, uint64_t frames)
{
    const uint64_t *before = shape_level(shape, stage, port)->before;
    uint64_t rest, n;
    size_t r;

    if (!before)
        return bytes_times(frames, pieces(shape, 0, stage, port));
    rest = frames % shape->round;
    r = row_of(shape, rest);
    n = bytes_times(frames / shape->round, before[shape->n_rows]) + before[r] +
        bytes_times(rest - shape->rows[r].first, pieces(shape, shape->rows[r].class, stage, port));
    return n < BYTES_MOST ? n : BYTES_MOST;
}

uint64_t shape_infos(const struct shape *shape, uint64_t frames)
{
    uint64_t n = 0;

    for (size_t l = 0; l < shape->n_levels; l++)
        n += shape_frames(shape, shape->levels[l].stage, shape->levels[l].port, frames);
    return n;
}

/* Bytes that the first `frames` frames of a round take in a port's buffer. */
static uint64_t bytes_in_round(const struct shape *shape, uint64_t frames, size_t stage,
                               unsigned port, uint32_t type)
{
    uint64_t bytes = 0;

    for (size_t r = 0; r < shape->n_rows && shape->rows[r].first < frames && bytes < BYTES_MOST;
         r++) {
        const struct shape_row *row = &shape->rows[r];
        const uint64_t left = frames - row->first;
        bytes += bytes_times(bytes_times(left < row->count ? left : row->count,
                                         pieces(shape, row->class, stage, port)),
                             fecrun_bytes(type, shape_items(shape, row->class, stage, port)));
    }
    return bytes;
}

uint64_t shape_bytes(const struct shape *shape, uint64_t frames, size_t stage, unsigned port,
                     uint32_t type)
{
    uint64_t rounds, bytes;

    if (!shape->rows[0].block)
        return bytes_times(bytes_times(frames, pieces(shape, 0, stage, port)),
                           fecrun_bytes(type, shape_items(shape, 0, stage, port)));
    rounds = frames / shape->round;
    bytes = rounds ? bytes_times(rounds, bytes_in_round(shape, shape->round, stage, port, type))
                   : 0;
    return bytes + bytes_in_round(shape, frames % shape->round, stage, port, type);
}

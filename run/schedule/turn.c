/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/schedule/turn.h"

#include <fecrun/sdk/sample.h>
#include "core/base/cpu.h"
#include <fecrun/sdk/params.h>

#include <stdlib.h>
#include <string.h>

/* ---- Looking at batches ---- */

/* Batches that somebody still wants follow each other without a gap, each in a slot: no two of them
   have one place. Another one may have lost its place to a later one. */
static struct task *find_batch(struct run *run, uint64_t batch)
{
    struct task *task = run->by_batch[batch % run->n_tasks];

    return task && task->active && task->slot.batch == batch ? task : NULL;
}

static bool batch_exists(const struct run *run, uint64_t batch)
{
    return batch < run->next_batch || !run->source_ended;
}

/* Batches whose items segment k may want round its own. */
static struct margin neighbours(const struct run *run, size_t k)
{
    const struct layout *layout = &run->exec->layout;

    return layout_batches(layout, run->exec->segments[k].first,
                          layout->pauses ? 1 : run->exec->created->frames);
}

/* If it has come as far as segment k, else NULL. */
static struct task *find_ready(struct run *run, uint64_t batch, size_t k)
{
    struct task *task = find_batch(run, batch);

    return task && task->segment >= k ? task : NULL;
}

/* Has so much come as far as segment k behind the batch, or in front of it (step -1), or all there
   is? The nearest of `batches` may have it: a live stream waits for no more than that. */
static bool side_ready(struct run *run, uint64_t batch, int step, size_t k, uint64_t batches,
                       uint64_t items)
{
    const size_t stage = run->exec->segments[k].first;
    uint64_t have = 0;

    for (uint64_t i = 1; i <= batches && have < items; i++) {
        const uint64_t b = step < 0 ? batch - i : batch + i;
        struct task *other;

        if (step < 0 ? i > batch : !batch_exists(run, b))
            return true;
        other = find_ready(run, b, k);
        if (!other)
            return false;
        have += slot_stream_items(&other->slot,
                                  slot_input(&other->slot, &run->exec->layout, stage, 0));
    }
    return true;
}

/* Have the batches that segment k of this one reads from come as far as k? */
static bool neighbours_ready(struct run *run, const struct task *task, size_t k)
{
    const size_t stage = run->exec->segments[k].first;
    const struct margin round = neighbours(run, k), items = run->exec->layout.margins[stage];
    const struct margin full = layout_batches(&run->exec->layout, stage,
                                              run->exec->created->frames);
    const uint64_t batch = task->slot.batch;

    /* where batches are full, the last but one is needed; it first: in thousands of small pieces it
       is most often that one which is missing */
    if (full.after && batch_exists(run, batch + full.after - 1) &&
        !find_ready(run, batch + full.after - 1, k))
        return false;
    return side_ready(run, batch, 1, k, round.after, items.after) &&
           side_ready(run, batch, -1, k, round.before, items.before);
}

static bool ready(struct run *run, const struct task *task)
{
    if (!task->active || task->busy || task->finished)
        return false;
    if (run->exec->segments[task->segment].ordered)
        return run->done[task->segment] == task->slot.batch;
    return neighbours_ready(run, task, task->segment);
}

/* May the slot be used again? Batches after it may still want its items as their margin. */
static bool unused(struct run *run, const struct task *task)
{
    if (!task->active)
        return true;
    if (!task->finished || !task->tallied)
        return false;
    for (size_t k = 0; k < run->exec->n_segments; k++)
        for (uint64_t i = neighbours(run, k).before; i > 0; i--) {
            uint64_t b = task->slot.batch + i;
            struct task *other = find_batch(run, b);
            if (!other && b < run->next_batch)
                continue; /* it is through and gone */
            if (other ? other->segment <= k : batch_exists(run, b))
                return false;
        }
    return true;
}

/* ---- New batches ---- */

static bool may_begin(struct run *run)
{
    if (run->stop || run->source_ended)
        return false;
    /* an ordered source says only when it has run whether there is more */
    return !run->exec->segments[0].ordered || run->done[0] == run->next_batch;
}

/* Frames to be read; 0: all. */
static uint64_t limit_of(const struct run_options *options)
{
    return options->limits.frames ? options->lead + options->limits.frames + options->trail : 0;
}

static bool limit_reached(const struct run *run)
{
    const uint64_t limit = limit_of(run->options);

    return limit && run->next_frame - run->options->first_frame >= limit;
}

/* ---- The pace ---- */

#define PACE_SECONDS 0.05
#define PACE_MOST 0.5 /* as long as more frames cost (nearly) nothing: vectors are not full yet */

enum { PACE_STEP = 4, PACE_LEAP = 64, PACE_LEAST = 8 };

static void begin_pace(struct run *run)
{
    struct pace *pace = &run->crew->pace;

    if (run->options->first_frame && pace->frames)
        return; /* it goes on */
    /* what the point before has found, less one step */
    pace->frames = pace->frames > PACE_STEP ? pace->frames / PACE_STEP : 1;
    pace->before = 0;
}

/* Returns the factor by which the next batch may grow after one that took that many seconds. If more frames were free
   the last time, or that is not known, the batch grows by one step even if it is slow. */
static uint64_t leap(double seconds, bool free)
{
    const double ratio = PACE_SECONDS / (seconds > 1e-9 ? seconds : 1e-9);

    if (ratio >= PACE_LEAP)
        return PACE_LEAP;
    if (free && seconds < PACE_MOST && ratio < PACE_STEP)
        return PACE_STEP;
    return ratio > 1 ? (uint64_t)ratio : 1;
}

void turn_took(struct run *run, struct task *task, double seconds)
{
    struct pace *pace = &run->crew->pace;
    bool free;

    task->seconds += run->exec->segments[task->segment].ordered ? 0 : seconds;
    if (task->segment + 1 < run->exec->n_segments || task->slot.frames < pace->frames)
        return;
    free = !(pace->before > 0) || task->seconds < 2 * pace->before;
    if (task->seconds > PACE_STEP * PACE_SECONDS && !free) {
        pace->frames = pace->frames > PACE_STEP ? pace->frames / PACE_STEP : 1;
        pace->before = 1e-9; /* more frames were not free */
    } else {
        pace->frames *= leap(task->seconds, free);
        pace->before = task->seconds;
    }
}

/* Estimates how many more frames the error rule needs, from the error rate so far. Without an error yet: as many as
   were counted. UINT64_MAX: there is no such rule. */
static uint64_t expected(const struct run *run)
{
    const uint64_t most = run->options->limits.frame_errors, errors = run->counts->frame_errors;
    const uint64_t frames = run->counts->frames;

    if (!most)
        return UINT64_MAX;
    if (!errors)
        return frames + PACE_LEAST * PACE_STEP;
    return (uint64_t)((double)(most - errors) * (double)frames / (double)errors * 1.25) + 1;
}

static uint64_t paced_frames(const struct run *run)
{
    const uint64_t counted = run->options->first_frame + run->options->lead + run->counts->frames;
    const uint64_t under_way = run->next_frame > counted ? run->next_frame - counted : 0;
    const uint64_t still = expected(run);
    uint64_t frames = run->crew->pace.frames;

    if (still < UINT64_MAX && still < under_way + frames)
        frames = still > under_way + PACE_LEAST ? still - under_way : PACE_LEAST;
    return frames < run->crew->pace.frames ? frames : run->crew->pace.frames;
}

/*
 * The limit is the end of the input, but not where a stage reads over the ends of its batch: its
 * last frames would then depend on the rule that stopped the run. What comes behind the limit is
 * decoded and not counted. A file must not get it, so for an ordered sink the limit does end.
 */
void turn_begin(struct run *run)
{
    const struct exec *exec = run->exec;

    run->next_frame = run->options->first_frame;
    run->end = shape_source_frames(exec->created) ? shape_source_frames(exec->created) : UINT64_MAX;
    run->cut_batch = UINT64_MAX;
    for (size_t k = 0; k < exec->n_segments; k++) {
        const struct margin round = neighbours(run, k);

        run->margins |= round.before || round.after;
        run->open_ended |= round.after > 0;
    }
    run->open_ended &= !exec->segments[exec->n_segments - 1].ordered;
    begin_pace(run);
}

static uint64_t frames_wanted(const struct run *run)
{
    const uint64_t limit = limit_of(run->options);
    const uint64_t begun = run->next_frame - run->options->first_frame;
    const uint64_t unit = shape_unit(run->exec->shape);
    uint64_t frames = run->exec->shape->frames;

    /* batches of streams with margins are full */
    if (!run->margins && paced_frames(run) < frames)
        frames = (paced_frames(run) + unit - 1) / unit * unit;
    if (limit && !run->open_ended && limit - begun < frames)
        frames = limit - begun;
    return frames < run->end - run->next_frame ? frames : run->end - run->next_frame;
}

/* May a batch have fewer frames than the others? Those of `blocks:` begin with the first row, and margins
   count whole ones where no latency is asked for: they then take fewer slots. */
static bool may_pause(const struct run *run)
{
    return (!run->margins || run->exec->layout.pauses) && run->exec->segments[0].ordered &&
           !run->exec->created->rows[0].block;
}

static void begin_batch(struct run *run, struct task *task)
{
    struct slot *slot = &task->slot;

    slot->batch = run->next_batch++;
    run->by_batch[slot->batch % run->n_tasks] = task;
    slot->first_frame = run->next_frame;
    slot->shape = run->exec->created;
    slot->frames = frames_wanted(run);
    slot->tail_items = 0;
    slot->short_stage = 0;
    slot->paused = slot->cut = false;
    slot->may_pause = !run->tail && may_pause(run);
    if (run->tail) {
        slot->shape = &run->exec->tail;
        slot->frames = 1;
    }
    slot->info_space = INFO_CLEAR;
    run->next_frame += slot->frames;
    task->active = true;
    task->busy = task->finished = task->tallied = false;
    task->segment = 0;
    task->seconds = 0;
    run->source_ended = run->tail || run->next_frame == run->end ||
                        (limit_reached(run) && !run->open_ended);
    if (run->start == 0)
        run->start = cpu_seconds();
}

struct task *turn_pick(struct run *run)
{
    struct task *best = NULL;

    if (run->enough)
        return NULL;
    for (size_t i = 0; i < run->n_tasks; i++)
        if (ready(run, &run->tasks[i]) &&
            (!run->failed || run->tasks[i].slot.batch < run->failed_batch) &&
            run->tasks[i].slot.batch < run->cut_batch &&
            (!best || run->tasks[i].slot.batch < best->slot.batch))
            best = &run->tasks[i];
    if (best || run->failed || run->cut_batch < UINT64_MAX || !may_begin(run))
        return best;
    for (size_t i = 0; i < run->n_tasks; i++)
        if (unused(run, &run->tasks[i])) {
            begin_batch(run, &run->tasks[i]);
            return &run->tasks[i];
        }
    return NULL;
}

/* ---- After a segment ---- */

/* Calls that wait for input need not wait any longer. */
static void set_ending(struct run *run)
{
    __atomic_store_n(&run->exec->ending, 1, __ATOMIC_RELAXED);
}

void turn_fail(struct run *run, uint64_t batch, const struct diag *diag)
{
    if (!run->failed || batch < run->failed_batch) {
        run->diag = *diag;
        run->failed_batch = batch;
    }
    run->failed = true;
    set_ending(run);
}

/* A stage does not take so little, or not just so much: what came is wrong, not the pipeline. */
static void blame_end(const struct run *run, const struct slot *slot, struct diag *diag)
{
    if (diag->status != DIAG_USAGE)
        return;
    diag->status = DIAG_RUN;
    diag_add(diag, " (the stream ends after %llu items of %s, inside a piece)",
             (unsigned long long)((slot->first_frame + slot->frames) *
                                      shape_items(slot->shape, 0, 0, 0) +
                                  run->tail_items),
             run->exec->graph->stages[0].decl->id);
}

/* Plans the last batch with as many of its items as all stages take. The rest, an unfinished step, is left over. */
static int plan_tail(struct run *run, const struct slot *slot, struct diag *diag)
{
    uint64_t items = run->tail_items;

    if (exec_plan_tail(run->exec, &items, diag)) {
        blame_end(run, slot, diag);
        return -1;
    }
    part_add(run, &(struct run_part){.counts.left_over = run->tail_items - items});
    run->tail_items = items;
    return 0;
}

/* Keeps the part of a frame that ends a stream; its own batch comes next. */
static int keep_tail(struct run *run, const struct slot *slot, struct diag *diag)
{
    const struct buffer *buffer = &slot->stages[0].out[0];
    uint64_t items = slot_stream_items(slot, buffer);
    size_t bytes = (size_t)fecrun_bytes(buffer->type, slot->tail_items);

    if (items % fecrun_type_per_byte(buffer->type) ||
        run->exec->negotiation->choices[0].space != SPACE_HOST)
        return diag_fail(diag, DIAG_RUN, "%s: a stream must come as whole bytes in host memory",
                         run->exec->graph->stages[0].decl->id);
    run->tail = malloc(bytes);
    run->tail_items = slot->tail_items;
    if (!run->tail)
        return diag_no_memory(diag);
    memcpy(run->tail, buffer->data + fecrun_bytes(buffer->type, items), bytes);
    if (plan_tail(run, slot, diag))
        return -1;
    if (!run->tail_items) { /* all of it is left over: there is no last batch */
        free(run->tail);
        run->tail = NULL;
    }
    return 0;
}

/* The source has run: did the input end? */
static void after_source(struct run *run, struct task *task, uint64_t asked)
{
    const struct slot *slot = &task->slot;
    struct diag diag = {0};

    if (slot->shape->tail_items || (slot->frames == asked && !slot->tail_items))
        return;
    run->next_frame = slot->first_frame + slot->frames;
    if (slot->paused && !slot->tail_items) {
        run->source_ended = limit_reached(run) && !run->open_ended;
        return;
    }
    run->source_ended = true;
    if (slot->tail_items && !run->stop && !run->failed && !limit_reached(run)) {
        if (keep_tail(run, slot, &diag))
            turn_fail(run, slot->batch, &diag);
        run->source_ended = run->failed || !run->tail;
    }
}

/* Its frames were needed: rules that end the run did not do so before. */
static void fail_short(struct run *run, const struct task *task)
{
    const struct slot *slot = &task->slot;
    struct diag diag = {0};

    if (run->stop || fecrun_cancelled(run->exec->cancel)) {
        run->enough = true; /* it was not to wait for more input */
        return;
    }
    diag_fail(&diag, DIAG_RUN, "%s: its input ends after %llu frames, and the pipeline needs more",
              run->exec->graph->stages[slot->short_stage].decl->id,
              (unsigned long long)(slot->first_frame + slot->short_at));
    turn_fail(run, slot->batch, &diag);
}

static void tally(struct run *run)
{
    struct task *task;

    while (!run->enough && !(run->failed && run->tally_batch >= run->failed_batch) &&
           (task = find_batch(run, run->tally_batch)) && task->finished && !task->tallied) {
        const uint64_t before = run->counts->frames;
        const char *stop = part_tally(run, task);
        if (run->options->counted)
            run->options->counted(run->options->data, task->slot.info.ptr,
                                  run->counts->frames - before);
        task->tallied = true;
        run->tally_batch++;
        if (stop) {
            run->stop = stop;
            run->enough = true;
            set_ending(run);
        } else if (task->slot.short_stage) {
            fail_short(run, task);
        }
    }
}

double turn_elapsed(const struct run *run)
{
    return run->start > 0 ? cpu_seconds() - run->start : 0;
}

void turn_stop(struct run *run, const char *reason)
{
    if (!run->stop)
        run->stop = reason;
    set_ending(run);
}

/* A point counts a batch at least, however short its time is, unless that waits for input or for a reader. */
static bool first_is_worked_on(struct run *run)
{
    const struct task *task = run->counts->frames ? NULL : find_batch(run, run->tally_batch);

    return task && !task->finished && !run->exec->segments[task->segment].ordered;
}

void turn_check_clock(struct run *run)
{
    if (run->stop)
        return;
    if (fecrun_cancelled(run->exec->cancel))
        turn_stop(run, "signal");
    else if (run->options->limits.seconds > 0 &&
             turn_elapsed(run) >= run->options->limits.seconds && !first_is_worked_on(run))
        turn_stop(run, "seconds");
}

struct slot *const *turn_line_up(struct run *run, struct task *task, struct slot **line,
                                 size_t *n_before, size_t *n_after)
{
    const struct margin round = neighbours(run, task->segment);
    struct slot **middle = line + run->n_tasks;
    struct task *other;
    uint64_t batch = task->slot.batch;

    *middle = &task->slot;
    *n_before = *n_after = 0;
    while (*n_before < round.before && batch > *n_before &&
           (other = find_batch(run, batch - *n_before - 1)))
        *(middle - ++*n_before) = &other->slot;
    while (*n_after < round.after && (other = find_batch(run, batch + *n_after + 1)))
        middle[++*n_after] = &other->slot;
    return middle;
}

/* ---- The end ---- */

void turn_release(struct run *run, struct task *task, uint64_t asked)
{
    if (task->segment == 0)
        after_source(run, task, asked);
    run->done[task->segment]++;
    task->released = true;
}

void turn_end(struct run *run, struct task *task, uint64_t asked, const struct diag *failed)
{
    const bool ordered = run->exec->segments[task->segment].ordered;

    task->busy = false;
    run->busy--;
    if (task->slot.cut) { /* the run ends, and it holds nothing: nor do those behind it count */
        run->cut_batch = task->slot.batch < run->cut_batch ? task->slot.batch : run->cut_batch;
        return;
    }
    if (failed)
        turn_fail(run, task->slot.batch, failed);
    else if (task->segment == 0 && !task->released)
        after_source(run, task, asked);
    if (!failed && !task->slot.frames) {
        /* the input ended just where a batch did: this one, the last that was begun, never was */
        task->active = false;
        run->next_batch--;
    } else {
        run->done[task->segment] += ordered && !task->released;
        task->segment++;
        task->finished = task->segment == run->exec->n_segments;
    }
    tally(run);
    turn_check_clock(run);
}

/* A pipeline that ran dry with batches half done would lose frames without a word. */
const char *turn_over(struct run *run)
{
    if (run->stop)
        return run->stop;
    for (size_t i = 0; !run->failed && i < run->n_tasks; i++)
        if (run->tasks[i].active && !run->tasks[i].finished &&
            run->tasks[i].slot.batch < run->cut_batch) {
            struct diag diag = {0};
            diag_fail(&diag, DIAG_RUN, "internal error: batch %llu is stuck before segment %zu",
                      (unsigned long long)run->tasks[i].slot.batch, run->tasks[i].segment);
            turn_fail(run, run->tasks[i].slot.batch, &diag);
        }
    return limit_reached(run) ? "frames" : "end";
}

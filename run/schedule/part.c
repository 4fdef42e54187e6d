/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of a run: what was counted between two calls of save(). Batches need not stop for it: each adds its counts to
 * the run's and to the present part's.
 */
#include "run/schedule/turn.h"

#include <stdlib.h>
#include <string.h>

/* A run of an hour is saved every 14 s, so a killed one has lost 0.4 % of it. */
#define SAVE_SHARE 256
#define SAVE_MOST 60.0
#define SHOW_EVERY 0.15 /* seconds */

/* ---- Parts of anything ---- */

void run_part_add(struct run_part *to, const struct run_part *part, size_t n_rows)
{
    run_counts_add(&to->counts, &part->counts, n_rows);
    to->seconds += part->seconds;
    for (unsigned i = 0; i < part->n_places && to->n_places < RUN_PLACES; i++)
        to->places[to->n_places++] = part->places[i];
    if (part->counts.frame_errors)
        to->last_wrong = part->last_wrong;
}

int run_parts_begin(struct run_parts *parts, uint64_t first, size_t n_rows)
{
    parts->rows = n_rows ? calloc(2 * n_rows, sizeof *parts->rows) : NULL;
    parts->n_rows = n_rows;
    parts->part = (struct run_part){.first = first, .counts.rows = parts->rows};
    return n_rows && !parts->rows ? -1 : 0;
}

bool run_parts_cut(struct run_parts *parts, struct run_part *part)
{
    const size_t n = parts->n_rows;
    struct run_class *other = parts->rows;

    if (!parts->part.counts.frames)
        return false;
    *part = parts->part;
    if (n && part->counts.rows == parts->rows)
        other += n;
    if (n)
        memset(other, 0, n * sizeof *other);
    parts->part = (struct run_part){.first = part->first + part->counts.frames,
                                    .counts.rows = other};
    return true;
}

void run_parts_free(struct run_parts *parts)
{
    free(parts->rows);
    parts->rows = NULL;
}

/* ---- The caller's thread ---- */

int watch_save(struct watch *watch, double now, bool all, struct diag *diag)
{
    const struct run_options *options = watch->options;
    const double share = now / SAVE_SHARE < SAVE_MOST ? now / SAVE_SHARE : SAVE_MOST;
    const double every = share > options->save_every ? share : options->save_every;
    struct run_part part;
    int status;

    if (!options->save || watch->failed || (!all && now - watch->saved < every) ||
        !run_parts_cut(watch->parts, &part))
        return 0;
    part.seconds = now - watch->saved;
    watch->saved = now;
    pthread_mutex_unlock(watch->lock);
    status = options->save(options->data, &part, diag);
    pthread_mutex_lock(watch->lock);
    watch->failed = status < 0;
    return status;
}

void watch_show(struct watch *watch, double now, const struct run_counts *counts)
{
    struct run_counts copy = *counts;

    if (!watch->options->progress || now - watch->shown < SHOW_EVERY)
        return;
    watch->shown = now;
    copy.rows = NULL;
    pthread_mutex_unlock(watch->lock);
    watch->options->progress(watch->options->data, &copy, now);
    pthread_mutex_lock(watch->lock);
}

/* ---- Of a run ---- */

int part_begin(struct run *run, struct diag *diag)
{
    const size_t n = run->counts->rows ? run->exec->shape->n_rows : 0;

    run->watch = (struct watch){
        .options = run->options, .lock = &run->crew->lock, .parts = &run->parts};
    return run_parts_begin(&run->parts, run->options->first_frame + run->options->lead, n)
               ? diag_no_memory(diag)
               : 0;
}

void part_add(struct run *run, const struct run_part *more)
{
    struct run_parts *parts = &run->parts;

    run_counts_add(run->counts, &more->counts, parts->n_rows);
    run_part_add(&parts->part, more, parts->n_rows);
}

/* Not more than `limits` allow. */
static const char *count(const struct run *run, struct task *task, const struct run_limits *limits)
{
    const uint64_t begin = run->options->first_frame + run->options->lead;
    const uint64_t first = task->slot.first_frame;
    struct run_class *rows = task->part.counts.rows;

    if (rows)
        memset(rows, 0, run->parts.n_rows * sizeof *rows);
    task->part = (struct run_part){.counts.rows = rows};
    return count_slot(&task->part, run->exec, &task->slot, begin > first ? begin - first : 0,
                      limits);
}

void part_count(const struct run *run, struct task *task)
{
    count(run, task, &(struct run_limits){0});
}

static bool reached(uint64_t limit, uint64_t counted, uint64_t more)
{
    return limit && counted + more >= limit;
}

const char *part_tally(struct run *run, struct task *task)
{
    const struct run_counts *counts = run->counts, *more = &task->part.counts;
    const struct run_limits *limits = &run->options->limits;
    const struct run_limits left = {
        .frame_errors = limits->frame_errors ? limits->frame_errors - counts->frame_errors : 0,
        .frames = limits->frames ? limits->frames - counts->frames : 0};
    const char *stop = NULL;

    if (reached(limits->frames, counts->frames, more->frames) ||
        reached(limits->frame_errors, counts->frame_errors, more->frame_errors))
        stop = count(run, task, &left);
    part_add(run, &task->part);
    return stop;
}

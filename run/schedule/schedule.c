/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scheduler. Each batch goes through the segments of the pipeline one after the other; a free
 * thread takes the oldest batch whose next segment is ready (turn.h), else it begins a new batch,
 * as long as there is a free slot. All state is under one lock; the work itself is not.
 */
#include "run/schedule/turn.h"

#include "core/base/cpu.h"

#include <fecrun/sdk/thread.h>
#include <fecrun/sdk/params.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int load_tail(struct run *run, struct worker *worker, struct slot *slot, struct diag *diag)
{
    struct buffer *buffer = &slot->stages[0].out[0];

    memcpy(buffer->data, run->tail, fecrun_bytes(buffer->type, run->tail_items));
    return exec_edges(run->exec, worker, slot, 0, diag);
}

/* Its frames are read or written, and the next batch may follow before the copies that it needs are done. */
static int do_ordered(struct run *run, struct worker *worker, struct task *task,
                      const struct margin *have, struct diag *diag)
{
    size_t stage = run->exec->segments[task->segment].first;
    uint64_t asked = task->slot.frames;

    if (exec_stage_alone(run->exec, worker, &task->slot, stage, have, diag))
        return -1;
    if (!task->slot.frames)
        return 0;
    pthread_mutex_lock(&run->crew->lock);
    turn_release(run, task, asked);
    pthread_cond_broadcast(&run->crew->change);
    pthread_mutex_unlock(&run->crew->lock);
    return exec_edges(run->exec, worker, &task->slot, stage, diag);
}

static int do_segment(struct run *run, struct worker *worker, struct task *task,
                      struct slot *const *line, size_t n_before, size_t n_after, struct diag *diag)
{
    const struct segment *segment = &run->exec->segments[task->segment];
    const bool tail = task->slot.shape->tail_items;
    struct margin have = {0, 0};
    int status;

    if (n_before + n_after &&
        exec_gather(run->exec, worker, task->segment, line, n_before, n_after, &have, diag))
        return -1;
    if (tail && exec_start_tail(run->exec, worker, diag))
        return -1;
    if (task->segment == 0 && tail) /* the source has done its part, what follows it has not */
        status = load_tail(run, worker, &task->slot, diag) ||
                 exec_stages(run->exec, worker, &task->slot, segment->first + 1, segment->last,
                             NULL, diag);
    else if (segment->ordered)
        status = do_ordered(run, worker, task, &have, diag);
    else
        status = exec_stages(run->exec, worker, &task->slot, segment->first, segment->last, &have,
                             diag);
    return status ? -1 : exec_segment_end(run->exec, worker, &task->slot, task->segment, diag);
}

static void work_on(struct run *run, struct worker *worker, struct task *task, struct slot **line)
{
    struct diag diag = {0};
    size_t n_before, n_after;
    uint64_t asked = task->slot.frames;
    struct slot *const *middle = turn_line_up(run, task, line, &n_before, &n_after);
    double begin, seconds;
    int status;

    task->busy = true;
    run->busy++;
    task->released = false;
    pthread_mutex_unlock(&run->crew->lock);
    begin = cpu_seconds();
    status = do_segment(run, worker, task, middle, n_before, n_after, &diag);
    seconds = cpu_seconds() - begin;
    if (status) /* its memory must not go away under queued work */
        stream_wait(&worker->stream, NULL);
    else if (task->segment + 1 == run->exec->n_segments && !task->slot.cut)
        part_count(run, task);
    pthread_mutex_lock(&run->crew->lock);
    if (!status)
        turn_took(run, task, seconds);
    turn_end(run, task, asked, status ? &diag : NULL);
    pthread_cond_broadcast(&run->crew->change);
}

/* ---- Threads ---- */

void timed_init(pthread_cond_t *cond)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void timed_wait(pthread_cond_t *cond, pthread_mutex_t *lock, long milliseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(cond, lock, &until);
}

/* Under the lock, but for the work. */
static void take_part(struct run *run, unsigned number)
{
    struct crew *crew = run->crew;
    struct worker *worker = &run->exec->workers[number];
    struct slot **line = run->lines + number * (2 * run->n_tasks + 1);
    struct diag diag = {0};
    struct task *task;
    int status;

    pthread_mutex_unlock(&crew->lock);
    status = exec_start_worker(run->exec, worker, &diag);
    pthread_mutex_lock(&crew->lock);
    if (status)
        turn_fail(run, 0, &diag);
    for (;;) {
        turn_check_clock(run);
        task = turn_pick(run);
        if (task)
            work_on(run, worker, task, line);
        else if (run->enough || !run->busy)
            break; /* nothing is under way and nothing can be begun */
        else
            pthread_cond_wait(&crew->change, &crew->lock);
    }
    run->running--;
    pthread_cond_broadcast(&crew->change);
    pthread_cond_signal(&crew->over);
}

static void *thread_main(void *data)
{
    struct crew *crew = data;
    uint64_t turn = 0; /* the last one that it knows */
    unsigned number;

    pthread_mutex_lock(&crew->lock);
    number = crew->started++;
    while (!crew->closing) {
        if (turn == crew->turn) {
            pthread_cond_wait(&crew->change, &crew->lock);
            continue;
        }
        turn = crew->turn;
        if (number < crew->wanted) /* others may come so late that the run is over */
            take_part(crew->run, number);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static void crew_open(struct crew *crew)
{
    if (crew->open)
        return;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->change, NULL);
    timed_init(&crew->over);
    crew->open = true;
}

void crew_close(struct crew *crew)
{
    if (!crew->open)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    pthread_cond_broadcast(&crew->change);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->n; i++)
        pthread_join(crew->threads[i], NULL);
    free(crew->threads);
    pthread_cond_destroy(&crew->over);
    pthread_cond_destroy(&crew->change);
    pthread_mutex_destroy(&crew->lock);
    *crew = (struct crew){0};
}

/* At least n threads. Under the lock. */
static int crew_grow(struct crew *crew, unsigned n, struct diag *diag)
{
    pthread_t *threads = n > crew->n ? realloc(crew->threads, n * sizeof *threads) : crew->threads;

    if (!threads)
        return diag_no_memory(diag);
    crew->threads = threads;
    for (; crew->n < n; crew->n++) {
        const int reason = fecrun_thread_start(&threads[crew->n], thread_main, crew);
        if (reason)
            return diag_fail(diag, DIAG_RUN, "cannot start thread %u of %u: %s", crew->n + 1, n,
                             strerror(reason));
    }
    return 0;
}

/* ---- The point ---- */

static int make_tasks(struct run *run, struct diag *diag)
{
    run->n_tasks = layout_slots(&run->exec->layout, run->exec->n_workers, run->options->in_flight,
                                run->exec->created->frames);
    run->tasks = calloc(run->n_tasks, sizeof *run->tasks);
    run->by_batch = calloc(run->n_tasks, sizeof *run->by_batch);
    run->lines = calloc(run->exec->n_workers * (2 * run->n_tasks + 1), sizeof *run->lines);
    if (!run->tasks || !run->by_batch || !run->lines)
        return diag_no_memory(diag);
    for (size_t i = 0; i < run->n_tasks; i++) {
        struct run_class **rows = &run->tasks[i].part.counts.rows;
        if (run->counts->rows && !(*rows = calloc(run->parts.n_rows, sizeof **rows)))
            return diag_no_memory(diag);
        if (slot_make(&run->tasks[i].slot, &run->exec->layout, diag))
            return -1;
    }
    return 0;
}

static void save(struct run *run, bool all)
{
    const int status = watch_save(&run->watch, turn_elapsed(run), all, &run->unsaved);

    if (status)
        turn_stop(run, status < 0 ? "error" : "saved");
}

static void wait_for_workers(struct run *run)
{
    while (run->running) {
        timed_wait(&run->crew->over, &run->crew->lock, 200);
        turn_check_clock(run);
        if (run->running)
            save(run, false);
        if (run->running)
            watch_show(&run->watch, turn_elapsed(run), run->counts);
    }
}

/* All of the run, by all of its threads; then what is not saved yet. */
static int run_threads(struct run *run, struct diag *diag)
{
    struct crew *crew = run->crew;
    int status;

    pthread_mutex_lock(&crew->lock);
    status = crew_grow(crew, run->exec->n_workers, diag);
    if (!status) {
        crew->run = run;
        crew->wanted = run->exec->n_workers;
        crew->turn++;
        run->running = run->exec->n_workers;
        pthread_cond_broadcast(&crew->change);
        wait_for_workers(run);
        save(run, true);
    }
    pthread_mutex_unlock(&crew->lock);
    return status;
}

int run_point(struct exec *exec, const struct run_options *options, struct run_counts *counts,
              double *seconds, const char **stop, struct diag *diag)
{
    struct crew own = {0};
    struct run run = {.exec = exec,
                      .options = options,
                      .counts = counts,
                      .crew = options->crew ? options->crew : &own};
    int status = -1;

    memset(counts, 0, sizeof *counts);
    if (exec->graph->pipeline->n_blocks &&
        !(counts->rows = calloc(exec->shape->n_rows, sizeof *counts->rows)))
        return diag_no_memory(diag);
    crew_open(run.crew);
    turn_begin(&run);
    exec->lead = options->lead;
    exec->tap.first = options->first_frame + options->lead;
    exec->tap.end = options->limits.frames ? exec->tap.first + options->limits.frames : UINT64_MAX;
    __atomic_store_n(&exec->ending, 0, __ATOMIC_RELAXED);
    if (!part_begin(&run, diag) && !make_tasks(&run, diag) && !run_threads(&run, diag)) {
        *stop = turn_over(&run);
        /* what failed behind the frame that fulfils a stop rule is of no interest */
        status = run.failed && !run.enough ? -1 : 0;
        if (status)
            diag_fail(diag, run.diag.status, "%s", run.diag.text);
        if (run.watch.failed)
            status = diag_fail(diag, run.unsaved.status, "%s", run.unsaved.text);
    }
    *seconds = turn_elapsed(&run);
    if (status)
        *stop = "error";
    for (size_t i = 0; run.tasks && i < run.n_tasks; i++) {
        slot_free(&run.tasks[i].slot, &exec->layout);
        free(run.tasks[i].part.counts.rows);
    }
    free(run.tasks);
    free(run.by_batch);
    free(run.lines);
    free(run.tail);
    run_parts_free(&run.parts);
    crew_close(&own);
    return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scheduler. Each batch goes through the segments of the pipeline one after the other; a free
 * thread takes the oldest batch whose next segment is ready, else it begins a new batch, as long
 * as there is a free slot. A segment is ready when
 *
 *   - it is ordered (a file) and all batches before this one have been through it, or
 *   - its first stage reads over the ends of the batch (streams) and the neighbours that it reads
 *     from have come as far, or
 *   - it is neither.
 *
 * All state is under one lock; the work itself is not. Results are tallied in batch order, so they
 * do not depend on who was faster.
 */
#include "run.h"

#include "convert.h"
#include "cpu.h"
#include "halo.h"
#include "params.h"
#include "tally.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct task { /* a slot under way */
    struct slot slot;
    bool active, busy, finished, tallied;
    bool released; /* its present, ordered segment has let the next batch follow */
    size_t segment; /* next one to run */
};

struct run {
    struct exec *exec;
    const struct run_options *options;
    struct run_counts *counts;
    pthread_mutex_t lock;
    pthread_cond_t change; /* for workers */
    pthread_cond_t over;   /* for the caller */
    size_t n_tasks;
    struct task *tasks;
    uint64_t next_batch, next_frame;
    uint64_t done[GRAPH_MAX_STAGES]; /* batches that an ordered segment has finished */
    uint64_t tally_batch;
    bool source_ended;     /* no batch >= next_batch will come */
    const char *stop;      /* no new batches, what is ready is finished */
    bool enough;           /* nothing more is wanted: the stop rule's frame has been tallied */
    bool failed;
    uint64_t failed_batch; /* the first one; those before it are finished and counted */
    struct diag diag;
    bool open_ended;       /* frames see what comes after them, so the limit is no end: see below */
    unsigned running;      /* worker threads alive */
    double start;          /* of the first batch: set-up is not run time; 0: not yet */
    char *tail;            /* items that end a stream, until their batch begins */
    uint64_t tail_items;
};

/* ---- Looking at batches ---- */

static struct task *find_batch(struct run *run, uint64_t batch)
{
    for (size_t i = 0; i < run->n_tasks; i++)
        if (run->tasks[i].active && run->tasks[i].slot.batch == batch)
            return &run->tasks[i];
    return NULL;
}

static bool batch_exists(const struct run *run, uint64_t batch)
{
    return batch < run->next_batch || !run->source_ended;
}

/* Have all batches that segment k of this one reads from come as far as k? */
static bool neighbours_ready(struct run *run, const struct task *task, size_t k)
{
    uint64_t before = halo_batches_before(run->exec, k), after = halo_batches_after(run->exec, k);
    uint64_t batch = task->slot.batch;
    uint64_t first = batch > before ? batch - before : 0;

    for (uint64_t b = first; b <= batch + after; b++) {
        struct task *other;
        if (b == batch || !batch_exists(run, b))
            continue;
        other = find_batch(run, b);
        if (!other || other->segment < k)
            return false;
    }
    return true;
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
        for (uint64_t i = 1; i <= halo_batches_before(run->exec, k); i++) {
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

static bool limit_reached(const struct run *run)
{
    return run->options->limits.frames && run->next_frame >= run->options->limits.frames;
}

/*
 * The limit is the end of the input, but not where a stage reads over the ends of its batch: its
 * last frames would then depend on the rule that stopped the run. What comes behind the limit is
 * decoded and not counted. A file must not get it, so for an ordered sink the limit does end.
 */
static bool is_open_ended(const struct exec *exec)
{
    bool after = false;

    for (size_t k = 0; k < exec->n_segments; k++)
        after |= halo_batches_after(exec, k) > 0;
    return after && !exec->segments[exec->n_segments - 1].ordered;
}

static uint64_t frames_wanted(const struct run *run)
{
    uint64_t frames = run->exec->shape.frames, limit = run->options->limits.frames;

    if (limit && !run->open_ended && limit - run->next_frame < frames)
        frames = limit - run->next_frame;
    return frames;
}

static void begin_batch(struct run *run, struct task *task)
{
    struct slot *slot = &task->slot;

    slot->batch = run->next_batch++;
    slot->first_frame = run->next_frame;
    slot->shape = &run->exec->created;
    slot->frames = frames_wanted(run);
    slot->tail_items = 0;
    if (run->tail) {
        slot->shape = &run->exec->tail;
        slot->frames = 1;
    }
    slot->info_space = INFO_CLEAR;
    run->next_frame += slot->frames;
    task->active = true;
    task->busy = task->finished = task->tallied = false;
    task->segment = 0;
    run->source_ended = run->tail || (limit_reached(run) && !run->open_ended);
    if (run->start == 0)
        run->start = cpu_seconds();
}

/* The oldest batch that can go on, else a new one, else NULL. */
static struct task *pick(struct run *run)
{
    struct task *best = NULL;

    if (run->enough)
        return NULL;
    for (size_t i = 0; i < run->n_tasks; i++)
        if (ready(run, &run->tasks[i]) &&
            (!run->failed || run->tasks[i].slot.batch < run->failed_batch) &&
            (!best || run->tasks[i].slot.batch < best->slot.batch))
            best = &run->tasks[i];
    if (best || run->failed || !may_begin(run))
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

/* Of several errors that of the earliest batch counts, whichever thread was first. */
static void fail(struct run *run, uint64_t batch, const struct diag *diag)
{
    if (!run->failed || batch < run->failed_batch) {
        run->diag = *diag;
        run->failed_batch = batch;
    }
    run->failed = true;
    set_ending(run);
}

/* Keeps the part of a frame that ends a stream; its own batch comes next. */
static void keep_tail(struct run *run, struct task *task)
{
    struct slot *slot = &task->slot;
    const struct buffer *buffer = &slot->stages[0].out[0];
    struct diag diag = {0};
    uint64_t items = slot_stream_items(slot, buffer);
    size_t bytes = (size_t)fecrun_bytes(buffer->type, slot->tail_items);

    if (items % convert_per_byte(buffer->type) ||
        run->exec->negotiation->choices[0].space != SPACE_HOST) {
        diag_fail(&diag, DIAG_RUN, "%s: a stream must come as whole bytes in host memory",
                  run->exec->graph->stages[0].decl->id);
        fail(run, slot->batch, &diag);
        return;
    }
    run->tail = malloc(bytes);
    run->tail_items = slot->tail_items;
    if (!run->tail) {
        diag_fail(&diag, DIAG_RUN, "out of memory");
        fail(run, slot->batch, &diag);
        return;
    }
    memcpy(run->tail, buffer->data + fecrun_bytes(buffer->type, items), bytes);
    if (shape_make_tail(&run->exec->tail, run->exec->graph, run->exec->point, run->tail_items,
                        &diag))
        fail(run, slot->batch, &diag);
}

/* The source has run: did the input end? */
static void after_source(struct run *run, struct task *task, uint64_t asked)
{
    struct slot *slot = &task->slot;

    if (slot->shape->tail_items)
        return;
    if (slot->frames == asked && !slot->tail_items)
        return;
    run->next_frame = slot->first_frame + slot->frames;
    run->source_ended = true;
    if (slot->tail_items && !run->stop && !run->failed && !limit_reached(run)) {
        keep_tail(run, task);
        run->source_ended = run->failed;
    }
}

/* The input ended just where a batch did: this batch never was. Only ordered sources end, so it is
   the last one that was begun. */
static void drop_batch(struct run *run, struct task *task)
{
    task->active = false;
    run->next_batch--;
}

static void tally(struct run *run)
{
    struct task *task;

    while (!run->enough && !(run->failed && run->tally_batch >= run->failed_batch) && (task = find_batch(run, run->tally_batch)) && task->finished &&
           !task->tallied) {
        const char *stop = tally_slot(run->counts, run->exec, &task->slot,
                                      &run->options->limits);
        task->tallied = true;
        run->tally_batch++;
        if (stop) {
            run->stop = stop;
            run->enough = true;
            set_ending(run);
        }
    }
}

static double elapsed(const struct run *run)
{
    return run->start > 0 ? cpu_seconds() - run->start : 0;
}

static void check_clock(struct run *run)
{
    if (run->stop)
        return;
    if (fecrun_cancelled(run->exec->cancel))
        run->stop = "signal";
    else if (run->options->limits.seconds > 0 &&
             elapsed(run) >= run->options->limits.seconds)
        run->stop = "seconds";
    if (run->stop)
        set_ending(run);
}

/* ---- Workers ---- */

/* The neighbours of a task in a row, itself at [0]; called under the lock. */
static struct slot *const *line_up(struct run *run, struct task *task, struct slot **line,
                                   size_t *n_before, size_t *n_after)
{
    size_t k = task->segment;
    struct slot **middle = line + run->n_tasks;
    struct task *other;
    uint64_t batch = task->slot.batch;

    *middle = &task->slot;
    *n_before = *n_after = 0;
    while (*n_before < halo_batches_before(run->exec, k) && batch > *n_before &&
           (other = find_batch(run, batch - *n_before - 1)))
        *(middle - ++*n_before) = &other->slot;
    while (*n_after < halo_batches_after(run->exec, k) &&
           (other = find_batch(run, batch + *n_after + 1)))
        middle[++*n_after] = &other->slot;
    return middle;
}

static int load_tail(struct run *run, struct worker *worker, struct slot *slot,
                     struct diag *diag)
{
    struct buffer *buffer = &slot->stages[0].out[0];

    memcpy(buffer->data, run->tail, fecrun_bytes(buffer->type, run->tail_items));
    if (exec_start_tail(run->exec, worker, diag))
        return -1;
    return slot_edges(slot, &run->exec->layout, 0, &worker->stream, diag);
}

/* An ordered stage has done its part: the next batch may follow while copies of this one go on. */
static void release(struct run *run, struct task *task, uint64_t asked)
{
    pthread_mutex_lock(&run->lock);
    if (task->segment == 0)
        after_source(run, task, asked);
    run->done[task->segment]++;
    task->released = true;
    pthread_cond_broadcast(&run->change);
    pthread_mutex_unlock(&run->lock);
}

static int do_ordered(struct run *run, struct worker *worker, struct task *task,
                      const struct margin *have, struct diag *diag)
{
    size_t stage = run->exec->segments[task->segment].first;
    uint64_t asked = task->slot.frames;

    if (exec_stage_alone(run->exec, worker, &task->slot, stage, have, diag))
        return -1;
    if (!task->slot.frames)
        return 0;
    release(run, task, asked);
    if (slot_edges(&task->slot, &run->exec->layout, stage, &worker->stream, diag))
        return -1;
    return exec_segment_end(run->exec, worker, &task->slot, task->segment, diag);
}

static int do_segment(struct run *run, struct worker *worker, struct task *task,
                      struct slot *const *line, size_t n_before, size_t n_after,
                      struct diag *diag)
{
    struct margin have = {0, 0};
    size_t segment = task->segment;

    if (n_before + n_after &&
        halo_gather(run->exec, worker, segment, line, n_before, n_after, &have, diag))
        return -1;
    if (task->slot.shape->tail_items && exec_start_tail(run->exec, worker, diag))
        return -1;
    if (segment == 0 && task->slot.shape->tail_items) {
        /* the source has done its part already; what else is in its segment has not */
        if (load_tail(run, worker, &task->slot, diag))
            return -1;
        return exec_segment_from(run->exec, worker, &task->slot, segment, 1, &have, diag);
    }
    if (run->exec->segments[segment].ordered)
        return do_ordered(run, worker, task, &have, diag);
    return exec_segment(run->exec, worker, &task->slot, segment, &have, diag);
}

static void work_on(struct run *run, struct worker *worker, struct task *task,
                    struct slot **line)
{
    struct diag diag = {0};
    size_t n_before, n_after;
    uint64_t asked = task->slot.frames;
    struct slot *const *middle = line_up(run, task, line, &n_before, &n_after);
    int status;

    task->busy = true;
    task->released = false;
    pthread_mutex_unlock(&run->lock);
    status = do_segment(run, worker, task, middle, n_before, n_after, &diag);
    if (status) /* its memory must not go away under queued work */
        stream_wait(&worker->stream, NULL);
    pthread_mutex_lock(&run->lock);
    task->busy = false;
    if (status)
        fail(run, task->slot.batch, &diag);
    else if (task->segment == 0 && !task->released)
        after_source(run, task, asked);
    if (!status && !task->slot.frames) {
        drop_batch(run, task);
    } else {
        run->done[task->segment] +=
            run->exec->segments[task->segment].ordered && !task->released;
        task->segment++;
        task->finished = task->segment == run->exec->n_segments;
    }
    tally(run);
    check_clock(run);
    pthread_cond_broadcast(&run->change);
}

/* Nothing is under way and nothing can be begun: this thread is not needed any more. */
static bool idle(struct run *run)
{
    bool busy = false;

    for (size_t i = 0; i < run->n_tasks; i++)
        busy |= run->tasks[i].busy;
    return !busy;
}

struct thread {
    struct run *run;
    struct worker *worker;
    struct slot **line;
    pthread_t id;
    bool started;
};

static void *thread_main(void *data)
{
    struct thread *thread = data;
    struct run *run = thread->run;
    struct diag diag = {0};
    struct task *task;
    int status = exec_start_worker(run->exec, thread->worker, &diag);

    pthread_mutex_lock(&run->lock);
    if (status)
        fail(run, 0, &diag);
    for (;;) {
        check_clock(run);
        task = pick(run);
        if (task)
            work_on(run, thread->worker, task, thread->line);
        else if (run->enough || idle(run))
            break;
        else
            pthread_cond_wait(&run->change, &run->lock);
    }
    run->running--;
    pthread_cond_broadcast(&run->change);
    pthread_cond_signal(&run->over);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* ---- The point ---- */

static int make_tasks(struct run *run, struct diag *diag)
{
    run->n_tasks = layout_slots(&run->exec->layout, run->exec->n_workers,
                                run->options->in_flight, run->exec->created.frames);
    run->tasks = calloc(run->n_tasks, sizeof *run->tasks);
    if (!run->tasks)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (size_t i = 0; i < run->n_tasks; i++)
        if (slot_make(&run->tasks[i].slot, &run->exec->layout, diag))
            return -1;
    return 0;
}

static void wait_for_workers(struct run *run)
{
    while (run->running) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&run->over, &run->lock, &until);
        check_clock(run);
        if (run->options->progress && run->running)
            run->options->progress(run->options->data, run->counts,
                                   elapsed(run));
    }
}

static int run_threads(struct run *run, struct diag *diag)
{
    unsigned n = run->exec->n_workers;
    struct thread *threads = calloc(n, sizeof *threads);
    int status = 0;

    if (!threads)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; i < n && !status; i++) {
        struct thread *thread = &threads[i];
        *thread = (struct thread){.run = run, .worker = &run->exec->workers[i]};
        thread->line = calloc(2 * run->n_tasks + 1, sizeof *thread->line);
        if (!thread->line || pthread_create(&thread->id, NULL, thread_main, thread)) {
            status = diag_fail(diag, DIAG_RUN, "cannot start thread %u of %u", i + 1, n);
            run->failed = true; /* as of batch 0 */
        } else {
            thread->started = true;
            run->running++;
        }
    }
    wait_for_workers(run);
    pthread_mutex_unlock(&run->lock);
    for (unsigned i = 0; i < n; i++) {
        if (threads[i].started)
            pthread_join(threads[i].id, NULL);
        free(threads[i].line);
    }
    free(threads);
    return status;
}

/* A pipeline that ran dry with batches half done would lose frames without a word. */
static void check_complete(struct run *run)
{
    if (run->failed || run->stop)
        return;
    for (size_t i = 0; i < run->n_tasks; i++)
        if (run->tasks[i].active && !run->tasks[i].finished) {
            struct diag diag = {0};
            diag_fail(&diag, DIAG_RUN, "internal error: batch %llu is stuck before segment %zu",
                      (unsigned long long)run->tasks[i].slot.batch, run->tasks[i].segment);
            fail(run, run->tasks[i].slot.batch, &diag);
        }
}

static const char *why_stopped(const struct run *run)
{
    if (run->stop)
        return run->stop;
    return limit_reached(run) ? "frames" : "end";
}

int run_point(struct exec *exec, const struct run_options *options, struct run_counts *counts,
              double *seconds, const char **stop, struct diag *diag)
{
    struct run run = {.exec = exec, .options = options, .counts = counts};
    int status = -1;

    memset(counts, 0, sizeof *counts);
    if (exec->graph->pipeline->n_blocks &&
        !(counts->rows = calloc(exec->shape.n_rows, sizeof *counts->rows)))
        return diag_fail(diag, DIAG_RUN, "out of memory");
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.change, NULL);
    pthread_cond_init(&run.over, NULL);
    run.open_ended = is_open_ended(exec);
    __atomic_store_n(&exec->ending, 0, __ATOMIC_RELAXED);
    if (!make_tasks(&run, diag) && !run_threads(&run, diag)) {
        check_complete(&run);
        /* what failed behind the frame that fulfils a stop rule is of no interest */
        status = run.failed && !run.enough ? -1 : 0;
        if (status)
            diag_fail(diag, run.diag.status, "%s", run.diag.text);
    }
    *seconds = elapsed(&run);
    *stop = status ? "error" : why_stopped(&run);
    for (size_t i = 0; run.tasks && i < run.n_tasks; i++)
        slot_free(&run.tasks[i].slot, &exec->layout);
    free(run.tasks);
    free(run.tail);
    pthread_cond_destroy(&run.over);
    pthread_cond_destroy(&run.change);
    pthread_mutex_destroy(&run.lock);
    return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/bbdev/queue.h"

#include "tools/bbdev/ring.h"

#include <pthread.h>
#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_pause.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    /* Operations that are taken of a queue at once: what fills the vectors of one class. */
    BURST = 64,
    /* The same of a device, which is as fast with that many as with more. */
    DEVICE_BURST = 256,
    MOST_PARTS = 64,
    MOST_THREADS = 64,
    /* Empty rounds before a thread goes to sleep: about 50 us. */
    PATIENCE = 2000
};

struct bbdev_queue {
    struct bbdev_pool *pool;
    struct slot *slot;
    enum rte_bbdev_op_type type;
    struct bbdev_ring *in, *out; /* out: NULL without threads */
    struct bbdev_worker *own;    /* without threads */
    /* Bursts have numbers, so that several threads may work for a queue and its order stays. */
    unsigned bursts;    /* that were taken; whoever has the slot */
    atomic_uint turn;   /* the burst that goes out next */
    atomic_uint flying; /* operations that were taken and are not out */
};

/* Is there as long as the pool, so that threads may look at it while a queue comes or goes. */
struct slot {
    atomic_flag busy; /* whoever sets it may take operations */
    _Atomic(struct bbdev_queue *) queue;
};

struct thread {
    struct bbdev_pool *pool;
    struct bbdev_worker *worker;
    pthread_t id;
};

struct bbdev_pool {
    struct bbdev_settings settings;
    unsigned n_threads, n_slots;
    unsigned burst, most_parts; /* of a batch: operations, and queues that they come from */
    struct slot *slots;
    struct bbdev_worker *first; /* does nothing but keep plugins and devices open */
    pthread_mutex_t lock;
    pthread_cond_t work;
    atomic_uint sleeping;
    atomic_int stop;
    struct thread threads[MOST_THREADS];
};

static void hold(struct slot *slot)
{
    while (atomic_flag_test_and_set_explicit(&slot->busy, memory_order_acquire))
        rte_pause();
}

static void release(struct slot *slot)
{
    atomic_flag_clear_explicit(&slot->busy, memory_order_release);
}

/* A queue's burst in a batch. */
struct part {
    struct bbdev_queue *queue;
    unsigned burst, n;
};

/* What a thread does at once. Parts are in the order of the slots, in which they are given back: of all threads that
   wait for the burst before, the one at the first slot waits for one that works, so that they go on. */
struct batch {
    unsigned n, n_parts;
    void *ops[DEVICE_BURST];
    struct part parts[MOST_PARTS];
};

/* Takes what is there and what has room behind, at most `most`. With the slot. */
static unsigned take(struct bbdev_queue *queue, void **ops, unsigned most)
{
    const unsigned flying = atomic_load_explicit(&queue->flying, memory_order_acquire);
    /* Read behind that: what comes out between the two counts twice, and never not at all. */
    const unsigned places = bbdev_ring_room(queue->out);
    const unsigned room = places > flying ? places - flying : 0;
    const unsigned n = bbdev_ring_get(queue->in, ops, room < most ? room : most);

    atomic_fetch_add_explicit(&queue->flying, n, memory_order_relaxed);
    return n;
}

/* Behind the burst before. When it is the next one's turn the queue may be freed. */
static void give(struct bbdev_queue *queue, unsigned burst, void *const *ops, unsigned n)
{
    for (unsigned i = 0; atomic_load_explicit(&queue->turn, memory_order_acquire) != burst; i++)
        if (i < 100)
            rte_pause();
        else
            sched_yield();
    bbdev_ring_put(queue->out, ops, n);
    atomic_fetch_sub_explicit(&queue->flying, n, memory_order_release);
    atomic_store_explicit(&queue->turn, burst + 1, memory_order_release);
}

/* Adds what a slot's queue has to a batch. */
static void add_part(struct batch *batch, struct slot *slot, unsigned most)
{
    struct part *part = &batch->parts[batch->n_parts];

    if (!atomic_load_explicit(&slot->queue, memory_order_relaxed) ||
        atomic_flag_test_and_set_explicit(&slot->busy, memory_order_acquire))
        return;
    part->queue = atomic_load_explicit(&slot->queue, memory_order_relaxed);
    part->n = part->queue ? take(part->queue, batch->ops + batch->n, most - batch->n) : 0;
    if (part->n)
        part->burst = part->queue->bursts++;
    release(slot);
    batch->n += part->n;
    batch->n_parts += part->n > 0;
}

static void do_batch(struct batch *batch, struct bbdev_worker *worker)
{
    void **ops = batch->ops;

    for (unsigned i = 0; i < batch->n_parts; ops += batch->parts[i++].n)
        bbdev_collect(worker, batch->parts[i].queue->type, ops, batch->parts[i].n);
    bbdev_work(worker);
    ops = batch->ops;
    for (unsigned i = 0; i < batch->n_parts; ops += batch->parts[i++].n)
        give(batch->parts[i].queue, batch->parts[i].burst, ops, batch->parts[i].n);
    batch->n = batch->n_parts = 0;
}

/* Returns how many operations were done. */
static unsigned look_round(struct bbdev_pool *pool, struct bbdev_worker *worker)
{
    struct batch batch;
    unsigned all = 0;

    batch.n = batch.n_parts = 0;
    for (unsigned i = 0; i < pool->n_slots; i++) {
        add_part(&batch, &pool->slots[i], pool->burst);
        if (batch.n < pool->burst && batch.n_parts < pool->most_parts && i + 1 < pool->n_slots)
            continue;
        all += batch.n;
        do_batch(&batch, worker);
    }
    return all;
}

/* Says that it sleeps before it looks a last time: wake() is called behind what it could miss. */
static void sleep_until_work(struct bbdev_pool *pool, struct bbdev_worker *worker)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->lock);
    if (!look_round(pool, worker)) {
        pthread_mutex_lock(&pool->lock);
        if (atomic_load(&pool->sleeping) && !atomic_load(&pool->stop))
            pthread_cond_wait(&pool->work, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* Either this sees the sleeper's addition, or the sleeper's addition sees this one and so what was put before it. */
static void wake(struct bbdev_pool *pool)
{
    if (!atomic_fetch_add(&pool->sleeping, 0))
        return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->sleeping, 0);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void *work_on(void *data)
{
    struct thread *thread = data;
    unsigned empty = 0;

    while (!atomic_load_explicit(&thread->pool->stop, memory_order_relaxed)) {
        empty = look_round(thread->pool, thread->worker) ? 0 : empty + 1;
        if (empty < PATIENCE) {
            rte_pause();
        } else {
            sleep_until_work(thread->pool, thread->worker);
            empty = 0;
        }
    }
    return NULL;
}

static int start_threads(struct bbdev_pool *pool, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        struct thread *thread = &pool->threads[i];
        char name[16];

        snprintf(name, sizeof name, "fecrun-%u", i % MOST_THREADS);
        thread->pool = pool;
        thread->worker = bbdev_worker_new(&pool->settings);
        /* Not on the cores that the program polls on. */
        if (!thread->worker || rte_ctrl_thread_create(&thread->id, name, NULL, work_on, thread)) {
            bbdev_worker_free(thread->worker);
            return -1;
        }
        pool->n_threads++;
    }
    return 0;
}

struct bbdev_pool *bbdev_pool_new(const struct bbdev_settings *settings, unsigned threads,
                                  unsigned queues, struct fecrun_message *message)
{
    struct bbdev_pool *pool = calloc(1, sizeof *pool);

    snprintf(message->text, sizeof message->text, "out of memory, or no more threads");
    if (!pool)
        return NULL;
    pool->settings = *settings;
    pool->settings.device = bbdev_finds_device(settings);
    pool->burst = pool->settings.device ? DEVICE_BURST : BURST;
    /* Threads on cores do queues side by side; a device, and a thread that is alone, does them together. */
    pool->most_parts = pool->settings.device || (threads == 1 && !settings->low_latency)
                           ? MOST_PARTS
                           : 1;
    pool->n_slots = queues;
    pool->slots = calloc(queues, sizeof *pool->slots);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pool->first = bbdev_worker_new(&pool->settings);
    if (!pool->slots || !pool->first || bbdev_worker_warm(pool->first, message) ||
        start_threads(pool, threads)) {
        bbdev_pool_free(pool);
        return NULL;
    }
    return pool;
}

void bbdev_pool_free(struct bbdev_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->stop, 1);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_threads; i++) {
        pthread_join(pool->threads[i].id, NULL);
        bbdev_worker_free(pool->threads[i].worker);
    }
    bbdev_worker_free(pool->first);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool->slots);
    free(pool);
}

struct bbdev_queue *bbdev_queue_new(struct bbdev_pool *pool, unsigned id,
                                    enum rte_bbdev_op_type type, unsigned size)
{
    struct bbdev_queue *queue = calloc(1, sizeof *queue);

    if (!queue)
        return NULL;
    queue->pool = pool;
    queue->slot = &pool->slots[id];
    queue->type = type;
    queue->in = bbdev_ring_new(size);
    if (pool->n_threads)
        queue->out = bbdev_ring_new(size);
    else
        queue->own = bbdev_worker_new(&pool->settings);
    if (!queue->in || !(pool->n_threads ? queue->out != NULL : queue->own != NULL)) {
        bbdev_queue_free(queue);
        return NULL;
    }
    hold(queue->slot);
    atomic_store(&queue->slot->queue, queue);
    release(queue->slot);
    return queue;
}

void bbdev_queue_free(struct bbdev_queue *queue)
{
    if (!queue)
        return;
    hold(queue->slot);
    if (atomic_load(&queue->slot->queue) == queue)
        atomic_store(&queue->slot->queue, NULL);
    release(queue->slot);
    while (atomic_load_explicit(&queue->turn, memory_order_acquire) != queue->bursts)
        rte_pause();
    free(queue->in);
    free(queue->out);
    bbdev_worker_free(queue->own);
    free(queue);
}

unsigned bbdev_enqueue(struct bbdev_queue *queue, enum rte_bbdev_op_type type, void *const *ops,
                       unsigned n)
{
    if (type != queue->type)
        return 0;
    n = bbdev_ring_put(queue->in, ops, n);
    if (n && queue->out)
        wake(queue->pool);
    return n;
}

/* As large bursts as the caller's, but the classes' arrays are not for more. */
static unsigned dequeue_own(struct bbdev_queue *queue, void **ops, unsigned n)
{
    n = bbdev_ring_get(queue->in, ops, n);
    if (n) {
        bbdev_collect(queue->own, queue->type, ops, n);
        bbdev_work(queue->own);
    }
    return n;
}

unsigned bbdev_dequeue(struct bbdev_queue *queue, void **ops, unsigned n)
{
    if (!queue->out)
        return dequeue_own(queue, ops, n);
    n = bbdev_ring_get(queue->out, ops, n);
    /* There may have been no room for what waits. */
    if (n && bbdev_ring_room(queue->in) < queue->in->size)
        wake(queue->pool);
    return n;
}

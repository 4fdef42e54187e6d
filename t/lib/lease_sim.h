/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lease queue under a simulated clock: members of any speed, that join late, slow down, die or
 * answer late; frames that are wrong by a hash of their number. For t/core/test_lease and
 * bench/scaling.sh. One event is a message that arrives at the queue, or a member that joins.
 */
#ifndef T_LIB_LEASE_SIM_H
#define T_LIB_LEASE_SIM_H

#include "run/fleet/lease_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sim_member {
    double joins, dies;     /* seconds; INFINITY: never */
    double rate;            /* frames a second */
    double slow_from, slow; /* from then on that many times slower; 0: never */
    bool told;              /* the queue hears of its death (lease_lost) */
    /* its state: */
    bool idle, dead;
    uint64_t serial; /* of its present lease: events of one that it was told to stop mean nothing */
    double began;
    struct lease lease;
};

struct sim {
    struct lease_options options;
    uint64_t seed, one_in; /* a frame in so many is wrong */
    double latency;        /* seconds that a message takes */
    unsigned n;
    struct sim_member *members;
    double most; /* seconds after which to give up */
    /* results: */
    double seconds; /* that it took */
    double cpu;     /* seconds that the queue's functions took of this machine */
    uint64_t counted, vain;
    struct run_counts counts;
    const char *met;
    uint64_t leases,
        reissued;     /* of all that were given out: of frames that another lease had before */
    uint64_t decoded; /* frames of all results, also of those that nobody wanted any more */
    bool failed;      /* a part did not follow the one before it */
    /* inside: members that wait, a ring of n */
    unsigned *waiting;
    unsigned first_waiting, n_waiting;
    uint64_t given; /* the end of all frames that some lease had */
};

static inline uint64_t sim_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t sim_errors(const struct sim *sim, uint64_t frame)
{
    const uint64_t h = sim_hash(sim->seed ^ frame * 0xd1342543de82ef95u);

    return h % sim->one_in ? 0 : 1 + (h >> 40) % 50;
}

/* What a decoder would count of these frames: up to the rule. */
static inline struct run_part sim_decode(const struct sim *sim, uint64_t first,
                                         const struct run_limits *limits)
{
    struct run_part part = {.first = first, .counts = {.counted = true}};

    while (part.counts.frames < limits->frames) {
        const uint64_t errors = sim_errors(sim, first + part.counts.frames);
        part.counts.frames++;
        part.counts.bits += 100;
        part.counts.bit_errors += errors;
        part.counts.squares += errors * errors;
        if (!errors)
            continue;
        part.last_wrong = first + part.counts.frames - 1;
        if (part.n_places < RUN_PLACES)
            part.places[part.n_places++] = part.last_wrong;
        if (++part.counts.frame_errors == limits->frame_errors)
            break;
    }
    return part;
}

/* ---- Events: a heap by time ---- */

struct sim_event {
    double at;
    unsigned member;
    uint64_t serial;
    bool joins;
};

struct sim_heap {
    size_t n, room;
    struct sim_event *all;
};

static inline void sim_push(struct sim_heap *heap, struct sim_event event)
{
    size_t i = heap->n++;

    if (heap->n > heap->room) {
        heap->room = 2 * heap->n + 64;
        heap->all = realloc(heap->all, heap->room * sizeof *heap->all);
        if (!heap->all)
            abort();
    }
    for (; i && heap->all[(i - 1) / 2].at > event.at; i = (i - 1) / 2)
        heap->all[i] = heap->all[(i - 1) / 2];
    heap->all[i] = event;
}

static inline struct sim_event sim_pop(struct sim_heap *heap)
{
    const struct sim_event top = heap->all[0], last = heap->all[--heap->n];
    size_t i = 0;

    for (size_t k; (k = 2 * i + 1) < heap->n; i = k) {
        if (k + 1 < heap->n && heap->all[k + 1].at < heap->all[k].at)
            k++;
        if (heap->all[k].at >= last.at)
            break;
        heap->all[i] = heap->all[k];
    }
    heap->all[i] = last;
    return top;
}

/* ---- The run ---- */

static inline double sim_cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that the member needs, from a time on. */
static inline double sim_takes(const struct sim_member *member, uint64_t frames, double from)
{
    const bool slow = member->slow > 0 && from >= member->slow_from;

    return (double)frames / member->rate * (slow ? member->slow : 1);
}

static inline void sim_start(struct sim *sim, struct sim_heap *heap, unsigned m, double now)
{
    struct sim_member *member = &sim->members[m];
    const struct run_part part = sim_decode(sim, member->lease.first, &member->lease.limits);

    member->idle = false;
    member->began = now + sim->latency;
    sim_push(heap,
             (struct sim_event){.at = member->began + sim_takes(member, part.counts.frames, now) +
                                      sim->latency,
                                .member = m,
                                .serial = ++member->serial});
}

static inline void sim_wait(struct sim *sim, unsigned m)
{
    sim->members[m].idle = true;
    sim->waiting[(sim->first_waiting + sim->n_waiting++) % sim->n] = m;
}

static inline int sim_ask(struct sim *sim, struct lease_queue *queue, struct sim_heap *heap,
                          unsigned m, double now)
{
    const double begin = sim_cpu();
    const int answer = lease_take(queue, m, now, &sim->members[m].lease);

    sim->cpu += sim_cpu() - begin;
    if (answer < 0)
        abort();
    if (answer == LEASE_WORK) {
        const struct lease *lease = &sim->members[m].lease;
        sim->leases++;
        sim->reissued += lease->first < sim->given;
        if (lease->first + lease->limits.frames > sim->given)
            sim->given = lease->first + lease->limits.frames;
        sim_start(sim, heap, m, now);
    } else
        sim_wait(sim, m);
    return answer;
}

/* Frames from this one on nobody wants. UINT64_MAX: there is none. */
static inline uint64_t sim_unwanted(const struct lease_queue *queue)
{
    if (queue->met)
        return queue->options.first + queue->merged.frames;
    return queue->exact ? queue->pieces[queue->begin].first + queue->pieces[queue->begin].frames
                        : UINT64_MAX;
}

/* Members whose leases nobody wants any more stop, a message later. */
static inline void sim_stop(struct sim *sim, struct lease_queue *queue, double now)
{
    for (unsigned m = 0; m < sim->n; m++) {
        struct sim_member *member = &sim->members[m];
        double worked;

        if (member->idle || member->dead || member->joins > now ||
            lease_wanted(queue, member->lease.first))
            continue;
        worked = fmin(now, member->dies) + sim->latency - member->began;
        if (worked > 0)
            sim->vain += (uint64_t)fmin((double)member->lease.limits.frames, worked * member->rate);
        member->serial++;
        sim_wait(sim, m);
    }
}

static inline void sim_check_cut(struct sim *sim, struct lease_queue *queue, uint64_t *next)
{
    struct run_part part;

    if (!run_parts_cut(lease_parts(queue), &part))
        return;
    sim->failed |= part.first != *next;
    *next = part.first + part.counts.frames;
}

static inline void sim_result(struct sim *sim, struct lease_queue *queue, unsigned m, double now)
{
    const struct lease lease = sim->members[m].lease;
    const struct run_part part = sim_decode(sim, lease.first, &lease.limits);
    const double begin = sim_cpu();

    if (lease_done(queue, m, now, lease.first, &part, NULL) < 0)
        abort();
    sim->cpu += sim_cpu() - begin;
    sim->decoded += part.counts.frames;
}

/* Those who wait are asked in turn, until there is nothing for the next. */
static inline void sim_feed(struct sim *sim, struct lease_queue *queue, struct sim_heap *heap,
                            double now)
{
    int answer = LEASE_WORK;

    while (answer == LEASE_WORK && sim->n_waiting) {
        const unsigned m = sim->waiting[sim->first_waiting];
        sim->first_waiting = (sim->first_waiting + 1) % sim->n;
        sim->n_waiting--;
        answer = sim_ask(sim, queue, heap, m, now);
    }
}

static inline void sim_death(struct sim *sim, struct lease_queue *queue, struct sim_member *member,
                             unsigned m)
{
    member->dead = true;
    if (member->told)
        lease_lost(queue, m);
    sim->vain += (uint64_t)fmax(0, fmin((double)member->lease.limits.frames,
                                        (member->dies - member->began) * member->rate));
}

/* A message arrives, or a member joins. */
static inline void sim_arrive(struct sim *sim, struct lease_queue *queue,
                              const struct sim_event *event)
{
    struct sim_member *member = &sim->members[event->member];

    if (event->joins) {
        sim_wait(sim, event->member);
    } else if (event->serial == member->serial && event->at - sim->latency >= member->dies) {
        sim_death(sim, queue, member, event->member);
    } else if (event->serial == member->serial) {
        sim_result(sim, queue, event->member, event->at);
        sim_wait(sim, event->member);
    }
}

static inline void sim_end(struct sim *sim, struct lease_queue *queue, double now)
{
    sim->seconds = now;
    sim->counts = queue->merged;
    sim->counts.rows = NULL;
    sim->met = lease_met(queue);
    sim->vain += sim->decoded - sim->counts.frames;
    lease_close(queue);
    free(sim->waiting);
}

#define SIM_TICK 0.1 /* seconds: without a message, the driver looks again after a while */

static inline void sim_run(struct sim *sim)
{
    struct lease_queue *queue = lease_open(&sim->options);
    struct sim_heap heap = {0};
    uint64_t next = sim->options.first, end = UINT64_MAX;
    double now = 0, tick = 0;

    sim->waiting = calloc(sim->n, sizeof *sim->waiting);
    if (!queue || !sim->waiting)
        abort();
    for (unsigned m = 0; m < sim->n; m++)
        sim_push(&heap,
                 (struct sim_event){.at = sim->members[m].joins, .member = m, .joins = true});
    while (!lease_met(queue) && now < sim->most) {
        if (heap.n && heap.all[0].at <= tick) {
            const struct sim_event event = sim_pop(&heap);
            now = event.at;
            sim_arrive(sim, queue, &event);
        } else {
            now = tick;
            tick += SIM_TICK;
        }
        if (sim_unwanted(queue) != end) {
            end = sim_unwanted(queue);
            sim_stop(sim, queue, now);
        }
        sim_feed(sim, queue, &heap, now);
        sim_check_cut(sim, queue, &next);
    }
    sim_end(sim, queue, now);
    free(heap.all);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What rank 0 does for thousands of ranks, without their messages: the real fleet (run/fleet/fleet.c) with
 * members that answer each lease after the time that their speed says. CPU time of the thread that has the
 * queue; this process's own share of the frames is decoded in another. See scaling.sh.
 *
 *     fleet PIPELINE.yaml MEMBERS...
 */
#include "core/base/cpu.h"
#include "run/sweep/sweep.h"
#include "tools/fecrun/cluster/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define RATE 1e5 /* frames a second of a member */

struct answer {
    double due;
    unsigned member;
};

struct crowd {
    unsigned n, joined;
    struct answer *heap; /* the one that is due first at 0 */
    unsigned n_due;
    struct lease *leases;
    size_t point;
    uint64_t answers;
    double begin;
};

static void push(struct crowd *m, struct answer answer)
{
    unsigned i = m->n_due++;

    for (; i && m->heap[(i - 1) / 2].due > answer.due; i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = answer;
}

static unsigned pop(struct crowd *m)
{
    const unsigned member = m->heap[0].member;
    const struct answer last = m->heap[--m->n_due];
    unsigned i = 0, child;

    for (; (child = 2 * i + 1) < m->n_due; i = child) {
        child += child + 1 < m->n_due && m->heap[child + 1].due < m->heap[child].due;
        if (m->heap[child].due >= last.due)
            break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = last;
    return member;
}

/* All join within the first second. */
static bool poll(void *data, struct member_event *event)
{
    struct crowd *m = data;
    const double now = cpu_seconds();
    const struct lease *lease;

    if (!m->begin)
        m->begin = now;
    if (m->joined < m->n && now - m->begin >= (double)m->joined / m->n) {
        *event = (struct member_event){.what = MEMBER_JOINED, .member = m->joined++};
        snprintf(event->who, sizeof event->who, "rank %u", event->member + 1);
        return true;
    }
    if (!m->n_due || m->heap[0].due > now)
        return false;
    *event = (struct member_event){.what = MEMBER_RESULT, .member = pop(m), .point = m->point};
    lease = &m->leases[event->member];
    event->first = event->part.first = lease->first;
    event->part.counts.frames = lease->limits.frames;
    m->answers++;
    return true;
}

static void give(void *data, unsigned member, size_t point, const struct lease *lease)
{
    struct crowd *m = data;
    const double jitter = 0.9 + 0.2 * (member % 1000) / 1000;

    m->point = point;
    m->leases[member] = *lease;
    push(m, (struct answer){cpu_seconds() + (double)lease->limits.frames / (RATE * jitter), member});
}

static void stop(void *data, unsigned member, uint64_t first)
{
    (void)data, (void)member, (void)first;
}

/* One point's seconds. */
static double run_point_of(const struct session *session, const struct fleet_options *fleet)
{
    const struct sweep_options options = {.fleet = fleet};
    struct diag diag = {0};
    struct sweep sweep;
    double seconds;

    if (sweep_open(&sweep, session, &options, &diag) ||
        sweep_point(&sweep, &(struct run_options){.limits = sweep.point.limits}, &diag)) {
        fprintf(stderr, "fleet: %s\n", diag.text);
        exit(1);
    }
    seconds = sweep.point.seconds;
    sweep_close(&sweep);
    return seconds;
}

static void measure(const char *file, unsigned n)
{
    struct crowd crowd = {.n = n,
                              .heap = calloc(n, sizeof *crowd.heap),
                              .leases = calloc(n, sizeof *crowd.leases)};
    struct members members;
    double seconds, cpu;
    const struct fleet_options fleet = {.others = &members.others, .locals = 1};
    const struct session_options plain = {.threads = 1};
    struct session session;
    struct diag diag = {0};
    struct rusage begin, end;

    if (!crowd.heap || !crowd.leases || session_open(&session, file, &plain, &diag)) {
        fprintf(stderr, "fleet: %s\n", diag.text);
        exit(1);
    }
    members_open(&members, &(struct member_calls){poll, give, stop, &crowd}, "rank 0");
    getrusage(RUSAGE_THREAD, &begin);
    seconds = run_point_of(&session, &fleet);
    getrusage(RUSAGE_THREAD, &end);
    cpu = (double)(end.ru_utime.tv_sec - begin.ru_utime.tv_sec + end.ru_stime.tv_sec -
                   begin.ru_stime.tv_sec) +
          1e-6 * (double)(end.ru_utime.tv_usec - begin.ru_utime.tv_usec + end.ru_stime.tv_usec -
                          begin.ru_stime.tv_usec);
    printf("%7u  %8.0f  %9.2f  %7.2f\n", n, (double)crowd.answers / seconds,
           1e6 * cpu / (double)crowd.answers, 100 * cpu / seconds);
    session_close(&session);
    members_close(&members);
    free(crowd.heap);
    free(crowd.leases);
}

int main(int argc, char **argv)
{
    printf("members  leases a    us of CPU    core\n           second    a lease       %%\n");
    for (int i = 2; i < argc; i++)
        measure(argv[1], (unsigned)strtoul(argv[i], NULL, 10));
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Times a stage in host memory: every thread calls it on its own batches. */
#include "tools/fecrun/bench/bench_impl.h"

#include "core/base/cpu.h"

#include <fecrun/sdk/thread.h>
#include <stdlib.h>
#include <string.h>

#define MIN_SECONDS 0.05 /* of one repeat */

struct runner {
    struct bench *bench;
    unsigned thread, calls;
    bool edges; /* conversions and copies included */
    pthread_t id;
    int status;
    struct diag diag;
};

/* Conversions and copies in front of the stage: those of the stages that feed it. */
static int input_edges(struct bench *bench, struct worker *worker, struct slot *slot,
                       struct diag *diag)
{
    const struct edge *in = bench->exec.negotiation->choices[bench->stage].in;

    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        bool done = in[p].from_stage < 0;
        for (unsigned q = 0; q < p; q++)
            done |= in[q].from_stage == in[p].from_stage;
        if (!done && slot_edges(slot, &bench->exec.layout, (size_t)in[p].from_stage,
                                &worker->stream, NULL, diag))
            return -1;
    }
    return 0;
}

static int one_call(struct bench *bench, struct worker *worker, struct slot *slot, bool edges,
                    struct diag *diag)
{
    if (edges && input_edges(bench, worker, slot, diag))
        return -1;
    if (edges ? exec_stages(&bench->exec, worker, slot, bench->stage, bench->stage, NULL, diag)
              : exec_stage_alone(&bench->exec, worker, slot, bench->stage, NULL, diag))
        return -1;
    return stream_wait(&worker->stream, diag);
}

static void *runner_main(void *data)
{
    struct runner *r = data;
    struct bench *bench = r->bench;

    for (unsigned i = 0; i < r->calls && !r->status; i++)
        r->status = one_call(bench, &bench->exec.workers[r->thread],
                             &bench->slots[r->thread * BENCH_SLOTS + i % BENCH_SLOTS], r->edges,
                             &r->diag);
    return NULL;
}

/* `calls` calls in each thread. The start of the threads is part of it and small beside
   MIN_SECONDS. */
static double time_calls(struct bench *bench, unsigned calls, bool edges, struct diag *diag)
{
    struct runner *runners = calloc(bench->threads, sizeof *runners);
    double begin = cpu_seconds(), seconds;
    unsigned started = 1;
    int status = 0, reason;

    if (!runners) {
        diag_fail(diag, DIAG_RUN, "out of memory");
        return -1;
    }
    for (unsigned t = 0; t < bench->threads; t++)
        runners[t] = (struct runner){.bench = bench, .thread = t, .calls = calls, .edges = edges};
    for (; started < bench->threads; started++)
        if ((reason = fecrun_thread_start(&runners[started].id, runner_main, &runners[started]))) {
            status = diag_fail(diag, DIAG_RUN, "cannot start thread %u: %s", started + 1,
                               strerror(reason));
            break;
        }
    runner_main(&runners[0]);
    for (unsigned t = 1; t < started; t++)
        pthread_join(runners[t].id, NULL);
    seconds = cpu_seconds() - begin;
    for (unsigned t = 0; t < started && !status; t++)
        if (runners[t].status)
            status = diag_fail(diag, runners[t].diag.status, "%s", runners[t].diag.text);
    free(runners);
    return status ? -1 : seconds;
}

static double time_alone(void *data, unsigned calls, struct diag *diag)
{
    return time_calls(data, calls, false, diag);
}

static double time_whole(void *data, unsigned calls, struct diag *diag)
{
    return time_calls(data, calls, true, diag);
}

struct single {
    struct bench *bench;
    unsigned next, slots; /* the first so many, in turn */
};

static double time_single(void *data, unsigned calls, struct diag *diag)
{
    struct single *single = data;
    struct bench *bench = single->bench;
    double begin = cpu_seconds();

    for (unsigned i = 0; i < calls; i++)
        if (one_call(bench, &bench->exec.workers[0], &bench->slots[single->next++ % single->slots],
                     true, diag))
            return -1;
    return cpu_seconds() - begin;
}

int bench_host(struct bench *bench, double bits, struct bench_result *result, struct diag *diag)
{
    const struct bench_options *options = bench->options;
    struct single single = {.bench = bench, .slots = BENCH_SLOTS};
    double seconds, whole;

    bits *= bench->threads;
    seconds = bench_median(time_alone, bench, MIN_SECONDS, &result->spread, NULL, diag);
    if (seconds < 0 ||
        (!options->stage_only &&
         bench_latency(time_single, &single, options->latency_seconds, result, diag)) ||
        bench_poison(bench, diag))
        return -1;
    whole = options->stage_only ? time_whole(bench, BENCH_SLOTS, diag)
                                : bench_median(time_whole, bench, MIN_SECONDS, NULL, NULL, diag);
    if (whole < 0 || bench_reference(bench, result, diag) || bench_count(bench, result, diag))
        return -1;
    result->device_gbps = bits / seconds * 1e-9;
    if (!options->stage_only)
        result->end_to_end_gbps = bits / whole * 1e-9;
    return 0;
}

int bench_latency_host(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    struct single single = {.bench = bench, .slots = bench->made};

    if (bench_poison(bench, diag) || bench_serve(bench, time_single, &single, result, diag))
        return -1;
    bench_slots_keep(bench, single.next);
    return bench_reference(bench, result, diag) || bench_count(bench, result, diag) ? -1 : 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench.h"

#include "cpu.h"
#include "params.h"
#include "stats.h"
#include "tally.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Different batches for each thread to go round: more than one, so that no input is hot by
   accident, few, since what is timed is the decoder and not the memory. */
#define SLOTS 3
#define MIN_SECONDS 0.05 /* of one repeat */
#define LATENCY_CALLS 200
#define HOPELESS 0.4 /* bit error rate at which the output has nothing to do with the input */

struct bench {
    const struct session *session;
    size_t stage;
    struct session_plan plan;
    struct exec exec;
    bool open;
    unsigned threads;
    struct slot *slots; /* threads x SLOTS */
    unsigned made;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool is_decoder(const struct graph *graph, size_t s)
{
    const char *dot = strrchr(graph->stages[s].decl->name, '.');

    return dot && !strcmp(dot, ".decode");
}

int bench_stage(const struct session *session, const char *id, struct diag *diag)
{
    const struct graph *graph = session->graph;
    int found = -1;

    if (id) {
        found = graph_find(graph, id);
        if (found < 0)
            return diag_fail(diag, DIAG_USAGE, "--stage %s: no stage of that name in the file", id);
        if (found == 0 || found + 1 == (int)graph->n)
            return diag_fail(diag, DIAG_USAGE, "--stage %s: sources and sinks are not timed", id);
        return found;
    }
    for (size_t s = 0; s < graph->n; s++)
        if (is_decoder(graph, s))
            found = (int)s;
    if (found < 0)
        diag_fail(diag, DIAG_USAGE, "this pipeline has no decoder; --stage ID says what to time");
    return found;
}

/* ---- Frames ---- */

static void begin_slot(const struct bench *bench, struct slot *slot, unsigned number)
{
    slot->batch = number;
    slot->shape = &bench->exec.created;
    slot->frames = bench->exec.created.frames;
    slot->first_frame = number * slot->frames;
    slot->info_space = SPACE_HOST;
    memset(slot->info.ptr, 0, slot->frames * sizeof(struct fecrun_frame_info));
}

static int run_stages(struct bench *bench, struct slot *slot, size_t first, size_t end,
                      struct diag *diag)
{
    for (size_t s = first; s < end; s++) {
        if (bench->exec.negotiation->choices[s].absorbed_by >= 0)
            continue;
        if (exec_stage(&bench->exec, &bench->exec.workers[0], slot, s, NULL, diag))
            return -1;
        if (s == 0 && slot->frames < bench->exec.created.frames)
            return diag_fail(diag, DIAG_RUN, "bench: the input has fewer than %u batches of %llu "
                             "frames", bench->threads * SLOTS,
                             (unsigned long long)bench->exec.created.frames);
    }
    return 0;
}

static int make_slots(struct bench *bench, struct diag *diag)
{
    unsigned n = bench->threads * SLOTS;

    bench->slots = calloc(n, sizeof *bench->slots);
    if (!bench->slots)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (; bench->made < n; bench->made++) {
        struct slot *slot = &bench->slots[bench->made];
        if (slot_make(slot, &bench->exec.layout, diag))
            return -1;
        begin_slot(bench, slot, bench->made);
        /* other threads' streams will read what is queued here */
        if (run_stages(bench, slot, 0, bench->stage, diag) ||
            stream_wait(&bench->exec.workers[0].stream, diag)) {
            bench->made++;
            return -1;
        }
    }
    return 0;
}

/* ---- Timing ---- */

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
                                &worker->stream, diag))
            return -1;
    }
    return 0;
}

static int one_call(struct bench *bench, unsigned thread, unsigned slot, bool edges,
                    struct diag *diag)
{
    struct slot *s = &bench->slots[thread * SLOTS + slot % SLOTS];
    struct worker *worker = &bench->exec.workers[thread];

    if (edges && input_edges(bench, worker, s, diag))
        return -1;
    if (edges ? exec_stage(&bench->exec, worker, s, bench->stage, NULL, diag)
              : exec_stage_alone(&bench->exec, worker, s, bench->stage, NULL, diag))
        return -1;
    return stream_wait(&worker->stream, diag);
}

static void *runner_main(void *data)
{
    struct runner *r = data;

    for (unsigned i = 0; i < r->calls && !r->status; i++)
        r->status = one_call(r->bench, r->thread, i, r->edges, &r->diag);
    return NULL;
}

/* Seconds for `calls` calls in each thread; negative: an error. The start of the threads is part
   of it and small beside MIN_SECONDS. */
static double time_calls(struct bench *bench, unsigned calls, bool edges, struct diag *diag)
{
    struct runner *runners = calloc(bench->threads, sizeof *runners);
    double begin = cpu_seconds(), seconds;
    unsigned started = 1;
    int status = 0;

    if (!runners) {
        diag_fail(diag, DIAG_RUN, "out of memory");
        return -1;
    }
    for (unsigned t = 0; t < bench->threads; t++)
        runners[t] = (struct runner){.bench = bench, .thread = t, .calls = calls, .edges = edges};
    for (; started < bench->threads; started++)
        if (pthread_create(&runners[started].id, NULL, runner_main, &runners[started])) {
            status = diag_fail(diag, DIAG_RUN, "cannot start thread %u", started + 1);
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

/* Median seconds of one call in each thread; spread of the repeats. */
static double median_call(struct bench *bench, bool edges, double *spread, struct diag *diag)
{
    double seconds[BENCH_REPEATS], first = time_calls(bench, SLOTS, edges, diag);
    unsigned calls;

    if (first < 0)
        return -1;
    calls = (unsigned)(MIN_SECONDS / (first / SLOTS + 1e-9)) + 1;
    for (unsigned i = 0; i < BENCH_REPEATS; i++) {
        double t = time_calls(bench, calls, edges, diag);
        if (t < 0)
            return -1;
        seconds[i] = t / calls;
    }
    qsort(seconds, BENCH_REPEATS, sizeof *seconds, by_value);
    *spread = (seconds[BENCH_REPEATS - 1] - seconds[0]) / seconds[BENCH_REPEATS / 2];
    return seconds[BENCH_REPEATS / 2];
}

static int time_latency(struct bench *bench, double *latency_us, struct diag *diag)
{
    double us[LATENCY_CALLS];

    for (unsigned i = 0; i < LATENCY_CALLS; i++) {
        double begin = cpu_seconds();
        if (one_call(bench, 0, i, true, diag))
            return -1;
        us[i] = 1e6 * (cpu_seconds() - begin);
    }
    qsort(us, LATENCY_CALLS, sizeof *us, by_value);
    latency_us[0] = stats_quantile(us, LATENCY_CALLS, 0.5);
    latency_us[1] = stats_quantile(us, LATENCY_CALLS, 0.9);
    latency_us[2] = stats_quantile(us, LATENCY_CALLS, 0.99);
    latency_us[3] = us[LATENCY_CALLS - 1];
    return 0;
}

/* ---- The output that was timed, checked ---- */

/* What a call leaves behind must be its own work, not an earlier call's. */
static int poison(struct bench *bench, struct diag *diag)
{
    for (unsigned i = 0; i < bench->made; i++) {
        const struct buffer *out = &bench->slots[i].stages[bench->stage].out[0];
        struct fecrun_error err = {.size = sizeof err};
        struct space_stream *stream = &bench->exec.workers[0].stream;
        if (out->memory.space == SPACE_HOST)
            memset(out->memory.ptr, 0xa5, out->memory.bytes);
        else if (stream->provider->fill(stream->device, stream->handle, out->memory.ptr, 0xa5,
                                        out->memory.bytes, &err))
            return diag_fail(diag, DIAG_RUN, "%s", err.text);
        stream->pending = stream->provider != NULL;
    }
    return stream_wait(&bench->exec.workers[0].stream, diag);
}

/* From what the timed calls left behind in every slot, whichever thread and instance made it. */
static int count_errors(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    const struct run_limits none = {0};
    struct run_counts counts = {0};
    size_t n = bench->session->graph->n;
    int status = 0;

    if (bench->session->pipeline->n_blocks)
        counts.rows = calloc(bench->exec.shape.n_rows, sizeof *counts.rows);
    for (unsigned i = 0; i < bench->made && !status; i++) {
        struct slot *slot = &bench->slots[i];
        status = run_stages(bench, slot, bench->stage + 1, n, diag) ||
                 exec_end(&bench->exec, &bench->exec.workers[0], slot, diag);
        if (!status)
            tally_slot(&counts, &bench->exec, slot, &none);
    }
    free(counts.rows);
    if (status)
        return -1;
    result->counted = counts.counted;
    result->frames = counts.frames;
    result->ber = counts.bits ? (double)counts.bit_errors / (double)counts.bits : 0;
    result->fer = counts.frames ? (double)counts.frame_errors / (double)counts.frames : 0;
    result->iterations_mean =
        counts.frames ? (double)counts.iterations / (double)counts.frames : 0;
    if (result->counted && result->ber >= HOPELESS)
        return diag_fail(diag, DIAG_RUN, "bench: the timed output is wrong: BER %.3g; no speed is "
                         "reported (where the channel is to blame, a better one helps)",
                         result->ber);
    return 0;
}

/* ---- All of it ---- */

static int open_bench(struct bench *bench, uint64_t batch, struct diag *diag)
{
    struct session_point point;
    struct exec_options options = {.batch = batch, .workers = bench->threads};

    session_point(bench->session, 0, &point);
    if (session_check(bench->session, diag) ||
        session_plan(bench->session, &point.point, &bench->plan, diag) ||
        exec_open(&bench->exec, bench->plan.negotiation, &point.point, &options, diag))
        return -1;
    bench->open = true;
    for (unsigned w = 0; w < bench->threads; w++)
        if (exec_start_worker(&bench->exec, &bench->exec.workers[w], diag))
            return -1;
    return make_slots(bench, diag);
}

static void close_bench(struct bench *bench)
{
    for (unsigned i = 0; i < bench->made; i++)
        slot_free(&bench->slots[i], &bench->exec.layout);
    free(bench->slots);
    if (bench->open)
        exec_close(&bench->exec);
    session_plan_free(&bench->plan);
}

/* Information bits of a whole batch: what a decoder puts out; any other stage counts those that
   its frames carry. */
static uint64_t batch_bits(const struct bench *bench)
{
    const struct shape *shape = &bench->exec.created;
    uint64_t bits = 0;

    for (size_t r = 0; r < shape->n_rows; r++) {
        const struct fecrun_frame *out =
            &shape->plans[shape->rows[r].class]->stages[bench->stage].out[0];
        bits += shape->rows[r].count *
                (is_decoder(bench->session->graph, bench->stage) || !out->info_bits
                     ? out->items
                     : out->info_bits);
    }
    return bits;
}

static void name_device(const struct bench *bench, struct bench_result *result)
{
    const struct choice *choice = &bench->exec.negotiation->choices[bench->stage];

    if (choice->space == SPACE_HOST)
        snprintf(result->device, sizeof result->device, "host");
    else
        snprintf(result->device, sizeof result->device, "%s:%d",
                 choice->backend->backend->provider, choice->device);
}

int bench_run(const struct session *session, size_t stage, uint64_t batch,
              struct bench_result *result, struct diag *diag)
{
    struct bench bench = {.session = session, .stage = stage, .threads = session->threads};
    double seconds, whole, spread, bits;
    int status = -1;

    memset(result, 0, sizeof *result);
    if (open_bench(&bench, batch, diag))
        goto end;
    seconds = median_call(&bench, false, &result->spread, diag);
    if (seconds < 0 || time_latency(&bench, result->latency_us, diag) || poison(&bench, diag))
        goto end;
    whole = median_call(&bench, true, &spread, diag);
    if (whole < 0 || count_errors(&bench, result, diag))
        goto end;
    bits = (double)batch_bits(&bench) * bench.threads;
    result->stage = session->graph->stages[stage].decl->id;
    result->backend = bench.exec.negotiation->choices[stage].backend->backend->name;
    name_device(&bench, result);
    result->batch = bench.exec.created.frames;
    result->threads = bench.threads;
    result->info_bits = batch_bits(&bench) / bench.exec.created.frames;
    result->device_gbps = bits / seconds * 1e-9;
    result->end_to_end_gbps = bits / whole * 1e-9;
    status = 0;
end:
    close_bench(&bench);
    return status;
}

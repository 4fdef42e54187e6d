/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From pinned host memory to pinned host memory: copy in, run, copy out, with `in_flight` batches
 * under way, each on its own stream with its own instance; then a batch alone; then the copies
 * alone. Samples have the types that the backend takes and gives.
 */
#include "tools/fecrun/bench/bench_impl.h"

#include "core/base/cpu.h"

#include <stdlib.h>
#include <string.h>

#define MIN_SECONDS 0.02
#define MANY 32 /* batches in a repeat at least: nothing overlaps with its ends */

struct lane {
    struct slot *slot;
    struct worker *worker;
    struct memory in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS]; /* pinned */
    struct memory want[FECRUN_MAX_PORTS]; /* the output that was checked before */
};

struct ends {
    struct bench *bench;
    struct lane *lanes;
    unsigned n, next;
    struct stream back; /* for copies in both directions at once */
    unsigned calls_in, calls_out;
};

/* ---- One batch ---- */

static struct buffer *input(const struct ends *ends, const struct lane *lane, unsigned p)
{
    return slot_input(lane->slot, &ends->bench->exec.layout, ends->bench->stage, p);
}

static struct buffer *output(const struct ends *ends, const struct lane *lane, unsigned p)
{
    return &lane->slot->stages[ends->bench->stage].out[p];
}

static int copy_in(struct ends *ends, struct lane *lane, struct stream *stream, struct diag *diag)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        if (lane->in[p].ptr && stream_copy(stream, input(ends, lane, p)->data, lane->in[p].ptr,
                                           lane->in[p].bytes, diag))
            return -1;
    return 0;
}

static int copy_out(struct ends *ends, struct lane *lane, struct stream *stream, struct diag *diag)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        if (lane->out[p].ptr && stream_copy(stream, lane->out[p].ptr, output(ends, lane, p)->data,
                                            lane->out[p].bytes, diag))
            return -1;
    return 0;
}

/* Queued, not waited for. */
static int queue_batch(struct ends *ends, struct lane *lane, struct diag *diag)
{
    struct bench *bench = ends->bench;

    if (copy_in(ends, lane, &lane->worker->stream, diag) ||
        exec_stage_alone(&bench->exec, lane->worker, lane->slot, bench->stage, NULL, diag))
        return -1;
    return copy_out(ends, lane, &lane->worker->stream, diag);
}

static int wait_all(struct ends *ends, int status, struct diag *diag)
{
    for (unsigned i = 0; i < ends->n; i++)
        if (stream_wait(&ends->lanes[i].worker->stream, status ? NULL : diag))
            status = -1;
    if (stream_wait(&ends->back, status ? NULL : diag))
        status = -1;
    return status;
}

/* ---- What is timed ---- */

/* The host waits only before it uses a lane again. */
static double time_overlapped(void *data, unsigned calls, struct diag *diag)
{
    struct ends *ends = data;
    double begin = cpu_seconds();
    int status = 0;

    for (unsigned i = 0; i < calls && !status; i++) {
        struct lane *lane = &ends->lanes[ends->next++ % ends->n];
        status = stream_wait(&lane->worker->stream, diag) || queue_batch(ends, lane, diag);
    }
    return wait_all(ends, status, diag) ? -1 : cpu_seconds() - begin;
}

static double time_alone(void *data, unsigned calls, struct diag *diag)
{
    struct ends *ends = data;
    double begin = cpu_seconds();

    for (unsigned i = 0; i < calls; i++) {
        struct lane *lane = &ends->lanes[ends->next++ % ends->n];
        int status = queue_batch(ends, lane, diag);
        if (stream_wait(&lane->worker->stream, status ? NULL : diag) || status)
            return -1;
    }
    return cpu_seconds() - begin;
}

static double time_copies(struct ends *ends, unsigned in, unsigned out, struct diag *diag)
{
    struct stream *there = &ends->lanes[0].worker->stream;
    double begin = cpu_seconds();
    int status = 0;

    for (unsigned i = 0; (i < in || i < out) && !status; i++) {
        struct lane *lane = &ends->lanes[i % ends->n];
        if (i < in)
            status = copy_in(ends, lane, there, diag);
        if (i < out && !status)
            status = copy_out(ends, lane, &ends->back, diag);
    }
    return wait_all(ends, status, diag) ? -1 : cpu_seconds() - begin;
}

static double time_in(void *data, unsigned calls, struct diag *diag)
{
    return time_copies(data, calls, 0, diag);
}

static double time_out(void *data, unsigned calls, struct diag *diag)
{
    return time_copies(data, 0, calls, diag);
}

/* A call is as many copies of each as take equally long alone. */
static double time_both(void *data, unsigned calls, struct diag *diag)
{
    struct ends *ends = data;

    return time_copies(ends, calls * ends->calls_in, calls * ends->calls_out, diag);
}

/* ---- Memory ---- */

static int pinned(struct ends *ends, struct memory *memory, const struct buffer *buffer,
                  bool filled, struct diag *diag)
{
    struct bench *bench = ends->bench;
    struct place place = {.pinned_for = bench->exec.layout.device.space,
                          .device = bench->exec.layout.device.device};
    size_t bytes = bench_bytes(bench, buffer);

    if (memory_alloc(memory, bench->session->registry, place, bytes, diag))
        return -1;
    return filled ? bench_fetch(bench, buffer, 0, memory->ptr, bytes, diag) : 0;
}

static int make_lane(struct ends *ends, struct lane *lane, struct diag *diag)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        const struct buffer *in = input(ends, lane, p), *out = output(ends, lane, p);
        if (in && pinned(ends, &lane->in[p], in, true, diag))
            return -1;
        if (out->memory.ptr && (pinned(ends, &lane->want[p], out, true, diag) ||
                                pinned(ends, &lane->out[p], out, false, diag)))
            return -1;
    }
    return 0;
}

static int open_ends(struct ends *ends, struct bench *bench, struct diag *diag)
{
    const struct layout *layout = &bench->exec.layout;

    *ends = (struct ends){.bench = bench, .n = bench->load ? bench->made : bench->in_flight};
    ends->lanes = calloc(ends->n, sizeof *ends->lanes);
    if (!ends->lanes)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    if (stream_open(&ends->back, bench->session->registry, layout->device.space,
                    layout->device.device, diag))
        return -1;
    for (unsigned i = 0; i < ends->n; i++) {
        ends->lanes[i].slot = &bench->slots[i];
        ends->lanes[i].worker = &bench->exec.workers[i % bench->exec.n_workers];
        if (make_lane(ends, &ends->lanes[i], diag))
            return -1;
    }
    return 0;
}

static void close_ends(struct ends *ends)
{
    for (unsigned i = 0; ends->lanes && i < ends->n; i++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            memory_free(&ends->lanes[i].in[p]);
            memory_free(&ends->lanes[i].out[p]);
            memory_free(&ends->lanes[i].want[p]);
        }
    free(ends->lanes);
    stream_close(&ends->back);
}

/* ---- The check: the same bits as those whose errors were counted ---- */

/* Inputs on the device, too: the copies must have been part of it. */
static int poison(struct ends *ends, struct diag *diag)
{
    for (unsigned i = 0; i < ends->n; i++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            struct lane *lane = &ends->lanes[i];
            if (lane->in[p].ptr && bench_fill(ends->bench, &input(ends, lane, p)->memory, diag))
                return -1;
            if (lane->out[p].ptr &&
                (bench_fill(ends->bench, &output(ends, lane, p)->memory, diag) ||
                 bench_fill(ends->bench, &lane->out[p], diag)))
                return -1;
        }
    ends->next = 0;
    return 0;
}

static int verify(struct ends *ends, const char *what, struct diag *diag)
{
    for (unsigned i = 0; i < ends->n; i++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            const struct lane *lane = &ends->lanes[i];
            if (lane->out[p].ptr && memcmp(lane->out[p].ptr, lane->want[p].ptr, lane->out[p].bytes))
                return diag_fail(diag, DIAG_RUN,
                                 "bench: batch %u came out otherwise %s than on "
                                 "the device; no speed is reported",
                                 i, what);
        }
    return 0;
}

/* ---- All of it ---- */

static uint64_t bytes_of(const struct memory *memory)
{
    uint64_t bytes = 0;

    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        bytes += memory[p].bytes;
    return bytes;
}

static int measure_copies(struct ends *ends, double bits, struct bench_result *result,
                          struct diag *diag)
{
    double in_bytes = (double)bytes_of(ends->lanes[0].in);
    double out_bytes = (double)bytes_of(ends->lanes[0].out);
    double in = bench_median(time_in, ends, MIN_SECONDS, NULL, &ends->calls_in, diag);
    double out = in < 0 ? -1
                        : bench_median(time_out, ends, MIN_SECONDS, NULL, &ends->calls_out, diag);
    double both = out < 0 ? -1 : bench_median(time_both, ends, 0, NULL, NULL, diag);

    if (both < 0)
        return -1;
    result->h2d_gbs = in_bytes / in * 1e-9;
    result->d2h_gbs = out_bytes / out * 1e-9;
    result->both_gbs = (ends->calls_in * in_bytes + ends->calls_out * out_bytes) / both * 1e-9;
    result->bound_gbps = bits / (in > out ? in : out) * 1e-9;
    if (result->device_gbps < result->bound_gbps)
        result->bound_gbps = result->device_gbps;
    return 0;
}

static int measure(struct ends *ends, double bits, struct bench_result *result, struct diag *diag)
{
    double seconds, least;

    /* every lane takes its turn at least once */
    if (poison(ends, diag) || (seconds = time_overlapped(ends, ends->n, diag)) < 0)
        return -1;
    least = MANY * seconds / ends->n;
    seconds = bench_median(time_overlapped, ends, least > MIN_SECONDS ? least : MIN_SECONDS, NULL,
                           NULL, diag);
    if (seconds < 0 || verify(ends, "from host to host", diag) || poison(ends, diag) ||
        time_alone(ends, ends->n, diag) < 0 ||
        bench_latency(time_alone, ends, ends->bench->options->latency_seconds, result, diag) ||
        verify(ends, "alone", diag))
        return -1;
    result->end_to_end_gbps = bits / seconds * 1e-9;
    return measure_copies(ends, bits, result, diag);
}

int bench_ends_load(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    struct ends ends;
    int status;

    result->unmade = true;
    status = open_ends(&ends, bench, diag);
    if (!status) {
        result->unmade = false;
        status = poison(&ends, diag) || time_alone(&ends, ends.n, diag) < 0 ||
                 bench_serve(bench, time_alone, &ends, result, diag) ||
                 verify(&ends, "alone", diag);
    }
    close_ends(&ends);
    return status ? -1 : 0;
}

int bench_ends(struct bench *bench, double bits, struct bench_result *result, struct diag *diag)
{
    struct ends ends;
    int status;

    result->unmade = true;
    status = open_ends(&ends, bench, diag);
    if (!status) {
        result->unmade = false;
        status = measure(&ends, bits, result, diag);
    }
    close_ends(&ends);
    return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Times a stage in device memory: calls queued back to back on one stream, timed by its events. */
#include "tools/fecrun/bench/bench_impl.h"

#include "core/base/cpu.h"

#define MIN_SECONDS 0.02 /* of one repeat */
#define WARM_SECONDS 0.2 /* of work before the first: an idle device's clocks are low */
/* The same of a brief measurement, whose device was not idle. */
#define BRIEF_MIN_SECONDS 0.001
#define BRIEF_WARM_SECONDS 0.005

struct queue {
    struct bench *bench;
    const struct fecrun_provider *events; /* NULL: it has none, the host's clock must do */
    void *begin, *end;
    unsigned next; /* slot */
};

static int provider_fails(const struct stream *stream, const struct fecrun_error *err,
                          struct diag *diag)
{
    return diag_fail(diag, DIAG_RUN, "%s:%d: %s", stream->provider->name, stream->device,
                     err->text[0] ? err->text : "failed without a reason");
}

static int mark(const struct queue *queue, void *event, struct diag *diag)
{
    const struct stream *stream = &queue->bench->exec.workers[0].stream;
    struct fecrun_error err = {.size = sizeof err};

    if (!queue->events || !queue->events->event_record(stream->device, stream->handle, event, &err))
        return 0;
    return provider_fails(stream, &err, diag);
}

static int queue_calls(struct queue *queue, unsigned calls, struct diag *diag)
{
    struct bench *bench = queue->bench;

    for (unsigned i = 0; i < calls; i++, queue->next++)
        if (exec_stage_alone(&bench->exec, &bench->exec.workers[0],
                             &bench->slots[queue->next % bench->made], bench->stage, NULL, diag))
            return -1;
    return 0;
}

static double time_calls(void *data, unsigned calls, struct diag *diag)
{
    struct queue *queue = data;
    struct stream *stream = &queue->bench->exec.workers[0].stream;
    struct fecrun_error err = {.size = sizeof err};
    double begin = cpu_seconds(), seconds;
    int status = mark(queue, queue->begin, diag) || queue_calls(queue, calls, diag) ||
                 mark(queue, queue->end, diag);

    /* also after an error: memory must not go away under queued work */
    if (stream_wait(stream, status ? NULL : diag) || status)
        return -1;
    seconds = cpu_seconds() - begin;
    if (queue->events &&
        queue->events->event_seconds(stream->device, queue->begin, queue->end, &seconds, &err)) {
        provider_fails(stream, &err, diag);
        return -1;
    }
    return seconds;
}

static int open_queue(struct queue *queue, struct bench *bench, struct diag *diag)
{
    const struct stream *stream = &bench->exec.workers[0].stream;
    const struct fecrun_provider *provider = stream->provider;
    struct fecrun_error err = {.size = sizeof err};

    *queue = (struct queue){.bench = bench};
    if (!provider->event_seconds)
        return 0;
    queue->events = provider;
    if (provider->event_create(stream->device, &queue->begin, &err) ||
        provider->event_create(stream->device, &queue->end, &err))
        return provider_fails(stream, &err, diag);
    return 0;
}

static void close_queue(struct queue *queue)
{
    int device = queue->bench->exec.layout.device.device;

    if (queue->begin)
        queue->events->event_destroy(device, queue->begin);
    if (queue->end)
        queue->events->event_destroy(device, queue->end);
}

static int warm_up(struct queue *queue, struct diag *diag)
{
    const double least = queue->bench->options->brief ? BRIEF_WARM_SECONDS : WARM_SECONDS;
    double begin = cpu_seconds();

    do {
        if (time_calls(queue, queue->bench->made, diag) < 0)
            return -1;
    } while (cpu_seconds() - begin < least);
    return 0;
}

/* Seconds of a call; every slot then holds a timed call's output. */
static double device_seconds(struct bench *bench, double *spread, struct diag *diag)
{
    const double least = bench->options->brief ? BRIEF_MIN_SECONDS : MIN_SECONDS;
    struct queue queue;
    double seconds = -1;

    if (!open_queue(&queue, bench, diag) && !warm_up(&queue, diag) && !bench_poison(bench, diag)) {
        queue.next = 0;
        seconds = bench_median(time_calls, &queue, least, spread, NULL, diag);
        if (seconds >= 0 && queue.next < bench->made &&
            time_calls(&queue, bench->made - queue.next, diag) < 0)
            seconds = -1;
    }
    close_queue(&queue);
    return seconds;
}

static void ask_backend(const struct bench *bench, struct bench_result *result)
{
    const struct fecrun_backend *backend =
        bench->exec.negotiation->choices[bench->stage].backend->backend;

    if (backend->bound_gbps)
        result->compute_gbps = backend->bound_gbps(
            bench->exec.workers[0].full.instances[bench->stage][0]);
}

static void ask_memory(const struct bench *bench, struct bench_result *result)
{
    const struct stream *stream = &bench->exec.workers[0].stream;
    const struct fecrun_provider *provider = stream->provider;
    struct fecrun_error err = {.size = sizeof err};
    uint64_t free_bytes, total;

    if (!provider->memory || provider->memory(stream->device, &free_bytes, &total, &err))
        return;
    result->device_bytes = total - free_bytes;
    result->device_total = total;
}

int bench_device(struct bench *bench, double bits, struct bench_result *result, struct diag *diag)
{
    double seconds = device_seconds(bench, &result->spread, diag);

    if (seconds < 0 || bench_reference(bench, result, diag) || bench_count(bench, result, diag))
        return -1;
    result->in_flight = bench->in_flight;
    result->device_gbps = bits / seconds * 1e-9;
    ask_backend(bench, result);
    ask_memory(bench, result);
    return bench->options->stage_only ? 0 : bench_ends(bench, bits, result, diag);
}

int bench_latency_device(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    struct worker *worker = &bench->exec.workers[0];
    int status = bench_poison(bench, diag);

    for (unsigned i = 0; i < bench->made && !status; i++)
        status = exec_stage_alone(&bench->exec, worker, &bench->slots[i], bench->stage, NULL, diag);
    /* also after an error: memory must not go away under queued work */
    if (stream_wait(&worker->stream, status ? NULL : diag) || status)
        return -1;
    if (bench_reference(bench, result, diag) || bench_count(bench, result, diag))
        return -1;
    return bench_ends_load(bench, result, diag);
}

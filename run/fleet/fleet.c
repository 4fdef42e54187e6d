/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/fleet/fleet_impl.h"

#include "core/base/cpu.h"

#include <fecrun/sdk/thread.h>
#include <fecrun/sdk/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEASE_SECONDS 1.0
#define LEAST_BITS (1u << 18)  /* information bits of a first lease, about */
#define BLOCK_BYTES (1u << 25) /* of a lease's samples that travel, about, */
#define AHEAD_BYTES (1u << 29) /* and of those that wait for others */
#define LAST_WORDS 1.0         /* seconds that members elsewhere have for what they have done */

/* ---- Devices ---- */

static void name_device(const struct fleet *fleet, struct fleet_device *device)
{
    const struct registry *registry = fleet->session->registry;
    const char *self = fleet->others ? fleet->others->self : NULL;
    char *who = device->share.who;
    const size_t size = sizeof device->share.who;

    if (fleet->chosen.space == SPACE_HOST)
        snprintf(who, size, "%s", self ? self : "host");
    else
        snprintf(who, size, "%s%s%s:%d", self ? self : "", self ? " " : "",
                 registry->providers[fleet->chosen.space - 1].provider->name, device->device);
}

/* Of several processes of a host each takes one device. */
static int choose(struct fleet *fleet, const struct session_plan *plan, struct diag *diag)
{
    const unsigned local = fleet->options.local, locals = fleet->options.locals;
    struct devices *chosen = &fleet->chosen;

    if (fleet->devices)
        return 0;
    if (devices_of(fleet->session, plan, chosen, diag))
        return -1;
    if (locals > 1) {
        chosen->device[0] = chosen->device[local % chosen->n];
        chosen->n = 1;
    }
    fleet->devices = calloc(chosen->n, sizeof *fleet->devices);
    if (!fleet->devices)
        return diag_no_memory(diag);
    for (size_t i = 0; i < chosen->n; i++) {
        fleet->devices[i].device = chosen->device[i];
        fleet->devices[i].number = (unsigned)i;
        name_device(fleet, &fleet->devices[i]);
    }
    return 0;
}

int fleet_begin(struct fleet *fleet, const struct session_plan *plan, struct diag *diag)
{
    fleet->others = capture_is_empty(plan) ? NULL : fleet->options.others;
    fleet->capture = capture_is(plan);
    if (fleet->others && !fleet->capture &&
        session_seekable(plan, "the part of another process", diag))
        return -1;
    return choose(fleet, plan, diag);
}

void fleet_place(const struct fleet *fleet, struct session_plan *plan)
{
    size_t i = 0;

    if (!fleet->devices || fleet->chosen.space == SPACE_HOST)
        return;
    while (i + 1 < fleet->chosen.n && fleet->devices[i].lost)
        i++;
    if (plan->negotiation->space == fleet->chosen.space)
        plan->negotiation->device = fleet->devices[i].device;
}

void fleet_leave(struct fleet *fleet)
{
    for (size_t i = 0; fleet->devices && i < fleet->chosen.n; i++)
        fleet_device_close(&fleet->devices[i]);
}

void fleet_close(struct fleet *fleet)
{
    fleet_leave(fleet);
    for (size_t i = 0; fleet->devices && i < fleet->chosen.n; i++) {
        crew_close(&fleet->devices[i].crew);
        capture_free(&fleet->devices[i].data);
    }
    free(fleet->devices);
    fleet->devices = NULL;
}

bool fleet_shares(const struct fleet *fleet)
{
    return fleet->others || (fleet->devices && fleet->chosen.n > 1);
}

struct run_share *fleet_taken(struct fleet *fleet, size_t *n)
{
    const size_t devices = fleet->devices ? fleet->chosen.n : 0;
    struct fleet_others *others = fleet->others;
    struct run_share *all = calloc(devices + (others ? others->taken(others, NULL) : 0) + 1,
                                   sizeof *all);

    *n = 0;
    if (!all)
        return NULL;
    for (size_t i = 0; i < devices; i++) {
        struct run_share *share = &fleet->devices[i].share;
        if (fleet->devices[i].lost)
            snprintf(share->lost, sizeof share->lost, "%.255s", fleet->devices[i].diag.text);
        all[(*n)++] = *share;
        share->frames = 0;
        share->seconds = 0;
    }
    if (others)
        *n += others->taken(others, all + *n);
    return all;
}

/* ---- Leases ---- */

/* In the queue, members elsewhere come behind this process's devices. */
static unsigned number_of(const struct fleet_work *work, unsigned member)
{
    return (unsigned)work->fleet->chosen.n + member;
}

int fleet_take(struct fleet_work *work, unsigned member, struct lease *lease)
{
    return fleet_lease(work, number_of(work, member), lease);
}

/* Without memory for its samples the run ends. */
void fleet_done(struct fleet_work *work, unsigned member, uint64_t first,
                const struct run_part *part, const void *data, size_t n_data)
{
    const bool capture = work->fleet->capture;
    struct lease_data copy = {.bytes = capture ? malloc(n_data + 1) : NULL, .n = n_data};

    if (copy.bytes)
        memcpy(copy.bytes, data, n_data);
    if (capture && !copy.bytes)
        work->no_memory = true;
    else
        lease_done(work->queue, number_of(work, member), cpu_seconds(), first, part, &copy);
    capture_free(&copy);
    pthread_cond_broadcast(&work->change);
}

void fleet_lost(struct fleet_work *work, unsigned member, const char *who, const char *why)
{
    const struct fleet_options *options = &work->fleet->options;

    lease_lost(work->queue, number_of(work, member));
    if (options->on_lost)
        options->on_lost(options->data, who, why);
}

/* ---- The run ---- */

/*
 * Margins are decoded once more for each lease, so that it had better be longer. A device's batches
 * overlap only within a lease: in a process alone, it has as many as are in flight, and there is room
 * for two leases a device, as unequal ones need, and two more. A slow sink is to be done with them soon
 * after a signal. Members elsewhere may be many.
 */
static void limit_leases(const struct fleet_work *work, struct lease_options *options)
{
    const uint64_t bytes = capture_bytes(work->exec);
    const struct margin round = capture_margins(work->exec);
    const uint64_t batches = work->options->in_flight * work->exec->created->frames;
    const bool alone = !work->fleet->others && !work->fleet->into;

    if (options->least < 4 * (round.before + round.after))
        options->least = 4 * (round.before + round.after);
    options->most = BLOCK_BYTES / bytes + 1;
    if (alone && options->most < batches)
        options->most = batches;
    options->ahead = alone ? 2 * (work->fleet->chosen.n + 1) * options->most
                           : AHEAD_BYTES / bytes + 1;
}

static struct lease_queue *open_queue(const struct fleet_work *work, const struct session *session)
{
    const struct exec *exec = work->exec;
    const struct shape *shape = exec->created;
    const uint64_t bits = shape->plans[0]->stages[0].out[0].items;
    const uint64_t unit = shape_unit(shape);
    struct lease_options options = {.limits = work->limits,
                                    .first = work->options->first_frame,
                                    .unit = unit,
                                    .least = LEAST_BITS / (bits ? bits : 1),
                                    .seconds = LEASE_SECONDS,
                                    .n_rows = session->pipeline->n_blocks ? shape->n_rows : 0};

    if (options.least < unit)
        options.least = unit;
    if (work->fleet->capture)
        limit_leases(work, &options);
    return lease_open(&options);
}

static double elapsed(const struct fleet_work *work)
{
    return work->start > 0 ? cpu_seconds() - work->start : 0;
}

/* Under the lock: leases that nobody wants any more are stopped, all of them when it is over. */
static void stop_devices(struct fleet_work *work)
{
    struct fleet *fleet = work->fleet;

    for (size_t i = 0; i < fleet->chosen.n; i++) {
        struct fleet_device *device = &fleet->devices[i];
        if (device->has_lease && (work->over || !lease_wanted(work->queue, device->lease)))
            __atomic_store_n(&device->cancel, 1, __ATOMIC_RELAXED);
    }
    if (work->over)
        pthread_cond_broadcast(&work->change);
}

static int tell_lost(struct fleet_work *work, struct diag *diag)
{
    struct fleet *fleet = work->fleet;
    bool any = fleet->others && fleet->others->there(fleet->others);
    const struct fleet_device *last = NULL;

    for (size_t i = 0; i < fleet->chosen.n; i++) {
        struct fleet_device *device = &fleet->devices[i];
        any |= !device->lost;
        if (!device->lost)
            continue;
        last = device->told && last ? last : device;
        if (!device->told && fleet->options.on_lost && fleet_shares(fleet))
            fleet->options.on_lost(fleet->options.data, device->share.who, device->diag.text);
        device->told = true;
    }
    return any ? 0 : diag_fail(diag, last->diag.status, "%s", last->diag.text);
}

/* What is next for the sink, if it has come; without the lock meanwhile. */
static int write_part(struct fleet_work *work, struct diag *diag)
{
    struct lease_part part;
    int status;

    if (work->no_memory)
        return diag_no_memory(diag);
    if (!lease_next(work->queue, &part))
        return 0;
    pthread_mutex_unlock(&work->lock);
    status = capture_write(work->exec, &part, work->fleet->into, work->fleet->cancel, diag);
    pthread_mutex_lock(&work->lock);
    lease_used(work->queue, part.first + part.frames);
    pthread_cond_broadcast(&work->change); /* some may have waited for that */
    return status;
}

/* When nobody is at work any more. */
static int write_rest(struct fleet_work *work, struct diag *diag)
{
    int status;

    do
        status = write_part(work, diag);
    while (!status && lease_waits(work->queue));
    return status;
}

/* Something happens, or some time passes; at_once: does not wait. */
static void look(struct fleet_work *work, size_t point, bool at_once)
{
    struct fleet_others *others = work->fleet->others;
    const bool any = others && others->poll(others, work, point);

    if (!any && !at_once)
        timed_wait(&work->change, &work->lock, others ? 1 : 100);
}

/* A rule, the user's signal, the limit of time; NULL: go on. */
static const char *reason_to_stop(const struct fleet_work *work)
{
    const struct run_limits *limits = &work->options->limits;

    if (lease_met(work->queue))
        return work->limits.frames != limits->frames ? "end" : lease_met(work->queue);
    if (work->fleet->cancel && fecrun_cancelled(work->fleet->cancel))
        return "signal";
    return limits->seconds > 0 && elapsed(work) >= limits->seconds ? "seconds" : NULL;
}

/* Until there is a reason to stop; -1: an error. Under the lock. */
static int drive(struct fleet_work *work, size_t point, const char **stop, struct diag *diag)
{
    struct fleet_others *others = work->fleet->others;
    struct run_counts seen;

    for (;;) {
        int status = tell_lost(work, diag);
        if (!status)
            status = watch_save(&work->watch, elapsed(work), false, diag);
        if (status < 0 || write_part(work, diag))
            return -1;
        *stop = status ? "saved" : reason_to_stop(work);
        if (*stop)
            return 0;
        lease_seen(work->queue, &seen);
        watch_show(&work->watch, elapsed(work), &seen);
        if (others)
            others->give(others, work, point);
        look(work, point, lease_waits(work->queue)); /* then the sink goes on at once */
        stop_devices(work);
    }
}

/* Those at work stop, and say what they have done. Under the lock. */
static void end(struct fleet_work *work, size_t point)
{
    struct fleet_others *others = work->fleet->others;
    const double begin = cpu_seconds();

    work->over = true;
    if (others)
        others->stop(others);
    while (work->busy || (!lease_met(work->queue) && others && others->busy(others) &&
                          cpu_seconds() - begin < LAST_WORDS)) {
        stop_devices(work);
        look(work, point, false);
    }
}

static int start_devices(struct fleet_work *work, struct diag *diag)
{
    struct fleet *fleet = work->fleet;

    for (size_t i = 0; i < fleet->chosen.n; i++) {
        struct fleet_device *device = &fleet->devices[i];
        const bool callers = fleet->chosen.space == SPACE_HOST ||
                             device->device == work->exec->layout.device.device;
        int reason;
        device->started = false;
        if (device->lost)
            continue;
        device->run = callers ? work->exec : &device->exec;
        if (callers)
            work->exec->cancel = &device->cancel;
        device->work = work;
        device->has_lease = false;
        reason = fecrun_thread_start(&device->thread, fleet_device_main, device);
        if (reason)
            return diag_fail(diag, DIAG_RUN, "cannot start the thread of %s: %s", device->share.who,
                             strerror(reason));
        device->started = true;
        work->busy++;
    }
    return 0;
}

static void join_devices(struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->chosen.n; i++) {
        if (fleet->devices[i].started)
            pthread_join(fleet->devices[i].thread, NULL);
        fleet->devices[i].started = false;
    }
}

/* A file's frames are known: their number is the limit. */
static void begin_capture(struct fleet_work *work)
{
    const uint64_t first = work->options->first_frame;
    const uint64_t frames = work->exec->created->plans[0]->stages[0].sim.frames;
    struct run_limits *limits = &work->limits;

    if (work->fleet->capture && (!limits->frames || limits->frames > frames - first))
        limits->frames = frames - first;
}

int fleet_run(struct fleet *fleet, struct exec *exec, size_t point,
              const struct run_options *options, struct run_counts *counts, double *seconds,
              const char **stop, struct diag *diag)
{
    struct fleet_work work = {
        .fleet = fleet, .exec = exec, .options = options, .limits = options->limits};
    const volatile int *cancel = exec->cancel;
    int status;

    *counts = (struct run_counts){0};
    *seconds = 0;
    *stop = "error";
    begin_capture(&work);
    work.queue = open_queue(&work, fleet->session);
    if (!work.queue)
        return diag_no_memory(diag);
    work.watch = (struct watch){
        .options = options, .lock = &work.lock, .parts = lease_parts(work.queue)};
    pthread_mutex_init(&work.lock, NULL);
    timed_init(&work.change);
    pthread_mutex_lock(&work.lock);
    status = start_devices(&work, diag);
    if (!status)
        status = drive(&work, point, stop, diag);
    end(&work, point);
    *seconds = elapsed(&work);
    pthread_mutex_unlock(&work.lock);
    join_devices(fleet);
    exec->cancel = cancel;
    pthread_mutex_lock(&work.lock);
    if (watch_save(&work.watch, elapsed(&work), true, status ? NULL : diag) < 0 ||
        (!status && write_rest(&work, diag)))
        status = -1;
    pthread_mutex_unlock(&work.lock);
    *counts = lease_take_counts(work.queue);
    if (status)
        *stop = "error";
    lease_close(work.queue);
    pthread_cond_destroy(&work.change);
    pthread_mutex_destroy(&work.lock);
    return status;
}

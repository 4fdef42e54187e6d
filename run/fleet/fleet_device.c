/* SPDX-License-Identifier: BSD-2-Clause */
/* One device's thread: its instances, and the leases that it takes. */
#include "run/fleet/fleet_impl.h"

#include "core/base/cpu.h"

#include <stdlib.h>
#include <string.h>

/* All devices have batches of one size, so that they can share the plans. */
static int check_room(struct fleet_device *device, struct diag *diag)
{
    const struct session *session = device->work->fleet->session;
    const uint64_t frames = device->exec.created->frames;
    uint64_t fits;

    if (budget_check(session, &device->exec, &fits, diag))
        return -1;
    return fits == frames
               ? 0
               : diag_fail(
                     diag, DIAG_RUN,
                     "has room for batches of %llu frames, and the others use %llu; set batch",
                     (unsigned long long)fits, (unsigned long long)frames);
}

static int open_device(struct fleet_device *device, const struct exec *like, struct diag *diag)
{
    struct fleet *fleet = device->work->fleet;
    const struct exec_options options = {
        .workers = like->n_workers, .cancel = &device->cancel, .pool = fleet->pool};

    device->negotiation = *like->negotiation;
    device->negotiation.device = device->device;
    if (exec_open(&device->exec, &device->negotiation, like->created, &options, diag))
        return -1;
    device->open = true;
    device->exec.sinkless = true; /* the caller's has the sink */
    return check_room(device, diag) ||
                   exec_make_worker(&device->exec, &device->exec.workers[0], diag) ||
                   check_room(device, diag) ||
                   (fleet->capture && exec_open_files(&device->exec, diag))
               ? -1
               : 0;
}

void fleet_device_close(struct fleet_device *device)
{
    if (!device->open)
        return;
    exec_close(&device->exec);
    device->open = false;
}

/* ---- Leases ---- */

/* Takes the lock: called from within run_point(), in the device's thread. */
static int deliver(void *data, const struct run_part *part, struct diag *diag)
{
    struct fleet_device *device = data;
    struct fleet_work *work = device->work;
    int status;

    pthread_mutex_lock(&work->lock);
    status = lease_done(work->queue, device->number, cpu_seconds(), device->lease, part,
                        &device->data);
    device->has_lease = false;
    device->share.frames += part->counts.frames;
    device->share.seconds += part->seconds;
    pthread_mutex_unlock(&work->lock);
    return status < 0 ? diag_no_memory(diag) : 0;
}

/* Of a capture, the frames round a lease. */
static struct margin frames_round(const struct fleet_device *device, const struct lease *lease)
{
    const struct fleet_work *work = device->work;
    struct margin round = {0, 0};
    uint64_t behind;

    if (!work->fleet->capture)
        return round;
    round = capture_margins(device->run);
    behind = lease->behind + work->options->trail;
    return (struct margin){.before = round.before < lease->first ? round.before : lease->first,
                           .after = round.after < behind ? round.after : behind};
}

static int do_lease(struct fleet_device *device, const struct lease *lease, struct diag *diag)
{
    struct fleet_work *work = device->work;
    const struct margin round = frames_round(device, lease);
    const struct run_options options = {.crew = &device->crew,
                                        .limits = lease->limits,
                                        .first_frame = lease->first - round.before,
                                        .lead = round.before,
                                        .trail = round.after,
                                        .in_flight = work->options->in_flight,
                                        .save = deliver,
                                        .save_every = 1e9, /* once, at its end */
                                        .data = device};
    struct run_part nothing = {.first = lease->first};
    struct run_counts counts;
    const char *stop;
    double seconds;
    int status;

    device->data.n = 0;
    if (work->fleet->capture)
        device->run->tap = (struct exec_tap){.take = capture_take, .data = &device->data};
    status = run_point(device->run, &options, &counts, &seconds, &stop, diag);
    device->run->tap.take = NULL;
    nothing.counts.rows = counts.rows;
    if (device->has_lease && !counts.frames && deliver(device, &nothing, diag))
        status = -1;
    free(counts.rows);
    return status;
}

int fleet_lease(struct fleet_work *work, unsigned number, struct lease *lease)
{
    const double now = cpu_seconds();
    const int answer = lease_take(work->queue, number, now, lease);

    if (answer != LEASE_WAIT && !(work->start > 0))
        work->start = now;
    return answer;
}

/* LEASE_WORK, or LEASE_OVER; waits for one of them. Under the lock. */
static int next_lease(struct fleet_device *device, struct lease *lease)
{
    struct fleet_work *work = device->work;

    while (!work->over) {
        const int answer = fleet_lease(work, device->number, lease);
        if (answer != LEASE_WAIT)
            return answer;
        /* a late lease of others is no event: look again after a while */
        timed_wait(&work->change, &work->lock, 100);
    }
    return LEASE_OVER;
}

static int take_leases(struct fleet_device *device)
{
    struct fleet_work *work = device->work;
    struct lease lease;
    int answer = LEASE_WORK, status = 0;

    while (!status && answer == LEASE_WORK) {
        pthread_mutex_lock(&work->lock);
        answer = next_lease(device, &lease);
        device->has_lease = answer == LEASE_WORK;
        device->lease = lease.first;
        __atomic_store_n(&device->cancel, 0, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&work->lock);
        if (answer == LEASE_WORK)
            status = do_lease(device, &lease, &device->diag);
        pthread_mutex_lock(&work->lock);
        pthread_cond_broadcast(&work->change);
        pthread_mutex_unlock(&work->lock);
    }
    return status || answer < 0 ? -1 : 0;
}

/* The caller's exec is that of one device; the others have one of their own, opened when needed. */
static int ready(struct fleet_device *device)
{
    const struct exec *like = device->work->exec;

    if (device->run == like)
        return 0;
    if (!device->open && open_device(device, like, &device->diag))
        return -1;
    device->exec.shape = like->shape;
    return 0;
}

void *fleet_device_main(void *data)
{
    struct fleet_device *device = data;
    struct fleet_work *work = device->work;
    const struct fleet *fleet = work->fleet;
    const struct fleet_options *options = &fleet->options;
    int status;

    if (options->bind && fleet->chosen.n > 1)
        options->bind(options->data, devices_bus(fleet->session, &fleet->chosen, device->number),
                      &device->share);
    status = ready(device) || take_leases(device) ? -1 : 0;
    pthread_mutex_lock(&work->lock);
    if (status) {
        device->lost = true;
        lease_lost(work->queue, device->number);
    }
    work->busy--;
    pthread_cond_broadcast(&work->change);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

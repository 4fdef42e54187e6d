/* SPDX-License-Identifier: BSD-2-Clause */
/* Members elsewhere: what they say, and what they are told. */
#include "run/fleet/fleet_impl.h"

#include "core/base/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the queue, they come behind this process's devices. */
static unsigned number_of(const struct fleet *fleet, unsigned member)
{
    return (unsigned)fleet->chosen.n + member;
}

static struct fleet_member *member_of(struct fleet *fleet, unsigned number)
{
    if (number >= fleet->n_members) {
        struct fleet_member *members = realloc(fleet->members, (number + 1) * sizeof *members);
        if (!members)
            return NULL;
        memset(members + fleet->n_members, 0, (number + 1 - fleet->n_members) * sizeof *members);
        fleet->members = members;
        fleet->n_members = number + 1;
    }
    return &fleet->members[number];
}

/* Those that wait for a lease stand in line: with thousands, looking at each after every message is more
   than all the rest. */
static void queue(struct fleet *fleet, unsigned number)
{
    struct fleet_member *member = &fleet->members[number];

    if (member->waits || !member->there || member->lost || member->has_lease)
        return;
    member->waits = true;
    if (fleet->n_waiting++)
        fleet->members[fleet->last_waiting].behind_it = number;
    else
        fleet->first_waiting = number;
    fleet->last_waiting = number;
}

static void unqueue(struct fleet *fleet)
{
    struct fleet_member *first = &fleet->members[fleet->first_waiting];

    first->waits = false;
    fleet->first_waiting = first->behind_it;
    fleet->n_waiting--;
}

static void lose(struct fleet_work *work, unsigned number, struct fleet_member *member,
                 const char *why)
{
    struct fleet *fleet = work->fleet;

    if (member->lost)
        return;
    member->lost = true;
    member->has_lease = false;
    snprintf(member->share.lost, sizeof member->share.lost, "%s", why);
    lease_lost(work->queue, number_of(fleet, number));
    if (fleet->options.on_lost)
        fleet->options.on_lost(fleet->options.data, member->share.who, why);
}

/* Samples for the sink. Without memory for them the run ends: the frames count as done. */
static void keep_data(struct fleet_work *work, const struct fleet_event *event)
{
    struct capture_data data = {.bytes = malloc(event->n_data + 1), .n = event->n_data};

    if (data.bytes)
        memcpy(data.bytes, event->data, event->n_data);
    if (!data.bytes || capture_keep(&work->capture, event->first, event->part.counts.frames, &data))
        work->no_memory = true;
    capture_free(&data);
}

/* Its lease may be of a point that is over by now; then it is free all the same. */
static void take_result(struct fleet_work *work, size_t point, const struct fleet_event *event,
                        struct fleet_member *member)
{
    const struct run_part *part = &event->part;

    if (member->has_lease && member->lease == event->first)
        member->has_lease = false;
    if (event->point != point)
        return;
    member->share.frames += part->counts.frames;
    member->share.seconds += part->seconds;
    if (!lease_done(work->queue, number_of(work->fleet, event->member), cpu_seconds(), event->first,
                    part) &&
        work->capture.on && part->counts.frames)
        keep_data(work, event);
    pthread_cond_broadcast(&work->change);
}

bool fleet_remote_poll(struct fleet_work *work, size_t point)
{
    const struct fleet_remote *remote = work->fleet->remote;
    struct fleet_event event;
    struct fleet_member *member;

    if (!remote->poll(remote->data, &event))
        return false;
    member = member_of(work->fleet, event.member);
    if (!member)
        return true; /* no memory for it: it gets nothing to do */
    switch (event.what) {
    case FLEET_JOINED:
        member->there = true;
        snprintf(member->share.who, sizeof member->share.who, "%s", event.who);
        break;
    case FLEET_RESULT:
        take_result(work, point, &event, member);
        break;
    case FLEET_LOST:
        if (*event.who)
            snprintf(member->share.who, sizeof member->share.who, "%s", event.who);
        lose(work, event.member, member, event.why);
        break;
    }
    queue(work->fleet, event.member);
    return true;
}

void fleet_remote_give(struct fleet_work *work, size_t point)
{
    struct fleet *fleet = work->fleet;
    const struct fleet_remote *remote = fleet->remote;

    for (; fleet->n_waiting; unqueue(fleet)) {
        const unsigned i = fleet->first_waiting;
        struct fleet_member *member = &fleet->members[i];
        const double now = cpu_seconds();
        struct lease lease;
        if (member->lost || member->has_lease)
            continue;
        if (lease_take(work->queue, number_of(fleet, i), now, &lease) != LEASE_WORK)
            return;
        if (!(work->start > 0))
            work->start = now;
        member->has_lease = true;
        member->lease = lease.first;
        remote->give(remote->data, i, point, &lease);
    }
}

void fleet_remote_stop(struct fleet_work *work)
{
    const struct fleet *fleet = work->fleet;

    for (unsigned i = 0; i < fleet->n_members; i++)
        if (fleet->members[i].has_lease)
            fleet->remote->stop(fleet->remote->data, i, fleet->members[i].lease);
}

bool fleet_remote_there(const struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->n_members; i++)
        if (fleet->members[i].there && !fleet->members[i].lost)
            return true;
    return false;
}

bool fleet_remote_busy(const struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->n_members; i++)
        if (fleet->members[i].has_lease)
            return true;
    return false;
}

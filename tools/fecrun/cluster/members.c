/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cluster/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct member {
    bool there, lost, has_lease;
    bool waits;         /* is among those that wait for a lease, */
    unsigned behind_it; /* and who is next there */
    uint64_t lease;
    struct run_share share;
};

static struct member *member_of(struct members *members, unsigned number)
{
    if (number >= members->n) {
        struct member *all = realloc(members->all, (number + 1) * sizeof *all);
        if (!all)
            return NULL;
        memset(all + members->n, 0, (number + 1 - members->n) * sizeof *all);
        members->all = all;
        members->n = number + 1;
    }
    return &members->all[number];
}

/* Those that wait for a lease stand in line: with thousands, looking at each after every message is more
   than all the rest. */
static void queue(struct members *members, unsigned number)
{
    struct member *member = &members->all[number];

    if (member->waits || !member->there || member->lost || member->has_lease)
        return;
    member->waits = true;
    if (members->n_waiting++)
        members->all[members->last_waiting].behind_it = number;
    else
        members->first_waiting = number;
    members->last_waiting = number;
}

static void unqueue(struct members *members)
{
    struct member *first = &members->all[members->first_waiting];

    first->waits = false;
    members->first_waiting = first->behind_it;
    members->n_waiting--;
}

static void lose(struct fleet_work *work, unsigned number, struct member *member, const char *why)
{
    if (member->lost)
        return;
    member->lost = true;
    member->has_lease = false;
    snprintf(member->share.lost, sizeof member->share.lost, "%s", why);
    fleet_lost(work, number, member->share.who, why);
}

/* Its lease may be of a point that is over by now; then it is free all the same. */
static void take_result(struct fleet_work *work, size_t point, const struct member_event *event,
                        struct member *member)
{
    if (member->has_lease && member->lease == event->first)
        member->has_lease = false;
    if (event->point != point)
        return;
    member->share.frames += event->part.counts.frames;
    member->share.seconds += event->part.seconds;
    fleet_done(work, event->member, event->first, &event->part, event->data, event->n_data);
}

static bool poll(struct fleet_others *others, struct fleet_work *work, size_t point)
{
    struct members *members = (struct members *)others;
    struct member_event event;
    struct member *member;

    if (!members->calls.poll(members->calls.data, &event))
        return false;
    member = member_of(members, event.member);
    if (!member)
        return true; /* no memory for it: it gets nothing to do */
    switch (event.what) {
    case MEMBER_JOINED:
        member->there = true;
        snprintf(member->share.who, sizeof member->share.who, "%s", event.who);
        break;
    case MEMBER_RESULT:
        take_result(work, point, &event, member);
        break;
    case MEMBER_LOST:
        if (*event.who)
            snprintf(member->share.who, sizeof member->share.who, "%s", event.who);
        lose(work, event.member, member, event.why);
        break;
    }
    queue(members, event.member);
    return true;
}

static void give(struct fleet_others *others, struct fleet_work *work, size_t point)
{
    struct members *members = (struct members *)others;

    for (; members->n_waiting; unqueue(members)) {
        const unsigned i = members->first_waiting;
        struct member *member = &members->all[i];
        struct lease lease;
        if (member->lost || member->has_lease)
            continue;
        if (fleet_take(work, i, &lease) != LEASE_WORK)
            return;
        member->has_lease = true;
        member->lease = lease.first;
        members->calls.give(members->calls.data, i, point, &lease);
    }
}

static void stop(struct fleet_others *others)
{
    const struct members *members = (struct members *)others;

    for (unsigned i = 0; i < members->n; i++)
        if (members->all[i].has_lease)
            members->calls.stop(members->calls.data, i, members->all[i].lease);
}

static bool there(const struct fleet_others *others)
{
    const struct members *members = (const struct members *)others;

    for (size_t i = 0; i < members->n; i++)
        if (members->all[i].there && !members->all[i].lost)
            return true;
    return false;
}

static bool busy(const struct fleet_others *others)
{
    const struct members *members = (const struct members *)others;

    for (size_t i = 0; i < members->n; i++)
        if (members->all[i].has_lease)
            return true;
    return false;
}

static size_t taken(struct fleet_others *others, struct run_share *to)
{
    const struct members *members = (struct members *)others;
    size_t n = 0;

    for (size_t i = 0; i < members->n; i++) {
        struct run_share *share = &members->all[i].share;
        if (!*share->who)
            continue;
        if (to) {
            to[n] = *share;
            share->frames = 0;
            share->seconds = 0;
        }
        n++;
    }
    return n;
}

void members_open(struct members *members, const struct member_calls *calls, const char *self)
{
    *members = (struct members){.others = {self, poll, give, stop, there, busy, taken},
                                .calls = *calls};
}

void members_close(struct members *members)
{
    free(members->all);
    *members = (struct members){0};
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of a fleet in other processes: messages from and to them. */
#ifndef FECRUN_TOOL_CLUSTER_MEMBERS_H
#define FECRUN_TOOL_CLUSTER_MEMBERS_H

#include "run/fleet/fleet.h"

struct member_event {
    enum { MEMBER_JOINED, MEMBER_RESULT, MEMBER_LOST } what;
    unsigned member;      /* 0, 1, ... */
    char who[96];         /* JOINED */
    char why[256];        /* LOST */
    size_t point;         /* RESULT: of which point, */
    uint64_t first;       /* of which lease, */
    struct run_part part; /* and what; rows are valid until the next call, */
    const void *data;     /* as what the sink would have got: a lease_data's bytes */
    size_t n_data;
};

/* Messages. All functions are called from the thread of the fleet's run. */
struct member_calls {
    /* One thing that has happened; true: there was one. Does not wait. */
    bool (*poll)(void *data, struct member_event *event);
    void (*give)(void *data, unsigned member, size_t point, const struct lease *lease);
    void (*stop)(void *data, unsigned member, uint64_t first);
    void *data;
};

struct members {
    struct fleet_others others; /* what a fleet calls */
    struct member_calls calls;
    size_t n;
    struct member *all;
    size_t n_waiting; /* of them, in the order in which they are to get leases */
    unsigned first_waiting, last_waiting;
};

/* self: what this process is called among them; lives as long. */
void members_open(struct members *members, const struct member_calls *calls, const char *self);
void members_close(struct members *members);

#endif

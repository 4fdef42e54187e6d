/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One point over several devices of this process, and over members elsewhere: the lease queue
 * (run/fleet/lease.h) with a thread a device. Only for pipelines whose frames can be had from any one
 * on (session_seekable), and for captures.
 */
#ifndef FECRUN_RUN_FLEET_FLEET_H
#define FECRUN_RUN_FLEET_FLEET_H

#include "run/fleet/lease.h"
#include "run/fleet/capture.h"
#include "run/fleet/devices.h"
#include "run/sweep/sweep.h"

#include <pthread.h>

/*
 * Members elsewhere. All functions are called from the thread of fleet_run(), with the number that
 * the member has here: 0, 1, ...
 */
struct fleet_event {
    enum { FLEET_JOINED, FLEET_RESULT, FLEET_LOST } what;
    unsigned member;
    char who[96];         /* JOINED */
    char why[256];        /* LOST */
    size_t point;         /* RESULT: of which point, */
    uint64_t first;       /* of which lease, */
    struct run_part part; /* and what; rows are valid until the next call, */
    const void *data;     /* as what the sink would have got: a capture_data's bytes */
    size_t n_data;
};

struct fleet_remote {
    /* One thing that has happened; true: there was one. Does not wait. */
    bool (*poll)(void *data, struct fleet_event *event);
    void (*give)(void *data, unsigned member, size_t point, const struct lease *lease);
    void (*stop)(void *data, unsigned member, uint64_t first);
    void *data;
    const char *self; /* what this process is called among them */
};

struct fleet_device;
struct fleet_member;

struct fleet_options {
    const struct fleet_remote *remote; /* members elsewhere; NULL: none */
    unsigned local, locals; /* this is one of that many processes of this host; or 0, 0 */
    /* From the thread of the sweep, once for each device or member that takes no further part. May be NULL. */
    void (*on_lost)(void *data, const char *who, const char *why);
    void *data;
};

struct fleet {
    struct runner runner; /* what a sweep calls, all of this as one */
    const struct session *session;
    struct memory_pool *pool;
    struct fleet_options options;
    const struct fleet_remote
        *remote;                /* of the options, if there is anything to share; else NULL */
    const volatile int *cancel; /* the user's, may be NULL */
    bool capture;               /* the pipeline is one: see capture.h */
    /* Of a capture: gets what the sink would have got, which is another process's; NULL: the sink
       gets it. */
    struct capture_data *into;
    struct devices chosen;
    struct fleet_device *devices; /* as many */
    size_t n_members;
    struct fleet_member *members; /* elsewhere */
    size_t n_waiting;             /* of them, in the order in which they are to get leases */
    unsigned first_waiting, last_waiting;
};

/*
 * All devices that devices_of() finds, and who the options name; of several processes of a host (locals), each takes
 * one device. Nothing is opened yet: the runner's begin() does that, its close() ends it. Of a capture, all frames
 * before options->first_frame may be read, and `trail` behind the last one; `lead` is 0, and frames of margins are
 * each device's own matter. cancel: may be NULL.
 */
void fleet_init(struct fleet *fleet, const struct fleet_options *options,
                const volatile int *cancel);

/* sweep_run() with a fleet. fleet: NULL: the devices of this host. */
int fleet_sweep(const struct session *session, const struct sweep_options *options,
                const struct fleet_options *fleet, struct diag *diag);

#endif

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

#include <pthread.h>

struct fleet_work; /* a run of a fleet */

/* Who did what of a point. */
struct run_share {
    char who[96]; /* "cuda:1" */
    uint64_t frames;
    double seconds;
    bool placed;    /* its node is known; else these are 0: */
    int node;       /* whose CPUs are near, */
    bool bound;     /* and its threads stay at those */
    char lost[256]; /* why it takes no further part; "" */
};

/* Members elsewhere. The functions are called from the thread of the fleet's run. */
struct fleet_others {
    const char *self; /* what this process is called among them */
    /* One thing that has happened, told by fleet_done() or fleet_lost(); true: there was one. Does not wait. */
    bool (*poll)(struct fleet_others *others, struct fleet_work *work, size_t point);
    /* Gives leases, by fleet_take(), to those that have none. */
    void (*give)(struct fleet_others *others, struct fleet_work *work, size_t point);
    /* Nobody wants the leases any more that are out. */
    void (*stop)(struct fleet_others *others);
    bool (*there)(const struct fleet_others *others); /* Is there one that is not lost? */
    bool (*busy)(const struct fleet_others *others);  /* Has one a lease? */
    /* Who did what since the call before: returns how many they are. to: NULL, or room for them. */
    size_t (*taken)(struct fleet_others *others, struct run_share *to);
};

/* For a member elsewhere, by its number there: lease_take(), without its errors; */
int fleet_take(struct fleet_work *work, unsigned member, struct lease *lease);
/* what it has done of a lease; data: what the sink would have got, a lease_data's bytes; */
void fleet_done(struct fleet_work *work, unsigned member, uint64_t first,
                const struct run_part *part, const void *data, size_t n_data);
/* it is gone, which is told. */
void fleet_lost(struct fleet_work *work, unsigned member, const char *who, const char *why);

struct fleet_device;

struct fleet_options {
    struct fleet_others *others; /* NULL: none */
    unsigned local, locals;      /* this is one of that many processes of this host; or 0, 0 */
    /* From the thread of the sweep, once for each device or member that takes no further part. May be NULL. */
    void (*on_lost)(void *data, const char *who, const char *why);
    /* In the thread of each device, if several share a point, before it starts others: keeps them at CPUs near the device
       with that address (devices_bus()), and says so in the share. NULL: they run anywhere. */
    void (*bind)(void *data, const char *bus, struct run_share *share);
    void *data;
};

struct fleet {
    /* The caller's, before fleet_begin(): */
    const struct session *session;
    struct memory_pool *pool; /* the sweep's, which lives longer */
    struct fleet_options options;
    const volatile int *cancel; /* the user's, may be NULL */
    /* its own: */
    struct fleet_others *others; /* of the options, if there is anything to share; else NULL */
    bool capture;                /* the pipeline is one: see capture.h */
    /* Of a capture: gets what the sink would have got, which is another process's; NULL: the sink
       gets it. */
    struct lease_data *into;
    struct devices chosen;
    struct fleet_device *devices; /* as many */
};

/*
 * All devices that devices_of() finds, and who the options name; of several processes of a host (locals), each takes
 * one device. Of a capture, all frames before options->first_frame may be read, and `trail` behind the last one; `lead`
 * is 0, and frames of margins are each device's own matter. All functions are called from the sweep's thread,
 * fleet_begin() first. plan: of point 0.
 */
int fleet_begin(struct fleet *fleet, const struct session_plan *plan, struct diag *diag);
/* Moves a plan to the first device that is not lost. */
void fleet_place(const struct fleet *fleet, struct session_plan *plan);
/* Does anybody take part besides the sweep's exec? If not, fleet_run() and fleet_taken() are not called. */
bool fleet_shares(const struct fleet *fleet);
/* As run_point(), of the point with that number; `counted` of the options is not called. */
int fleet_run(struct fleet *fleet, struct exec *exec, size_t point,
              const struct run_options *options, struct run_counts *counts, double *seconds,
              const char **stop, struct diag *diag);
/* Who did what since the call before: n of them. The caller frees them. NULL: out of memory. */
struct run_share *fleet_taken(struct fleet *fleet, size_t *n);
/* Closes what belongs to the exec, before that goes. */
void fleet_leave(struct fleet *fleet);
void fleet_close(struct fleet *fleet);

#endif

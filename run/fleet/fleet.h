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

/* Who did what of a point. */
struct fleet_share {
    char who[96]; /* "cuda:1" */
    uint64_t frames;
    double seconds;
    bool placed;    /* its node is known; else these are 0: */
    int node;       /* whose CPUs are near, */
    bool bound;     /* and its threads stay at those */
    char lost[256]; /* why it takes no further part; "" */
};

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

struct fleet {
    const struct session *session;
    struct memory_pool *pool;
    const struct fleet_remote *remote; /* NULL: none */
    const volatile int *cancel;        /* the user's, may be NULL */
    /* From the thread of fleet_run(), once for each that is lost; may be NULL. */
    void (*on_lost)(void *data, const char *who, const char *why);
    void *data;
    bool capture; /* the pipeline is one: see capture.h */
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

/* Zero it first, then set what is above `chosen`. Once, before all below: see devices_of(). Of several
   processes of a host (locals; 1: there is one), each takes one device. */
int fleet_choose(struct fleet *fleet, const struct session_plan *plan, unsigned local,
                 unsigned locals, struct diag *diag);
/* Moves the plan to the first of the devices that is not lost. */
void fleet_place(const struct fleet *fleet, struct session_plan *plan);
/* Closes what was opened for an exec of the caller's, before that goes. */
void fleet_leave(struct fleet *fleet);
void fleet_close(struct fleet *fleet);

/* More than the caller's exec? */
bool fleet_shares(const struct fleet *fleet);

/* As run_point(), but options' `counted` is not called. point: its number, for members elsewhere. Of a
   capture, all frames before options->first_frame may be read, and `trail` behind the last one; `lead`
   is 0, and frames of margins are each device's own matter. */
int fleet_run(struct fleet *fleet, struct exec *exec, size_t point,
              const struct run_options *options, struct run_counts *counts, double *seconds,
              const char **stop, struct diag *diag);

/* Who did what since the call before: n of them; free() it. NULL: out of memory. */
struct fleet_share *fleet_shares_taken(struct fleet *fleet, size_t *n);

#endif

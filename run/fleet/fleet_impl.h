/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal declarations of the fleet*.c files. */
#ifndef FECRUN_RUN_FLEET_FLEET_IMPL_H
#define FECRUN_RUN_FLEET_FLEET_IMPL_H

#include "core/batch/exec.h"
#include "run/fleet/fleet.h"

#include <pthread.h>

/* What the threads of one fleet_run() share, under the lock. */
struct fleet_work {
    struct fleet *fleet;
    struct exec *exec; /* the caller's */
    const struct run_options *options;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct lease_queue *queue;
    struct watch watch;
    struct run_limits limits; /* of all frames: of a file, there are so many */
    bool no_memory;           /* for what came from elsewhere */
    bool over;                /* no more leases */
    unsigned busy;            /* threads alive */
    double start;             /* of the first lease: set-up is not run time; 0: not yet */
};

/* A device of this process, or the host alone. */
struct fleet_device {
    int device;
    bool open;        /* its own exec is */
    struct crew crew; /* its threads */
    struct exec *run; /* the one that it uses: its own, or the caller's */
    struct exec exec;
    struct negotiation negotiation; /* of its own exec: the caller's choices, on this device */
    volatile int cancel;            /* its present lease is not wanted any more */
    bool has_lease;
    uint64_t lease; /* its first frame */
    bool lost, told;
    struct diag diag; /* why it is lost */
    struct run_share share;
    struct lease_data data;  /* of its present lease */
    struct fleet_work *work; /* of the present fleet_run() */
    unsigned number;         /* as a member of its queue */
    pthread_t thread;
    bool started;
};

/* Thread of a device: leases until there are no more. */
void *fleet_device_main(void *data);
/* Closes its own exec. */
void fleet_device_close(struct fleet_device *device);

/* lease_take() by that member of the queue. Under the lock. */
int fleet_lease(struct fleet_work *work, unsigned number, struct lease *lease);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the devices that a pipeline runs on. */
#ifndef FECRUN_RUN_FLEET_DEVICES_H
#define FECRUN_RUN_FLEET_DEVICES_H

#include "run/session/session.h"

struct devices {
    unsigned space; /* SPACE_HOST: none, and n is 1 */
    size_t n;
    int device[BACKEND_DEVICES];
    /* Why not more of the `there` that are or were named: */
    enum { DEVICES_ALL, DEVICES_ONE_OUTPUT, DEVICES_IN_ORDER, DEVICES_CANNOT, DEVICES_EMPTY } left;
    size_t there;
};

/*
 * Those that the user named for the pipeline (cuda:all, cuda:0,2); where he named none, all that the
 * provider of the plan's device has, if frames can be had from any one on; else, as of a capture
 * (capture.h), the plan's one. An error if a named one is missing, cannot run the plan's backends, or
 * cannot have a part.
 */
int devices_of(const struct session *session, const struct session_plan *plan,
               struct devices *devices, struct diag *diag);

/* The address of device i on its bus, as "0000:3b:00.0"; "": not known. Not of the host. */
const char *devices_bus(const struct session *session, const struct devices *devices, size_t i);

#endif

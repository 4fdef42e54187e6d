/* SPDX-License-Identifier: BSD-2-Clause */
/* A second session on the file of another one, with its own backends, to compare both. */
#ifndef FECRUN_TOOLS_FECRUN_FRAMES_TWIN_H
#define FECRUN_TOOLS_FECRUN_FRAMES_TWIN_H

#include "run/session/session.h"

struct session_twin {
    struct session session;   /* one thread; the other's registry */
    struct pipeline pipeline; /* the other's, but for backends, their settings and --set of those */
};

/*
 * Every stage on its reference, whatever the file, --backend and --set say. The other session is to
 * outlive it. After an error there is nothing to close; a zeroed twin may be closed.
 */
int session_twin_open(struct session_twin *twin, const struct session *session, struct diag *diag);
void session_twin_close(struct session_twin *twin);

#endif

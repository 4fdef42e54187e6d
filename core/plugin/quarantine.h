/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code of a plugin runs when its file is loaded: constructors, and those of all libraries that it
 * needs. A child process loads each file first, so that one which crashes there, ends the process,
 * hangs or prints is a reason, and other pipelines go on.
 */
#ifndef FECRUN_PLUGIN_QUARANTINE_H
#define FECRUN_PLUGIN_QUARANTINE_H

#include "core/base/diag.h"
#include "core/plugin/loader.h"

struct quarantine {
    const char *path;
    char reason[sizeof((struct loaded *)0)->reason]; /* "": it can be loaded here, or be refused */
};

/* Files that this process has loaded before are not tried, bad ones are remembered until they change. */
int quarantine_load(struct quarantine *trials, size_t n, struct diag *diag);

#endif

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

/*
 * How a host remembers files that hang, so that the next start of the program does not wait for them again. Both
 * functions may be NULL. `st` identifies the file by device, inode, size and time.
 */
struct quarantine_memory {
    void *data;
    /* True if the file is remembered; reason then says why it is not loaded. */
    bool (*recall)(void *data, const char *path, const struct stat *st, char *reason, size_t size);
    void (*keep)(void *data, const char *path, const struct stat *st, const char *reason);
};

/*
 * Opens the files, which the caller closes, and sets the reasons of those that cannot be loaded here. A file that has a
 * reason is left alone, one that this process has loaded before is not tried, bad ones are remembered until they change.
 * `memory` may be NULL.
 */
int quarantine_load(struct loaded *files, size_t n, const struct quarantine_memory *memory,
                    struct diag *diag);

#endif

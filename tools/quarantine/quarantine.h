/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What fecrun and fecrun-check put into struct quarantine: a child process loads each plugin file first, and asks what can
 * run here. A plugin which crashes there, ends the process, hangs, or prints while it is loaded, is a reason, and other
 * pipelines go on.
 */
#ifndef FECRUN_TOOLS_QUARANTINE_H
#define FECRUN_TOOLS_QUARANTINE_H

#include "core/plugin/registry.h"

#include <stdbool.h>
#include <sys/stat.h>

/*
 * How a program remembers files that hang, so that its next start does not wait for them again. Both functions may be
 * NULL. `st` identifies the file by device, inode, size and time.
 */
struct quarantine_memory {
    void *data;
    /* True if the file is remembered; reason then says why it is not loaded. */
    bool (*recall)(void *data, const char *path, const struct stat *st, char *reason, size_t size);
    void (*keep)(void *data, const char *path, const struct stat *st, const char *reason);
    /*
     * How a program remembers probes that came back from the child, so that it may ask them itself the next time. Both
     * may be NULL. trusts() says whether it may; if so, asked() with files NULL follows. Else asked() follows if no probe
     * died: `files` are the paths of those that the child had loaded then, a line each.
     */
    bool (*trusts)(void *data, const struct probe *probes, size_t n);
    void (*asked)(void *data, const struct probe *probes, size_t n, const char *files);
};

/*
 * Tries the files, loads the good ones (same.h), and sets the reasons of the others. A file that has a reason is left
 * alone, one that this process has loaded before is not tried, bad ones are remembered until they change. `memory`, a
 * const struct quarantine_memory, may be NULL.
 */
int quarantine_load(void *memory, struct loaded *files, size_t n, struct diag *diag);

/* All are asked in one child process, one after the other. If it dies, a new one goes on after that probe. With a memory
   that trusts them, this process asks. memory: as above. */
int quarantine_ask(void *memory, const struct fecrun_host *host, struct probe *probes, size_t n);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens one plugin file and checks it against the ABI before anything in it is called. */
#ifndef FECRUN_PLUGIN_LOADER_H
#define FECRUN_PLUGIN_LOADER_H

#include <fecrun/plugin.h>

struct loaded {
    char *path;
    void *handle;                       /* of dlopen; never closed: see loader.c */
    const struct fecrun_plugin *plugin; /* NULL: broken, then reason says why */
    char reason[512];
};

/*
 * Fills *out; out->plugin stays NULL for a broken file. fd >= 0: loads the file that is open there, whatever lies at
 * path meanwhile, except one that has a search path of its own ($ORIGIN): it must still be the file at path. fd stays
 * the caller's. -1: by its path.
 *
 * Returns -1 only where the system has no more of something: then reason says of what, or it is "" and memory.
 */
int loader_open(const char *path, int fd, struct loaded *out);

#endif

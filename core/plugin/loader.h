/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens one plugin file and checks it against the ABI before anything in it is called. */
#ifndef FECRUN_PLUGIN_LOADER_H
#define FECRUN_PLUGIN_LOADER_H

#include <fecrun/plugin.h>
#include <sys/stat.h>

struct loaded {
    char *path;     /* without symbolic links */
    int fd;         /* the open file: what is tried is what is loaded; -1: none */
    struct stat st; /* of that file */
    void *handle;   /* of dlopen; never closed: see loader.c */
    const struct fecrun_plugin *plugin; /* NULL: broken, then reason says why */
    char reason[512];
};

/*
 * Sets the plugin of a file that has a path; plugin stays NULL for a broken one, with the reason. fd >= 0: loads the
 * file that is open there, whatever lies at path meanwhile, except one that has a search path of its own ($ORIGIN): it
 * must still be the file at path. Path and fd stay the caller's. -1: by its path.
 *
 * Returns -1 only where the system has no more of something: then reason says of what, or it is "" and memory.
 */
int loader_open(struct loaded *file);

#endif

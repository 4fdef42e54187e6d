/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens one plugin file and checks it against the ABI before anything in it is called. */
#ifndef FECRUN_PLUGIN_LOADER_H
#define FECRUN_PLUGIN_LOADER_H

#include "core/base/diag.h"

struct loaded {
    char *path;                         /* without symbolic links */
    void *handle;                       /* of dlopen; never closed: see loader.c */
    const struct fecrun_plugin *plugin; /* NULL: broken, then reason says why */
    char reason[512];
};

/*
 * Sets the plugin of a file that has a path; plugin stays NULL for a broken one, with the reason. name: another name of the
 * file, by which it is opened, such as /proc/PID/fd/N; each time another one, since dlopen() knows what it has loaded by
 * its name. NULL: its path.
 *
 * Returns -1 only where the system has no more of something: then nothing is said of the file.
 */
int loader_open(struct loaded *file, const char *name, struct diag *diag);

#endif

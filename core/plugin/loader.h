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

/* Fills *out; out->plugin stays NULL for a broken file. Returns -1 only without memory. */
int loader_open(const char *path, struct loaded *out);

/* Fields that stages from before them do not have: then an empty table, and NULL. */
const struct fecrun_example *const *loader_examples(const struct fecrun_stage *stage);
const char *loader_undoes(const struct fecrun_stage *stage);
const char *loader_follows(const struct fecrun_stage *stage);

#endif

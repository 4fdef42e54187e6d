/* SPDX-License-Identifier: BSD-2-Clause */
/* Directories of plugins: the files to load, in order of precedence. */
#ifndef FECRUN_PLUGIN_SEARCH_H
#define FECRUN_PLUGIN_SEARCH_H

#include "core/plugin/quarantine.h"
#include "core/plugin/registry.h"

#include <stddef.h>

struct search {
    size_t n;
    struct quarantine
        *files; /* each once; with a reason: it, or all of its directory, is not to be loaded */
};

/*
 * Every *.so of `dirs`, FECRUN_PLUGIN_PATH (not in a program that has the rights of another user),
 * lib/fecrun/3 beside the program, fecrun/3 beside the library and the installed directory, after `files`. What others
 * may write is not for loading, unless it was named for this very run: in `files` or `dirs`.
 */
int search_plugins(struct search *search, const struct registry_options *options,
                   struct diag *diag);
/* Closes the files, too. */
void search_free(struct search *search);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Directories of plugins: the files to load, in order of precedence. */
#ifndef FECRUN_PLUGIN_SEARCH_H
#define FECRUN_PLUGIN_SEARCH_H

#include "core/plugin/registry.h"

/*
 * Adds every *.so of `dirs`, FECRUN_PLUGIN_PATH (not in a program that has the rights of another user), lib/fecrun/3
 * beside the program, fecrun/3 beside the library and the installed directory to the registry's files, after `files`;
 * each once. What others may write is not for loading, unless it was named for this very run, in `files` or `dirs`: it
 * has a reason, or all of its directory has.
 */
int search_plugins(struct registry *registry, const struct registry_options *options,
                   struct diag *diag);

#endif

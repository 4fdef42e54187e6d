/* SPDX-License-Identifier: BSD-2-Clause */
/* --restrict DIR: all files that a pipeline names lie below DIR, by whatever links. */
#ifndef FECRUN_TOOL_RESTRICT_H
#define FECRUN_TOOL_RESTRICT_H

#include "core/base/diag.h"

#include <stddef.h>

/* The directory without symbolic links, in *real; free() it, also after an error. An error if it is none. */
int restrict_open(char **real, const char *dir, struct diag *diag);

/*
 * conf_place.resolve(); data: the directory of restrict_open(). *path becomes the real path, all symbolic links
 * resolved, so that what is opened is what was looked at. -1: out of memory; 1: it lies outside, or is not known to
 * lie inside, and why says so.
 */
int restrict_path(void *data, char **path, char *why, size_t size);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads one shared object: whole, for this machine, and the very file that was opened before. */
#ifndef FECRUN_PLUGIN_OBJECT_H
#define FECRUN_PLUGIN_OBJECT_H

#include <stddef.h>

/*
 * dlopen() of path. fd >= 0: of the file that is open there, whatever lies at path meanwhile, except one that has
 * a search path of its own ($ORIGIN): it must still be the file at path. fd stays the caller's.
 *
 * Returns 0; 1 and why the file is refused; or -1: the system has no more of something. Then reason says of
 * what, or it is "" and memory.
 */
int object_load(const char *path, int fd, void **handle, char *reason, size_t size);

#endif

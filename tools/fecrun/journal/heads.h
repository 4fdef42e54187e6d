/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of a journal that only have their first line, because their processes died before the next one. */
#ifndef FECRUN_TOOL_JOURNAL_HEADS_H
#define FECRUN_TOOL_JOURNAL_HEADS_H

#include "tools/fecrun/journal/store.h"

/*
 * Locks the own file, which is open as fd, for as long as the process lives. If that worked, the writer's line says so:
 * "boot" is the id of the running kernel, on which alone others can tell that the lock is gone.
 */
void heads_lock(int fd, json_t *writer);

/*
 * Removes files of dead processes that have a first line only. The line must say that its file was locked under the
 * kernel that runs now, and the file must not be locked any more. A file whose stop rules no other file has stays. What
 * cannot be removed stays, too, and does no harm. Call it when the own file has its first line.
 */
void heads_remove(const struct store *store);

#endif

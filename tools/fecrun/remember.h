/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the program remembers from one start to the next: lines of text in files of the user's cache
 * ($XDG_CACHE_HOME/fecrun, else ~/.cache/fecrun). Without such a folder nothing is remembered, which is no error.
 */
#ifndef FECRUN_TOOLS_REMEMBER_H
#define FECRUN_TOOLS_REMEMBER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum {
    REMEMBER_DAY = 24 * 3600, /* seconds after which a line is of no use */
    REMEMBER_MOST = 1 << 16,  /* bytes of a file that is read */
    REMEMBER_FIELDS = 256     /* bytes of remember_fields() */
};

/* Opens the file of that name to read. NULL: there is none, or others than this user can write it. */
FILE *remember_read(const char *name);
/* Opens it, or a new one, to add a line at its end: by one fprintf(), as other processes may add theirs. A file that has
   grown to half of REMEMBER_MOST is begun anew. NULL: it cannot be written. */
FILE *remember_add(const char *name);
/* Its path, for messages. False: there is no folder for it. */
bool remember_path(char *path, size_t size, const char *name);

/* Writes what identifies a file: device, inode, size and time, each followed by a space. */
void remember_fields(char *text, const struct stat *st);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of the files that a command reads and writes. It refuses an output that is already in the table. */
#ifndef FECRUN_TOOL_FILES_H
#define FECRUN_TOOL_FILES_H

#include "core/base/diag.h"

#include <stddef.h>

/*
 * Two files are the same if device and inode are, so links and other spellings are found. Two files that do
 * not exist yet are the same if directory and name are. Devices, pipes and directories are the same as
 * nothing, because no data is lost in them.
 */
struct files {
    size_t n;
    struct file *list;
};

/* Adds a file that no option may write. The text (as of printf) completes "is ...", for messages. "-" is
   standard input. NULL as a path adds nothing. Copies path and text. Returns 0, or -1 without memory. */
int files_add_input(struct files *files, struct diag *diag, const char *path, const char *text, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a file that an option writes; path is the option's value, or a name made from it. Returns 0, or -1 with
   DIAG_USAGE if the file is in the table. "-" is standard output, which may be an input, but not the output of
   two options. NULL as a path adds nothing. Copies path. */
int files_add_output(struct files *files, struct diag *diag, const char *option, const char *value,
                     const char *path);

/* Frees what the table holds and empties it. */
void files_free(struct files *files);

#endif

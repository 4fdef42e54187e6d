/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the store*.c files. */
#ifndef FECRUN_TOOL_JOURNAL_STORE_IMPL_H
#define FECRUN_TOOL_JOURNAL_STORE_IMPL_H

#include "tools/fecrun/journal/store.h"

/* DIR/NAME; NULL: out of memory. */
char *store_path(const char *dir, const char *name);
/* Opens a file of a journal to read it, or -1 and errno: ELOOP for a symbolic link, which could lead to a file
   elsewhere and have it quoted in messages; EINVAL for what is no regular file. */
int store_open_file(const char *path);
/* Takes the path over, which may be NULL: out of memory. */
int store_add_file(struct store *store, char *path, bool own, struct diag *diag);
/* Puts the point's ranges in order; two of the same frames that say something else are an error. */
int store_settle(struct store *store, struct store_point *point, struct diag *diag);
/* Rules of one more writer; true: it wants more than those before. */
bool store_loosen(struct store *store, const struct run_limits *more);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads that read a regular file at several places at once. */
#ifndef COMMON_FILES_READERS_H
#define COMMON_FILES_READERS_H

#include "plugins/common/files/file.h"

struct readers;

/* The process's pool of threads: as many as CPUs allow, fewer where the system has no more. Its first user starts
   them, the last one ends them. */
struct readers *readers_open(void);
void readers_close(struct readers *readers);

/*
 * Reads n bytes from byte `at` of the file to memory, and shows each part to check(data, ...), as
 * infile_read_checked() says. The calling thread reads, too. readers: NULL: it reads alone. *got is
 * less than n at the end of the file, after an error, or when cancelled. 0, or -1 and *err.
 */
int readers_read(struct readers *readers, const struct infile *file, uint8_t *to, size_t n,
                 infile_check *check, const void *data, size_t *got, struct fecrun_error *err);

#endif

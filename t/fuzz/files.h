/* SPDX-License-Identifier: BSD-2-Clause */
/* What the targets that read files of the program share: a directory of their own, and no warnings on stderr. */
#ifndef T_FUZZ_FILES_H
#define T_FUZZ_FILES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char files_dir[64];
static FILE *files_nothing, *files_stderr;

static void files_end(void)
{
    fclose(files_nothing);
    rmdir(files_dir);
}

static void files_begin(void)
{
    strcpy(files_dir, "/tmp/fecrun-fuzz.XXXXXX");
    files_nothing = fopen("/dev/null", "w");
    if (!mkdtemp(files_dir) || !files_nothing)
        abort();
    atexit(files_end);
}

/* A sanitizer writes to the descriptor, and is heard. */
static void files_quiet(void)
{
    files_stderr = stderr;
    stderr = files_nothing;
}

static void files_loud(void)
{
    stderr = files_stderr;
}

static char *files_path(char path[128], const char *name)
{
    snprintf(path, 128, "%s/%s", files_dir, name);
    return path;
}

static void files_put(const char *name, const void *data, size_t size)
{
    char path[128];
    const int fd = open(files_path(path, name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

static void files_remove(const char *name)
{
    char path[128];

    unlink(files_path(path, name));
}

#endif

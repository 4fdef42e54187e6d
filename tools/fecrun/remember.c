/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv */
#endif
#include "tools/fecrun/remember.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool remember_path(char *path, size_t size, const char *name)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int n = -1;

    if (cache && *cache == '/')
        n = snprintf(path, size, "%s/fecrun/%s", cache, name);
    else if (home && *home == '/')
        n = snprintf(path, size, "%s/.cache/fecrun/%s", home, name);
    return n >= 0 && (size_t)n < size;
}

/* Makes the folder of the path, and that of the folder, if they are not there. */
static void make_folders(char *path)
{
    char *file = strrchr(path, '/'), *folder;

    *file = 0;
    folder = strrchr(path, '/');
    *folder = 0;
    mkdir(path, 0700);
    *folder = '/';
    mkdir(path, 0700);
    *file = '/';
}

static FILE *open_checked(const char *path, int flags, const char *mode)
{
    const int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    struct stat st;
    FILE *file;

    if (fd < 0)
        return NULL;
    file = fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
                   (st.st_mode & (S_IWGRP | S_IWOTH)) || st.st_size > REMEMBER_MOST
               ? NULL
               : fdopen(fd, mode);
    if (!file)
        close(fd);
    return file;
}

FILE *remember_read(const char *name)
{
    char path[PATH_MAX];

    return remember_path(path, sizeof path, name) ? open_checked(path, O_RDONLY, "r") : NULL;
}

FILE *remember_add(const char *name)
{
    char path[PATH_MAX];
    struct stat old;

    if (!remember_path(path, sizeof path, name))
        return NULL;
    make_folders(path);
    if (!lstat(path, &old) && S_ISREG(old.st_mode) && old.st_size > REMEMBER_MOST / 2)
        unlink(path);
    return open_checked(path, O_WRONLY | O_CREAT | O_APPEND, "a");
}

void remember_fields(char *text, const struct stat *st)
{
    snprintf(text, REMEMBER_FIELDS, "%ju %ju %jd %jd.%09ld ", (uintmax_t)st->st_dev,
             (uintmax_t)st->st_ino, (intmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec,
             st->st_mtim.tv_nsec);
}

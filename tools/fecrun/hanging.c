/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv */
#endif
#include <stdio.h>

#include "tools/fecrun/hanging.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 24 * 3600, MOST_BYTES = 1 << 16, FIELDS = 256 };

/* The folder is made if it is not there. */
static bool path_of(char *path, size_t size, bool make)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int n = -1;

    if (cache && *cache == '/')
        n = snprintf(path, size, "%s/fecrun", cache);
    else if (home && *home == '/')
        n = snprintf(path, size, "%s/.cache/fecrun", home);
    if (n < 0 || (size_t)n + sizeof "/hanging" > size)
        return false;
    if (make) {
        *strrchr(path, '/') = 0;
        mkdir(path, 0700);
        path[strlen(path)] = '/';
        mkdir(path, 0700);
    }
    strcat(path, "/hanging");
    return true;
}

/* Writes the numbers that identify the file: device, inode, size and time. */
static void fields_of(char *text, const struct stat *st)
{
    snprintf(text, FIELDS, "%ju %ju %jd %jd.%09ld ", (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
             (intmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

/* Opens the memory if it is a regular file of this user that nobody else can write; else returns NULL. */
static FILE *open_memory(const char *path, int flags)
{
    const int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    struct stat st;
    FILE *file;

    if (fd < 0)
        return NULL;
    file = fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
                   (st.st_mode & (S_IWGRP | S_IWOTH)) || st.st_size > MOST_BYTES
               ? NULL
               : fdopen(fd, flags & O_APPEND ? "a" : "r");
    if (!file)
        close(fd);
    return file;
}

/* A line is: time, numbers of the file, tab, path, tab, reason. */
static bool recall(void *data, const char *file_path, const struct stat *st, char *reason,
                   size_t size)
{
    char path[PATH_MAX], line[PATH_MAX + 1024], fields[FIELDS];
    const size_t n = strlen(file_path);
    bool found = false;
    FILE *file;

    (void)data;
    if (!path_of(path, sizeof path, false) || !(file = open_memory(path, O_RDONLY)))
        return false;
    fields_of(fields, st);
    while (!found && fgets(line, sizeof line, file)) {
        char *rest, *end = strchr(line, '\n');
        const long long age = (long long)time(NULL) - strtoll(line, &rest, 10);

        if (!end || age < 0 || age > DAY || *rest++ != ' ' || strncmp(rest, fields, strlen(fields)))
            continue;
        rest += strlen(fields);
        *end = 0;
        found = *rest == '\t' && !strncmp(rest + 1, file_path, n) && rest[1 + n] == '\t';
        if (found)
            snprintf(reason, size, "%s; not tried again before it changes, or %s is removed",
                     rest + 2 + n, path);
    }
    fclose(file);
    return found;
}

static void keep(void *data, const char *file_path, const struct stat *st, const char *reason)
{
    char path[PATH_MAX], fields[FIELDS];
    struct stat old;
    FILE *file;

    (void)data;
    if (strchr(file_path, '\n') || strchr(file_path, '\t') || !path_of(path, sizeof path, true))
        return;
    if (!lstat(path, &old) && S_ISREG(old.st_mode) && old.st_size > MOST_BYTES / 2)
        unlink(path);
    if (!(file = open_memory(path, O_WRONLY | O_CREAT | O_APPEND)))
        return;
    fields_of(fields, st);
    fprintf(file, "%lld %s\t%s\t%s\n", (long long)time(NULL), fields, file_path, reason);
    fclose(file); /* what is not written is tried again */
}

const struct quarantine *hanging_quarantine(void)
{
    static struct quarantine_memory memory = {.recall = recall, .keep = keep};
    static const struct quarantine quarantine = {
        .data = &memory, .load = quarantine_load, .ask = quarantine_ask};

    return &quarantine;
}

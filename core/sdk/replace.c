/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* flock */
#endif
#include <fecrun/sdk/replace.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 1000, ROOM = 48 }; /* of a temporary's name behind the target's */

/* The directory of a path, with its last slash; free() it. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

/* ".DIGITS-DIGITS.tmp" */
static int is_mark(const char *text)
{
    if (*text++ != '.' || !isdigit((unsigned char)*text))
        return 0;
    text += strspn(text, "0123456789");
    if (*text++ != '-' || !isdigit((unsigned char)*text))
        return 0;
    text += strspn(text, "0123456789");
    return !strcmp(text, ".tmp");
}

/* Whoever writes a temporary has it locked: process numbers say nothing across containers. */
static void remove_orphan(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0)
        return;
    if (!flock(fd, LOCK_EX | LOCK_NB))
        unlinkat(dir, name, 0);
    close(fd);
}

/* What dead processes left of this target. Failures are of no consequence. */
static void remove_orphans(const char *target)
{
    const char *slash = strrchr(target, '/');
    const char *name = slash ? slash + 1 : target;
    char *path = directory_of(target);
    DIR *dir = path ? opendir(path) : NULL;
    struct dirent *entry;

    free(path);
    while (dir && (entry = readdir(dir)))
        if (!strncmp(entry->d_name, name, strlen(name)) && is_mark(entry->d_name + strlen(name)))
            remove_orphan(dirfd(dir), entry->d_name);
    if (dir)
        closedir(dir);
}

/* 1; 0: between open() and flock() another process has taken the file for an orphan; -1: an error. */
static int lock_new(int fd)
{
    struct stat st;

    if (flock(fd, LOCK_EX | LOCK_NB) && errno != ENOLCK && errno != EOPNOTSUPP && errno != ENOSYS)
        return errno == EWOULDBLOCK ? 0 : -1;
    return fstat(fd, &st) ? -1 : st.st_nlink > 0;
}

/* fd stays -1 where it fails. */
static void open_temporary(struct fecrun_replace *file, const struct stat *old)
{
    const size_t room = strlen(file->target) + ROOM;
    const mode_t mode = old ? old->st_mode & 0777 : 0666;

    file->temporary = malloc(room);
    if (!file->temporary)
        return;
    for (unsigned i = 0; i < TRIES; i++) {
        int locked;
        snprintf(file->temporary, room, "%s.%ld-%u.tmp", file->target, (long)getpid(), i);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file->fd < 0 && errno == EEXIST)
            continue;
        if (file->fd < 0)
            break;
        locked = lock_new(file->fd);
        if (locked < 0)
            fecrun_replace_drop(file);
        else if (locked && old && fchmod(file->fd, old->st_mode & 0777))
            errno = 0; /* open() honours the umask; a file system without modes may refuse */
        if (locked)
            return;
        close(file->fd);
        file->fd = -1;
    }
    free(file->temporary);
    file->temporary = NULL;
}

int fecrun_replace_open(struct fecrun_replace *file, const char *path)
{
    struct stat st;
    const int exists = stat(path, &st) == 0;

    *file = (struct fecrun_replace){.fd = -1};
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (!file->target)
        return -1;
    if (exists && !S_ISREG(st.st_mode)) {
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        remove_orphans(file->target);
        open_temporary(file, exists ? &st : NULL);
    }
    if (file->fd >= 0)
        return 0;
    fecrun_replace_drop(file);
    return -1;
}

/* Not all file systems can, nor all kinds of file: those have nothing to wait for. */
static int sync_fd(int fd)
{
    return fsync(fd) && errno != EINVAL && errno != ENOTSUP && errno != EROFS ? -1 : 0;
}

/* The directory's entry, too, must reach the disk; who may not read it cannot wait for that. */
static int sync_directory(const char *target)
{
    char *path = directory_of(target);
    int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int status = 0;

    if (!path)
        return -1;
    free(path);
    if (fd < 0)
        return errno == EACCES ? 0 : -1;
    if (sync_fd(fd))
        status = -1;
    close(fd);
    return status;
}

int fecrun_replace_commit(struct fecrun_replace *file, const char *suffix)
{
    char *name;
    int status;

    if (!file->temporary) {
        status = close(file->fd);
        file->fd = -1;
        return status;
    }
    if (sync_fd(file->fd) || !(name = malloc(strlen(file->target) + strlen(suffix) + 1)))
        return -1;
    sprintf(name, "%s%s", file->target, suffix);
    status = rename(file->temporary, name);
    free(name);
    if (status)
        return -1;
    free(file->temporary);
    file->temporary = NULL;
    return sync_directory(file->target);
}

void fecrun_replace_drop(struct fecrun_replace *file)
{
    const int reason = errno;

    if (file->temporary)
        unlink(file->temporary);
    if (file->target && file->fd >= 0)
        close(file->fd);
    free(file->temporary);
    free(file->target);
    *file = (struct fecrun_replace){.fd = -1};
    errno = reason;
}

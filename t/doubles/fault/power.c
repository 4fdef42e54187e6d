/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * To be preloaded: what a power cut would leave of the directory POWER_DIR (flat) at each moment. What
 * was not synced is gone: a file's content since its fsync() (it is empty then), a directory's names
 * since the directory's. After each call that changes either, two states are written:
 *
 *     POWER_LOG/0001.synced/     names as they were synced last
 *     POWER_LOG/0001.named/      names as they are: a system may write them when it likes
 *
 * POWER_IGNORE=file or dir: as if fsync() of files, or of the directory, were not called. Children,
 * which fork without exec, are left alone.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC visibility push(default) /* all of it is to be found first */

enum { MOST_FILES = 64, MOST_BYTES = 1 << 16 };

struct file {
    ino_t inode;
    ssize_t size; /* of what was synced */
    char data[MOST_BYTES];
};

struct name {
    char text[NAME_MAX + 1];
    ino_t inode;
};

static struct {
    const char *dir, *log, *ignore;
    struct stat dir_stat;
    pid_t pid;
    unsigned states;
    size_t n_files, n_names;
    struct file files[MOST_FILES];
    struct name names[MOST_FILES];
} power;

static void die(const char *what)
{
    fprintf(stderr, "power: %s\n", what);
    abort();
}

static ssize_t slurp(const char *path, char *data)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, data, MOST_BYTES);

    if (n < 0 || n == MOST_BYTES)
        die("cannot read a file, or it is too large");
    close(fd);
    return n;
}

static struct file *find(ino_t inode)
{
    for (size_t i = 0; i < power.n_files; i++)
        if (power.files[i].inode == inode)
            return &power.files[i];
    return NULL;
}

static void keep_content(const char *path, ino_t inode)
{
    struct file *file = find(inode);

    if (!file && power.n_files == MOST_FILES)
        die("too many files");
    if (!file)
        file = &power.files[power.n_files++];
    file->inode = inode;
    file->size = slurp(path, file->data);
}

/* The names that the directory has now; returns how many. */
static size_t read_names(struct name *names)
{
    DIR *dir = opendir(power.dir);
    struct dirent *entry;
    size_t n = 0;

    while (dir && (entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        if (n == MOST_FILES)
            die("too many names");
        strcpy(names[n].text, entry->d_name);
        names[n++].inode = entry->d_ino;
    }
    if (dir)
        closedir(dir);
    return n;
}

/* Where the inode has a name now, its content can be looked at; else it is what was synced. */
static int is_synced(const struct file *file, const struct name *now, size_t n)
{
    static char data[MOST_BYTES];
    char path[PATH_MAX];

    for (size_t i = 0; i < n; i++) {
        if (now[i].inode != file->inode)
            continue;
        snprintf(path, sizeof path, "%s/%s", power.dir, now[i].text);
        return slurp(path, data) == file->size && !memcmp(data, file->data, (size_t)file->size);
    }
    return 1;
}

static void write_state(const char *kind, const struct name *names, size_t n,
                        const struct name *now, size_t n_now)
{
    char path[PATH_MAX];
    int used = snprintf(path, sizeof path, "%s/%04u.%s", power.log, power.states, kind);

    if (mkdir(path, 0700))
        die("cannot make a directory");
    for (size_t i = 0; i < n; i++) {
        const struct file *file = find(names[i].inode);
        int fd;
        snprintf(path + used, sizeof path - (size_t)used, "/%s", names[i].text);
        fd = ((int (*)(const char *, int, ...))(uintptr_t)dlsym(RTLD_NEXT, "open"))(
            path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (fd < 0 || (file && is_synced(file, now, n_now) &&
                       write(fd, file->data, (size_t)file->size) != file->size))
            die("cannot write a state");
        close(fd);
    }
}

static void write_states(void)
{
    static struct name now[MOST_FILES];
    const size_t n = read_names(now);

    power.states++;
    write_state("synced", power.names, power.n_names, now, n);
    write_state("named", now, n, now, n);
}

static int is_watched(void)
{
    return power.dir && getpid() == power.pid;
}

__attribute__((constructor)) static void begin(void)
{
    const char *dir = getenv("POWER_DIR"), *log = getenv("POWER_LOG");
    char path[PATH_MAX];

    if (!dir || !log || stat(dir, &power.dir_stat))
        return;
    power.log = log;
    power.ignore = getenv("POWER_IGNORE") ? getenv("POWER_IGNORE") : "";
    power.pid = getpid();
    power.dir = dir;
    power.n_names = read_names(power.names);
    for (size_t i = 0; i < power.n_names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, power.names[i].text);
        keep_content(path, power.names[i].inode);
    }
}

__attribute__((destructor)) static void end(void)
{
    if (is_watched())
        write_states();
}

/* ---- What changes the disk ---- */

#define NEXT(type, name) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

static void synced(int fd)
{
    struct stat st;
    char path[64];

    if (fstat(fd, &st))
        return;
    if (st.st_ino == power.dir_stat.st_ino && st.st_dev == power.dir_stat.st_dev) {
        if (strcmp(power.ignore, "dir"))
            power.n_names = read_names(power.names);
    } else if (S_ISREG(st.st_mode) && strcmp(power.ignore, "file")) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        keep_content(path, st.st_ino);
    }
    write_states();
}

int fsync(int fd)
{
    const int status = NEXT(int (*)(int), "fsync")(fd);

    if (!status && is_watched())
        synced(fd);
    return status;
}

int fdatasync(int fd)
{
    const int status = NEXT(int (*)(int), "fdatasync")(fd);

    if (!status && is_watched())
        synced(fd);
    return status;
}

int rename(const char *from, const char *to)
{
    const int status = NEXT(int (*)(const char *, const char *), "rename")(from, to);

    if (is_watched())
        write_states();
    return status;
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    const int status = NEXT(int (*)(int, const char *, int, const char *, int),
                            "linkat")(from_dir, from, to_dir, to, flags);

    if (is_watched())
        write_states();
    return status;
}

int unlink(const char *path)
{
    const int status = NEXT(int (*)(const char *), "unlink")(path);

    if (is_watched())
        write_states();
    return status;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;
    int fd;

    va_start(args, flags);
    if (flags & (O_CREAT | O_TMPFILE))
        mode = va_arg(args, mode_t);
    va_end(args);
    fd = NEXT(int (*)(const char *, int, ...), "open")(path, flags, mode);
    if (fd >= 0 && flags & (O_CREAT | O_TRUNC) && is_watched())
        write_states();
    return fd;
}

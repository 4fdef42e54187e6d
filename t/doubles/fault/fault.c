/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * To be preloaded: the n-th call of a function fails, as if the system had no more of what it asks for.
 *
 *     FAULT=malloc:17     the 17th allocation of the process (malloc, calloc, realloc, aligned ones)
 *     FAULT=write:1+      every write from the first on
 *     FAULT=read:2        the second read (read, pread, fread, getc, getline, readdir)
 *     FAULT=open:0        none; the calls are counted
 *
 * Also mmap, lseek (with fseek), link, readlink, mkdir, dup2, flock, fsync, rename, thread, fork. FAULT=brk:1 maps a
 * page behind the heap, which then cannot grow: brk() itself has no wrapper that could fail.
 *
 * FAULT_COUNT names a file of 16 bytes that is mapped: how many calls there were, and whether one has
 * failed. Children, which fork without exec, are left alone unless FAULT_CHILDREN is set.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma GCC visibility push(default) /* all of it is to be found first */

/* glibc's own, so that looking them up needs no memory */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static struct {
    char name[32];
    uint64_t n;
    int on; /* every one from there on */
    pid_t pid;
    volatile uint64_t *count; /* [0] calls, [1] failed */
} fault;

static void block_heap(void)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t end = ((uintptr_t)sbrk(0) + page - 1) / page * page;

    fault.count[0] = 1;
    if (fault.n && mmap((void *)end, page, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (void *)end)
        fault.count[1] = 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *wish = getenv("FAULT"), *path = getenv("FAULT_COUNT");
    const char *colon = wish ? strchr(wish, ':') : NULL;
    void *map = MAP_FAILED;
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

    if (fd >= 0) {
        map = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    if (!colon || map == MAP_FAILED || (size_t)(colon - wish) >= sizeof fault.name)
        return;
    memcpy(fault.name, wish, (size_t)(colon - wish));
    fault.n = strtoull(colon + 1, NULL, 10);
    fault.on = strchr(colon, '+') != NULL;
    fault.pid = getenv("FAULT_CHILDREN") ? 0 : getpid();
    fault.count = map;
    if (!strcmp(fault.name, "brk"))
        block_heap();
}

/* Is it the turn of this call? */
static int hit(const char *name)
{
    uint64_t n;

    if (!fault.count || strcmp(name, fault.name) || (fault.pid && getpid() != fault.pid))
        return 0;
    n = __atomic_add_fetch(&fault.count[0], 1, __ATOMIC_RELAXED);
    if (!fault.n || !(n == fault.n || (fault.on && n > fault.n)))
        return 0;
    fault.count[1] = 1;
    return 1;
}

static int fail(int reason)
{
    errno = reason;
    return -1;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

/* ---- Memory ---- */

void *malloc(size_t size)
{
    return hit("malloc") ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return hit("malloc") ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return hit("malloc") ? no_memory() : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return hit("malloc") ? no_memory() : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    if (hit("malloc"))
        return ENOMEM;
    *made = __libc_memalign(alignment, size);
    return *made ? 0 : ENOMEM;
}

/* ---- Files: stdio's own calls do not come by here, so its functions do ---- */

#define NEXT(type, name) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

ssize_t write(int fd, const void *data, size_t size)
{
    if (hit("write"))
        return fail(ENOSPC);
    return NEXT(ssize_t(*)(int, const void *, size_t), "write")(fd, data, size);
}

/* As after a write of its own that failed; there is no function for it. */
static void fails(FILE *file)
{
    file->_flags |= 0x20; /* glibc's _IO_ERR_SEEN */
}

size_t fwrite(const void *data, size_t size, size_t n, FILE *file)
{
    if (fileno(file) >= 0 && hit("write")) { /* not into memory */
        fails(file);
        errno = ENOSPC;
        return 0;
    }
    return NEXT(size_t(*)(const void *, size_t, size_t, FILE *), "fwrite")(data, size, n, file);
}

int fflush(FILE *file)
{
    if (file && fileno(file) >= 0 && hit("write")) {
        fails(file);
        return fail(ENOSPC);
    }
    return NEXT(int (*)(FILE *), "fflush")(file);
}

/* What is asked there need not be known. */
static int is_proc(int fd)
{
    char link[64], path[16];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = NEXT(ssize_t(*)(const char *, char *, size_t), "readlink")(link, path, sizeof path);
    return n > 6 && !strncmp(path, "/proc/", 6);
}

ssize_t read(int fd, void *data, size_t size)
{
    if (!is_proc(fd) && hit("read"))
        return fail(EIO);
    return NEXT(ssize_t(*)(int, void *, size_t), "read")(fd, data, size);
}

ssize_t pread(int fd, void *data, size_t size, off_t at)
{
    if (hit("read"))
        return fail(EIO);
    return NEXT(ssize_t(*)(int, void *, size_t, off_t), "pread")(fd, data, size, at);
}

size_t fread(void *data, size_t size, size_t n, FILE *file)
{
    if (hit("read")) {
        fails(file);
        errno = EIO;
        return 0;
    }
    return NEXT(size_t(*)(void *, size_t, size_t, FILE *), "fread")(data, size, n, file);
}

int getc(FILE *file)
{
    if (hit("read")) {
        fails(file);
        return fail(EIO);
    }
    return NEXT(int (*)(FILE *), "getc")(file);
}

int fgetc(FILE *file)
{
    if (hit("read")) {
        fails(file);
        return fail(EIO);
    }
    return NEXT(int (*)(FILE *), "fgetc")(file);
}

ssize_t getline(char **text, size_t *size, FILE *file)
{
    if (hit("read")) {
        fails(file);
        return fail(EIO);
    }
    return NEXT(ssize_t(*)(char **, size_t *, FILE *), "getline")(text, size, file);
}

struct dirent *readdir(DIR *dir)
{
    if (hit("read")) {
        errno = EIO;
        return NULL;
    }
    return NEXT(struct dirent * (*)(DIR *), "readdir")(dir);
}

int fsync(int fd)
{
    return hit("fsync") ? fail(EIO) : NEXT(int (*)(int), "fsync")(fd);
}

int rename(const char *from, const char *to)
{
    if (hit("rename"))
        return fail(EIO);
    return NEXT(int (*)(const char *, const char *), "rename")(from, to);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    if (hit("rename"))
        return fail(EIO);
    return NEXT(int (*)(int, const char *, int, const char *, int), "linkat")(from_dir, from,
                                                                              to_dir, to, flags);
}

static mode_t mode_of(int flags, va_list args)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = mode_of(flags, args);
    va_end(args);
    if (strncmp(path, "/proc/", 6) && hit("open"))
        return fail(EMFILE);
    return NEXT(int (*)(const char *, int, ...), "open")(path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = mode_of(flags, args);
    va_end(args);
    if (hit("open"))
        return fail(EMFILE);
    return NEXT(int (*)(int, const char *, int, ...), "openat")(dir, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    if (strncmp(path, "/proc/", 6) && hit("open")) {
        errno = EMFILE;
        return NULL;
    }
    return NEXT(FILE * (*)(const char *, const char *), "fopen")(path, mode);
}

int link(const char *from, const char *to)
{
    if (hit("link"))
        return fail(EIO);
    return NEXT(int (*)(const char *, const char *), "link")(from, to);
}

ssize_t readlink(const char *path, char *text, size_t size)
{
    if (hit("readlink"))
        return fail(ENOMEM);
    return NEXT(ssize_t(*)(const char *, char *, size_t), "readlink")(path, text, size);
}

int mkdir(const char *path, mode_t mode)
{
    return hit("mkdir") ? fail(ENOSPC) : NEXT(int (*)(const char *, mode_t), "mkdir")(path, mode);
}

off_t lseek(int fd, off_t at, int from)
{
    return hit("lseek") ? fail(EIO) : NEXT(off_t(*)(int, off_t, int), "lseek")(fd, at, from);
}

int fseek(FILE *file, long at, int from)
{
    return hit("lseek") ? fail(EIO) : NEXT(int (*)(FILE *, long, int), "fseek")(file, at, from);
}

int fseeko(FILE *file, off_t at, int from)
{
    return hit("lseek") ? fail(EIO) : NEXT(int (*)(FILE *, off_t, int), "fseeko")(file, at, from);
}

int dup2(int from, int to)
{
    return hit("dup2") ? fail(EMFILE) : NEXT(int (*)(int, int), "dup2")(from, to);
}

int flock(int fd, int how)
{
    return hit("flock") ? fail(EIO) : NEXT(int (*)(int, int), "flock")(fd, how);
}

/* The dynamic loader has an mmap() of its own: t/tools/faults.t limits the address space. */
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (hit("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return NEXT(void *(*)(void *, size_t, int, int, int, off_t), "mmap")(at, size, protection,
                                                                         flags, fd, offset);
}

/* ---- Processes ---- */

int pthread_create(pthread_t *made, const pthread_attr_t *attr, void *(*start)(void *), void *data)
{
    if (hit("thread"))
        return EAGAIN;
    return NEXT(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *),
                "pthread_create")(made, attr, start, data);
}

pid_t fork(void)
{
    return hit("fork") ? fail(EAGAIN) : NEXT(pid_t(*)(void), "fork")();
}

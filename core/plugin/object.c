/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dlinfo */
#endif
#include "core/plugin/object.h"

#include "core/base/diag.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
    const char *path;
    int fd;
    char name[128]; /* of the open file; "": it is loaded by its path */
    bool searches;  /* it has a search path of its own, which may begin where it lies */
    char *reason;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool bad(struct object *object, const char *format,
                                                      ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(object->reason, object->size, format, args);
    va_end(args);
    return false;
}

#if defined __x86_64__
#define OUR_MACHINE EM_X86_64
#elif defined __aarch64__
#define OUR_MACHINE EM_AARCH64
#else
#define OUR_MACHINE EM_NONE /* then dlopen() has to find the words */
#endif

static const char *machine_name(unsigned machine)
{
    return machine == EM_X86_64    ? "x86-64"
           : machine == EM_AARCH64 ? "64-bit ARM"
           : machine == EM_386     ? "32-bit x86"
           : machine == EM_ARM     ? "32-bit ARM"
           : machine == EM_RISCV   ? "RISC-V"
           : machine == EM_PPC64   ? "64-bit POWER"
                                   : "another machine";
}

/* The ABI's numbers are at the same place for all of them. */
static bool check_machine(struct object *object, const ElfW(Ehdr) * elf)
{
    const unsigned machine = elf->e_machine;

    if (OUR_MACHINE == EM_NONE || machine == OUR_MACHINE)
        return true;
    return bad(object, "is for %s (ELF machine %u), this program for %s", machine_name(machine),
               machine, machine_name(OUR_MACHINE));
}

/* 1: read; 0: the file ends before; -1: it cannot be read, which is told. */
static int read_at(struct object *object, uint64_t offset, void *data, size_t bytes)
{
    const ssize_t n = pread(object->fd, data, bytes, (off_t)offset);

    if (n < 0)
        bad(object, "cannot be read: %s", strerror(errno)); /* what was not read is not wrong */
    return n < 0 ? -1 : (size_t)n == bytes;
}

/* Reads the dynamic section. False: it cannot be read, which is told. */
static bool look_for_search_path(struct object *object, const ElfW(Phdr) * segment)
{
    ElfW(Dyn) all[64];

    for (uint64_t at = 0; at < segment->p_filesz; at += sizeof all) {
        const uint64_t left = segment->p_filesz - at;
        const size_t bytes = left < sizeof all ? left : sizeof all;

        memset(all, 0, sizeof all);
        if (read_at(object, segment->p_offset + at, all, bytes) < 0)
            return false;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            object->searches |= all[i].d_tag == DT_RPATH || all[i].d_tag == DT_RUNPATH;
    }
    return true;
}

static bool check_segment(struct object *object, const ElfW(Phdr) * segment, unsigned i,
                          uint64_t size)
{
    if (segment->p_type == PT_LOAD &&
        (segment->p_filesz > size || segment->p_offset > size - segment->p_filesz))
        return bad(object, "truncated: it ends at byte %ju, inside segment %u", (uintmax_t)size, i);
    return segment->p_type != PT_DYNAMIC || look_for_search_path(object, segment);
}

/*
 * dlopen() maps the segments that the file announces; where the file ends before they do, it dies
 * of SIGBUS. Files that are no ELF objects are left to dlopen(), which says so.
 */
static bool check_content(struct object *object, uint64_t size)
{
    ElfW(Ehdr) elf;
    ElfW(Phdr) segment;
    int got = read_at(object, 0, &elf, sizeof elf);

    if (got <= 0 || memcmp(elf.e_ident, ELFMAG, SELFMAG))
        return got >= 0;
    if (!check_machine(object, &elf))
        return false;
    for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof segment; i++) {
        got = read_at(object, elf.e_phoff + i * sizeof segment, &segment, sizeof segment);
        if (got == 0)
            return bad(object, "truncated: it ends inside its header");
        if (got < 0 || !check_segment(object, &segment, i, size))
            return false;
    }
    return true;
}

static bool check_file(struct object *object, int fd)
{
    bool good = true;
    struct stat st;

    /* opening a pipe would wait for ever */
    object->fd = fd >= 0 ? fd : open(object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (object->fd < 0)
        return diag_of_open(errno) != DIAG_RUN || /* else dlopen() says why */
               bad(object, "cannot be read: %s", strerror(errno));
    if (!fstat(object->fd, &st))
        good = S_ISREG(st.st_mode) ? check_content(object, (uint64_t)st.st_size)
                                   : bad(object, "is no regular file");
    if (fd < 0)
        close(object->fd);
    return good;
}

/* Debuggers, dladdr() and messages of sanitizers know the object by this name. The loader never frees it,
   since objects stay loaded. */
static void rename_object(void *handle, const char *path)
{
    struct link_map *map = NULL;
    char *name = strdup(path);

    if (name && !dlinfo(handle, RTLD_DI_LINKMAP, &map) && map)
        map->l_name = name;
    else
        free(name);
}

/* May code of this file system be executed? Only where that is certain it may not. */
static bool is_noexec(const char *name)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = fd < 0 ? NULL : mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    const bool never = page == MAP_FAILED && errno == EPERM;

    if (page && page != MAP_FAILED)
        munmap(page, bytes);
    if (fd >= 0)
        close(fd);
    return never;
}

/* That a file could not be loaded for this reason says nothing of the file. dlerror() has no numbers,
   errno is malloc()'s alone: the text says "memory", or "map" where mmap() or mprotect() was refused. A lack
   of static TLS is another matter. */
static bool lacks_memory(int number, const char *why)
{
    if (number == ENOMEM)
        return true;
    return (strstr(why, "memory") || strstr(why, "failed to map") || strstr(why, "cannot map")) &&
           !strstr(why, "TLS");
}

static int fail_to_load(struct object *object, const char *name)
{
    const int number = errno;
    const char *why = dlerror();
    const size_t n = strlen(name);

    if (why && !strncmp(why, name, n) && !strncmp(why + n, ": ", 2))
        why += n + 2;
    bad(object, "%s", why ? why : "dlopen failed");
    if (is_noexec(name))
        return bad(object, "cannot be executed: its file system is mounted with noexec"), 1;
    if (lacks_memory(number, object->reason))
        object->reason[0] = 0;
    return !object->reason[0] || diag_says_refused(object->reason) ? -1 : 1;
}

static bool is_still_there(const char *path, int fd)
{
    struct stat here, open;

    return !stat(path, &here) && !fstat(fd, &open) && here.st_dev == open.st_dev &&
           here.st_ino == open.st_ino;
}

/*
 * /proc/PID/fd/N, each time by another of its names: dlopen() takes a name for the object that it has loaded by
 * it, while N is given to the next file. A number's bits are "/." and "/".
 */
static void name_open_file(int fd, char *name, size_t size)
{
    static atomic_uint number;
    const unsigned bits = atomic_fetch_add(&number, 1);
    size_t n = (size_t)snprintf(name, size, "/proc/%ld/fd", (long)getpid());

    for (unsigned b = 0; b < 32; b++)
        n += (size_t)snprintf(name + n, size - n, "%s", bits >> b & 1 ? "/." : "/");
    snprintf(name + n, size - n, "/%d", fd);
    if (access(name, R_OK)) /* no /proc */
        name[0] = 0;
}

int object_load(const char *path, int fd, void **handle, char *reason, size_t size)
{
    struct object object = {.path = path, .reason = reason, .size = size};
    const char *name = path;

    *handle = NULL;
    if (fd >= 0)
        name_open_file(fd, object.name, sizeof object.name);
    if (!check_file(&object, fd))
        return diag_says_refused(reason) ? -1 : 1;
    if (object.name[0] && !object.searches)
        name = object.name;
    else if (fd >= 0 && !is_still_there(path, fd))
        return bad(&object, "was replaced while it was tried"), 1;
    errno = 0;
    *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        return fail_to_load(&object, name);
    if (name != path)
        rename_object(*handle, path);
    return 0;
}

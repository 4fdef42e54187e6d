/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dlinfo */
#endif
#include "core/plugin/object.h"

#include "core/base/diag.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
    const char *path;
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

static bool read_at(FILE *file, uint64_t offset, void *data, size_t bytes)
{
    return !fseek(file, (long)offset, SEEK_SET) && fread(data, bytes, 1, file) == 1;
}

/* Of its dynamic section. */
static void look_for_search_path(struct object *object, FILE *file, const ElfW(Phdr) * segment)
{
    ElfW(Dyn) entry;

    if (fseek(file, (long)segment->p_offset, SEEK_SET))
        return;
    while (fread(&entry, sizeof entry, 1, file) == 1 && entry.d_tag != DT_NULL)
        object->searches |= entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH;
}

/*
 * dlopen() maps the segments that the file announces; where the file ends before they do, it dies
 * of SIGBUS. Files that are no ELF objects are left to dlopen(), which says so.
 */
static bool check_content(struct object *object, FILE *file)
{
    ElfW(Ehdr) elf;
    ElfW(Phdr) segment;
    long size;

    if (fread(&elf, sizeof elf, 1, file) != 1 || memcmp(elf.e_ident, ELFMAG, SELFMAG))
        return true;
    if (!check_machine(object, &elf))
        return false;
    if (elf.e_phentsize != sizeof segment || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
        return true;
    for (unsigned i = 0; i < elf.e_phnum; i++) {
        if (!read_at(file, elf.e_phoff + i * sizeof segment, &segment, sizeof segment))
            return bad(object, "truncated: it ends inside its header");
        if (segment.p_type == PT_LOAD && (segment.p_filesz > (uint64_t)size ||
                                          segment.p_offset > (uint64_t)size - segment.p_filesz))
            return bad(object, "truncated: it ends at byte %ld, inside segment %u", size, i);
        if (segment.p_type == PT_DYNAMIC)
            look_for_search_path(object, file, &segment);
    }
    return true;
}

static bool check_file(struct object *object)
{
    const char *name = object->name[0] ? object->name : object->path;
    struct stat st;
    FILE *file;
    bool good;

    if (stat(name, &st) == 0 && !S_ISREG(st.st_mode))
        return bad(object, "is no regular file"); /* opening a pipe would wait for ever */
    file = fopen(name, "rbe");
    if (!file && diag_of_open(errno) == DIAG_RUN)
        return bad(object, "cannot be read: %s", strerror(errno));
    if (!file) /* dlopen() says why */
        return true;
    errno = 0;
    good = check_content(object, file);
    if (ferror(file)) /* what was not read is not wrong */
        good = bad(object, "cannot be read: %s", strerror(errno ? errno : EIO));
    fclose(file);
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

/* That a file could not be loaded for this reason says nothing of the file. dlerror() has no numbers,
   and errno need not be that of the failure: the text says "memory" where it is not. A lack of static
   TLS is another matter. */
static bool lacks_memory(int number, const char *why)
{
    return number == ENOMEM || (strstr(why, "memory") && !strstr(why, "TLS"));
}

static int fail_to_load(struct object *object, const char *name)
{
    const int number = errno;
    const char *why = dlerror();
    const size_t n = strlen(name);

    if (why && !strncmp(why, name, n) && !strncmp(why + n, ": ", 2))
        why += n + 2;
    bad(object, "%s", why ? why : "dlopen failed");
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
    if (!check_file(&object))
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

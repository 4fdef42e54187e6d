/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/quarantine/same.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False: the file ends before, or cannot be read: then errno is not 0. */
static bool read_at(int fd, uint64_t offset, void *data, size_t bytes)
{
    errno = 0;
    return pread(fd, data, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Reads the dynamic section. */
static bool section_searches(int fd, const ElfW(Phdr) * segment)
{
    ElfW(Dyn) entry;

    for (uint64_t at = 0; at < segment->p_filesz; at += sizeof entry) {
        if (!read_at(fd, segment->p_offset + at, &entry, sizeof entry))
            return false;
        if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH)
            return true;
    }
    return false;
}

/* Has the file a search path of its own, which may begin where it lies? errno, if it cannot be read. Whether it is whole
   is the loader's question. */
static bool searches(int fd)
{
    ElfW(Ehdr) elf;
    ElfW(Phdr) segment;

    if (!read_at(fd, 0, &elf, sizeof elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG))
        return false;
    for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof segment; i++) {
        if (!read_at(fd, elf.e_phoff + i * sizeof segment, &segment, sizeof segment))
            return false;
        if (segment.p_type == PT_DYNAMIC && (section_searches(fd, &segment) || errno))
            return !errno;
    }
    return false;
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

    snprintf(name, size, "/proc/%ld/fd", (long)getpid());
    for (unsigned b = 0; b < 32; b++)
        text_add(name, size, bits >> b & 1 ? "/." : "/");
    text_add(name, size, "/%d", fd);
    if (access(name, R_OK)) /* no /proc */
        name[0] = 0;
}

int same_load(struct loaded *file, int fd, struct diag *diag)
{
    char name[128] = "";
    bool by_path;

    errno = 0;
    by_path = searches(fd);
    if (errno) /* what was not read is not wrong */
        return diag_fail(diag, DIAG_RUN, "%s: cannot be read: %s", file->path, strerror(errno));
    if (!by_path)
        name_open_file(fd, name, sizeof name);
    if (!name[0] && !is_still_there(file->path, fd)) {
        snprintf(file->reason, sizeof file->reason, "was replaced while it was tried");
        return 0;
    }
    return loader_open(file, name[0] ? name : NULL, diag);
}

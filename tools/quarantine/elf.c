/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/quarantine/elf.h"

#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct opening {
    struct loaded *out;
    int fd;
    bool searches;
};

__attribute__((format(printf, 2, 3))) static bool bad(struct loaded *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(out->reason, sizeof out->reason, format, args);
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
static bool check_machine(struct opening *o, const ElfW(Ehdr) * elf)
{
    const unsigned machine = elf->e_machine;

    if (OUR_MACHINE == EM_NONE || machine == OUR_MACHINE)
        return true;
    return bad(o->out, "is for %s (ELF machine %u), this program for %s", machine_name(machine),
               machine, machine_name(OUR_MACHINE));
}

/* 1: read; 0: the file ends before; -1: it cannot be read, which is told. */
static int read_at(struct opening *o, uint64_t offset, void *data, size_t bytes)
{
    const ssize_t n = pread(o->fd, data, bytes, (off_t)offset);

    if (n < 0)
        bad(o->out, "cannot be read: %s", strerror(errno)); /* what was not read is not wrong */
    return n < 0 ? -1 : (size_t)n == bytes;
}

/* Reads the dynamic section. False: it cannot be read, which is told. */
static bool look_for_search_path(struct opening *o, const ElfW(Phdr) * segment)
{
    ElfW(Dyn) all[64];

    for (uint64_t at = 0; at < segment->p_filesz; at += sizeof all) {
        const uint64_t left = segment->p_filesz - at;
        const size_t bytes = left < sizeof all ? left : sizeof all;

        memset(all, 0, sizeof all);
        if (read_at(o, segment->p_offset + at, all, bytes) < 0)
            return false;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            o->searches |= all[i].d_tag == DT_RPATH || all[i].d_tag == DT_RUNPATH;
    }
    return true;
}

static bool check_segment(struct opening *o, const ElfW(Phdr) * segment, unsigned i, uint64_t size)
{
    if (segment->p_type == PT_LOAD &&
        (segment->p_filesz > size || segment->p_offset > size - segment->p_filesz))
        return bad(o->out, "truncated: it ends at byte %ju, inside segment %u", (uintmax_t)size, i);
    return segment->p_type != PT_DYNAMIC || look_for_search_path(o, segment);
}

/*
 * dlopen() maps the segments that the file announces; where the file ends before they do, it dies
 * of SIGBUS. Files that are no ELF objects are left to dlopen(), which says so.
 */
static bool check_content(struct opening *o, uint64_t size)
{
    ElfW(Ehdr) elf;
    ElfW(Phdr) segment;
    int got = read_at(o, 0, &elf, sizeof elf);

    if (got <= 0 || memcmp(elf.e_ident, ELFMAG, SELFMAG))
        return got >= 0;
    if (!check_machine(o, &elf))
        return false;
    for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof segment; i++) {
        got = read_at(o, elf.e_phoff + i * sizeof segment, &segment, sizeof segment);
        if (got == 0)
            return bad(o->out, "truncated: it ends inside its header");
        if (got < 0 || !check_segment(o, &segment, i, size))
            return false;
    }
    return true;
}

bool elf_check(struct loaded *file, int fd, bool *searches)
{
    struct opening o = {.out = file, .fd = fd};
    struct stat st;
    const bool good = fstat(fd, &st) || check_content(&o, (uint64_t)st.st_size);

    *searches = o.searches;
    return good;
}

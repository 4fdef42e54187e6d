/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/quarantine/same.h"

#include "tools/quarantine/elf.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

    if (!elf_check(file, fd, &by_path)) /* what was not read is not wrong */
        return diag_says_refused(file->reason)
                   ? diag_fail(diag, DIAG_RUN, "%s: %s", file->path, file->reason)
                   : 0;
    if (!by_path)
        name_open_file(fd, name, sizeof name);
    if (!name[0] && !is_still_there(file->path, fd)) {
        snprintf(file->reason, sizeof file->reason, "was replaced while it was tried");
        return 0;
    }
    return loader_open(file, name[0] ? name : NULL, diag);
}

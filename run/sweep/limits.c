/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/limits.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t of_rlimit(int resource)
{
    struct rlimit limit;

    return getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX
                                                                          : limit.rlim_cur;
}

/* "max" is none, as is a file that is not there. */
static uint64_t of_file(const char *path)
{
    unsigned long long bytes;
    FILE *file = fopen(path, "re");
    int n = file ? fscanf(file, "%llu", &bytes) : 0;

    if (file)
        fclose(file);
    return n == 1 ? bytes : UINT64_MAX;
}

/* A group and all that it is in. In a container the path may be one of outside; the last file, that of
   the mount itself, is there always. */
static uint64_t of_group(const char *mount, char *group, const char *name)
{
    char path[PATH_MAX];
    uint64_t bytes = UINT64_MAX;
    char *slash;

    for (;;) {
        if (snprintf(path, sizeof path, "%s%s/%s", mount, group, name) < (int)sizeof path)
            bytes = least(bytes, of_file(path));
        if (!(slash = strrchr(group, '/')))
            return bytes;
        *slash = 0;
    }
}

/* "0::/path" of v2, "4:cpu,memory:/path" of v1 */
static uint64_t of_line(char *line, const char *mount)
{
    char *controllers = strchr(line, ':'), *group, memory[PATH_MAX];

    line[strcspn(line, "\n")] = 0;
    if (!controllers || !(group = strchr(++controllers, ':')))
        return UINT64_MAX;
    *group++ = 0;
    if (!*controllers)
        return of_group(mount, group, "memory.max");
    if (!strstr(controllers, "memory") ||
        snprintf(memory, sizeof memory, "%s/memory", mount) >= (int)sizeof memory)
        return UINT64_MAX;
    return of_group(memory, group, "memory.limit_in_bytes");
}

uint64_t limits_of_groups(const char *groups, const char *mount)
{
    char line[PATH_MAX];
    uint64_t bytes = UINT64_MAX;
    FILE *file = fopen(groups, "re");

    while (file && fgets(line, sizeof line, file))
        bytes = least(bytes, of_line(line, mount));
    if (file)
        fclose(file);
    return bytes;
}

uint64_t limits_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    const uint64_t all = pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : UINT64_MAX;

    const uint64_t groups = limits_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");

    return least(least(all, groups), least(of_rlimit(RLIMIT_AS), of_rlimit(RLIMIT_DATA)));
}

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "tools/fecrun/numa.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *numa_tree(void)
{
    const char *named = getenv("FECRUN_SYSFS");

    return named ? named : "/sys";
}

/* "0-15,32-47\n", of numbers below CPU_SETSIZE; an empty line is an empty set. */
static bool parse_list(const char *text, cpu_set_t *set)
{
    CPU_ZERO(set);
    while (*text >= '0' && *text <= '9') {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;

        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= CPU_SETSIZE)
            return false;
        for (; first <= last; first++)
            CPU_SET(first, set);
        text = end + (*end == ',');
    }
    return !*text || *text == '\n';
}

/* The first line of a file below sysfs. */
static bool read_line(const char *sysfs, const char *name, char *line, int size)
{
    char path[PATH_MAX];
    FILE *file;
    bool good;

    if (!sysfs || snprintf(path, sizeof path, "%s/%s", sysfs, name) >= (int)sizeof path)
        return false;
    file = fopen(path, "re");
    if (!file)
        return false;
    good = fgets(line, size, file) != NULL;
    fclose(file);
    return good;
}

static bool read_list(const char *sysfs, const char *name, cpu_set_t *set)
{
    char line[4096]; /* sysfs gives no more than a page */

    return read_line(sysfs, name, line, sizeof line) && parse_list(line, set);
}

int numa_of(const char *sysfs, const char *address)
{
    char name[64], line[32], *end;
    cpu_set_t nodes;
    long node;

    /* a plugin's word, which becomes part of a path */
    if (!*address || address[strspn(address, "0123456789abcdef:.")] ||
        snprintf(name, sizeof name, "bus/pci/devices/%s/numa_node", address) >= (int)sizeof name)
        return -1;
    if (!read_list(sysfs, "devices/system/node/has_cpu", &nodes) || CPU_COUNT(&nodes) < 2 ||
        !read_line(sysfs, name, line, sizeof line))
        return -1;
    node = strtol(line, &end, 10);
    return end == line || node < 0 || node > INT_MAX ? -1 : (int)node;
}

bool numa_bind(const char *sysfs, int node)
{
    cpu_set_t near_by, own;
    char name[64];

    snprintf(name, sizeof name, "devices/system/node/node%d/cpulist", node);
    if (!read_list(sysfs, name, &near_by) || sched_getaffinity(0, sizeof own, &own))
        return false;
    CPU_AND(&own, &own, &near_by);
    return CPU_COUNT(&own) && !sched_setaffinity(0, sizeof own, &own);
}

void numa_bind_share(void *data, const char *address, struct run_share *share)
{
    const int node = numa_of(numa_tree(), address);

    (void)data;
    share->placed = node >= 0;
    share->node = node >= 0 ? node : 0;
    share->bound = node >= 0 && numa_bind(numa_tree(), node);
}

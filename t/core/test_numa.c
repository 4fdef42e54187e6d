/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes as a made-up /sys tells of them: where a device is, and threads that are bound. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "t/lib/tap.h"

#include "tools/fecrun/numa.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODES "s/devices/system/node/"
#define DEVICES "s/bus/pci/devices/"

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file))
        bail("cannot write %s", path);
}

static void make_tree(void)
{
    static const char *const dirs[] = {"s",
                                       "s/bus",
                                       "s/bus/pci",
                                       "s/bus/pci/devices",
                                       DEVICES "0000:3b:00.0",
                                       DEVICES "10000:e1:00.0",
                                       "s/devices",
                                       "s/devices/system",
                                       "s/devices/system/node",
                                       NODES "node0",
                                       NODES "node1",
                                       NULL};

    for (size_t i = 0; dirs[i]; i++)
        if (mkdir(dirs[i], 0700))
            bail("cannot make %s", dirs[i]);
}

/* ---- Where a device is ---- */

static void test_of(void)
{
    is_int(numa_of("s", "0000:3b:00.0"), -1, "nothing is told");
    put(DEVICES "0000:3b:00.0/numa_node", "1\n");
    put(DEVICES "10000:e1:00.0/numa_node", "0\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "of nodes, nothing");
    put(NODES "has_cpu", "0\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "there is one node with CPUs");
    put(NODES "has_cpu", "0-1\n");
    is_int(numa_of("s", "0000:3b:00.0"), 1, "there are two");
    is_int(numa_of("s", "10000:e1:00.0"), 0, "a longer address, the other node");
    put(NODES "has_cpu", "0,2-3\n");
    is_int(numa_of("s", "0000:3b:00.0"), 1, "a list");
    put(NODES "has_cpu", "0,\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "one, and nothing behind it");
    put(NODES "has_cpu", "0-100000\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "more than there can be");
    put(NODES "has_cpu", "3-2\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "no range");
    put(NODES "has_cpu", "");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "an empty file");
    put(NODES "has_cpu", "0-1\n");
    is_int(numa_of("s", "0000:3c:00.0"), -1, "an unknown device");
    is_int(numa_of("s", ""), -1, "one that does not say");
    is_int(numa_of("s", "../x/0000:3b:00.0"), -1, "what is no address");
    is_int(numa_of("", "0000:3b:00.0"), -1, "no tree");
    is_int(numa_of(NULL, "0000:3b:00.0"), -1, "none at all");
    put(DEVICES "0000:3b:00.0/numa_node", "-1\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "the system does not know");
    put(DEVICES "0000:3b:00.0/numa_node", "none\n");
    is_int(numa_of("s", "0000:3b:00.0"), -1, "no number");
}

/* ---- Threads ---- */

struct bound {
    int node;
    bool done;
    cpu_set_t own, childs;
};

static void *child(void *data)
{
    struct bound *bound = data;

    sched_getaffinity(0, sizeof bound->childs, &bound->childs);
    return NULL;
}

static void *thread(void *data)
{
    struct bound *bound = data;
    pthread_t id;

    bound->done = numa_bind("s", bound->node);
    sched_getaffinity(0, sizeof bound->own, &bound->own);
    if (!pthread_create(&id, NULL, child, bound))
        pthread_join(id, NULL);
    return NULL;
}

static struct bound bind_to(int node)
{
    struct bound bound = {.node = node};
    pthread_t id;

    if (pthread_create(&id, NULL, thread, &bound))
        bail("no thread");
    pthread_join(id, NULL);
    return bound;
}

static void test_bind(void)
{
    cpu_set_t all, now, one;
    struct bound bound;
    char text[64];
    int last = CPU_SETSIZE - 1;

    if (sched_getaffinity(0, sizeof all, &all))
        bail("this process has no CPUs");
    while (!CPU_ISSET(last, &all))
        last--;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ok(!bind_to(0).done, "a node without a list");
    snprintf(text, sizeof text, "%d,1000-1023\n", last);
    put(NODES "node0/cpulist", text);
    bound = bind_to(0);
    ok(bound.done && CPU_EQUAL(&bound.own, &one), "those of its CPUs that may be used: %s", text);
    ok(CPU_EQUAL(&bound.childs, &one), "threads that it starts, too");
    ok(!sched_getaffinity(0, sizeof now, &now) && CPU_EQUAL(&now, &all), "others are left alone");
    put(NODES "node1/cpulist", "1022-1023\n");
    bound = bind_to(1);
    if (CPU_ISSET(1022, &all) || CPU_ISSET(1023, &all))
        ok(bound.done, "this machine has very many");
    else
        ok(!bound.done && CPU_EQUAL(&bound.own, &all), "none of them: it stays as it was");
    put(NODES "node1/cpulist", "\n");
    bound = bind_to(1);
    ok(!bound.done && CPU_EQUAL(&bound.own, &all), "a node of memory alone");
    put(NODES "node1/cpulist", "0-x\n");
    ok(!bind_to(1).done, "what is no list");
    ok(!bind_to(7).done, "no such node");
    ok(!numa_bind(NULL, 0), "no tree");
}

int main(void)
{
    char dir[] = "/tmp/fecrun-t.XXXXXX", command[64];

    if (!mkdtemp(dir) || chdir(dir))
        bail("no directory");
    make_tree();
    test_of();
    test_bind();
    snprintf(command, sizeof command, "cd / && rm -r %s", dir);
    if (system(command))
        bail("cannot remove %s", dir);
    return done_testing();
}

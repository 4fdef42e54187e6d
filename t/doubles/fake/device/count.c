/* SPDX-License-Identifier: BSD-2-Clause */
/* What is to fail, and what there is: t/doubles/fake/device.c names the variables. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "t/doubles/fake/device/device.h"

#include <pthread.h>
#include <sched.h>

/* Counted by name, up to one of the end. */
static const char *const kinds[] = {"alloc", "stream", "copy",   "fill", "run", "create",
                                    "probe", "memory", "absorb", "sync", NULL};
enum { SYNC = 9 };
static unsigned long asked[sizeof kinds / sizeof *kinds];
static bool dead;

/* FAKE_DEAD=DEVICE:N: the N-th wait for that device, and all after it, fail. */
bool fake_is_dead(int device)
{
    static unsigned long waits;
    const char *wish = getenv("FAKE_DEAD");
    char *end;

    if (!wish || strtol(wish, &end, 10) != device || *end != ':')
        return false;
    return __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED) + 1 >= strtoul(end + 1, NULL, 10);
}

bool fake_told_to_fail(const char *what)
{
    const char *wish = getenv("FAKE_FAIL");
    size_t n = strlen(what), k = 0;
    unsigned long count;

    while (kinds[k] && strcmp(kinds[k], what))
        k++;
    count = __atomic_fetch_add(&asked[k], 1, __ATOMIC_RELAXED);
    if (!wish)
        return false;
    if (!strncmp(wish, "sticky:", 7) && !strcmp(what, "sync") &&
        count >= strtoul(wish + 7, NULL, 10))
        __atomic_store_n(&dead, true, __ATOMIC_RELAXED);
    if (__atomic_load_n(&dead, __ATOMIC_RELAXED))
        return true;
    return !strncmp(wish, what, n) &&
           (!wish[n] || (wish[n] == ':' && strtoul(wish + n + 1, NULL, 10) == count));
}

/* ---- Counts ---- */

long fake_live;

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t live_bytes, peak_bytes;
static unsigned long allocs, streams, busy, most_busy;

void fake_count_live(int step)
{
    __atomic_fetch_add(&fake_live, step, __ATOMIC_RELAXED);
}

void fake_count_alloc(void)
{
    __atomic_fetch_add(&allocs, 1, __ATOMIC_RELAXED);
}

void fake_count_stream(void)
{
    __atomic_fetch_add(&streams, 1, __ATOMIC_RELAXED);
}

void fake_note_cpus(int device)
{
    const char *path = getenv("FAKE_CPUS");
    char line[1024];
    cpu_set_t set;
    size_t n;
    FILE *file;

    if (!path || sched_getaffinity(0, sizeof set, &set) || !(file = fopen(path, "a")))
        return;
    n = (size_t)snprintf(line, sizeof line, "%d:", device);
    for (int c = 0; c < CPU_SETSIZE && n < sizeof line - 8; c++)
        if (CPU_ISSET(c, &set))
            n += (size_t)snprintf(line + n, sizeof line - n, " %d", c);
    fprintf(file, "%s\n", line);
    fclose(file);
}

static uint64_t memory_size(void)
{
    const char *bytes = getenv("FAKE_MEMORY");

    return bytes ? strtoull(bytes, NULL, 10) : (uint64_t)1 << 40;
}

bool fake_take_bytes(uint64_t bytes)
{
    bool good;

    pthread_mutex_lock(&count_lock);
    good = live_bytes + bytes <= memory_size();
    live_bytes += good ? bytes : 0;
    peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes;
    pthread_mutex_unlock(&count_lock);
    return good;
}

void fake_give_bytes(uint64_t bytes)
{
    pthread_mutex_lock(&count_lock);
    live_bytes -= bytes;
    pthread_mutex_unlock(&count_lock);
}

void fake_room(uint64_t *free_bytes, uint64_t *total)
{
    pthread_mutex_lock(&count_lock);
    *total = memory_size();
    *free_bytes = *total - live_bytes;
    pthread_mutex_unlock(&count_lock);
}

void fake_count_busy(int step)
{
    pthread_mutex_lock(&count_lock);
    busy += (unsigned long)step;
    most_busy = busy > most_busy ? busy : most_busy;
    pthread_mutex_unlock(&count_lock);
}

__attribute__((destructor)) static void write_log(void)
{
    const char *path = getenv("FAKE_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "live %ld allocs %lu streams %lu busy %lu syncs %lu peak %" PRIu64 "\n",
            fake_live, allocs, streams, most_busy, asked[SYNC], peak_bytes);
    fclose(file);
}

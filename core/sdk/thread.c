/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include <fecrun/sdk/thread.h>

#include <sched.h>

int fecrun_thread_start(pthread_t *id, void *(*start)(void *), void *data)
{
    pthread_attr_t attr;
    size_t size;
    int status;

    if ((status = pthread_attr_init(&attr)))
        return status;
    if (!pthread_attr_getstacksize(&attr, &size) && size < FECRUN_STACK)
        pthread_attr_setstacksize(&attr, FECRUN_STACK);
    status = pthread_create(id, &attr, start, data);
    pthread_attr_destroy(&attr);
    return status;
}

unsigned fecrun_cpus(void)
{
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);

    return n > 0 ? (unsigned)n : 1;
}

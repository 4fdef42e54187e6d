/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads have a stack of 2 MiB where the default is less, and CPUs are those that the process may use. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_getattr_np, sched_setaffinity */
#endif
#include <fecrun/sdk/thread.h>

#include "t/lib/tap.h"

#include <sched.h>

static void *stack_of(void *size)
{
    pthread_attr_t attr;
    void *stack;

    if (!pthread_getattr_np(pthread_self(), &attr)) {
        pthread_attr_getstack(&attr, &stack, size);
        pthread_attr_destroy(&attr);
    }
    return NULL;
}

/* Of a thread, where the default is as given. */
static size_t with_default(size_t size)
{
    pthread_attr_t attr;
    pthread_t thread;
    size_t got = 0;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, size);
    pthread_setattr_default_np(&attr);
    pthread_attr_destroy(&attr);
    if (fecrun_thread_start(&thread, stack_of, &got))
        bail("cannot start a thread");
    pthread_join(thread, NULL);
    return got;
}

int main(void)
{
    cpu_set_t all, one;
    unsigned cpu = 0;

    ok(with_default(256 << 10) >= FECRUN_STACK, "a small default is too small");
    ok(with_default(4 * (size_t)FECRUN_STACK) >= 4 * (size_t)FECRUN_STACK, "a larger one stands");
    if (sched_getaffinity(0, sizeof all, &all))
        bail("cannot ask for CPUs");
    is_int(fecrun_cpus(), CPU_COUNT(&all), "all CPUs of the process");
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one))
        bail("cannot stay at a CPU");
    is_int(fecrun_cpus(), 1, "one, where it may use no other");
    return done_testing();
}

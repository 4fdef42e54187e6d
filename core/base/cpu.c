/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "core/base/cpu.h"

#include "core/base/array.h"

#include <fecrun/sdk/simd.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int cpu_isa(struct diag *diag)
{
    const char *cap = getenv("FECRUN_ISA");
    int isa = cap && *cap ? array_index(fecrun_isa_names, cap) : FECRUN_ISA_AVX512;

    if (isa < 0)
        return diag_fail(diag, DIAG_USAGE, "FECRUN_ISA=%s: must be generic, avx2 or avx512", cap);
    while (!fecrun_isa_runs((uint32_t)isa))
        isa--;
    return isa;
}

unsigned cpu_count(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);

    return n > 0 ? (unsigned)n : 1;
}

double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int thread_start(pthread_t *id, void *(*start)(void *), void *data)
{
    pthread_attr_t attr;
    size_t size;
    int status;

    if ((status = pthread_attr_init(&attr)))
        return status;
    if (!pthread_attr_getstacksize(&attr, &size) && size < THREAD_STACK)
        pthread_attr_setstacksize(&attr, THREAD_STACK);
    status = pthread_create(id, &attr, start, data);
    pthread_attr_destroy(&attr);
    return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_BASE_CPU_H
#define FECRUN_BASE_CPU_H

#include "core/base/diag.h"

#include <pthread.h>

/* Best instruction set of this CPU that FECRUN_ISA (generic, avx2, avx512) allows, as enum
   fecrun_isa; -1 with a diagnostic for another word there. */
int cpu_isa(struct diag *diag);
/* CPUs that this process may use, at least 1. */
unsigned cpu_count(void);
/* Monotonic seconds. */
double cpu_seconds(void);

/* Stages may count on a stack of this size, whatever `ulimit -s` says. */
enum { THREAD_STACK = 2 << 20 };

/* pthread_create() with such a stack, or the larger default. */
int thread_start(pthread_t *id, void *(*start)(void *), void *data);

#endif

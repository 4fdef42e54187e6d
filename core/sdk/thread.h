/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads as the host starts them, and how many are worth it. */
#ifndef FECRUN_SDK_THREAD_H
#define FECRUN_SDK_THREAD_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stages may count on a stack of so many bytes, whatever `ulimit -s` says. */
enum { FECRUN_STACK = 2 << 20 };

/* pthread_create() with such a stack, or the larger default. Returns what that does: 0, or an error's number. */
int fecrun_thread_start(pthread_t *id, void *(*start)(void *), void *data);

/* CPUs that this process may use, at least 1. */
unsigned fecrun_cpus(void);

#ifdef __cplusplus
}
#endif

#endif

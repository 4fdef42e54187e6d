/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_BASE_THREAD_H
#define FECRUN_BASE_THREAD_H

#include <stddef.h>
#include <pthread.h>

/* Stages may count on a stack of this size, whatever `ulimit -s` says. */
enum { THREAD_STACK = 2 << 20 };

/* pthread_create() with such a stack, or the larger default. */
int thread_start(pthread_t *id, void *(*start)(void *), void *data);

#endif

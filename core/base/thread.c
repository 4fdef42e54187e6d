/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/thread.h"

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

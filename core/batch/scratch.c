/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/scratch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static _Thread_local struct {
    void *block;
    bool taken;
} own;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of a value whose destructor runs when a thread ends */
static bool has_key;

static void drop(void *block)
{
    own.block = NULL;
    free(block);
}

static void make_key(void)
{
    has_key = !pthread_key_create(&key, drop);
}

/* The library may be unloaded before its threads end. */
__attribute__((destructor)) static void forget(void)
{
    drop(own.block);
    if (has_key)
        pthread_key_delete(key);
    has_key = false;
}

void *scratch_take(void)
{
    const bool within = own.taken;
    void *block = own.block;

    if (block && !within) {
        own.taken = true;
        return block;
    }
    pthread_once(&once, make_key);
    if (!has_key || posix_memalign(&block, 64, SCRATCH_SHARED + 1))
        return NULL;
    if (within)
        return block;
    if (pthread_setspecific(key, block)) {
        free(block);
        return NULL;
    }
    own.block = block;
    own.taken = true;
    return block;
}

void scratch_give(void *block)
{
    if (block == own.block)
        own.taken = false;
    else
        free(block);
}

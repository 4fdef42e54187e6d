/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/json/objects.h"

#include <jansson.h>
#include <stdlib.h>

static int lost;

static void *allocate(size_t size)
{
    void *memory = malloc(size);

    if (!memory)
        __atomic_store_n(&lost, 1, __ATOMIC_RELAXED);
    return memory;
}

void objects_watch(void)
{
    json_set_alloc_funcs(allocate, free);
}

bool objects_lost(void)
{
    return __atomic_load_n(&lost, __ATOMIC_RELAXED);
}

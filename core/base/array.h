/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_BASE_ARRAY_H
#define FECRUN_BASE_ARRAY_H

#include <stdlib.h>
#include <string.h>

/* Room for one more item behind the n that *array has; array points at a pointer to items of that size. It grows by
   doubling, at the powers of two. -1: out of memory, and all is as it was. */
static inline int array_grow(void *array, size_t n, size_t size)
{
    void *items;

    if (n & (n - 1))
        return 0;
    memcpy(&items, array, sizeof items);
    items = realloc(items, (n ? 2 * n : 1) * size);
    if (!items)
        return -1;
    memcpy(array, &items, sizeof items);
    return 0;
}

#endif

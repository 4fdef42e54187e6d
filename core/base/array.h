/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_BASE_ARRAY_H
#define FECRUN_BASE_ARRAY_H

#include <stdlib.h>
#include <string.h>

/* Makes room for one more item. `array` is the address of a pointer to n items of `size` bytes, which is NULL for
   n = 0. Memory doubles whenever n is a power of two. Returns -1 without memory; nothing has changed then. */
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

/* Index of a text in a NULL-terminated list, which may be NULL; -1: it is not there. */
static inline int array_index(const char *const *list, const char *text)
{
    for (int i = 0; list && list[i]; i++)
        if (!strcmp(list[i], text))
            return i;
    return -1;
}

#endif

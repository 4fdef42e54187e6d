/* SPDX-License-Identifier: BSD-2-Clause */
/* Several arrays in one piece of memory. */
#ifndef LDPC_CARVE_H
#define LDPC_CARVE_H

#include <stddef.h>

/* The next array behind `base`, in a cache line of its own; NULL if that is: only counts. */
static inline void *ldpc_carve(void *base, size_t *used, size_t bytes)
{
    void *p = base ? (char *)base + *used : NULL;

    *used += (bytes + 63) & ~(size_t)63;
    return p;
}

#endif

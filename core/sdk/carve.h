/* SPDX-License-Identifier: BSD-2-Clause */
/* Several arrays in one piece of memory, such as a call's scratch; header only. */
#ifndef FECRUN_SDK_CARVE_H
#define FECRUN_SDK_CARVE_H

#include <stddef.h>

/*
 * The next array of that many bytes behind `base`, in cache lines of its own: as far from base as a
 * multiple of 64. *used begins as 0 and counts what is taken. With base NULL it only counts and
 * returns NULL, so that one function says how much memory is needed, and hands it out.
 */
static inline void *fecrun_carve(void *base, size_t *used, size_t bytes)
{
    void *p = base ? (char *)base + *used : NULL;

    *used += (bytes + 63) & ~(size_t)63;
    return p;
}

#endif

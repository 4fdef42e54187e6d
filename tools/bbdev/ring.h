/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring of pointers between two threads: one at a time puts, one at a time gets. DPDK's ring orders its accesses by
 * barriers that the thread sanitizer cannot see; C11's atomics are checked by it.
 */
#ifndef FECRUN_BBDEV_RING_H
#define FECRUN_BBDEV_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

struct bbdev_ring {
    /* Counted without end, each on a cache line of its own. */
    alignas(64) atomic_uint put; /* pointers that were put, */
    alignas(64) atomic_uint got; /* and got */
    alignas(64) unsigned size;
    void *items[];
};

/* size: a power of two. NULL: no memory. free() frees it. */
static inline struct bbdev_ring *bbdev_ring_new(unsigned size)
{
    const size_t bytes = sizeof(struct bbdev_ring) + size * sizeof(void *);
    struct bbdev_ring *ring = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (ring) {
        atomic_init(&ring->put, 0);
        atomic_init(&ring->got, 0);
        ring->size = size;
    }
    return ring;
}

/* What the thread that gets sees. */
static inline unsigned bbdev_ring_count(struct bbdev_ring *ring)
{
    return atomic_load_explicit(&ring->put, memory_order_acquire) -
           atomic_load_explicit(&ring->got, memory_order_relaxed);
}

/* What the thread that puts sees. */
static inline unsigned bbdev_ring_room(struct bbdev_ring *ring)
{
    return ring->size - (atomic_load_explicit(&ring->put, memory_order_relaxed) -
                         atomic_load_explicit(&ring->got, memory_order_acquire));
}

/* Both return how many of the n pointers they took or gave. */
static inline unsigned bbdev_ring_put(struct bbdev_ring *ring, void *const *items, unsigned n)
{
    const unsigned room = bbdev_ring_room(ring);
    const unsigned at = atomic_load_explicit(&ring->put, memory_order_relaxed);

    n = n < room ? n : room;
    for (unsigned i = 0; i < n; i++)
        ring->items[(at + i) % ring->size] = items[i];
    atomic_store_explicit(&ring->put, at + n, memory_order_release);
    return n;
}

static inline unsigned bbdev_ring_get(struct bbdev_ring *ring, void **items, unsigned n)
{
    const unsigned there = bbdev_ring_count(ring);
    const unsigned at = atomic_load_explicit(&ring->got, memory_order_relaxed);

    n = n < there ? n : there;
    for (unsigned i = 0; i < n; i++)
        items[i] = ring->items[(at + i) % ring->size];
    atomic_store_explicit(&ring->got, at + n, memory_order_release);
    return n;
}

#endif

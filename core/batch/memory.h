/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory spaces: the host, and the devices of the registry's providers. */
#ifndef FECRUN_BATCH_MEMORY_H
#define FECRUN_BATCH_MEMORY_H

#include "core/plan/graph.h"
#include "core/plan/negotiate.h"

/*
 * Freed pieces that wait to be used again, by size: pinned and device memory is slow to come by,
 * and points of a sweep want the same pieces. May be used from several threads.
 */
struct memory_pool;

/* NULL: out of memory; all works without one. larger: a piece may be larger than what is asked for, the least of
   those, so that memory that was enough once is enough again. */
struct memory_pool *memory_pool_open(bool larger);
/* Gives back what nobody uses; false: there was nothing. */
bool memory_pool_drain(struct memory_pool *pool);
/* Between points: gives back what nobody has used since the call before. */
void memory_pool_trim(struct memory_pool *pool);
/* All pieces have been freed. NULL is fine. */
void memory_pool_close(struct memory_pool *pool);
/* Bytes that nobody uses on this device (SPACE_HOST: in host memory of any kind). */
uint64_t memory_pool_idle(struct memory_pool *pool, unsigned space);

/* A piece of memory that knows how to go away. Zeroed: none. */
struct memory {
    void *ptr;
    size_t bytes;
    unsigned space; /* SPACE_HOST or provider + 1 */
    int device;
    uint32_t kind; /* 0: malloc; else enum fecrun_memory of the provider */
    const struct fecrun_provider *provider;
    struct memory_pool *pool; /* where memory_free() puts it; NULL: away */
};

struct place {
    unsigned space;
    int device;
    unsigned pinned_for; /* host memory that this space's device copies to or from; 0: pageable */
    struct memory_pool *pool; /* may be NULL */
};

/* 64-byte aligned. On failure *memory is zeroed. */
int memory_alloc(struct memory *memory, const struct registry *registry, struct place place,
                 size_t bytes, struct diag *diag);
void memory_free(struct memory *memory);

/* Stream of a worker on a device; NULL handle on the host. */
struct stream {
    const struct fecrun_provider *provider; /* NULL: host */
    int device;
    void *handle;
    bool pending;      /* work was queued since the last wait */
    const char *stage; /* the last one that queued some, for messages; may be NULL */
};

int stream_open(struct stream *stream, const struct registry *registry, unsigned space, int device,
                struct diag *diag);
void stream_close(struct stream *stream);
int stream_wait(struct stream *stream, struct diag *diag);
int stream_copy(struct stream *stream, void *dst, const void *src, size_t bytes, struct diag *diag);
/* Sets bytes to zero. */
int stream_clear(struct stream *stream, void *dst, size_t bytes, struct diag *diag);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory spaces: the host, and the devices of the registry's providers. */
#ifndef FECRUN_SPACE_H
#define FECRUN_SPACE_H

#include "negotiate.h"

/* A piece of memory that knows how to go away. Zeroed: none. */
struct memory {
    void *ptr;
    size_t bytes;
    unsigned space; /* SPACE_HOST or provider + 1 */
    int device;
    uint32_t kind;  /* 0: malloc; else enum fecrun_memory of the provider */
    const struct fecrun_provider *provider;
};

struct place {
    unsigned space;
    int device;
    unsigned pinned_for; /* host memory that this space's device copies to or from; 0: pageable */
};

/* 64-byte aligned. */
int memory_alloc(struct memory *memory, const struct registry *registry, struct place place,
                 size_t bytes, struct diag *diag);
void memory_free(struct memory *memory);

/* Stream of a worker on a device; NULL handle on the host. */
struct space_stream {
    const struct fecrun_provider *provider; /* NULL: host */
    int device;
    void *handle;
    bool pending; /* work was queued since the last wait */
    const char *stage; /* the last one that queued some, for messages; may be NULL */
};

int stream_open(struct space_stream *stream, const struct registry *registry, unsigned space,
                int device, struct diag *diag);
void stream_close(struct space_stream *stream);
int stream_wait(struct space_stream *stream, struct diag *diag);
int stream_copy(struct space_stream *stream, void *dst, const void *src, size_t bytes,
                struct diag *diag);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct fecrun_provider *provider_of(const struct registry *registry, unsigned space)
{
    return space == SPACE_HOST ? NULL : registry->providers[space - 1].provider;
}

/* ---- Pool ---- */

struct idle {
    struct memory memory;
    uint64_t since; /* trims before it was put here */
    struct idle *next;
};

struct memory_pool {
    pthread_mutex_t lock;
    struct idle *idle;
    uint64_t trims;
    bool larger;
};

static void release(struct memory *memory)
{
    if (memory->provider)
        memory->provider->free(memory->device, memory->kind, memory->ptr);
    else
        free(memory->ptr);
}

struct memory_pool *memory_pool_open(bool larger)
{
    struct memory_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pool->larger = larger;
    return pool;
}

/* Gives back what was put here before that many trims. */
static bool give_back(struct memory_pool *pool, uint64_t before)
{
    bool any = false;

    pthread_mutex_lock(&pool->lock);
    for (struct idle **p = &pool->idle; *p;) {
        struct idle *idle = *p;
        if (idle->since >= before) {
            p = &idle->next;
            continue;
        }
        *p = idle->next;
        release(&idle->memory);
        free(idle);
        any = true;
    }
    pthread_mutex_unlock(&pool->lock);
    return any;
}

bool memory_pool_drain(struct memory_pool *pool)
{
    return pool && give_back(pool, UINT64_MAX);
}

void memory_pool_trim(struct memory_pool *pool)
{
    if (pool)
        give_back(pool, pool->trims++);
}

void memory_pool_close(struct memory_pool *pool)
{
    if (!pool)
        return;
    memory_pool_drain(pool);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

uint64_t memory_pool_idle(struct memory_pool *pool, unsigned space)
{
    uint64_t bytes = 0;

    if (!pool)
        return 0;
    pthread_mutex_lock(&pool->lock);
    for (const struct idle *idle = pool->idle; idle; idle = idle->next)
        bytes += idle->memory.space == space ? idle->memory.bytes : 0;
    pthread_mutex_unlock(&pool->lock);
    return bytes;
}

static bool fits(const struct memory *idle, const struct memory *memory)
{
    return idle->provider == memory->provider && idle->kind == memory->kind &&
           idle->device == memory->device &&
           (idle->bytes == memory->bytes || (memory->pool->larger && idle->bytes > memory->bytes));
}

/* Takes the smallest idle piece that fits. If it has just this size, tools see accesses after its last item. */
static bool take_idle(struct memory *memory)
{
    struct idle **best = NULL, *idle = NULL;

    pthread_mutex_lock(&memory->pool->lock);
    for (struct idle **p = &memory->pool->idle; *p; p = &(*p)->next)
        if (fits(&(*p)->memory, memory) && (!best || (*p)->memory.bytes < (*best)->memory.bytes))
            best = p;
    if (best) {
        idle = *best;
        memory->ptr = idle->memory.ptr;
        memory->bytes = idle->memory.bytes;
        *best = idle->next;
    }
    pthread_mutex_unlock(&memory->pool->lock);
    free(idle);
    return memory->ptr;
}

static bool put_idle(const struct memory *memory)
{
    struct idle *idle = malloc(sizeof *idle);

    if (!idle)
        return false;
    idle->memory = *memory;
    pthread_mutex_lock(&memory->pool->lock);
    idle->since = memory->pool->trims;
    idle->next = memory->pool->idle;
    memory->pool->idle = idle;
    pthread_mutex_unlock(&memory->pool->lock);
    return true;
}

/* ---- Memory ---- */

static void *obtain(const struct memory *memory, struct fecrun_error *err)
{
    size_t bytes = memory->bytes ? memory->bytes : 1;
    void *ptr;

    if (memory->provider)
        return memory->provider->alloc(memory->device, memory->kind, bytes, err);
    /* not rounded up, so that a sanitizer sees a write behind the last item */
    return posix_memalign(&ptr, 64, bytes) ? NULL : ptr;
}

int memory_alloc(struct memory *memory, const struct registry *registry, struct place place,
                 size_t bytes, struct diag *diag)
{
    unsigned owner = place.space != SPACE_HOST ? place.space : place.pinned_for;
    struct fecrun_error err = {.size = sizeof err};

    *memory = (struct memory){.space = place.space,
                              .device = place.device,
                              .bytes = bytes,
                              .provider = provider_of(registry, owner),
                              .pool = place.pool};
    if (memory->provider)
        memory->kind = place.space == SPACE_HOST ? FECRUN_MEMORY_PINNED : FECRUN_MEMORY_DEVICE;
    else
        memory->device = 0;
    if (memory->pool && take_idle(memory))
        return 0;
    memory->ptr = obtain(memory, &err);
    if (!memory->ptr && memory_pool_drain(memory->pool)) { /* it lay in the way */
        err.text[0] = 0;
        memory->ptr = obtain(memory, &err);
    }
    if (memory->ptr)
        return 0;
    if (!memory->provider)
        diag_fail(diag, DIAG_RUN,
                  "out of memory: %zu bytes for a buffer; a smaller batch needs "
                  "less",
                  bytes);
    else
        diag_fail(diag, DIAG_RUN,
                  "%s:%d: %s (%zu bytes of %s memory for a buffer; a smaller batch "
                  "needs less)",
                  memory->provider->name, memory->device,
                  err.text[0] ? err.text : "failed without a reason", bytes,
                  place.space == SPACE_HOST ? "pinned host" : "device");
    memset(memory, 0, sizeof *memory);
    return -1;
}

void memory_free(struct memory *memory)
{
    if (!memory->ptr)
        return;
    if (!memory->pool || !put_idle(memory))
        release(memory);
    memset(memory, 0, sizeof *memory);
}

/* ---- Streams ---- */

/* where: behind the name of the stage that queued work last, if any did. */
static int stream_error(const struct stream *stream, const char *where,
                        const struct fecrun_error *err, struct diag *diag)
{
    const char *stage = stream->stage;

    return diag_fail(diag, DIAG_RUN, "%s%s%s%s:%d: %s", stage ? stage : "", stage ? where : "",
                     stage ? ": " : "", stream->provider->name, stream->device,
                     err->text[0] ? err->text : "failed without a reason");
}

int stream_open(struct stream *stream, const struct registry *registry, unsigned space, int device,
                struct diag *diag)
{
    struct fecrun_error err = {.size = sizeof err};

    memset(stream, 0, sizeof *stream);
    stream->provider = provider_of(registry, space);
    stream->device = device;
    if (!stream->provider)
        return 0;
    if (!stream->provider->stream_create(device, &stream->handle, &err))
        return 0;
    stream_error(stream, "", &err, diag);
    stream->provider = NULL;
    return -1;
}

void stream_close(struct stream *stream)
{
    if (stream->provider)
        stream->provider->stream_destroy(stream->device, stream->handle);
    memset(stream, 0, sizeof *stream);
}

int stream_wait(struct stream *stream, struct diag *diag)
{
    if (!stream->provider || !stream->pending)
        return 0;
    struct fecrun_error err = {
        .size = sizeof err}; /* 520 bytes, which a host's call need not clear */
    stream->pending = false;
    return stream->provider->sync(stream->device, stream->handle, &err)
               ? stream_error(stream, " or a stage before it", &err, diag)
               : 0;
}

int stream_copy(struct stream *stream, void *dst, const void *src, size_t bytes, struct diag *diag)
{
    struct fecrun_error err = {.size = sizeof err};

    if (!stream->provider) {
        memcpy(dst, src, bytes);
        return 0;
    }
    stream->pending = true;
    return stream->provider->copy(stream->device, stream->handle, dst, src, bytes, &err)
               ? stream_error(stream, "", &err, diag)
               : 0;
}

int stream_clear(struct stream *stream, void *dst, size_t bytes, struct diag *diag)
{
    struct fecrun_error err = {.size = sizeof err};

    if (!stream->provider) {
        memset(dst, 0, bytes);
        return 0;
    }
    stream->pending = true;
    return stream->provider->fill(stream->device, stream->handle, dst, 0, bytes, &err)
               ? stream_error(stream, "", &err, diag)
               : 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "space.h"

#include <stdlib.h>
#include <string.h>

static const struct fecrun_provider *provider_of(const struct registry *registry, unsigned space)
{
    return space == SPACE_HOST ? NULL : registry->providers[space - 1].provider;
}

static int device_error(const struct fecrun_provider *provider, int device,
                        const struct fecrun_error *err, struct diag *diag)
{
    return diag_fail(diag, DIAG_RUN, "%s:%d: %s", provider->name, device,
                     err->text[0] ? err->text : "failed without a reason");
}

int memory_alloc(struct memory *memory, const struct registry *registry, struct place place,
                 size_t bytes, struct diag *diag)
{
    unsigned owner = place.space != SPACE_HOST ? place.space : place.pinned_for;
    struct fecrun_error err = {.size = sizeof err};

    *memory = (struct memory){.space = place.space, .device = place.device, .bytes = bytes};
    bytes = bytes ? bytes : 1;
    memory->provider = provider_of(registry, owner);
    if (!memory->provider) {
        /* not rounded up, so that a sanitizer sees a write behind the last item */
        if (posix_memalign(&memory->ptr, 64, bytes)) {
            memory->ptr = NULL;
            return diag_fail(diag, DIAG_RUN, "out of memory: %zu bytes for a buffer; a smaller "
                             "batch needs less", bytes);
        }
        return 0;
    }
    memory->kind = place.space == SPACE_HOST ? FECRUN_HOST_PINNED : FECRUN_DEVICE;
    memory->ptr = memory->provider->alloc(place.device, memory->kind, bytes, &err);
    return memory->ptr ? 0 : device_error(memory->provider, place.device, &err, diag);
}

void memory_free(struct memory *memory)
{
    if (!memory->ptr)
        return;
    if (memory->provider)
        memory->provider->free(memory->device, memory->kind, memory->ptr);
    else
        free(memory->ptr);
    memset(memory, 0, sizeof *memory);
}

int stream_open(struct space_stream *stream, const struct registry *registry, unsigned space,
                int device, struct diag *diag)
{
    struct fecrun_error err = {.size = sizeof err};

    memset(stream, 0, sizeof *stream);
    stream->provider = provider_of(registry, space);
    stream->device = device;
    if (!stream->provider)
        return 0;
    if (!stream->provider->stream_create(device, &stream->handle, &err))
        return 0;
    device_error(stream->provider, device, &err, diag);
    stream->provider = NULL;
    return -1;
}

void stream_close(struct space_stream *stream)
{
    if (stream->provider)
        stream->provider->stream_destroy(stream->device, stream->handle);
    memset(stream, 0, sizeof *stream);
}

static int stream_error(const struct space_stream *stream, const char *where,
                        const struct fecrun_error *err, struct diag *diag)
{
    if (!stream->stage)
        return device_error(stream->provider, stream->device, err, diag);
    return diag_fail(diag, DIAG_RUN, "%s%s: %s:%d: %s", stream->stage, where,
                     stream->provider->name, stream->device,
                     err->text[0] ? err->text : "failed without a reason");
}

int stream_wait(struct space_stream *stream, struct diag *diag)
{
    struct fecrun_error err = {.size = sizeof err};

    if (!stream->provider || !stream->pending)
        return 0;
    stream->pending = false;
    return stream->provider->sync(stream->device, stream->handle, &err)
               ? stream_error(stream, " or a stage before it", &err, diag)
               : 0;
}

int stream_copy(struct space_stream *stream, void *dst, const void *src, size_t bytes,
                struct diag *diag)
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

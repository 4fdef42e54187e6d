/* SPDX-License-Identifier: BSD-2-Clause */
/* A device whose struct ends before its last member. Nothing of it may be called. */
#include "t/doubles/fake/fake.h"

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host, (void)device, (void)reason, (void)size;
    return 0;
}

static int devices(const struct fecrun_host *host)
{
    (void)host;
    return 2;
}

static int describe(int device, char *text, size_t size)
{
    snprintf(text, size, "old accelerator %d", device);
    return 0;
}

static void *no_memory(int device, uint32_t memory, size_t bytes, struct fecrun_error *err)
{
    (void)device, (void)memory, (void)bytes;
    fecrun_fail(err, NULL, "is only there to be listed");
    return NULL;
}

static void no_free(int device, uint32_t memory, void *ptr)
{
    (void)device, (void)memory, (void)ptr;
}

static int no_stream(int device, void **stream, struct fecrun_error *err)
{
    (void)device;
    *stream = NULL;
    return fecrun_fail(err, NULL, "is only there to be listed");
}

static void stream_destroy(int device, void *stream)
{
    (void)device, (void)stream;
}

static int no_copy(int device, void *stream, void *dst, const void *src, size_t bytes,
                   struct fecrun_error *err)
{
    (void)device, (void)stream, (void)dst, (void)src, (void)bytes;
    return fecrun_fail(err, NULL, "is only there to be listed");
}

static int no_fill(int device, void *stream, void *dst, int value, size_t bytes,
                   struct fecrun_error *err)
{
    (void)device, (void)stream, (void)dst, (void)value, (void)bytes;
    return fecrun_fail(err, NULL, "is only there to be listed");
}

static int no_sync(int device, void *stream, struct fecrun_error *err)
{
    (void)device, (void)stream;
    return fecrun_fail(err, NULL, "is only there to be listed");
}

static int behind_the_end(int device, char *text, size_t size)
{
    (void)device, (void)text, (void)size;
    abort();
}

static const struct fecrun_provider old = {
    .size = offsetof(struct fecrun_provider, FECRUN_PROVIDER_LAST),
    .name = "old",
    .probe = probe,
    .devices = devices,
    .describe = describe,
    .alloc = no_memory,
    .free = no_free,
    .stream_create = no_stream,
    .stream_destroy = stream_destroy,
    .copy = no_copy,
    .fill = no_fill,
    .sync = no_sync,
    .bus = behind_the_end,
};

static const struct fecrun_provider *const providers[] = {&old, NULL};

PLUGIN("old", .providers = providers);

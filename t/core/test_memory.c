/* SPDX-License-Identifier: BSD-2-Clause */
/* core/batch/memory: memory and streams of the host and of a device. */
#include "t/lib/memory.h"

static int allocs, frees, copies, syncs, streams;
static uint32_t last_kind;
static bool broken;

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host, (void)device, (void)reason, (void)size;
    return 0;
}

static int devices(const struct fecrun_host *host)
{
    (void)host;
    return 1;
}

static void *device_alloc(int device, uint32_t memory, size_t bytes, struct fecrun_error *err)
{
    (void)device;
    last_kind = memory;
    if (broken) {
        fecrun_fail(err, NULL, "no memory, says the device");
        return NULL;
    }
    allocs++;
    return malloc(bytes);
}

static void device_free(int device, uint32_t memory, void *ptr)
{
    (void)device, (void)memory;
    frees++;
    free(ptr);
}

static int stream_create(int device, void **stream, struct fecrun_error *err)
{
    (void)device;
    *stream = &streams;
    if (broken)
        return fecrun_fail(err, NULL, "no stream, says the device");
    streams++;
    return 0;
}

static void stream_destroy(int device, void *stream)
{
    (void)device, (void)stream;
    streams--;
}

static int device_copy(int device, void *stream, void *dst, const void *src, size_t bytes,
                       struct fecrun_error *err)
{
    (void)device, (void)stream, (void)err;
    memcpy(dst, src, bytes);
    copies++;
    return broken ? fecrun_fail(err, NULL, "no copy, says the device") : 0;
}

static int device_sync(int device, void *stream, struct fecrun_error *err)
{
    (void)device, (void)stream, (void)err;
    syncs++;
    return broken ? -1 : 0; /* without a reason */
}

static const struct fecrun_provider provider = {.size = sizeof provider,
                                                .name = "dev",
                                                .probe = probe,
                                                .devices = devices,
                                                .alloc = device_alloc,
                                                .free = device_free,
                                                .stream_create = stream_create,
                                                .stream_destroy = stream_destroy,
                                                .copy = device_copy,
                                                .sync = device_sync};

static void test_host(const struct registry *registry)
{
    struct stream stream;
    struct memory memory;
    struct diag d = {0};
    char copy[4];

    for (size_t bytes = 0; bytes < 200; bytes += 33) {
        if (memory_alloc(&memory, registry, (struct place){0}, bytes, &d))
            bail("memory_alloc: %s", d.text);
        ok((uintptr_t)memory.ptr % 64 == 0, "%zu bytes of host memory are aligned", bytes);
        memset(memory.ptr, 1, bytes);
        memory_free(&memory);
        ok(!memory.ptr, "freed");
    }
    memory_free(&memory);
    if (getenv("FECRUN_SANITIZER") && strcmp(getenv("FECRUN_SANITIZER"), "no"))
        skip(1, "a sanitizer ends the program when memory is too much");
    else
        ok(memory_alloc(&memory, registry, (struct place){0}, SIZE_MAX / 2, &d) == -1 &&
               d.status == DIAG_RUN && strstr(d.text, "smaller batch"),
           "too much memory: %s", d.text);
    d = (struct diag){0};
    is_int(stream_open(&stream, registry, SPACE_HOST, 0, &d), 0, "a stream on the host");
    is_int(stream_copy(&stream, copy, "abc", 4, &d), 0, "copies at once");
    is_str(copy, "abc", "what it copied");
    is_int(stream_wait(&stream, &d), 0, "nothing to wait for");
    stream_close(&stream);
}

static void test_device(const struct registry *registry)
{
    struct place device = {.space = 1}, pinned = {.pinned_for = 1};
    struct stream stream;
    struct memory memory;
    struct diag d = {0};
    char copy[4];

    is_int(memory_alloc(&memory, registry, device, 8, &d), 0, "device memory");
    is_int(last_kind, FECRUN_MEMORY_DEVICE, "its kind");
    memory_free(&memory);
    is_int(memory_alloc(&memory, registry, pinned, 8, &d), 0, "pinned host memory");
    is_int(last_kind, FECRUN_MEMORY_PINNED, "its kind");
    is_int(memory.space, SPACE_HOST, "it is host memory");
    memory_free(&memory);
    ok(allocs == 2 && frees == 2, "the provider gets back what it gave");
    is_int(stream_open(&stream, registry, 1, 0, &d), 0, "a stream");
    stream_wait(&stream, &d);
    is_int(syncs, 0, "no wait without work");
    stream_copy(&stream, copy, "abc", 4, &d);
    stream_wait(&stream, &d);
    stream_wait(&stream, &d);
    is_int(syncs, 1, "one wait for the work");
    broken = true;
    stream.stage = "some.stage";
    ok(stream_copy(&stream, copy, "abc", 4, &d) == -1 && d.status == DIAG_RUN, "a failed copy");
    is_str(d.text, "some.stage: dev:0: no copy, says the device", "stage, device, words");
    d = (struct diag){0};
    ok(stream_wait(&stream, &d) == -1, "a failed wait");
    is_str(d.text, "some.stage or a stage before it: dev:0: failed without a reason", "its text");
    is_int(stream_wait(&stream, NULL), 0, "no second wait for the same work");
    stream_close(&stream);
    is_int(streams, 0, "the stream is closed");
    d = (struct diag){0};
    ok(stream_open(&stream, registry, 1, 0, &d) == -1, "no stream");
    is_str(d.text, "dev:0: no stream, says the device", "its text");
    stream_close(&stream);
    is_int(streams, 0, "closing what was not opened does nothing");
    d = (struct diag){0};
    ok(memory_alloc(&memory, registry, device, 8, &d) == -1, "no device memory");
    is_str(d.text,
           "dev:0: no memory, says the device (8 bytes of device memory for a buffer; a "
           "smaller batch needs less)",
           "its text");
    ok(!memory.ptr && !memory.bytes && !memory.provider, "nothing is left of it");
    memory_free(&memory);
}

static void test_pool(const struct registry *registry)
{
    struct memory_pool *pool = memory_pool_open(false);
    struct place place = {.space = 1, .pool = pool}, host = {.pool = pool};
    struct memory a, b, c;
    struct diag d = {0};
    void *first;
    int before = allocs, given = frees;

    broken = false;
    memory_alloc(&a, registry, place, 100, &d);
    first = a.ptr;
    memory_free(&a);
    is_int(frees, given, "a pool keeps what is freed");
    ok(memory_pool_idle(pool, 1) == 100 && !memory_pool_idle(pool, SPACE_HOST),
       "and says how much");
    memory_alloc(&a, registry, place, 100, &d);
    ok(a.ptr == first && allocs == before + 1, "it is used again");
    memory_alloc(&b, registry, place, 99, &d);
    memory_alloc(&c, registry, host, 100, &d);
    ok(b.ptr != first && c.ptr != first && allocs == before + 2,
       "for the same size and place only");
    memory_free(&b);
    memory_pool_trim(pool);
    is_int(frees, given, "what was used lately stays");
    memory_pool_trim(pool);
    is_int(frees, given + 1, "what was not goes");
    memory_free(&a);
    broken = true;
    ok(memory_alloc(&b, registry, place, 50, &d) == -1 && frees == given + 2,
       "where memory is short all goes");
    broken = false;
    memory_free(&c);
    memory_pool_close(pool);
    memory_pool_close(NULL);
    is_int(allocs - before, frees - given, "nothing is left");
}

int main(void)
{
    struct registry registry;

    memory_registry_init(&registry);
    memory_add_provider(&registry, &provider);
    test_host(&registry);
    test_device(&registry);
    test_pool(&registry);
    memory_registry_free(&registry);
    return done_testing();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The provider: memory, conversions, and the table of all that it can do. */
#include "t/doubles/fake/device/device.h"

#include <pthread.h>
#include <unistd.h>

/* ---- As with CUDA, nearly every function chooses the device for the calling thread ---- */

/* As thread-specific data, device + 1: the leak sanitizer cannot look at thread-local variables of a
   library that was closed again. */
static pthread_key_t current;
static pthread_once_t once = PTHREAD_ONCE_INIT;
int fake_probes;

static void make_key(void)
{
    pthread_key_create(&current, NULL);
}

int fake_current(void)
{
    pthread_once(&once, make_key);
    return (int)(intptr_t)pthread_getspecific(current) - 1;
}

void fake_use(int device)
{
    pthread_once(&once, make_key);
    pthread_setspecific(current, (void *)(intptr_t)(device + 1));
}

_Atomic pid_t fake_driver_process;

/* FAKE_STARTED: the test program says that it has started the driver. */
static int started(void)
{
    return getenv("FAKE_STARTED") != NULL || fake_driver_process == getpid();
}

static void *chosen(void)
{
    return (void *)(intptr_t)fake_current();
}

static void choose(void *what)
{
    fake_use((int)(intptr_t)what);
}

/* ---- What is there ---- */

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    const char *path = getenv("FAKE_PROBES");
    FILE *file = path ? fopen(path, "a") : NULL;

    (void)host, (void)device;
    fake_probes++;
    if (file) {
        fprintf(file, "probed\n");
        fclose(file);
    }
    if (!fake_told_to_fail("probe"))
        return 0;
    snprintf(reason, size, "the fake driver is asleep");
    return -1;
}

static int devices(const struct fecrun_host *host)
{
    const char *n = getenv("FAKE_DEVICES");

    (void)host;
    return n ? atoi(n) : 1;
}

static int describe(int device, char *text, size_t size)
{
    snprintf(text, size, "imaginary accelerator %d", device);
    return 0;
}

/* FAKE_BUS=ADDRESS,...: the first device's, the second one's. */
static int bus(int device, char *text, size_t size)
{
    const char *at = getenv("FAKE_BUS");

    for (int d = 0; at && d < device; d++)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    if (!at || !*at)
        return -1;
    snprintf(text, size, "%.*s", (int)strcspn(at, ","), at);
    return 0;
}

/* What nobody wrote is 0xa5, in large pieces at both ends only: few batches get further, and a page costs time. */
static void spoil(char *p, size_t bytes)
{
    const size_t most = (size_t)1 << 20;

    memset(p, 0xa5, bytes < most ? bytes : most);
    if (bytes > most)
        memset(p + bytes - most, 0xa5, most);
}

/* In front of each piece, at its aligned end, is its size. */
static void *device_alloc(int device, uint32_t memory, size_t bytes, struct fecrun_error *err)
{
    const uint64_t size = memory == FECRUN_MEMORY_DEVICE ? bytes : 0;
    const size_t slack = memory == FECRUN_MEMORY_DEVICE ? FECRUN_SLACK : 0;
    char *p = NULL;

    fake_use(device);
    if (fake_told_to_fail("alloc") || !fake_take_bytes(size)) {
        fecrun_fail(err, NULL, "fake memory is full");
        return NULL;
    }
    if (posix_memalign((void **)&p, 64, 64 + bytes + slack)) {
        fake_give_bytes(size);
        fecrun_no_memory(err);
        return NULL;
    }
    fake_count_live(1);
    fake_count_alloc();
    spoil(p, 64 + bytes);
    memset(p + 64 + bytes, 0, slack);
    memcpy(p + 56, &size, sizeof size);
    return memory == FECRUN_MEMORY_DEVICE ? (void *)((uintptr_t)p + 64 + FAKE_SHIFT) : p + 64;
}

static void device_free(int device, uint32_t memory, void *ptr)
{
    char *p = (char *)real(ptr) - 64;
    uint64_t size;

    (void)memory;
    fake_use(device);
    memcpy(&size, p + 56, sizeof size);
    fake_give_bytes(size);
    fake_count_live(-1);
    free(p);
}

static int memory_room(int device, uint64_t *free_bytes, uint64_t *total, struct fecrun_error *err)
{
    (void)device;
    if (fake_told_to_fail("memory"))
        return fecrun_fail(err, NULL, "the fake device does not count");
    fake_room(free_bytes, total);
    return 0;
}

static int software(char *text, size_t size)
{
    snprintf(text, size, "fake driver 1.2");
    return 0;
}

static int queue_convert(int device, void *stream, const struct fecrun_view *in,
                         const struct fecrun_view *out, struct fecrun_error *err)
{
    const uint32_t from = in->type, to = out->type;
    struct work work = {.run = fake_convert};
    bool good = true;

    (void)device;
    if (!((from == FECRUN_U8 && to == FECRUN_PACKED) || (from == FECRUN_PACKED && to == FECRUN_U8)))
        return 1;
    if (!in->data)
        return 0;
    work.in = on_device(in, &good);
    work.out = on_device(out, &good);
    if (!good)
        return fecrun_fail(err, NULL, "convert: not device memory");
    return fake_push(stream, &work, err);
}

const struct fecrun_provider fake_provider = {
    .size = sizeof fake_provider,
    .name = "fake",
    .interface = 7,
    .probe = probe,
    .devices = devices,
    .describe = describe,
    .alloc = device_alloc,
    .free = device_free,
    .stream_create = fake_stream_create,
    .stream_destroy = fake_stream_destroy,
    .copy = fake_copy,
    .fill = fake_fill,
    .sync = fake_sync,
    .convert = queue_convert,
    .event_create = fake_event_create,
    .event_destroy = fake_event_destroy,
    .event_record = fake_event_record,
    .event_seconds = fake_event_seconds,
    .memory = memory_room,
    .software = software,
    .started = started,
    .chosen = chosen,
    .choose = choose,
    .bus = bus,
};

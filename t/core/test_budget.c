/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batches that the planner chooses, and what does not fit: on the host, and on a device in memory
 * that says how much it has. Frames are of n bytes; two buffers of them make a slot.
 */
#include "t/lib/toy.h"

#include "run/session/session.h"

#include <unistd.h>

static struct registry registry;
static struct session session;
static struct session_plan made;
static struct diag error;

/* ---- A device that has as much memory as the test says ---- */

static uint64_t device_free;
static bool device_silent; /* it cannot tell */
static unsigned device_asked;
static size_t device_scratch; /* bytes a frame, of each device backend */

static void *dev_alloc(int device, uint32_t memory, size_t bytes, struct fecrun_error *err)
{
    (void)device, (void)memory, (void)err;
    return malloc(bytes);
}

static void dev_free(int device, uint32_t memory, void *ptr)
{
    (void)device, (void)memory;
    free(ptr);
}

static int dev_stream(int device, void **stream, struct fecrun_error *err)
{
    (void)device, (void)err;
    *stream = NULL;
    return 0;
}

static void dev_stream_end(int device, void *stream)
{
    (void)device, (void)stream;
}

static int dev_memory(int device, uint64_t *free_bytes, uint64_t *total, struct fecrun_error *err)
{
    (void)device;
    device_asked++;
    if (device_silent)
        return fecrun_fail(err, NULL, "who knows");
    *free_bytes = device_free;
    *total = UINT64_MAX;
    return 0;
}

static const struct fecrun_provider dev = {.size = sizeof dev,
                                           .name = "dev",
                                           .alloc = dev_alloc,
                                           .free = dev_free,
                                           .stream_create = dev_stream,
                                           .stream_destroy = dev_stream_end,
                                           .memory = dev_memory};

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    return device_scratch * frames;
}

/* toy.NAME with a row for the device: it is what `auto` takes. */
static const struct fecrun_stage *on_device(const char *name)
{
    static struct fecrun_stage stages[3];
    static struct fecrun_backend rows[3];
    static const struct fecrun_backend *tables[3][3];
    static unsigned n;
    unsigned i = n++;

    for (size_t s = 0; toy_stages[s]; s++)
        if (!strcmp(toy_stages[s]->name, name))
            stages[i] = *toy_stages[s];
    rows[i] = *stages[i].backends[0];
    rows[i].name = "dev";
    rows[i].provider = "dev";
    rows[i].scratch = scratch;
    tables[i][0] = stages[i].backends[0];
    tables[i][1] = &rows[i];
    stages[i].backends = tables[i];
    return &stages[i];
}

/* ---- Batches ---- */

static void done(void)
{
    session_plan_free(&made);
    if (session.registry)
        budget_forget(&session);
    toy_session_close(&session);
}

/* Plans the first point of that pipeline: source and the stages between are given; bits: n. */
static void plan_with(const char *source, const char *pass, const char *rest)
{
    char text[512];

    done();
    snprintf(text, sizeof text,
             "fecrun: 1\npipeline:\n- toy.source: {%s}\n- toy.pass: {%s}\n"
             "- toy.sink\n%s",
             source, pass, rest);
    if (!toy_session(&session, &registry, text, NULL, &error) ||
        session_plan(&session, 0, &made, &error))
        bail("%s", error.text);
}

static uint64_t batch(const char *source, const char *pass)
{
    plan_with(source, pass, "");
    return made.frames;
}

static uint64_t host_batch(const char *source)
{
    plan_with(source, "", "backend: ref\n");
    return made.frames;
}

/* On the host the largest buffer is of 6 MiB at most. */
static void test_host_batch(void)
{
    is_int(host_batch("n: 1"), 4096, "small frames: 4096 at most");
    is_int(host_batch("n: 1536"), 4096, "6 MiB are just 4096 frames");
    is_int(host_batch("n: 1537"), 4032, "one byte more: a row of 64 less");
    is_int(host_batch("n: 5000"), 1216, "1258 would fit; whole rows of 64");
    is_int(host_batch("n: 98304"), 64, "just 64");
    is_int(host_batch("n: 98305"), 63, "below that no rows");
    is_int(host_batch("n: 6291456"), 1, "a frame of 6 MiB");
    is_int(host_batch("n: 1000000000000"), 1, "a frame is the least");
    plan_with("n: 8", "", "batch: 77\n");
    is_int(made.frames, 77, "the user's batch is the user's");
    plan_with("", "", "blocks: [{count: 5}, {count: 4}]\n");
    is_int(made.frames, 9, "rows of blocks are a batch");
}

/* latency: low */
static void test_low_batch(void)
{
    plan_with("n: 1", "", "latency: low\nbackend: ref\n");
    is_int(made.frames, 64, "low latency, on the host: 64 frames at most");
    plan_with("n: 98305", "", "latency: low\nbackend: ref\n");
    is_int(made.frames, 63, "and no more than fit otherwise");
    plan_with("n: 1", "", "latency: low\nbackend: ref\nbatch: 5000\n");
    is_int(made.frames, 5000, "the user's batch is the user's here, too");
    plan_with("n: 1", "", "latency: auto\nbackend: ref\n");
    is_int(made.frames, 4096, "auto is as without");
    device_free = UINT64_C(1) << 50;
    plan_with("n: 65536", "", "latency: low\n");
    is_int(made.frames, 64, "all on the device: 4 MiB");
    plan_with("n: 1024, backend: ref, ordered: true", "", "latency: low\n");
    is_int(made.frames, 4096, "the same where it reads a file");
}

static void test_device_batch(void)
{
    device_free = UINT64_C(1) << 50;
    is_int(batch("n: 65536", ""), 16384, "all on the device: 1 GiB");
    is_int(batch("n: 10000", ""), 107328, "in whole rows");
    is_int(batch("n: 1", ""), 262144, "small frames: 262144 at most");
    is_int(batch("n: 3000000000", ""), 1, "a frame is the least");
    is_int(batch("n: 65536, backend: ref", ""), 256, "the host computes, too: 16 MiB");
    is_int(batch("n: 65536, backend: ref, ordered: true", ""), 1024, "it reads a file: 64 MiB");
    is_int(batch("n: 65536, backend: ref, ordered: true", "backend: ref"), 256,
           "it reads a file and computes");
}

/* Bytes that a run of batches of so many frames takes on the device: two buffers and the infos. */
static uint64_t device_need(uint64_t n, uint64_t frames)
{
    return 3 * frames * (2 * n + sizeof(struct fecrun_frame_info));
}

/* Slots take a quarter of what is free at most. */
static void test_device_room(void)
{
    unsigned wrong = 0;

    device_free = 4 * device_need(65536, 16384);
    is_int(batch("n: 65536", ""), 16384, "a quarter is just enough");
    device_free -= 4;
    is_int(batch("n: 65536", ""), 14336, "or is not: an eighth less");
    for (unsigned i = 0; i < 40; i++) {
        uint64_t frames;
        device_free = UINT64_C(1) << (20 + i / 2) | UINT64_C(12345678) * i;
        frames = batch("n: 65536", "");
        wrong += frames > 1 && device_need(65536, frames) > device_free / 4;
        wrong += frames < 16384 && device_need(65536, frames + frames / 7 + 65) <= device_free / 4;
    }
    is_int(wrong, 0, "never more than fits, nor much less");
    device_free = 0;
    is_int(batch("n: 65536", ""), 1, "a frame is the least");
    device_silent = true;
    is_int(batch("n: 65536", ""), 16384, "nobody knows what is free");
    device_silent = false;
}

/* So that all points of a sweep have the same batch. */
static void test_device_once(void)
{
    struct session_plan again;
    unsigned before;

    device_free = 4 * device_need(65536, 16384);
    plan_with("n: 65536", "", "");
    before = device_asked;
    device_free /= 2;
    ok(!session_plan(&session, 0, &again, &error) && again.frames == 16384,
       "what was free first is taken as it was");
    session_plan_free(&again);
    is_int(device_asked, before, "the device is not asked again");
    budget_forget(&session);
    ok(!session_plan(&session, 0, &again, &error) && again.frames < 16384, "until it is forgotten");
    session_plan_free(&again);
    is_int(device_asked, before + 1, "then it is");
}

/* ---- The check ---- */

/* Opens an exec with enough of everything, then asks with so much free on the device. */
static int check(uint64_t free_bytes, uint64_t *frames)
{
    struct exec_options options = {.cancel = NULL};
    struct exec exec;
    int status;

    error = (struct diag){0};
    device_free = UINT64_C(1) << 50;
    if (session_exec(&session, &made, UINT64_MAX, &options, &exec, &error))
        bail("%s", error.text);
    device_free = free_bytes;
    status = budget_check(&session, &exec, frames, &error);
    exec_close(&exec);
    return status;
}

static void test_edge(void)
{
    const uint64_t need = device_need(65536, 1000);
    uint64_t frames = 0;

    device_free = UINT64_C(1) << 50;
    plan_with("n: 65536", "", "batch: 1000\n");
    ok(!check(need, &frames) && frames == 1000, "just enough %s", error.text);
    ok(check(need - 1, &frames), "a byte too little");
    is_int(error.status, DIAG_RUN, "fails while running");
    is_str(error.text,
           "batch: 1000 frames with in_flight 3 need 375.0 MiB of device memory, dev:0 "
           "has free 375.0 MiB; at most 999 frames fit",
           "and says what would fit");
    ok(check(device_need(65536, 1), &frames) && strstr(error.text, "at most 1 frames fit"),
       "room for one");
    ok(check(device_need(65536, 1) - 1, &frames), "not even for one");
    is_str(error.text,
           "batch: 1000 frames with in_flight 3 need 375.0 MiB of device memory, dev:0 "
           "has free 0.4 MiB; a smaller in_flight needs less",
           "and says so");
    session.pipeline->batch = 0; /* it is the planner's now */
    ok(!check(need - 1, &frames) && frames == 999, "a batch of nobody's is made smaller");
    ok(!check(device_need(65536, 17) + 5, &frames) && frames == 17, "to the largest that fits");
    ok(check(device_need(65536, 1) - 1, &frames), "if there is one");
}

static void test_edge_blocks(void)
{
    uint64_t frames = 0;

    device_free = UINT64_C(1) << 50;
    plan_with("n: 65536", "", "blocks: [{count: 6}, {count: 4}]\n");
    ok(made.frames > 10 && made.frames % 10 == 0, "rounds of rows");
    ok(!check(device_need(65536, 29), &frames) && frames == 20, "as many as fit %s", error.text);
    ok(!check(device_need(65536, 10) - 1, &frames) && frames == 10, "one is tried at least");
    plan_with("n: 65536", "", "batch: 10\nblocks: [{count: 6}, {count: 4}]\n");
    ok(!check(device_need(65536, 10), &frames) && frames == 10, "rows that fit %s", error.text);
    ok(check(device_need(65536, 10) - 1, &frames), "rows that do not");
    is_str(error.text,
           "blocks: 10 frames with in_flight 3 need 3.8 MiB of device memory, dev:0 "
           "has free 3.8 MiB; fewer rows or a smaller in_flight needs less",
           "are not made fewer");
}

static void test_scratch(void)
{
    const uint64_t need = device_need(65536, 1000);
    uint64_t frames = 0;

    device_scratch = 100;
    device_free = UINT64_C(1) << 50;
    plan_with("n: 65536", "", "batch: 1000\n");
    ok(!check(need + 3 * 100 * 1000, &frames), "scratch counts once a worker %s", error.text);
    ok(check(need + 3 * 100 * 1000 - 1, &frames) && strstr(error.text, "at most 999 frames"),
       "all of it");
    device_scratch = 0;
}

/* Pieces that wait in the pool are as good as free. */
static void test_pool(void)
{
    const uint64_t need = device_need(65536, 1000);
    struct memory_pool *pool = memory_pool_open(false);
    struct exec_options options = {.pool = pool};
    struct memory piece;
    struct exec exec;
    uint64_t frames;

    device_free = UINT64_C(1) << 50;
    plan_with("n: 65536", "", "batch: 1000\n");
    if (session_exec(&session, &made, UINT64_MAX, &options, &exec, &error) ||
        memory_alloc(&piece, &registry, (struct place){.space = 1, .pool = pool}, 4096, &error))
        bail("%s", error.text);
    device_free = need - 4096;
    ok(budget_check(&session, &exec, &frames, &error), "a piece in use");
    memory_free(&piece);
    error = (struct diag){0};
    ok(!budget_check(&session, &exec, &frames, &error), "and in the pool: %s", error.text);
    exec_close(&exec);
    memory_pool_close(pool);
}

static uint64_t host_need(uint64_t n, uint64_t frames)
{
    return 4 * frames * (2 * n + sizeof(struct fecrun_frame_info));
}

static void test_host_check(void)
{
    uint64_t memory = budget_host_memory(), frames, n = 1000000;
    struct exec_options options = {0};
    struct exec exec;
    const char *fit;

    ok(memory != UINT64_MAX && memory >> 26 && memory % (uint64_t)sysconf(_SC_PAGESIZE) == 0,
       "this machine has %llu bytes", (unsigned long long)memory);
    plan_with("n: 1000000", "", "backend: ref\nbatch: 10000000\n");
    error = (struct diag){0};
    ok(session_exec(&session, &made, UINT64_MAX, &options, &exec, &error),
       "batches of 10 TB do not fit");
    is_int(error.status, DIAG_RUN, "as a failure");
    fit = strstr(error.text, "at most ");
    frames = fit ? strtoull(fit + 8, NULL, 10) : 0;
    ok(strstr(error.text, "batch: 10000000 frames with in_flight 3 need 74506.4 GiB of host "
                          "memory, this process may have ") == error.text,
       "%s", error.text);
    ok(host_need(n, frames) <= memory && host_need(n, frames + 1) > memory,
       "what would fit does, one frame more does not");
    plan_with("n: 1000000000000", "", "backend: ref\nbatch: 1\n");
    error = (struct diag){0};
    ok(session_exec(&session, &made, UINT64_MAX, &options, &exec, &error) &&
           strstr(error.text, "a smaller in_flight needs less"),
       "a frame that is too large: %s", error.text);
    plan_with("n: 1099511627776", "", "backend: ref\nbatch: 16777216\n");
    error = (struct diag){0};
    ok(session_exec(&session, &made, UINT64_MAX, &options, &exec, &error) &&
           strstr(error.text, "of host memory, this process may have"),
       "2^64 bytes are not 0: %s", error.text);
}

int main(void)
{
    memory_registry_init(&registry);
    memory_add_provider(&registry, &dev);
    memory_add_stage(&registry, on_device("toy.source"));
    memory_add_stage(&registry, on_device("toy.pass"));
    memory_add_stage(&registry, on_device("toy.sink"));
    test_host_batch();
    test_low_batch();
    test_device_batch();
    test_device_room();
    test_device_once();
    test_edge();
    test_edge_blocks();
    test_scratch();
    test_pool();
    test_host_check();
    done();
    is_int(toy_codes, 0, "no code object is left");
    memory_registry_free(&registry);
    return done_testing();
}

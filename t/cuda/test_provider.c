/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The provider of the built plugins/cuda on a real device. Where there is none it skips, with the
 * probe's reason; under FECRUN_REQUIRE=cuda that is a failure. For runs under compute-sanitizer:
 * the argument `nofault` leaves out what is meant to fail (calls, a kernel that crashes) and the
 * rates.
 */
#include "t/lib/cuda_frames.h"

#include "core/plugin/loader.h"

static const struct fecrun_provider *p;
static void *stream;
static struct fecrun_error err;

/* Is the call's result 0? Its error is shown if not. */
static bool good(int status)
{
    if (status || err.text[0])
        diag("%d: %s", status, err.text);
    status = status || err.text[0];
    err = (struct fecrun_error){.size = sizeof err};
    return !status;
}

static bool failed_with(bool failed, const char *words)
{
    bool right = failed && strstr(err.text, words);

    diag("%s", err.text);
    err = (struct fecrun_error){.size = sizeof err};
    return right;
}

static void *device_memory(size_t bytes)
{
    void *memory = p->alloc(0, FECRUN_MEMORY_DEVICE, bytes, &err);

    if (!memory)
        bail("no device memory: %s", err.text);
    return memory;
}

static bool required(void)
{
    const char *list = getenv("FECRUN_REQUIRE");

    return list && strstr(list, "cuda");
}

static void open_provider(void)
{
    static struct loaded file;
    struct diag error = {0};
    const char *top = getenv("top_builddir");
    char path[4096], reason[256] = "";

    err.size = sizeof err;
    snprintf(path, sizeof path, "%s/lib/fecrun/%d/cuda.so", top ? top : ".", FECRUN_ABI);
    file.path = path;
    if (loader_open(&file, NULL, &error) || !file.plugin)
        bail("%s: %s", path, file.reason);
    p = file.plugin->providers[0];
    if (p->probe(NULL, 0, reason, sizeof reason)) {
        if (required())
            bail("FECRUN_REQUIRE=cuda, but: %s", reason);
        skip_all("%s", reason);
    }
}

static void test_facts(void)
{
    uint64_t free_bytes = 0, total = 0;
    char text[256] = "";

    ok(p->devices(NULL) >= 1, "%d devices", p->devices(NULL));
    ok(p->describe(0, text, sizeof text) == 0 && strstr(text, ", sm_") && strstr(text, " SMs, "),
       "%s", text);
    ok(p->software(text, sizeof text) == 0 && strstr(text, "driver ") && strstr(text, "CUDA "),
       "%s", text);
    ok(good(p->memory(0, &free_bytes, &total, &err)) && free_bytes > 0 && free_bytes <= total,
       "%.1f of %.1f GB are free", (double)free_bytes * 1e-9, (double)total * 1e-9);
}

static void test_refusals(void)
{
    uint64_t free_bytes = 0, total = 0;
    char text[256] = "";

    ok(p->describe(1000, text, sizeof text) == -1 && text[0], "device 1000: %s", text);
    ok(failed_with(p->memory(1000, &free_bytes, &total, &err) == -1, "choosing the device"),
       "memory of device 1000");
    p->memory(0, &free_bytes, &total, &err);
    ok(failed_with(!p->alloc(0, FECRUN_MEMORY_DEVICE, (size_t)total + 1, &err), "a smaller batch"),
       "more device memory than there is");
    ok(failed_with(!p->alloc(0, FECRUN_MEMORY_PINNED, (size_t)1 << 50, &err), "a smaller batch"),
       "more pinned memory than there is");
    ok(failed_with(!p->alloc(1000, FECRUN_MEMORY_DEVICE, 1, &err), "choosing the device"),
       "memory on device 1000");
}

static void test_memory(void)
{
    for (uint32_t kind = FECRUN_MEMORY_PINNED; kind <= FECRUN_MEMORY_DEVICE; kind++) {
        void *memory = p->alloc(0, kind, 0, &err);
        ok(good(!memory) && (uintptr_t)memory % 64 == 0, "no bytes of kind %u, aligned", kind);
        p->free(0, kind, memory);
        p->free(0, kind, NULL);
    }
}

/* FECRUN_SLACK bytes behind device memory are there. */
static void test_slack(void)
{
    enum { N = 1003 };
    uint8_t *memory = device_memory(N), *want = get(N + FECRUN_SLACK), *got = get(N + FECRUN_SLACK);

    memset(want, 0x77, N + FECRUN_SLACK);
    ok(good(p->copy(0, stream, memory, want, N + FECRUN_SLACK, &err)) &&
           good(p->copy(0, stream, got, memory, N + FECRUN_SLACK, &err)) &&
           good(p->sync(0, stream, &err)) && !memcmp(got, want, N + FECRUN_SLACK),
       "%d bytes behind the end", FECRUN_SLACK);
    p->free(0, FECRUN_MEMORY_DEVICE, memory);
    free(want);
    free(got);
}

/* host -> pinned -> device -> device -> host, at odd places, with filled bytes in the middle */
static void test_copies(void)
{
    enum { N = 100003 };
    uint8_t *pinned = p->alloc(0, FECRUN_MEMORY_PINNED, N, &err), *want = get(N), *got = get(N);
    uint8_t *a = device_memory(N + 1), *b = device_memory(N + 3);

    if (!pinned)
        bail("no pinned memory: %s", err.text);
    for (size_t i = 0; i < N; i++)
        pinned[i] = want[i] = (uint8_t)draw(256);
    memset(want + 501, 0xc3, 1001);
    memset(got, 0, N);
    ok(good(p->copy(0, stream, a + 1, pinned, N, &err)), "pinned -> device");
    ok(good(p->fill(0, stream, a + 502, 0xc3, 1001, &err)), "fill");
    ok(good(p->copy(0, stream, b + 3, a + 1, N, &err)), "device -> device");
    ok(good(p->copy(0, stream, pinned, b + 3, N, &err)), "device -> pinned");
    ok(good(p->sync(0, stream, &err)) && memcmp(pinned, want, N) == 0, "what came back");
    memset(want, 0x11, 77);
    ok(good(p->copy(0, stream, a, want, N, &err)) && good(p->copy(0, stream, got, a, N, &err)) &&
           good(p->sync(0, stream, &err)) && memcmp(got, want, N) == 0,
       "pageable memory and back");
    ok(good(p->copy(0, stream, a, want, 0, &err)) && good(p->fill(0, stream, a, 0, 0, &err)) &&
           good(p->sync(0, stream, &err)),
       "nothing");
    p->free(0, FECRUN_MEMORY_PINNED, pinned);
    p->free(0, FECRUN_MEMORY_DEVICE, a);
    p->free(0, FECRUN_MEMORY_DEVICE, b);
    free(want);
    free(got);
}

/* Seconds are known once both marks are reached: a second stream then finds what was written. */
static void test_events(void)
{
    enum { BYTES = 64 << 20, ROUNDS = 20 };
    uint8_t *memory = device_memory(BYTES), last = 0;
    void *other = NULL, *begin = NULL, *end = NULL;
    double seconds = -1;
    unsigned wrong = 0;

    ok(good(p->stream_create(0, &other, &err)) && other, "a second stream");
    ok(good(p->event_create(0, &begin, &err)) && good(p->event_create(0, &end, &err)), "events");
    for (int i = 1; i <= ROUNDS; i++) {
        wrong += !good(p->event_record(0, stream, begin, &err));
        for (int k = 0; k < 8; k++)
            p->fill(0, stream, memory, k < 7 ? 0 : i, BYTES, &err);
        wrong += !good(p->event_record(0, stream, end, &err)) ||
                 !good(p->event_seconds(0, begin, end, &seconds, &err)) ||
                 !good(p->copy(0, other, &last, memory + BYTES - 1, 1, &err)) ||
                 !good(p->sync(0, other, &err)) || last != i;
    }
    is_int(wrong, 0, "what lies before an event is done when its time is known");
    ok(good(p->event_seconds(0, begin, end, &seconds, &err)) && seconds > 0 && seconds < 10,
       "8 fills of 64 MiB: %.1f us", seconds * 1e6);
    ok(good(p->sync(0, stream, &err)), "the first stream is done");
    p->event_destroy(0, begin);
    p->event_destroy(0, end);
    p->event_destroy(0, NULL);
    p->stream_destroy(0, other);
    p->stream_destroy(0, NULL);
    p->free(0, FECRUN_MEMORY_DEVICE, memory);
}

/* ---- Conversions ---- */

static bool same(uint32_t from, uint32_t to, uint64_t frames, uint64_t items, const unsigned at[4])
{
    struct frames in = frames_make(from, frames, items, at[0], at[1]);
    struct frames out = frames_make(to, frames, items, at[2], at[3]);
    struct fecrun_view in_view = in.view, out_view = out.view;
    uint8_t *want = frames_expect(&in, &out), *a = device_memory(in.bytes);
    uint8_t *b = device_memory(out.bytes);
    bool right;

    in_view.data = a + at[0];
    out_view.data = b + at[2];
    right = good(p->copy(0, stream, a, in.memory, in.bytes, &err)) &&
            good(p->copy(0, stream, b, out.memory, out.bytes, &err)) &&
            good(p->convert(0, stream, &in_view, &out_view, &err)) &&
            good(p->copy(0, stream, out.memory, b, out.bytes, &err)) &&
            good(p->sync(0, stream, &err)) && memcmp(out.memory, want, out.bytes) == 0;
    if (!right)
        diag("%s -> %s: %" PRIu64 " frames of %" PRIu64 " items, offsets %u %u, gaps %u %u",
             fecrun_type_name(from), fecrun_type_name(to), frames, items, at[0], at[2], at[1],
             at[3]);
    p->free(0, FECRUN_MEMORY_DEVICE, a);
    p->free(0, FECRUN_MEMORY_DEVICE, b);
    free(in.memory);
    free(out.memory);
    free(want);
    return right;
}

static void test_pair(uint32_t from, uint32_t to)
{
    static const uint64_t sizes[][2] = {{1, 0},     {1, 16384},   {3, 16390},  {1, 1000003},
                                        {5000, 1},  {700, 24},    {7, 65537},  {100, 2060},
                                        {64, 8192}, {2, 1 << 20}, {999, 1000}, {3, 16 * 1024}};
    static const unsigned tight[4] = {0, 0, 0, 0};
    unsigned wrong = 0;

    for (unsigned n = 0; n < 60; n++) {
        const unsigned at[4] = {(unsigned)draw(17), (unsigned)draw(4), (unsigned)draw(17),
                                (unsigned)draw(4)};
        wrong += !same(from, to, 1 + draw(40), n, at);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const unsigned loose[4] = {(unsigned)draw(17), (unsigned)draw(9), (unsigned)draw(17),
                                   (unsigned)draw(9)};
        const unsigned even[4] = {4, 4 - fecrun_bytes(from, sizes[i][1]) % 4, 2,
                                  2 - fecrun_bytes(to, sizes[i][1]) % 2};
        wrong += !same(from, to, sizes[i][0], sizes[i][1], tight);
        wrong += !same(from, to, sizes[i][0], sizes[i][1], loose);
        wrong += !same(from, to, sizes[i][0], sizes[i][1], even);
    }
    is_int(wrong, 0, "%s -> %s as on the host, all sizes, alignments and gaps",
           fecrun_type_name(from), fecrun_type_name(to));
}

static void test_conversions(void)
{
    struct fecrun_view in = {.size = sizeof in, .data = &in, .frames = 2, .items = 8, .stride = 8};
    struct fecrun_view out = in;
    unsigned wrong = 0;

    for (uint32_t from = FECRUN_NONE; from <= FECRUN_C8; from++)
        for (uint32_t to = FECRUN_U8; to <= FECRUN_C8; to++) {
            const struct fecrun_view a = {.size = sizeof a, .type = from};
            const struct fecrun_view b = {.size = sizeof b, .type = to};
            bool known = from && fecrun_convert_known(from, to);
            wrong += p->convert(0, NULL, &a, &b, NULL) != (known ? 0 : 1);
            if (known)
                test_pair(from, to);
        }
    is_int(wrong, 0, "the pairs are those of the host");
    in.type = FECRUN_U8;
    out.type = FECRUN_PACKED;
    out.items = 7;
    ok(failed_with(p->convert(0, stream, &in, &out, &err) == -1, "differ"), "views that differ");
}

/* Bytes of both sides a second, both ways of the pair that pipelines need most; for the log. */
static void show_rate(uint32_t from, uint32_t to, uint64_t frames, uint64_t items)
{
    struct fecrun_view in = {.size = sizeof in,
                             .type = from,
                             .frames = frames,
                             .items = items,
                             .stride = fecrun_bytes(from, items)};
    struct fecrun_view out = in;
    double best = 1e9, seconds;
    void *begin = NULL, *end = NULL;

    out.type = to;
    out.stride = fecrun_bytes(to, items);
    in.data = device_memory(in.stride * frames);
    out.data = device_memory(out.stride * frames);
    good(p->fill(0, stream, in.data, 1, in.stride * frames, &err));
    p->event_create(0, &begin, &err);
    p->event_create(0, &end, &err);
    for (int i = 0; i < 10; i++) {
        p->event_record(0, stream, begin, &err);
        p->convert(0, stream, &in, &out, &err);
        p->event_record(0, stream, end, &err);
        if (good(p->event_seconds(0, begin, end, &seconds, &err)) && seconds < best)
            best = seconds;
    }
    diag("%s -> %s, %" PRIu64 " frames of %" PRIu64 " items: %.0f GB/s", fecrun_type_name(from),
         fecrun_type_name(to), frames, items,
         (double)((in.stride + out.stride) * frames) / best * 1e-9);
    p->event_destroy(0, begin);
    p->event_destroy(0, end);
    p->free(0, FECRUN_MEMORY_DEVICE, in.data);
    p->free(0, FECRUN_MEMORY_DEVICE, out.data);
}

static void show_rates(void)
{
    show_rate(FECRUN_U8, FECRUN_PACKED, 1 << 16, 1 << 13);
    show_rate(FECRUN_PACKED, FECRUN_U8, 1 << 16, 1 << 13);
    show_rate(FECRUN_U8, FECRUN_PACKED, 1 << 18, 2060);
    show_rate(FECRUN_PACKED, FECRUN_U8, 1 << 18, 2060);
    show_rate(FECRUN_PACKED, FECRUN_U8, 1 << 18, 2049);
    show_rate(FECRUN_I8, FECRUN_F32, 1 << 14, 1 << 13);
    show_rate(FECRUN_I4, FECRUN_I8, 1 << 15, 1 << 13);
}

/* The last test: no device after it. */
static void test_fault(void)
{
    struct fecrun_view in = {.size = sizeof in,
                             .data = (void *)(uintptr_t)4096,
                             .type = FECRUN_U8,
                             .frames = 1,
                             .items = 4096,
                             .stride = 4096};
    struct fecrun_view out = in;

    out.type = FECRUN_PACKED;
    out.stride = 512;
    good(p->convert(0, stream, &in, &out, &err));
    ok(failed_with(p->sync(0, stream, &err) == -1, "context is lost"), "a kernel crashes");
    ok(failed_with(p->sync(0, stream, &err) == -1, "context is lost"), "it stays so");
    ok(failed_with(!p->alloc(0, FECRUN_MEMORY_DEVICE, 1, &err), "context is lost"),
       "no memory after it");
    p->stream_destroy(0, stream);
    ok(true, "nothing hangs");
}

int main(int argc, char **argv)
{
    bool fault = !(argc > 1 && strcmp(argv[1], "nofault") == 0);

    open_provider();
    test_facts();
    if (fault)
        test_refusals();
    test_memory();
    ok(good(p->stream_create(0, &stream, &err)) && stream, "a stream");
    test_slack();
    test_copies();
    test_events();
    test_conversions();
    if (fault) {
        show_rates();
        test_fault();
    } else {
        p->stream_destroy(0, stream);
    }
    return done_testing();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fecrun.h in a program that uses CUDA itself: device pointers, a stream of the program, its
 * current context, and what a call takes. The program's own use of CUDA is that of the provider,
 * which is called beside the host. Where there is no device it skips, with the probe's reason.
 */
#include "t/lib/tap.h"

#include "core/plugin/loader.h"

#include <fecrun/fecrun.h>
#include <time.h>

enum { BITS = 1000, CODED = 2 * (BITS + 6), FRAMES = 64 };

#define HEAD "fecrun: 1\npipeline:\n"
#define ENCODER \
    HEAD "- source.memory: {dtype: u1, frame: 1000}\n" \
         "- conv.encode: {code: ieee80211, backend: ref}\n" \
         "- sink.memory\n"
#define DECODER(space) \
    HEAD "- source.memory: {dtype: i8, frame: 2012, llr_max: 10, space: " space "}\n" \
         "- viterbi.decode: {code: ieee80211, backend: cuda}\n" \
         "- sink.memory: {dtype: u1, space: " space "}\n"

static const struct fecrun_provider *p;
static void *stream;
static struct fecrun_message message = {.size = sizeof message};
static struct fecrun_session *session;
static struct fecrun_prepared *prepared;

static uint8_t sent[FRAMES][BITS], got[FRAMES][BITS];
static int8_t llrs[FRAMES][CODED];

static void open_provider(void)
{
    static struct loaded file;
    struct diag error = {0};
    const char *top = getenv("top_builddir"), *required = getenv("FECRUN_REQUIRE");
    char path[4096], reason[256] = "";

    snprintf(path, sizeof path, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", path, 1);
    snprintf(path, sizeof path, "%s/lib/fecrun/%d/cuda.so", top ? top : ".", FECRUN_ABI);
    file.path = path;
    if (loader_open(&file, NULL, &error) || !file.plugin)
        bail("%s: %s", path, file.reason);
    p = file.plugin->providers[0];
    if (p->probe(NULL, 0, reason, sizeof reason)) { /* starts the driver in this process */
        if (required && strstr(required, "cuda"))
            bail("FECRUN_REQUIRE=cuda, but: %s", reason);
        skip_all("%s", reason);
    }
    if (p->stream_create(0, &stream, NULL))
        bail("no stream");
}

static void must(int status)
{
    if (status)
        bail("%s", message.text);
}

static void prepare(const char *text, void *const *lent)
{
    const struct fecrun_prepare_options options = {
        .size = sizeof options, .frames = FRAMES, .stream = lent};

    fecrun_finish(prepared);
    fecrun_close(session);
    prepared = NULL;
    must(fecrun_open_text(&session, "mine", text, strlen(text), NULL, &message));
    must(fecrun_prepare(&prepared, session, &options, &message));
}

static void bind(const void *in, size_t in_bytes, size_t in_stride, void *out, size_t out_bytes)
{
    must(fecrun_bind_input(prepared, "source.memory", in, in_bytes, in_stride, &message));
    must(fecrun_bind_output(prepared, "sink.memory", out, out_bytes, 0, &message));
}

static bool right(void)
{
    bool same = !memcmp(got, sent, sizeof got);

    memset(got, 7, sizeof got);
    return same;
}

/* ---- Memory of the device ---- */

static void *device_array(size_t bytes)
{
    void *array = p->alloc(0, FECRUN_MEMORY_DEVICE, bytes, NULL);

    if (!array)
        bail("no device memory");
    return array;
}

static void copy(void *to, const void *from, size_t bytes)
{
    if (p->copy(0, stream, to, from, bytes, NULL) || p->sync(0, stream, NULL))
        bail("a copy failed");
}

static void make_frames(void)
{
    static uint8_t coded[FRAMES][CODED];
    uint32_t z = 1;

    for (size_t i = 0; i < sizeof sent; i++) {
        z = z * 1664525 + 1013904223;
        (&sent[0][0])[i] = z >> 31;
    }
    prepare(ENCODER, NULL);
    bind(sent, sizeof sent, 0, coded, sizeof coded);
    must(fecrun_execute(prepared, FRAMES, &message));
    for (size_t i = 0; i < sizeof coded; i++) {
        const int llr = (&coded[0][0])[i] ? -4 : 4;
        (&llrs[0][0])[i] = (int8_t)(i % 17 ? llr : -llr / 2);
    }
}

/* ---- Tests ---- */

static void test_host(void)
{
    void *before = p->chosen();

    prepare(DECODER("host"), NULL);
    ok(p->chosen() == before, "the thread's context is the same after preparing");
    bind(llrs, sizeof llrs, 0, got, sizeof got);
    ok(!fecrun_execute(prepared, FRAMES, &message) && right(), "arrays of the host %s",
       message.text);
    ok(p->chosen() == before, "the same after a call");
    p->choose(NULL);
    ok(!fecrun_execute(prepared, 1, &message) && !p->chosen(), "also where there was none");
    p->choose(before);
}

static void test_device(void)
{
    char *in = device_array(2 * sizeof llrs), *out = device_array(sizeof got);

    prepare(DECODER("device"), NULL);
    copy(in, llrs, sizeof llrs);
    bind(in, sizeof llrs + FECRUN_SLACK, 0, out, sizeof got + FECRUN_SLACK);
    ok(!fecrun_execute(prepared, FRAMES, &message), "arrays of the device %s", message.text);
    copy(got, out, sizeof got);
    ok(right(), "give what was sent");
    bind(in, sizeof llrs, 0, out, sizeof got);
    ok(!fecrun_execute(prepared, FRAMES, &message), "without room behind them");
    copy(got, out, sizeof got);
    ok(right(), "give it, too");
    for (size_t f = 0; f < FRAMES; f++)
        copy(in + f * (CODED + 13), llrs[f], CODED);
    bind(in, 2 * sizeof llrs, CODED + 13, out, sizeof got);
    ok(!fecrun_execute(prepared, FRAMES, &message), "with a stride");
    copy(got, out, sizeof got);
    ok(right(), "give it, too");

    prepare(DECODER("device"), &stream);
    copy(in, llrs, sizeof llrs);
    bind(in, sizeof llrs + FECRUN_SLACK, 0, out, sizeof got + FECRUN_SLACK);
    ok(!fecrun_execute(prepared, FRAMES, &message), "on a stream of the program");
    copy(got, out, sizeof got);
    ok(right(), "what is queued there next sees the result");
    fecrun_finish(prepared);
    prepared = NULL;
    ok(!p->sync(0, stream, NULL), "the stream is left to the program");
    p->free(0, FECRUN_MEMORY_DEVICE, in);
    p->free(0, FECRUN_MEMORY_DEVICE, out);
}

static double microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* For the log: nothing depends on it. */
static void show_times(void)
{
    char *in = device_array(sizeof llrs), *out = device_array(sizeof got);
    double least = 1e9;

    prepare(DECODER("device"), NULL);
    copy(in, llrs, sizeof llrs);
    bind(in, sizeof llrs + FECRUN_SLACK, 0, out, sizeof got + FECRUN_SLACK);
    for (int i = 0; i < 1000; i++) {
        const double start = microseconds();
        double took;
        must(fecrun_execute(prepared, FRAMES, &message));
        took = microseconds() - start;
        least = took < least ? took : least;
    }
    diag("%d frames of %d bits, device pointers: %.2f us a call at least", FRAMES, BITS, least);
    fecrun_finish(prepared);
    prepared = NULL;
    p->free(0, FECRUN_MEMORY_DEVICE, in);
    p->free(0, FECRUN_MEMORY_DEVICE, out);
}

int main(void)
{
    open_provider();
    ok(p->started(), "this process has started the driver");
    make_frames();
    test_host();
    test_device();
    show_times();
    fecrun_finish(prepared);
    fecrun_close(session);
    p->stream_destroy(0, stream);
    return done_testing();
}

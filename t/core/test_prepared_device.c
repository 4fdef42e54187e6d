/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun.h with arrays in memory of the fake device (t/doubles/fake/device.c), streams of the
   program, and what it has chosen for its thread. */
#include "t/lib/tap.h"

#include "run/api/api_impl.h"

#include <dlfcn.h>
#include <fecrun/fecrun.h>

enum { BITS = 50, FRAMES = 4, BYTES = BITS * FRAMES };

#define HEAD "fecrun: 1\npipeline:\n"
#define FLIP HEAD "- fake.input: {frame: 50}\n- fake.flip\n- fake.output\n"
#define SHIFT ((uintptr_t)1 << 50)

static struct fecrun_message message = {.size = sizeof message};
static struct fecrun_session *session;
static struct fecrun_prepared *prepared;
static const struct fecrun_provider *device;
static int (*current)(void);
static void (*use)(int device);
static int *probes_here;
static const char *plugin_dirs[2];

/* ---- The plugin, beside the host ---- */

static void *symbol(void *handle, const char *name)
{
    void *found = dlsym(handle, name);

    if (!found)
        bail("%s: %s", name, dlerror());
    return found;
}

static void load_double(const char *dir)
{
    const struct fecrun_plugin *plugin;
    char path[4096];
    void *handle;

    snprintf(path, sizeof path, "%s/device.so", dir);
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        bail("%s", dlerror());
    plugin = symbol(handle, "fecrun_plugin");
    device = plugin->providers[0];
    *(void **)&current = symbol(handle, "fake_current");
    *(void **)&use = symbol(handle, "fake_use");
    probes_here = symbol(handle, "fake_probes");
}

/* A pointer as the device knows it. */
static void *there(void *array)
{
    return (void *)((uintptr_t)array + SHIFT);
}

/* ---- Helpers ---- */

static bool open_text(const char *text)
{
    const struct fecrun_options options = {
        .size = sizeof options, .plugin_dirs = plugin_dirs, .backend = "fake:1"};

    fecrun_finish(prepared);
    fecrun_close(session);
    prepared = NULL;
    return !fecrun_open_text(&session, "mine", text, strlen(text), &options, &message);
}

static bool prepare(const char *text, void *const *stream)
{
    const struct fecrun_prepare_options options = {
        .size = sizeof options, .frames = FRAMES, .stream = stream};

    return open_text(text) && !fecrun_prepare(&prepared, session, &options, &message);
}

static void must_prepare(const char *text, void *const *stream)
{
    if (!prepare(text, stream))
        bail("%s", message.text);
}

static bool bind(void *in, size_t in_bytes, size_t in_stride, void *out, size_t out_bytes,
                 size_t out_stride)
{
    return !fecrun_bind_input(prepared, "fake.input", there(in), in_bytes, in_stride, &message) &&
           !fecrun_bind_output(prepared, "fake.output", there(out), out_bytes, out_stride,
                               &message);
}

static bool execute(void)
{
    return !fecrun_execute(prepared, FRAMES, &message);
}

/* Frames of `in`, flipped, are in `out`. */
static bool flipped(const uint8_t *in, size_t in_stride, const uint8_t *out, size_t out_stride)
{
    for (size_t f = 0; f < FRAMES; f++)
        for (size_t i = 0; i < BITS; i++)
            if (out[f * out_stride + i] != (in[f * in_stride + i] ^ 1))
                return false;
    return true;
}

static uint8_t in[2 * BYTES + FECRUN_SLACK], out[2 * BYTES + FECRUN_SLACK];

static void clear(void)
{
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = i % 3 == 0;
    memset(out, 7, sizeof out);
}

/* Both arrays took the place of buffers. */
static bool direct(void)
{
    return prepared->ports[0].direct && prepared->ports[1].direct;
}

/* ---- Tests ---- */

static void test_arrays(void)
{
    struct fecrun_port_info info = {.size = sizeof info};

    must_prepare(FLIP, NULL);
    ok(!fecrun_get_port(prepared, "fake.output", &info, &message) && info.device == 1,
       "an array is on the device of the pipeline");
    is_str(info.space, "fake", "of its kind");
    clear();
    ok(bind(in, BYTES + FECRUN_SLACK, 0, out, BYTES + FECRUN_SLACK, 0) && execute() &&
           flipped(in, BITS, out, BITS),
       "arrays with room behind them %s", message.text);
    ok(direct(), "are worked on as they are");
    clear();
    ok(bind(in, BYTES, 0, out, BYTES, 0) && execute() && flipped(in, BITS, out, BITS),
       "and without");
    ok(!direct(), "are copied");
    ok(out[BYTES] == 7, "nothing is written behind them");
    clear();
    ok(bind(in, 2 * BYTES, 2 * BITS, out, 2 * BYTES, 2 * BITS - 1) && execute() &&
           flipped(in, 2 * BITS, out, 2 * BITS - 1),
       "strides");
    ok(out[BITS] == 7, "nothing is written between frames");
    must_prepare(HEAD
                 "- fake.input: {frame: 50}\n- fake.flip\n- fake.flip: {id: host, backend: ref}\n"
                 "- fake.reverse\n- fake.output\n",
                 NULL);
    clear();
    ok(bind(in, BYTES, 0, out, BYTES, 0) && execute() && out[0] == in[BITS - 1] &&
           out[BYTES - 1] == in[BYTES - BITS],
       "a stage on the host between");
}

static void test_stream(void)
{
    const struct fecrun_frame_info *infos;
    void *stream;

    if (device->stream_create(1, &stream, NULL))
        bail("no stream");
    must_prepare(FLIP, &stream);
    clear();
    ok(bind(in, BYTES + FECRUN_SLACK, 0, out, BYTES + FECRUN_SLACK, 0) && execute(),
       "a stream of the program");
    infos = fecrun_get_infos(prepared);
    is_int(out[0], 7, "the work is queued only");
    ok(execute() && !device->sync(1, stream, NULL), "a call behind it");
    ok(flipped(in, BITS, out, BITS) && !infos[0].flags, "done once the program has waited");
    clear();
    ok(execute(), "queued again");
    fecrun_finish(prepared);
    prepared = NULL;
    ok(flipped(in, BITS, out, BITS), "the end waits for what is queued");
    ok(!device->sync(1, stream, NULL), "and leaves the stream");
    ok(!prepare(HEAD "- fake.input: {frame: 50, backend: ref}\n- fake.flip: {backend: ref}\n"
                     "- fake.output: {backend: ref}\n",
                &stream) &&
           message.status == 2,
       "no device takes part: %s", message.text);
    device->stream_destroy(1, stream);
}

/* Other sizes, in arrays that stay bound and in the program's stream. */
static void test_set(void)
{
    const char *const fewer[] = {"fake.input.frame=30", NULL}, *const more[] = {
                                                                   "fake.input.frame=60", NULL};
    const char *const wrong[] = {"fake.input.frame=0", NULL};
    bool same = true;
    void *stream;

    if (device->stream_create(1, &stream, NULL))
        bail("no stream");
    use(0);
    must_prepare(FLIP, &stream);
    clear();
    ok(bind(in, sizeof in, 0, out, sizeof out, 0) && execute() &&
           !fecrun_set(prepared, fewer, &message) && flipped(in, BITS, out, BITS),
       "waits for what is queued %s", message.text);
    clear();
    ok(direct() && execute() && out[0] == 7 && !device->sync(1, stream, NULL), "shorter frames");
    for (size_t i = 0; i < 30 * FRAMES; i++)
        same = same && out[i] == (in[i] ^ 1);
    ok(same && out[30 * FRAMES] == 7, "in the same arrays");
    ok(fecrun_set(prepared, wrong, &message) && message.status == 2, "none: %s", message.text);
    use(0);
    ok(!fecrun_set(prepared, more, &message) && current() == 0, "the thread's device is the same");
    ok(execute() && !device->sync(1, stream, NULL) &&
           out[60 * FRAMES - 1] == (in[60 * FRAMES - 1] ^ 1),
       "longer ones");
    fecrun_finish(prepared);
    prepared = NULL;
    ok(!device->sync(1, stream, NULL), "the program's stream stays");
    device->stream_destroy(1, stream);
}

static void test_manners(void)
{
    use(0);
    is_int(*probes_here, 0, "no device is asked yet");
    must_prepare(FLIP, NULL);
    ok(*probes_here > 0, "the program itself is asked what the device can do");
    is_int(current(), 0, "the thread's device is the same after preparing");
    clear();
    ok(bind(in, BYTES, 0, out, BYTES, 0) && execute(), "a call");
    is_int(current(), 0, "the same after it");
    fecrun_finish(prepared);
    prepared = NULL;
    is_int(current(), 0, "the same after the end");
    ok(open_text(HEAD "- fake.ramp\n- fake.count\nstop: {frames: 10}\n") &&
           !fecrun_run(session, NULL, &message),
       "a run %s", message.text);
    is_int(current(), 0, "the same after a run");
}

static void test_failure(void)
{
    must_prepare(FLIP, NULL);
    clear();
    if (!bind(in, BYTES, 0, out, BYTES, 0))
        bail("%s", message.text);
    setenv("FAKE_FAIL", "run", 1);
    ok(!execute() && message.status == 1, "a call fails: %s", message.text);
    unsetenv("FAKE_FAIL");
    ok(!execute() && strstr(message.text, "has failed before"), "then no other goes: %s",
       message.text);
}

int main(void)
{
    const char *fake = getenv("FAKEDIR");

    if (!fake)
        skip_all("FAKEDIR is not set");
    plugin_dirs[0] = fake;
    setenv("FAKE_DEVICES", "2", 1);
    load_double(fake);
    test_manners();
    test_arrays();
    test_stream();
    test_set();
    test_failure();
    fecrun_finish(prepared);
    fecrun_close(session);
    return done_testing();
}

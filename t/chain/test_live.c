/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.file on a pipe whose frames come one at a time, each just when the source begins to wait for
 * it: poll() here is the writer, so nothing depends on time. Usually the source collects what comes
 * so; with `latency: low` it waits for a batch's first frame and for no other.
 */
#include "plugins/chain/plugin.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <fecrun/sdk/sample.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ITEMS = 10, FRAMES = 4, N_PARAMS = 16 };

static int writer = -1;
static unsigned waits, looks; /* polls that found nothing: with a time to wait, and without */

static void write_frame(void)
{
    static const uint8_t frame[ITEMS];

    if (write(writer, frame, sizeof frame) != sizeof frame)
        bail("cannot write");
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    struct pollfd *volatile polled = fds; /* the compiler thinks that poll() only writes to them */
    int there = 0;

    if (n != 1 || ioctl(polled->fd, FIONREAD, &there))
        bail("not that poll()");
    polled->revents = POLLIN;
    if (there > 0)
        return 1;
    waits += timeout != 0;
    looks += timeout == 0;
    if (timeout)
        write_frame();
    return timeout != 0;
}

/* ---- The stage ---- */

static struct fecrun_value value[N_PARAMS];

static struct fecrun_value *find(const char *name)
{
    for (unsigned i = 0; i < N_PARAMS && chain_source_file.params[i]; i++)
        if (!strcmp(chain_source_file.params[i]->name, name))
            return &value[i];
    bail("no parameter %s", name);
}

static void give(const char *name, int64_t i, const char *text)
{
    *find(name) = (struct fecrun_value){
        .size = sizeof *value, .given = 2, .i = i, .f = (double)i, .s = text};
}

static int64_t choice(const char *name, const char *text)
{
    const char *const *choices = chain_source_file.params[find(name) - value]->choices;

    for (int64_t i = 0; choices[i]; i++)
        if (!strcmp(choices[i], text))
            return i;
    bail("no choice %s", text);
}

static void *plan_source(uint32_t latency)
{
    const struct fecrun_host host = {.size = sizeof host, .latency = latency};
    const struct fecrun_value *list[N_PARAMS];
    const struct fecrun_values values = {sizeof values, N_PARAMS, list};
    struct fecrun_frame out = {.size = sizeof out};
    struct fecrun_frame *outs[] = {&out};
    struct fecrun_sim_plan sim = {.size = sizeof sim};
    struct fecrun_plan result = {.size = sizeof result, .sim = &sim};
    struct fecrun_error err = {.size = sizeof err};

    for (unsigned i = 0; i < N_PARAMS; i++)
        list[i] = &value[i];
    if (chain_source_file.plan(&host, &values, NULL, outs, &result, &err))
        bail("plan: %s: %s", err.param, err.text);
    is_int((int64_t)out.items, ITEMS, "items");
    return result.code;
}

static void *create_source(void *const *code)
{
    const struct fecrun_form form = {.size = sizeof form, FECRUN_OUT({.type = FECRUN_U8})};
    const struct fecrun_create create = {
        .size = sizeof create, .codes = code, .n_codes = 1, .form = &form, .max_frames = FRAMES};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (chain_source_file.backends[0]->create(&create, &instance, &err))
        bail("create: %s", err.text);
    return instance;
}

/* Frames of the next batch; *paused as the source said. */
static unsigned run_source(void *instance, void *const *code, unsigned first, bool *paused)
{
    static volatile int never;
    uint8_t data[FRAMES * ITEMS];
    const struct fecrun_call call = {
        .size = sizeof call, .codes = code, .first_frame = first, .cancel = &never};
    struct fecrun_view view = {.size = sizeof view,
                               .data = data,
                               .type = FECRUN_U8,
                               .frames = FRAMES,
                               .items = ITEMS,
                               .stride = ITEMS,
                               .may_pause = 1};
    struct fecrun_view *outs[] = {&view};
    struct fecrun_error err = {.size = sizeof err};

    waits = looks = 0;
    if (chain_source_file.backends[0]->run(instance, &call, NULL, outs, &err))
        bail("run: %s", err.text);
    *paused = view.paused != 0;
    return (unsigned)view.frames;
}

static void test_frames(uint32_t latency)
{
    void *code = plan_source(latency), *instance = create_source(&code);
    const bool low = latency == FECRUN_LATENCY_LOW;
    bool paused;

    is_int(run_source(instance, &code, 0, &paused), low ? 1 : FRAMES,
           "%s: frames of the first batch", low ? "low" : "auto");
    ok(paused == low, low ? "which goes on alone" : "which is a whole one");
    is_int(waits, low ? 1 : FRAMES, "so often was waited");
    is_int(looks, low, "or looked");
    if (low) {
        write_frame();
        write_frame();
        is_int(run_source(instance, &code, 1, &paused), 2, "two that have come");
        ok(paused && !waits, "go on together, and none is waited for");
    }
    chain_source_file.backends[0]->destroy(instance);
    chain_source_file.plan_free(code);
}

/* The last piece that has come is a batch of its own: decoders of those before it read it. */
static void test_pieces(void)
{
    void *code = plan_source(FECRUN_LATENCY_LOW), *instance = create_source(&code);
    bool paused;

    write_frame();
    write_frame();
    write_frame();
    is_int(run_source(instance, &code, 0, &paused), 2, "three pieces have come: two");
    ok(paused, "go on");
    is_int(run_source(instance, &code, 2, &paused), 1, "and one");
    ok(paused && !waits, "by itself, and none is waited for");
    chain_source_file.backends[0]->destroy(instance);
    chain_source_file.plan_free(code);
}

int main(void)
{
    char dir[] = "/tmp/fecrun-live.XXXXXX", path[64];

    if (!mkdtemp(dir))
        bail("no directory");
    snprintf(path, sizeof path, "%s/fifo", dir);
    if (mkfifo(path, 0600) || (writer = open(path, O_RDWR | O_CLOEXEC)) < 0)
        bail("no pipe");
    give("path", 0, path);
    give("dtype", choice("dtype", "u1"), "u1");
    give("frame", ITEMS, "");
    test_frames(FECRUN_LATENCY_AUTO);
    test_frames(FECRUN_LATENCY_LOW);
    give("frame", 0, "");
    give("piece", ITEMS, "");
    test_pieces();
    close(writer);
    unlink(path);
    rmdir(dir);
    return done_testing();
}
